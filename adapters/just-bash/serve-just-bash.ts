/** The worker's side: runs the command lines that the page sends. */

import { type Engine, loadJustBash } from "./load.ts";
import type { LoadJustBash } from "./peer.ts";
import { packError } from "./port-error.ts";
import { portFileSystem } from "./port-fs.ts";
import { runCommand } from "./run-command.ts";
import type { RunRequest } from "./run-request.ts";
import type { FromWorker, ToWorker } from "./worker-protocol.ts";

/** How the worker gets just-bash. */
export interface ServeOptions {
  /** Loads just-bash. Defaults to an import of the installed package. */
  load?: LoadJustBash;
}

/** What is used of the global scope of a dedicated worker. */
interface WorkerScope {
  postMessage(message: FromWorker): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToWorker>) => void): void;
}

/**
 * Serves `justBashShell` from a dedicated worker of your own, made by its option `worker`.
 *
 * @example
 * ```ts
 * // my-worker.ts
 * import { serveJustBash } from "holdall/just-bash";
 * serveJustBash();
 * ```
 */
export function serveJustBash(options: ServeOptions = {}): void {
  const scope = globalThis as unknown as WorkerScope;
  let run: (request: RunRequest) => Promise<void> = async () => {};
  let running = new AbortController();
  const start = async ({ files, abilities }: ToWorker & { type: "start" }): Promise<void> => {
    const engine: Engine = await loadJustBash(options.load);
    const { fs } = portFileSystem(files, abilities);
    run = async (request) => {
      running = new AbortController();
      const outcome = await runCommand(
        engine,
        fs,
        request,
        (piece) => scope.postMessage({ type: "output", piece }),
        running.signal,
      );
      scope.postMessage({ type: "done", outcome });
    };
    scope.postMessage({ type: "ready" });
  };
  const fail = (error: unknown): void => scope.postMessage({ type: "failed", error: packError(error) });
  scope.addEventListener("message", ({ data }) => {
    if (data.type === "abort") running.abort();
    else if (data.type === "run") run(data.request).catch(fail);
    else start(data).catch(fail);
  });
  scope.postMessage({ type: "hello" });
}
