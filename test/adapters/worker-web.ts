/** The entry of the web worker of the tests. */

import { serveInWorker } from "./worker-served.ts";

serveInWorker(globalThis as unknown as Worker);
