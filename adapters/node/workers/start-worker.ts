/** Starts threads of Node for work that would hold this one. */

import { Worker } from "node:worker_threads";
import type { StartWorker } from "holdall";

/** Megabytes that the objects of a thread may take: a document that needs more ends its thread, not the process. */
const MAX_HEAP = 512;

/** Starts the thread next to this file that reads PDF documents; it keeps no process alive. */
export const startWorker: StartWorker = (_work, hears) => {
  const worker = new Worker(new URL("./pdf-worker.js", import.meta.url), {
    name: "pdf",
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP },
  });
  worker.on("message", (data) => hears.message(data));
  worker.on("messageerror", () => hears.failure());
  worker.on("error", () => hears.failure());
  worker.on("exit", () => hears.failure());
  return { post: (data) => worker.postMessage(data), end: () => void worker.terminate() };
};
