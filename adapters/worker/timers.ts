/** The timers of the host. */

import type { Timers } from "holdall";

/** The longest time a host's timer can count, in milliseconds: almost 25 days. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Sets and clears the host's own timers; a time they cannot count is cut to the longest they can, not to none. */
export const hostTimers: Timers = {
  set: (callback, milliseconds) => setTimeout(callback, Math.min(milliseconds, LONGEST_TIMER)),
  clear: (timer) => clearTimeout(timer as number),
};

/** Starts a timer, none for `Infinity`; the returned function clears it. */
export function startTimer(timers: Timers, callback: () => void, milliseconds: number): () => void {
  if (milliseconds === Number.POSITIVE_INFINITY) return () => {};
  const timer = timers.set(callback, milliseconds);
  return () => timers.clear(timer);
}

/** Waits some milliseconds, or rejects with the signal's reason. */
export function delay(milliseconds: number, timers: Timers, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const abort = (): void => {
      stop();
      reject(signal?.reason);
    };
    const stop = startTimer(
      timers,
      () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      },
      milliseconds,
    );
    signal?.addEventListener("abort", abort, { once: true });
  });
}
