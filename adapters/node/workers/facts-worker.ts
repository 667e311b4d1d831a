/** The thread that {@link startFactsThread} starts. */

import { parentPort } from "node:worker_threads";
import { type FactsBatch, lookAtBatch } from "./facts-batch.ts";

parentPort?.on("message", (batch: FactsBatch | null) => {
  if (batch === null) {
    // An answer says that all that came before is done.
    parentPort?.postMessage(null);
    return;
  }
  const steps = lookAtBatch(batch);
  while (steps.next().done !== true);
});
