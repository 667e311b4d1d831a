/** The thread that {@link startFactsThread} starts. */

import { parentPort } from "node:worker_threads";
import { type FactsBatch, takeBatch } from "./facts-batch.ts";

parentPort?.on("message", (batch: FactsBatch | null) => {
  if (batch !== null) takeBatch(batch);
  // An answer says that all that came before is done.
  else parentPort?.postMessage(null);
});
