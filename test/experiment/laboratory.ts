/** Runs many lines in several sandboxes at once, and collects what they changed. */

import type { Sandbox, StartSandbox } from "./sandbox.ts";

/** A line that changed something. */
export interface Fault {
  line: string;
  shell: "bash" | "sh";
  changes: readonly string[];
}

/** What came of many lines. */
export interface Report {
  /** How many lines were run, without those whose program does not exist here. */
  ran: number;
  /** How many of them changed anything, allowed or not. */
  changed: number;
  faults: readonly Fault[];
}

/** What to run, and what it may do. */
export interface Experiment {
  /** Gives the next line; undefined at the end. */
  next(): string | undefined | Promise<string | undefined>;
  /** Tells whether a line may leave this change behind. Nothing may by default. */
  mayLeave?(change: string): boolean;
  /** Is told of every line that ran; not of those whose program does not exist here. */
  ran?(line: string): void;
}

/** A few sandboxes. */
export interface Laboratory {
  readonly sandboxes: readonly [Sandbox, ...Sandbox[]];
  run(experiment: Experiment): Promise<Report>;
  close(): void;
}

/** More tell nothing new; each is of a kind. */
const MOST_FAULTS = 10;
/** One line in so many is run by `sh`. */
const SH_EVERY = 3;
const NOT_FOUND = 127;
/** Milliseconds for a line that is run again. */
const PATIENCE = 10_000;

/** Starts a laboratory with so many sandboxes; most lines wait for something, so more than there are processors. */
export async function openLaboratory(start: StartSandbox, size = 4): Promise<Laboratory> {
  const sandboxes = await Promise.all([start(), ...Array.from({ length: size - 1 }, start)] as const);
  return {
    sandboxes,
    async run({ next, mayLeave = () => false, ran }) {
      const report = { ran: 0, changed: 0, faults: [] as Fault[] };
      let given = 0;
      const work = async (sandbox: Sandbox): Promise<void> => {
        for (let line = await next(); line !== undefined; line = await next()) {
          // By its place in the row, so that a line meets the same shell in every run.
          const shell = given % SH_EVERY === 0 ? "sh" : "bash";
          given += 1;
          const { code, changes } = await runSafely(sandbox, shell === "sh" ? waiting(line) : line, shell);
          if (code === NOT_FOUND) continue;
          report.ran += 1;
          ran?.(line);
          if (changes.length > 0) report.changed += 1;
          const wrong = changes.filter((change) => !mayLeave(change));
          if (wrong.length > 0) report.faults.push({ line, shell, changes: wrong.slice(0, 6) });
          if (report.faults.length >= MOST_FAULTS) return;
        }
      };
      await Promise.all(sandboxes.map(work));
      return report;
    },
    close: () => sandboxes.forEach((sandbox) => void sandbox.close()),
  };
}

/** Where bash redirects with `&>`, `sh` lets the command go on beside the line; what only reads ends by itself. */
function waiting(line: string): string {
  return line.includes("&>") ? `${line}\nwait` : line;
}

/**
 * A line that ends the sandbox itself has changed more than enough. One that did not end in time, or left a process
 * behind, is given more of it: a program that is killed, or is slow to end on a busy machine, leaves what it would not.
 */
async function runSafely(
  sandbox: Sandbox,
  command: string,
  shell: "bash" | "sh",
): Promise<{ code: number; changes: readonly string[] }> {
  try {
    const outcome = await sandbox.run({ command, shell });
    const isLate = outcome.timedOut || outcome.changes.some((change) => change.startsWith("process still running"));
    return isLate && outcome.changes.length > 0 ? await sandbox.run({ command, shell, timeout: PATIENCE }) : outcome;
  } catch (error) {
    return { code: -1, changes: [String(error)] };
  }
}
