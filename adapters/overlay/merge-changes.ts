/** Tells one watcher of the changes of several sources, and keeps for a slow one the last change of each path. */

import { createWatchers, type FsChange } from "holdall";
import { isMissing } from "./merged.ts";

/** Opens a source; it ends when the signal aborts. */
export type ChangeSource = (signal: AbortSignal) => AsyncIterable<FsChange>;

/**
 * Watches below a directory, whatever the sources tell.
 *
 * @param directory The directory whose changes are told; changes elsewhere are left out.
 * @param main The source that the watch ends with.
 * @param others More sources: one that ends, or whose directory is gone, is quiet from then on. Any other failure of one
 * ends the watch.
 * @param signal Ends the watch.
 */
export async function* mergeChanges(
  directory: string,
  main: ChangeSource,
  others: readonly ChangeSource[],
  signal: AbortSignal | undefined,
): AsyncGenerator<FsChange, void, undefined> {
  const watchers = createWatchers();
  const controller = new AbortController();
  const failures: unknown[] = [];
  const pump = async (source: ChangeSource, isMain: boolean): Promise<void> => {
    try {
      for await (const change of source(controller.signal)) watchers.tell([change]);
      if (isMain) watchers.close();
    } catch (error) {
      if (!isMain && isMissing(error)) return;
      failures.push(error);
      watchers.close();
    }
  };
  const changes = watchers.watch(directory, signal);
  // Asked for first, so that nothing a source tells at once is missed.
  let next = changes.next();
  try {
    for (const [index, source] of [main, ...others].entries()) void pump(source, index === 0);
    for (let result = await next; result.done !== true; result = await next) {
      yield result.value;
      next = changes.next();
    }
    if (failures.length > 0 && signal?.aborted !== true) throw failures[0];
  } finally {
    controller.abort();
    watchers.close();
  }
}
