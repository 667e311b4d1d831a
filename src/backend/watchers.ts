/** Tells watchers of changes, also those in other tabs, and keeps for slow ones no more than the last change of each path. */

import { hostTimers, onAbort, type Timers } from "../base/abort.ts";
import { isInside } from "../base/path.ts";
import type { FsChange } from "./file-system.ts";

/** Everybody who watches a tree. */
export interface Watchers {
  /** Tells all whom it concerns. */
  tell(changes: readonly FsChange[]): void;
  /** Watches below a directory until the signal aborts, the loop is left, or all is closed. */
  watch(directory: string, signal: AbortSignal | undefined): AsyncGenerator<FsChange, void, undefined>;
  /** Ends every watch. */
  close(): void;
}

/** Paths that wait to be told to one watcher; over it, the watcher is told that its directory has changed. */
const MAX_WAITING = 10_000;

/** Milliseconds in which changes gather before other tabs are told. */
const GATHERING = 50;

/** Changes that are told to other tabs at once. */
const MESSAGE_LENGTH = 1000;

interface Watcher {
  directory: string;
  waiting: Map<string, FsChange["kind"]>;
  wake(): void;
}

/** Makes the watchers of one tree. */
export function createWatchers(): Watchers {
  const watchers = new Set<Watcher>();
  let isClosed = false;
  return {
    tell(changes) {
      for (const watcher of watchers) for (const change of changes) note(watcher, change);
    },
    async *watch(directory, signal) {
      const watcher: Watcher = { directory, waiting: new Map(), wake: () => {} };
      watchers.add(watcher);
      const stop = onAbort(signal, () => watcher.wake());
      try {
        while (signal?.aborted !== true && !isClosed) {
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
        stop();
      }
    },
    close() {
      isClosed = true;
      for (const watcher of watchers) watcher.wake();
    },
  };
}

/**
 * Makes the watchers of a tree that pages and workers of one origin share: each hears what the others tell, after some
 * milliseconds, in which changes gather: a message for each would take longer than many a change.
 *
 * @param name The name of the broadcast channel; it means the same tree everywhere.
 * @param timers Sets the timer; a test passes its own.
 */
export function createSharedWatchers(name: string, timers: Timers = hostTimers): Watchers {
  const watchers = createWatchers();
  const gathered = new Map<string, FsChange["kind"]>();
  let channel: BroadcastChannel | undefined;
  let isClosed = false;
  let timer: unknown;
  // Opened when first needed: an open channel keeps a process alive, also one whose tree could never be opened.
  const open = (): void => {
    if (channel !== undefined || isClosed || typeof BroadcastChannel === "undefined") return;
    channel = new BroadcastChannel(name);
    channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => watchers.tell(changesIn(data)));
  };
  const send = (): void => {
    timer = undefined;
    const changes = Array.from(gathered, ([path, kind]): FsChange => ({ path, kind }));
    gathered.clear();
    for (let from = 0; from < changes.length; from += MESSAGE_LENGTH)
      channel?.postMessage(changes.slice(from, from + MESSAGE_LENGTH));
  };
  return {
    ...watchers,
    tell(changes) {
      watchers.tell(changes);
      open();
      if (channel === undefined) return;
      for (const { path, kind } of changes) {
        // Deleted first, so that the latest change comes last.
        gathered.delete(path);
        gathered.set(path, kind);
      }
      timer ??= timers.set(send, GATHERING);
    },
    watch(directory, signal) {
      open();
      return watchers.watch(directory, signal);
    },
    close() {
      if (timer !== undefined) timers.clear(timer);
      send();
      isClosed = true;
      channel?.close();
      channel = undefined;
      watchers.close();
    },
  };
}

function note(watcher: Watcher, { path, kind }: FsChange): void {
  const { directory, waiting } = watcher;
  if (!isInside(path, directory)) return;
  if (waiting.size >= MAX_WAITING && !waiting.has(path)) {
    waiting.clear();
    waiting.set(directory, "written");
  } else {
    // Deleted first, so that the latest change comes last.
    waiting.delete(path);
    waiting.set(path, kind);
  }
  watcher.wake();
}

/** Another version of the package may be at the other end. */
function changesIn(data: unknown): FsChange[] {
  return Array.isArray(data) ? data.filter(isChange) : [];
}

function isChange(value: unknown): value is FsChange {
  if (typeof value !== "object" || value === null || !("path" in value) || !("kind" in value)) return false;
  return typeof value.path === "string" && (value.kind === "written" || value.kind === "removed");
}
