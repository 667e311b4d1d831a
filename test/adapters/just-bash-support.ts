/** What the tests of the just-bash shell share. */

import type { Backend, Shell, ShellExit, ShellOptions } from "holdall";
import { type JustBashOptions, justBashShell } from "holdall/just-bash";
import { memoryBackend } from "holdall/memory";

/** Everything a command gave. */
export interface Ran {
  stdout: string;
  stderr: string;
  exit: ShellExit;
}

/** A backend whose shell is there. */
export type WithShell = Backend & { shell: Shell };

/**
 * Makes a backend in memory that stands in `/work`.
 *
 * Its commands run in place, in a page too: a worker for each test would take most of the time. The contract and the
 * tests of the page run in workers.
 */
export function workspace(files: Record<string, string | Uint8Array> = {}, options: JustBashOptions = {}): WithShell {
  const shell = justBashShell({ worker: false, ...options });
  const backend = memoryBackend({ cwd: "/work", files: { "/work/.keep": "", ...files }, shell });
  if (backend.shell === undefined) throw new Error("the backend has no shell");
  return { ...backend, shell: backend.shell };
}

/** Runs a command to its end. */
export async function run(shell: Shell, command: string, options: ShellOptions = {}): Promise<Ran> {
  const running = shell.run(command, options);
  const text = { stdout: "", stderr: "" };
  for await (const piece of running) text[piece.stream] += piece.text;
  return { ...text, exit: await running.exit };
}

/** Runs commands one after another and gives what each printed on both streams. */
export async function runAll(shell: Shell, commands: readonly string[]): Promise<string[]> {
  const printed: string[] = [];
  for (const command of commands) {
    const { stdout, stderr } = await run(shell, command);
    printed.push(stdout + stderr);
  }
  return printed;
}

/** Reads a file as text. */
export async function readText({ fs }: Backend, path: string): Promise<string> {
  return new TextDecoder().decode((await fs.read(path)).bytes);
}
