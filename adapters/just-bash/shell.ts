/** A bash over any file system, without a host: just-bash behind the shell port. */

import {
  abortable,
  DEFAULT_SHELL_OUTPUT,
  DEFAULT_SHELL_TIMEOUT,
  HoldallError,
  isInside,
  joinSignals,
  resolvePath,
  type Shell,
  type ShellExit,
  type ShellFactory,
  type ShellGround,
  type ShellOptions,
  type ShellOutput,
} from "holdall";
import { createFactTable } from "./file-facts.ts";
import { DEFAULT_SHELL_LIMITS, MAX_TIMEOUT, type ShellLimits } from "./limits.ts";
import { loadJustBash } from "./load.ts";
import type { LoadJustBash } from "./peer.ts";
import { createPieces } from "./pieces.ts";
import { runCommand } from "./run-command.ts";
import type { Runner, RunRequest } from "./run-request.ts";
import { createSessions } from "./sessions.ts";
import { spawnWorker } from "./spawn-worker.ts";
import { createWorkerPool, type WorkerPool } from "./worker-pool.ts";

/** How the shell runs. */
export interface JustBashOptions {
  /**
   * Loads just-bash. Defaults to an import of the installed package. A loader cannot be sent to a worker: with one, and
   * without `worker`, commands run where the shell is called.
   */
  load?: LoadJustBash;
  /**
   * Makes a module worker that calls `serveJustBash`, or false: commands run where the shell is called. In a page the
   * default is a worker of the package's own; outside a page there is none. Bundlers that do not know
   * `new Worker(new URL("./worker.js", import.meta.url))`, such as esbuild and Vite's dependency optimizer, need a
   * function here (or, with Vite, `optimizeDeps.exclude: ["holdall"]`).
   */
  worker?: (() => Worker) | false;
  /** What a command line may use at most. */
  limits?: Partial<ShellLimits>;
  /** Milliseconds that stats and listings are remembered within one command line; 0 turns that off. Defaults to 1,000. */
  statCacheMs?: number;
}

/**
 * Makes a factory of shells that interpret bash themselves, over the file system they are given and nothing else: no
 * host process, no network.
 *
 * Working directory, variables, arrays, aliases and functions last from one call of a session to the next; functions
 * that a sourced file defines, shell options and positional parameters do not. Calls of one session run one after
 * another, and sessions know nothing of each other.
 *
 * In a page commands run in a web worker, so a busy loop freezes nothing; it ends at its deadline or an abort, if need
 * be with the worker. Elsewhere they run in place and let the host in every few milliseconds; only a command that keeps
 * the thread by itself, such as a sort of a huge file or a loop of bare arithmetic, holds an abort up until it is done
 * or its deadline passes.
 *
 * Output arrives while a script runs. A script that uses `exec`, `eval` or `source` gives its output at the end. A job
 * put in the background with `&` runs in the foreground. The shell has devices of its own in `/dev`, so the working
 * directory cannot be there: the factory throws `SHELL_OPTION`.
 *
 * @param options How the shell runs.
 * @example
 * ```ts
 * const backend = memoryBackend({ files: { "/notes.txt": "b\na\n" }, shell: justBashShell() });
 * for await (const { text } of backend.shell.run("sort notes.txt")) console.log(text);
 * ```
 */
export function justBashShell(options: JustBashOptions = {}): ShellFactory {
  return (ground) => createShell(ground, options);
}

function createShell(ground: ShellGround, options: JustBashOptions): Shell {
  // What is there would neither be seen nor be written.
  if (isInside(ground.cwd, "/dev"))
    throw wrong("cwd", ground.cwd, "a folder outside of /dev, which the shell keeps for itself");
  const { run, close } = chooseRunner(ground, options);
  const inSession = createSessions(ground.cwd);
  const facts = createFactTable();
  const closing = new AbortController();

  const execute = async (
    command: string,
    given: ShellOptions,
    emit: (piece: ShellOutput) => void,
  ): Promise<ShellExit> => {
    const { signal, close: leave } = joinSignals(given.signal, closing.signal);
    try {
      return await inSession(given.session ?? "main", signal, async (state) => {
        const request: RunRequest = {
          ...commonRequest(ground, options),
          ...ownRequest(command, given),
          state,
          facts: facts.all(),
        };
        const outcome = await run(request, emit, signal);
        facts.apply(outcome.factChanges);
        const { code, timedOut, truncated } = outcome;
        return [{ code, timedOut, truncated, cwd: outcome.state.cwd }, outcome.state] as const;
      });
    } finally {
      leave();
    }
  };

  return {
    run: (command, given = {}) => {
      checkOptions(given);
      const pieces = createPieces<ShellOutput>();
      const exit = execute(command, given, pieces.push);
      // Whoever reads only the output leaves no rejection unhandled.
      exit.then(pieces.end, pieces.end);
      return { exit, [Symbol.asyncIterator]: () => pieces[Symbol.asyncIterator]() };
    },
    close: async () => {
      closing.abort(new HoldallError("SHELL_FAILED", "the shell has been closed. Make a new one."));
      close();
    },
  };
}

function chooseRunner({ fs }: ShellGround, { load, worker }: JustBashOptions): Pick<WorkerPool, "run" | "close"> {
  const spawn = worker ?? (isPage() && load === undefined ? spawnWorker : false);
  if (spawn !== false) return createWorkerPool(spawn, fs);
  const run: Runner = async (request, emit, signal) =>
    runCommand(await abortable(loadJustBash(load), signal), fs, request, emit, signal);
  return { run, close: () => {} };
}

function isPage(): boolean {
  return typeof document === "object" && typeof Worker === "function";
}

function commonRequest(
  { cwd, home = cwd }: ShellGround,
  { limits, statCacheMs = 1000 }: JustBashOptions,
): Pick<RunRequest, "folders" | "home" | "limits" | "statCacheMs"> {
  return { folders: [cwd, home], home, limits: { ...DEFAULT_SHELL_LIMITS, ...limits }, statCacheMs };
}

function ownRequest(
  command: string,
  given: ShellOptions,
): Pick<RunRequest, "command" | "stdin" | "env" | "cwd" | "timeoutMs" | "maxOutputBytes"> {
  const { stdin = "", env = {}, cwd, timeoutMs = DEFAULT_SHELL_TIMEOUT, maxOutputBytes = DEFAULT_SHELL_OUTPUT } = given;
  return {
    command,
    stdin,
    env,
    cwd: cwd === undefined ? undefined : resolvePath(cwd),
    timeoutMs: Math.min(timeoutMs, MAX_TIMEOUT),
    maxOutputBytes,
  };
}

function checkOptions({ timeoutMs, maxOutputBytes }: ShellOptions): void {
  if (timeoutMs !== undefined && !(timeoutMs > 0))
    throw wrong("timeoutMs", timeoutMs, "a number of milliseconds above 0");
  if (maxOutputBytes !== undefined && !(maxOutputBytes >= 0))
    throw wrong("maxOutputBytes", maxOutputBytes, "a number of bytes, 0 or more");
}

function wrong(option: string, value: number | string, expected: string): HoldallError {
  return new HoldallError("SHELL_OPTION", `${option} cannot be ${value}. Give ${expected}.`, {
    data: { option, value },
  });
}
