/** Runs one process to its end, and ends it with all it started when it must. */

import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { HoldallError, onAbort, type ShellOutput, type Timers } from "holdall";
import { atExit } from "./leftovers.ts";
import { type ProcessGroup, processGroup } from "./process-group.ts";

/** What to run. */
export interface ProcessOptions {
  file: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Written to the fourth stream. */
  program: string;
  /** Undefined: there is nothing to read. */
  stdin: string | undefined;
  /** Takes what is printed. */
  print(stream: ShellOutput["stream"], bytes: Uint8Array): void;
  /** Ends it: first all are asked to, then they are made to. */
  signal: AbortSignal;
  /** Milliseconds between the two. */
  graceMs: number;
  timers: Timers;
}

/** How a process ended. */
export interface ProcessEnd {
  code: number | null;
  signal: string | null;
  /** What it has left running, if anything: it may go on, its output is dropped. */
  left: ProcessGroup | undefined;
}

/** Milliseconds without output after which a stream that others keep open is left. */
const QUIET_MS = 100;

/** Milliseconds after which it is left even if there is output. */
const LONGEST_DRAIN_MS = 1000;

/** Milliseconds between two looks whether a group has gone. */
const LOOK_MS = 20;

/**
 * Runs a process in a group of its own.
 *
 * @throws HoldallError `SHELL_FAILED` when it cannot be started.
 */
export async function runProcess(options: ProcessOptions): Promise<ProcessEnd> {
  const { file, args, env, stdin, timers } = options;
  const child = spawn(file, args, {
    cwd: "/",
    env,
    // A group of its own, without a terminal to ask a password on.
    detached: true,
    windowsHide: true,
    stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe", "pipe"],
  });
  const group = await started(child);
  const forget = atExit(() => group.signal("SIGKILL"));
  try {
    const drain = readOutput(child, options.print, timers);
    feed(child.stdin, stdin ?? "");
    feed(writableOf(child.stdio[3]), options.program);
    const killer = startKiller(group, options);
    const { code, signal } = await exited(child);
    await killer.finish();
    await drain();
    return { code, signal, left: group.isAlive() ? group : undefined };
  } finally {
    forget();
  }
}

async function started(child: ChildProcess): Promise<ProcessGroup> {
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (cause) => reject(shellFailed(cause)));
  });
  // What fails later, such as a signal to a process that is gone, changes nothing.
  child.on("error", () => {});
  if (child.pid === undefined) throw shellFailed(undefined);
  return processGroup(child.pid);
}

function shellFailed(cause: unknown): HoldallError {
  const why = cause instanceof Error ? cause.message : "the host gave no process";
  return new HoldallError(
    "SHELL_FAILED",
    `the shell could not be started: ${why}. Check the shell's path, or try again.`,
    {
      cause,
    },
  );
}

function exited(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
}

function feed(stream: Writable | undefined | null, text: string): void {
  // Whoever does not read its input is no failure.
  stream?.on("error", () => {});
  stream?.end(text);
}

function writableOf(stream: Readable | Writable | null | undefined): Writable | undefined {
  return stream !== null && stream !== undefined && "end" in stream ? stream : undefined;
}

/** Reads both streams; the function returned waits for their end, or until nothing comes from whoever keeps them open. */
function readOutput(child: ChildProcess, print: ProcessOptions["print"], timers: Timers): () => Promise<void> {
  let isLeft = false;
  let busy = (): void => {};
  const names = ["stdout", "stderr"] as const;
  for (const name of names)
    child[name]?.on("data", (bytes: Uint8Array) => {
      if (isLeft) return;
      print(name, bytes);
      busy();
    });
  const closed = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
  });
  return async () => {
    const quiet = whenQuiet(timers);
    busy = quiet.again;
    await Promise.race([closed, quiet.promise]);
    quiet.stop();
    isLeft = true;
    // Read on and dropped: a server in the background must not die of a broken pipe, nor keep this process alive.
    for (const name of names) unref(child[name]);
    child.unref();
  };
}

function whenQuiet(timers: Timers): { promise: Promise<void>; again(): void; stop(): void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  const longest = timers.set(resolve, LONGEST_DRAIN_MS);
  let timer = timers.set(resolve, QUIET_MS);
  return {
    promise,
    again() {
      timers.clear(timer);
      timer = timers.set(resolve, QUIET_MS);
    },
    stop() {
      timers.clear(timer);
      timers.clear(longest);
    },
  };
}

function unref(stream: Readable | null): void {
  // A socket, which the types do not tell.
  if (stream !== null && "unref" in stream && typeof stream.unref === "function") stream.unref();
}

/** Ends a group when the signal aborts; `finish` waits until nobody of it is left then. */
function startKiller(group: ProcessGroup, { signal, graceMs, timers }: ProcessOptions): { finish(): Promise<void> } {
  let isKilled: Promise<void> | undefined;
  const kill = (): void => {
    isKilled ??= endGroup(group, graceMs, timers);
  };
  const leave = onAbort(signal, kill);
  return {
    async finish() {
      leave();
      await isKilled;
    },
  };
}

/** Asks a group to end, waits some time for it, and then makes it. */
export async function endGroup(group: ProcessGroup, graceMs: number, timers: Timers): Promise<void> {
  group.signal("SIGTERM");
  for (let waited = 0; waited < graceMs && group.isAlive(); waited += LOOK_MS)
    await new Promise<void>((resolve) => void timers.set(resolve, LOOK_MS));
  // Once all are gone, their number may be somebody else's.
  if (group.isAlive()) group.signal("SIGKILL");
}
