/** What a case of the shell contract works on, and the steps that many of them take. */

import type { FileSystem, Shell, ShellExit, ShellOptions, ShellOutput, ShellRun } from "holdall";
import type { CaseDefinition } from "./contract-case.ts";
import { within } from "./expect.ts";

/** What a shell may be able to do beyond what is required. */
export type ShellAbility =
  /** An abort stops a loop that never waits. */
  | "abortBusyLoop"
  /** Commands can end by a signal, which the exit names. */
  | "signals"
  /** Pieces of both streams come in the order they were printed. */
  | "ordered";

/** A fresh shell over a file system. */
export interface ShellSubject {
  shell: Shell;
  fs: FileSystem;
  /** Where the shell stands at first: an empty directory, absolute. */
  cwd: string;
}

/** A case of the shell contract. */
export type ShellCase = CaseDefinition<ShellSubject, ShellAbility>;

/** What came of a command. */
export interface Ran extends ShellExit {
  stdout: string;
  stderr: string;
  pieces: ShellOutput[];
}

/** Milliseconds a case waits for a command: enough for a shell that has to be loaded first. */
const PATIENCE = 50_000;

/** Runs a command to its end. */
export async function run({ shell }: ShellSubject, command: string, options?: ShellOptions): Promise<Ran> {
  return finish(shell.run(command, options));
}

/** Reads a running command to its end. */
export async function finish(running: ShellRun): Promise<Ran> {
  const reading = readAll(running);
  // Whoever is not waited for first must not count as unhandled.
  running.exit.catch(() => {});
  const pieces = await within(reading, PATIENCE);
  const exit = await within(running.exit, PATIENCE);
  return { ...exit, pieces, stdout: textOfStream(pieces, "stdout"), stderr: textOfStream(pieces, "stderr") };
}

/** Collects what a command prints; an abort may end the output early, the exit tells of it. */
export async function readAll(running: ShellRun): Promise<ShellOutput[]> {
  const pieces: ShellOutput[] = [];
  try {
    for await (const piece of running) pieces.push(piece);
  } catch (error) {
    await running.exit;
    throw error;
  }
  return pieces;
}

/** Joins what was printed on one stream. */
export function textOfStream(pieces: readonly ShellOutput[], stream: ShellOutput["stream"]): string {
  return pieces
    .filter((piece) => piece.stream === stream)
    .map(({ text }) => text)
    .join("");
}
