/** Starts the worker, in the form that bundlers recognise. */

/**
 * Starts a module worker next to this file.
 *
 * The name ends in `.js` because that is what the build makes of it; Vite finds the `.ts` source under that name, too.
 */
export function spawnWorker(): Worker {
  return new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "opfs" });
}
