/** Waiting that ends with a signal or a deadline. */

import { HoldallError } from "./errors.ts";

/** One that waits for a signal, in a ring with the others: to join and to leave is cheaper than with a set. */
interface Waiter {
  call(): void;
  before: Waiter;
  after: Waiter;
}

/**
 * The head of the ring of each signal. A signal has one listener of its own, however many calls share it: adding and
 * removing listeners costs more than many a call does.
 */
const heads = new WeakMap<AbortSignal, Waiter>();

/** Calls back when the signal aborts, at once when it already has; the returned function stops listening. */
export function onAbort(signal: AbortSignal | undefined, listener: (reason: unknown) => void): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    listener(signal.reason);
    return () => {};
  }
  const head = heads.get(signal) ?? listen(signal);
  const waiter: Waiter = { call: () => listener(signal.reason), before: head.before, after: head };
  waiter.before.after = waiter;
  head.before = waiter;
  return () => unlink(waiter);
}

function listen(signal: AbortSignal): Waiter {
  const head = { call() {} } as Waiter;
  head.before = head;
  head.after = head;
  heads.set(signal, head);
  signal.addEventListener(
    "abort",
    () => {
      for (let waiter = head.after; waiter !== head; waiter = head.after) {
        unlink(waiter);
        waiter.call();
      }
    },
    { once: true },
  );
  return head;
}

function unlink(waiter: Waiter): void {
  waiter.before.after = waiter.after;
  waiter.after.before = waiter.before;
  // Leaving again changes nothing.
  waiter.before = waiter;
  waiter.after = waiter;
}

/** A signal that aborts as soon as one of several does. */
export interface JoinedSignal {
  readonly signal: AbortSignal;
  /** Stops listening; who still waits for the signal is left alone. It may be called more than once. */
  close(): void;
}

/**
 * Joins signals, and lets go of them again: `AbortSignal.any` would stay with those that live long.
 *
 * @param signals Undefined ones count for nothing; one alone is given back as it is.
 */
export function joinSignals(...signals: readonly (AbortSignal | undefined)[]): JoinedSignal {
  const given = signals.filter((signal) => signal !== undefined);
  const [only] = given;
  if (only !== undefined && given.length === 1) return { signal: only, close: () => {} };
  const controller = new AbortController();
  const leaves = given.map((signal) => onAbort(signal, (reason) => controller.abort(reason)));
  return {
    signal: controller.signal,
    close: () => {
      for (const leave of leaves) leave();
    },
  };
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
    void Promise.resolve(promise).then(resolve, reject).then(stop);
  });
}

/** Sets and clears a timer; a test passes its own. */
export interface Timers {
  set(callback: () => void, milliseconds: number): unknown;
  clear(timer: unknown): void;
}

/** The longest time a host's timer can count, in milliseconds: almost 25 days. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The timers of the host; a time they cannot count is cut to the longest they can, not to none. */
export const hostTimers: Timers = {
  set: (callback, milliseconds) => setTimeout(callback, Math.min(milliseconds, LONGEST_TIMER)),
  clear: (timer) => clearTimeout(timer as number),
};

/** The reason a signal carries when a deadline has passed. */
export function timeoutError(milliseconds: number, what: string): HoldallError {
  return new HoldallError(
    "TIMEOUT",
    `${what} did not finish within ${milliseconds} ms. Allow more time, or ask for less work.`,
    { data: { milliseconds } },
  );
}

/** A signal that ends with its parent or with a deadline, whichever comes first. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Whether the deadline, not the parent, ended it. */
  readonly expired: boolean;
  /** Clears the timer and leaves the parent. It may be called more than once. */
  close(): void;
}

/**
 * Starts a deadline; the timer starts now.
 *
 * @param parent The signal that may end it sooner.
 * @param milliseconds How long it lasts; `Infinity` means that only the parent ends it.
 * @param what What is given this time, for the error.
 */
export function startDeadline(
  parent: AbortSignal | undefined,
  milliseconds: number,
  what: string,
  timers: Timers = hostTimers,
): Deadline {
  const controller = new AbortController();
  let expired = false;
  let close = (): void => {};
  const end = (reason: unknown): void => {
    close();
    controller.abort(reason);
  };
  const expire = (): void => {
    expired = true;
    end(timeoutError(milliseconds, what));
  };
  if (parent?.aborted) end(parent.reason);
  else {
    const stopTimer = startTimer(expire, milliseconds, timers);
    const leave = onAbort(parent, end);
    close = () => {
      stopTimer();
      leave();
    };
  }
  return {
    signal: controller.signal,
    get expired() {
      return expired;
    },
    close: () => close(),
  };
}

/** Waits some milliseconds, or rejects with the signal's reason. */
export function delay(milliseconds: number, signal?: AbortSignal, timers: Timers = hostTimers): Promise<void> {
  if (signal?.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      leave();
      resolve();
    };
    const stopTimer = startTimer(finish, milliseconds, timers);
    const leave = onAbort(signal, (reason) => {
      stopTimer();
      reject(reason);
    });
  });
}

function startTimer(callback: () => void, milliseconds: number, timers: Timers): () => void {
  if (milliseconds === Number.POSITIVE_INFINITY) return () => {};
  const timer = timers.set(callback, milliseconds);
  return () => timers.clear(timer);
}
