/** Hears of aborts with one listener per signal, however many calls share it: hosts warn of many, and each has its price. */

/** Those who wait for each signal. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls back when the signal aborts, at once when it already has; the returned function stops listening. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    listener();
    return () => {};
  }
  // The same function may wait more than once.
  const waiter = (): void => listener();
  const waiters = waiting.get(signal) ?? listen(signal);
  waiters.add(waiter);
  return () => void waiters.delete(waiter);
}

function listen(signal: AbortSignal): Set<() => void> {
  const waiters = new Set<() => void>();
  waiting.set(signal, waiters);
  signal.addEventListener(
    "abort",
    () => {
      for (const waiter of waiters) waiter();
      waiters.clear();
    },
    { once: true },
  );
  return waiters;
}

/** A signal that aborts as soon as one of several does. */
export interface JoinedSignal {
  readonly signal: AbortSignal;
  /** Stops listening; what still waits for the signal is left alone. */
  close(): void;
}

/** Joins signals; undefined ones count for nothing. `AbortSignal.any` would stay with those that live long. */
export function joinSignals(...signals: readonly (AbortSignal | undefined)[]): JoinedSignal {
  const given = signals.filter((signal) => signal !== undefined);
  const [only] = given;
  if (only !== undefined && given.length === 1) return { signal: only, close: () => {} };
  const controller = new AbortController();
  const leaves = given.map((signal) => onAbort(signal, () => controller.abort(signal.reason)));
  return {
    signal: controller.signal,
    close: () => {
      for (const leave of leaves) leave();
    },
  };
}
