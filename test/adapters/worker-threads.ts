/** The entry of the worker thread of the tests. */

import { parentPort } from "node:worker_threads";
import { serveInWorker } from "./worker-served.ts";

if (parentPort !== null) serveInWorker(parentPort);
