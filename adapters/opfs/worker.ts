/** The worker that {@link spawnWorker} starts. */

import { serveOpfs } from "./serve-opfs.ts";

serveOpfs();
