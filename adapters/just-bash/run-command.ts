/** Runs one command line of a session, in the thread it is called in. */

import { errorText, type FileSystem, HoldallError, onAbort, type ShellOutput } from "holdall";
import { type EngineEnding, setUpEngine } from "./engine-run.ts";
import { createFactTable } from "./file-facts.ts";
import { STOP_GRACE } from "./limits.ts";
import type { Engine } from "./load.ts";
import { createOutputGate } from "./output.ts";
import type { RunOutcome, RunRequest } from "./run-request.ts";
import { fitted, isKept, type SessionState } from "./session-state.ts";
import { shellFiles } from "./shell-files.ts";
import { cacheFiles } from "./stat-cache.ts";

/**
 * Runs a command line.
 *
 * The session's state is not touched; the outcome holds the new one, or the old one when the command did not end by
 * itself. A command that does not stop at its deadline or after an abort is given up soon after: its file system calls
 * fail from then on, so it changes nothing any more.
 *
 * @param engine The loaded just-bash.
 * @param fs The files the command sees.
 * @param request The command line and its session.
 * @param emit Called with each piece of output.
 * @param signal Stops the command; the promise then rejects with its reason.
 */
export async function runCommand(
  engine: Engine,
  fs: FileSystem,
  request: RunRequest,
  emit: (piece: ShellOutput) => void,
  signal: AbortSignal,
): Promise<RunOutcome> {
  signal.throwIfAborted();
  const watch = watchRun(request.timeoutMs, signal);
  const gate = createOutputGate(request.maxOutputBytes, emit);
  const facts = createFactTable(request.facts);
  const finish = (code: number, timedOut: boolean, state: SessionState): RunOutcome => {
    gate.end();
    return { code, timedOut, truncated: gate.truncated, state, factChanges: facts.changes() };
  };
  const print = (stream: ShellOutput["stream"], text: string): void =>
    gate.push(stream, new TextEncoder().encode(text));
  try {
    const direct = shellFiles(fs, watch.stop);
    const files =
      request.statCacheMs > 0 ? cacheFiles(direct, { maxAgeMs: request.statCacheMs, now: Date.now }) : direct;
    const { bridge, execute } = setUpEngine({ engine, request, files, facts, gate, stop: watch.stop });
    if (
      request.cwd !== undefined &&
      !(await watch.until(bridge.stat(request.cwd).catch(() => undefined)))?.isDirectory
    ) {
      print("stderr", `bash: cd: ${request.cwd}: No such file or directory\n`);
      return finish(1, false, request.state);
    }
    const ending = await watch.until(execute(watch.aborted));
    signal.throwIfAborted();
    if (ending === undefined) return finish(124, true, request.state);
    print("stdout", ending.stdout);
    print("stderr", ending.stderr);
    // The command `timeout` ends with 124, too, and a file system call that was cut off with another code.
    const timedOut = watch.expired() && (ending.code === 124 || watch.stop.aborted);
    return timedOut ? finish(124, true, request.state) : finish(ending.code, false, stateAfter(request, ending));
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    // A file system call that the deadline cut off can break just-bash off before it looks at the clock itself.
    if (watch.stop.aborted && watch.expired()) return finish(124, true, request.state);
    if (HoldallError.is(error)) throw error;
    throw new HoldallError("SHELL_FAILED", `the shell broke: ${errorText(error)}. Run the command again.`, {
      cause: error,
    });
  } finally {
    watch.close();
  }
}

/** Ends a run that does not end by itself. */
interface Watch {
  /** Aborts soon after the deadline, at an abort, and when the run is over. */
  stop: AbortSignal;
  /** Aborts with the signal of the run, for those who listen by themselves: many runs may share that one. */
  aborted: AbortSignal;
  /** Whether the deadline has passed. */
  expired(): boolean;
  /** Waits for work; undefined: it was given up after its deadline. Rejects when it was given up after an abort. */
  until<T>(work: Promise<T>): Promise<T | undefined>;
  close(): void;
}

function watchRun(timeoutMs: number, signal: AbortSignal): Watch {
  const startedAt = Date.now();
  const controller = new AbortController();
  const caller = new AbortController();
  const timers: ReturnType<typeof setTimeout>[] = [];
  const after = (milliseconds: number, action: () => void): void => void timers.push(setTimeout(action, milliseconds));
  let giveUp: (outcome: Promise<undefined>) => void = () => {};
  const over = new Promise<undefined>((resolve) => {
    giveUp = resolve;
  });
  const abort = (): void => {
    caller.abort(signal.reason);
    controller.abort(signal.reason);
    after(STOP_GRACE, () => giveUp(Promise.reject(signal.reason)));
  };
  // just-bash keeps the deadline itself; this is for file systems and commands that keep it waiting.
  after(timeoutMs + STOP_GRACE / 2, () => controller.abort(new Error("the deadline has passed")));
  after(timeoutMs + STOP_GRACE, () => giveUp(Promise.resolve(undefined)));
  const leave = onAbort(signal, abort);
  return {
    stop: controller.signal,
    aborted: caller.signal,
    expired: () => Date.now() - startedAt >= timeoutMs,
    until: (work) => Promise.race([work, over]),
    close: () => {
      for (const timer of timers) clearTimeout(timer);
      leave();
      controller.abort(new Error("the command has ended"));
    },
  };
}

/** Makes the state a session has after a command line that ended by itself. */
function stateAfter(request: RunRequest, { reading, variables: known, functions }: EngineEnding): SessionState {
  const { state } = request;
  const variables = variablesAfter(request, reading?.variables ?? known);
  if (reading === undefined) {
    const { PWD: cwd = state.cwd } = known;
    return fitted({ ...state, cwd: cwd.startsWith("/") ? cwd : state.cwd, variables });
  }
  const attributes: Record<string, string> = {};
  for (const [name, letters] of reading.letters) {
    const kept = letters.replace(/[^ilnru]/g, "");
    if (kept !== "" && isKept(name)) attributes[name] = kept;
  }
  // A variable that was lent for this command line is exported for it alone.
  const lent = (name: string): boolean => name in request.env && variables[name] === state.variables[name];
  const isExported = (name: string): boolean =>
    lent(name) ? state.exported.includes(name) : (reading.letters.get(name)?.includes("x") ?? false);
  const defined = Object.entries({ ...state.functions, ...Object.fromEntries(functions) });
  return fitted({
    cwd: reading.cwd,
    variables,
    exported: Object.keys(variables).filter(isExported),
    arrays: reading.arrays,
    attributes,
    functions: Object.fromEntries(defined.filter(([name]) => reading.functionNames.has(name))),
  });
}

/** Takes back what was lent for this command line alone, unless the command has changed it. */
function variablesAfter({ state, env }: RunRequest, known: Readonly<Record<string, string>>): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(known)) {
    const after = env[name] === value ? state.variables[name] : value;
    if (after !== undefined && isKept(name)) variables[name] = after;
  }
  return variables;
}
