/** The worker that {@link spawnWorker} starts. */

import { serveJustBash } from "./serve-just-bash.ts";

serveJustBash();
