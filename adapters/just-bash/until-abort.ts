/** Waits for work no longer than a signal allows. */

/**
 * Waits for a promise, or rejects with the signal's reason as soon as it aborts.
 *
 * The work is not stopped; its late rejection is swallowed.
 */
export function untilAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    const settle = (): void => signal.removeEventListener("abort", abort);
    work.then(resolve, reject).then(settle, settle);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}
