/** What page and worker say to each other. */

import type { ShellOutput } from "holdall";
import type { PortError } from "./port-error.ts";
import type { PortAbilities } from "./port-fs.ts";
import type { RunOutcome, RunRequest } from "./run-request.ts";

/** From the page: first `start`, then one `run` at a time. */
export type ToWorker =
  | { type: "start"; files: MessagePort; abilities: PortAbilities }
  | { type: "run"; request: RunRequest }
  | { type: "abort" };

/** From the worker: `hello` once it listens, `ready` once just-bash is loaded; each run ends with `done` or `failed`. */
export type FromWorker =
  | { type: "hello" }
  | { type: "ready" }
  | { type: "output"; piece: ShellOutput }
  | { type: "done"; outcome: RunOutcome }
  | { type: "failed"; error: PortError };
