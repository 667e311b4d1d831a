/** A shell whose commands do what a test tells them to, when it tells them. */

import type { Shell, ShellExit, ShellOptions, ShellOutput } from "holdall";

/** One command that was started. */
export interface HandRun {
  command: string;
  options: ShellOptions;
  /** Prints. */
  print(text: string, stream?: ShellOutput["stream"]): void;
  /** Ends it. */
  end(exit?: Partial<ShellExit>): void;
  /** Breaks the shell under it. */
  fail(error: Error): void;
}

/** A shell that is moved by hand. */
export interface HandShell {
  shell: Shell;
  /** All commands, in the order they were started. */
  runs: HandRun[];
  /** The last one that was started. */
  last(): HandRun;
  /** Waits until the first one was started: what starts it may have to be loaded. */
  started(): Promise<void>;
}

/** Makes the shell; an abort ends a command at once. */
export function handShell(): HandShell {
  const runs: HandRun[] = [];
  const shell: Shell = {
    run(command, options = {}) {
      const pieces: ShellOutput[] = [];
      let wake = (): void => {};
      let settled = false;
      let settle: { resolve(exit: ShellExit): void; reject(reason: unknown): void } = { resolve() {}, reject() {} };
      const exit = new Promise<ShellExit>((resolve, reject) => {
        settle = { resolve, reject };
      });
      exit.catch(() => {});
      const finish = (): void => {
        settled = true;
        wake();
      };
      const fail = (error: unknown): void => {
        settle.reject(error);
        finish();
      };
      runs.push({
        command,
        options,
        print: (text, stream = "stdout") => {
          pieces.push({ stream, text });
          wake();
        },
        end: (given = {}) => {
          settle.resolve({ code: 0, timedOut: false, truncated: false, ...given });
          finish();
        },
        fail,
      });
      if (options.signal?.aborted) fail(options.signal.reason);
      options.signal?.addEventListener("abort", () => fail(options.signal?.reason));
      return {
        exit,
        async *[Symbol.asyncIterator]() {
          for (let at = 0; ; at += 1) {
            while (at >= pieces.length && !settled) {
              await new Promise<void>((resolve) => {
                wake = resolve;
              });
            }
            const piece = pieces[at];
            if (piece === undefined) return;
            yield piece;
          }
        },
      };
    },
  };
  const last = (): HandRun => {
    const run = runs[runs.length - 1];
    if (run === undefined) throw new Error("nothing was started");
    return run;
  };
  const started = async (): Promise<void> => {
    while (runs.length === 0) await settle();
  };
  return { shell, runs, last, started };
}

/** Lets everything that is ready happen: a turn of the event loop, because a host loads nothing within one. */
export async function settle(): Promise<void> {
  await new Promise<void>((resolve) => void setTimeout(resolve, 0));
}
