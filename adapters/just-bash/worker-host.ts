/** The page's side of one worker. */

import { type FileSystem, HoldallError, onAbort, type ShellOutput } from "holdall";
import { STOP_GRACE, WORKER_GRACE, WORKER_START } from "./limits.ts";
import { unpackError } from "./port-error.ts";
import { portAbilities, serveFileSystem } from "./port-fs.ts";
import type { Runner, RunOutcome, RunRequest } from "./run-request.ts";
import type { FromWorker, ToWorker } from "./worker-protocol.ts";

/** One worker; it runs one command line at a time. */
export interface WorkerHost {
  /** Resolves once the worker can run; rejects with `SHELL_FAILED` or `PEER_MISSING`. */
  ready: Promise<void>;
  run: Runner;
  /** Whether it can run another command line. */
  readonly alive: boolean;
  /** Ends the worker at once; what runs rejects with `SHELL_FAILED`. */
  end(): void;
}

/** Who waits for a message of the worker. */
interface Listener {
  message(message: FromWorker): void;
  /** The worker is gone. */
  gone(error: unknown): void;
}

/**
 * Starts a worker.
 *
 * @param spawn Makes the worker.
 * @param fs The files that its commands see.
 * @param startMs Milliseconds until a worker that does not answer counts as broken.
 */
export function startWorkerHost(spawn: () => Worker, fs: FileSystem, startMs: number = WORKER_START): WorkerHost {
  const line = openLine(spawn, fs);
  const ready = untilReady(line, startMs);
  // A pool may give up before it waits for the start.
  ready.catch(() => {});
  return {
    ready,
    run: (request, emit, signal) => runOn(line, request, emit, signal),
    get alive() {
      return line.alive;
    },
    end: () => line.end(broken("has been ended")),
  };
}

function untilReady(line: Line, startMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => line.end(broken(`did not answer within ${startMs} ms`)), startMs);
    line.listen({
      message: (message) => {
        if (message.type === "hello") line.start();
        else if (message.type === "failed") line.end(unpackError(message.error));
        else if (message.type === "ready") {
          clearTimeout(late);
          resolve();
        }
      },
      gone: (error) => {
        clearTimeout(late);
        reject(error);
      },
    });
  });
}

function runOn(
  line: Line,
  request: RunRequest,
  emit: (piece: ShellOutput) => void,
  signal: AbortSignal,
): Promise<RunOutcome> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    if (!line.alive) return reject(broken("has ended"));
    // The worker keeps the deadline itself, unless something such as a regular expression keeps its thread.
    const timers = [setTimeout(() => line.end(deadline), request.timeoutMs + STOP_GRACE + WORKER_GRACE)];
    const abort = (): void => {
      line.send({ type: "abort" });
      timers.push(setTimeout(() => line.end(signal.reason), WORKER_GRACE));
    };
    const leave = onAbort(signal, abort);
    const settle = (): void => {
      for (const timer of timers) clearTimeout(timer);
      leave();
      line.listen(undefined);
    };
    line.listen({
      message: (message) => {
        if (message.type === "output") return signal.aborted ? undefined : emit(message.piece);
        settle();
        if (signal.aborted) reject(signal.reason);
        else if (message.type === "done") resolve(message.outcome);
        else reject(message.type === "failed" ? unpackError(message.error) : broken("said what nobody expects"));
      },
      gone: (error) => {
        settle();
        if (error === deadline) resolve(timedOut(request));
        else reject(signal.aborted ? signal.reason : error);
      },
    });
    line.send({ type: "run", request });
  });
}

function timedOut({ state }: RunRequest): RunOutcome {
  return { code: 124, timedOut: true, truncated: false, state, factChanges: [] };
}

/** Tells that the worker was ended because a command passed its deadline. */
const deadline = /* @__PURE__ */ Symbol("deadline");

/** The connection to a worker. */
interface Line {
  listen(listener: Listener | undefined): void;
  start(): void;
  send(message: ToWorker): void;
  readonly alive: boolean;
  end(reason: unknown): void;
}

function openLine(spawn: () => Worker, fs: FileSystem): Line {
  let listener: Listener | undefined;
  let alive = true;
  let gone: unknown;
  const { port1, port2 } = new MessageChannel();
  const stopServing = serveFileSystem(fs, port1);
  let worker: Worker | undefined;
  const line: Line = {
    listen: (next) => {
      listener = next;
      if (!alive) next?.gone(gone);
    },
    start: () =>
      worker?.postMessage({ type: "start", files: port2, abilities: portAbilities(fs) } satisfies ToWorker, [port2]),
    send: (message) => worker?.postMessage(message),
    get alive() {
      return alive;
    },
    end: (reason) => {
      if (!alive) return;
      alive = false;
      gone = reason;
      worker?.terminate();
      stopServing();
      listener?.gone(reason);
    },
  };
  try {
    worker = spawn();
  } catch (error) {
    line.end(broken("could not be started", error));
    return line;
  }
  worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => listener?.message(data));
  worker.addEventListener("messageerror", () => line.end(broken("sent what cannot be read")));
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    line.end(broken(event.message ? `failed: ${event.message}` : "could not be loaded"));
  });
  return line;
}

function broken(what: string, cause?: unknown): HoldallError {
  const fix =
    "Run the command again; if it stays so, pass a worker of your own as option `worker`, or `worker: false`.";
  return new HoldallError("SHELL_FAILED", `the worker of the shell ${what}. ${fix}`, { cause, retryable: true });
}
