/** Tells watchers of changes, and keeps for slow ones no more than the last change of each path. */

import { type FsChange, isInside } from "holdall";

/** Everybody who watches a tree. */
export interface Watchers {
  /** Tells all whom it concerns. */
  tell(path: string, kind: FsChange["kind"]): void;
  /** Watches below a directory until the signal aborts or the loop is left. */
  watch(directory: string, signal: AbortSignal | undefined): AsyncGenerator<FsChange, void, undefined>;
}

/** Paths that wait to be told to one watcher; over it, the watcher is told that its directory has changed. */
const MAX_WAITING = 10_000;

interface Watcher {
  directory: string;
  waiting: Map<string, FsChange["kind"]>;
  wake(): void;
}

/** Makes the watchers of one tree. */
export function createWatchers(): Watchers {
  const watchers = new Set<Watcher>();
  return {
    tell(path, kind) {
      for (const watcher of watchers) {
        if (!isInside(path, watcher.directory)) continue;
        if (watcher.waiting.size >= MAX_WAITING && !watcher.waiting.has(path)) {
          watcher.waiting.clear();
          watcher.waiting.set(watcher.directory, "written");
        } else {
          // Deleted first, so that the latest change comes last.
          watcher.waiting.delete(path);
          watcher.waiting.set(path, kind);
        }
        watcher.wake();
      }
    },
    async *watch(directory, signal) {
      const watcher: Watcher = { directory, waiting: new Map(), wake: () => {} };
      const end = (): void => watcher.wake();
      watchers.add(watcher);
      signal?.addEventListener("abort", end, { once: true });
      try {
        while (signal?.aborted !== true) {
          const [first] = watcher.waiting;
          if (first !== undefined) {
            watcher.waiting.delete(first[0]);
            yield { path: first[0], kind: first[1] };
            continue;
          }
          await new Promise<void>((resolve) => {
            watcher.wake = resolve;
          });
        }
      } finally {
        watchers.delete(watcher);
        signal?.removeEventListener("abort", end);
      }
    },
  };
}
