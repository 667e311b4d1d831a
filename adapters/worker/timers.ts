/** Timers that may be none. */

import type { Timers } from "holdall";

/** Starts a timer, none for `Infinity`; the returned function clears it. */
export function startTimer(timers: Timers, callback: () => void, milliseconds: number): () => void {
  if (milliseconds === Number.POSITIVE_INFINITY) return () => {};
  const timer = timers.set(callback, milliseconds);
  return () => timers.clear(timer);
}
