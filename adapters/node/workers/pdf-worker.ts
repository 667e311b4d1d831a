/** The thread that {@link startWorker} starts. */

import { parentPort } from "node:worker_threads";
import { servePdf } from "holdall/tools";

const port = parentPort;
if (port !== null) servePdf({ post: (data) => port.postMessage(data), listen: (hear) => port.on("message", hear) });
