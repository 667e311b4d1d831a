/** Waiting that ends with a signal or a deadline. */

import { HoldallError } from "./errors.ts";

/** Calls back when the signal aborts, at once when it already has; the returned function stops listening. */
export function onAbort(signal: AbortSignal | undefined, listener: (reason: unknown) => void): () => void {
  if (signal === undefined) return () => {};
  const call = (): void => listener(signal.reason);
  if (signal.aborted) {
    call();
    return () => {};
  }
  signal.addEventListener("abort", call, { once: true });
  return () => signal.removeEventListener("abort", call);
}

/**
 * Waits for a promise, or rejects with the signal's reason as soon as it aborts.
 *
 * The promise is not stopped; its late rejection is swallowed, so nothing stays unhandled.
 */
export function abortable<T>(promise: PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return Promise.resolve(promise);
  return new Promise<T>((resolve, reject) => {
    const stop = onAbort(signal, reject);
    promise.then(resolve, reject).then(stop, stop);
  });
}

/** Sets and clears a timer; a test passes its own. */
export interface Timers {
  set(callback: () => void, milliseconds: number): unknown;
  clear(timer: unknown): void;
}

/** The timers of the host. */
export const hostTimers: Timers = {
  set: (callback, milliseconds) => setTimeout(callback, milliseconds),
  clear: (timer) => clearTimeout(timer as number),
};

/** The reason a signal carries when a deadline has passed. */
export function timeoutError(milliseconds: number, what: string): HoldallError {
  return new HoldallError("TIMEOUT", `${what} did not finish within ${milliseconds} ms. Allow more time, or ask for less work.`, {
    data: { milliseconds },
  });
}

/** A signal that ends with its parent or with a deadline, whichever comes first. */
export interface Deadline {
  signal: AbortSignal;
  /** Whether the deadline, not the parent, ended it. */
  readonly expired: boolean;
  /** Clears the timer and leaves the parent. */
  close(): void;
}

/** Starts a deadline; the timer starts now. */
export function startDeadline(parent: AbortSignal | undefined, milliseconds: number, what: string, timers: Timers = hostTimers): Deadline {
  const controller = new AbortController();
  let expired = false;
  const timer = timers.set(() => {
    expired = true;
    controller.abort(timeoutError(milliseconds, what));
  }, milliseconds);
  const leave = onAbort(parent, (reason) => controller.abort(reason));
  return {
    signal: controller.signal,
    get expired() {
      return expired;
    },
    close: () => {
      timers.clear(timer);
      leave();
    },
  };
}

/** Waits some milliseconds, or rejects with the signal's reason. */
export function delay(milliseconds: number, signal?: AbortSignal, timers: Timers = hostTimers): Promise<void> {
  return new Promise((resolve, reject) => {
    let stop = (): void => {};
    const timer = timers.set(() => {
      stop();
      resolve();
    }, milliseconds);
    stop = onAbort(signal, (reason) => {
      timers.clear(timer);
      reject(reason);
    });
  });
}
