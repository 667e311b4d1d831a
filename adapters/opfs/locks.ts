/** Lets changes take turns: across tabs by the browser's locks, and within one. */

import { onAbort } from "holdall";

/** Gives turns. */
export interface Locks {
  /** Whether the locks of other tabs are seen. */
  readonly seesOthers: boolean;
  /**
   * Waits for a lock, works, and lets go of it.
   *
   * @param name The lock; the same in every tab.
   * @param mode Whether others may hold it at the same time.
   * @param signal Ends the waiting, not the work.
   */
  request<T>(name: string, mode: LockMode, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
  /** Holds a lock until the returned function is called, or the tab ends. */
  hold(name: string): Promise<() => void>;
  /** Works if nobody holds the lock; where other tabs are not seen, nobody knows, so nothing is done. */
  ifFree(name: string, work: () => Promise<void>): Promise<void>;
}

/** Gives the locks of this host. */
export function hostLocks(): Locks {
  const hasLocks = typeof navigator === "object" && "locks" in navigator && navigator.locks !== undefined;
  return hasLocks ? sharedLocks(navigator.locks) : ownLocks();
}

function sharedLocks(manager: LockManager): Locks {
  return {
    seesOthers: true,
    request: (name, mode, signal, work) => manager.request(name, { mode, ...(signal && { signal }) }, work),
    hold: (name) =>
      new Promise((resolve, reject) => {
        manager.request(name, () => new Promise<void>((release) => resolve(release))).catch(reject);
      }),
    ifFree: (name, work) =>
      manager.request(name, { ifAvailable: true }, async (lock) => {
        if (lock !== null) await work();
      }),
  };
}

interface Line {
  /** Those who hold the lock. */
  holders: number;
  mode: LockMode;
  waiting: { mode: LockMode; start(): void }[];
}

/** Locks of this page alone, first come, first served. */
export function ownLocks(): Locks {
  const lines = new Map<string, Line>();
  const advance = (name: string, line: Line): void => {
    for (let next = line.waiting[0]; next !== undefined; next = line.waiting[0]) {
      if (line.holders > 0 && (line.mode === "exclusive" || next.mode === "exclusive")) return;
      line.waiting.shift();
      line.mode = next.mode;
      line.holders += 1;
      next.start();
    }
    if (line.holders === 0) lines.delete(name);
  };
  const acquire = (name: string, mode: LockMode, signal: AbortSignal | undefined): Promise<() => void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const line = lines.get(name) ?? { holders: 0, mode, waiting: [] };
      lines.set(name, line);
      const leave = (): void => {
        line.waiting = line.waiting.filter((other) => other !== waiter);
        advance(name, line);
        reject(signal?.reason);
      };
      const waiter = {
        mode,
        start: () => {
          stop();
          resolve(() => {
            line.holders -= 1;
            advance(name, line);
          });
        },
      };
      const stop = onAbort(signal, leave);
      line.waiting.push(waiter);
      advance(name, line);
    });
  return {
    seesOthers: false,
    async request(name, mode, signal, work) {
      const release = await acquire(name, mode, signal);
      try {
        return await work();
      } finally {
        release();
      }
    },
    hold: async () => () => {},
    ifFree: async () => {},
  };
}
