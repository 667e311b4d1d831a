/** One call under deadline, abort and retry. */

import { delay, hostTimers, onAbort, type Timers, timeoutError } from "../base/abort.ts";
import { HoldallError } from "../base/errors.ts";
import { ToolSuspend } from "./suspend.ts";
import type { RetryPolicy } from "./tool.ts";

/** Milliseconds a call may take when nothing else is said: five minutes. */
export const DEFAULT_TIMEOUT = 300_000;

/** The most attempts any policy may ask for. */
export const MAX_ATTEMPTS = 10;

/** What bounds a call. */
export interface AttemptOptions {
  /** What is run, for the error of a deadline. */
  name: string;
  /** Milliseconds for each attempt; `Infinity` for no limit. */
  timeoutMs: number;
  retry: RetryPolicy | undefined;
  signal: AbortSignal | undefined;
  /** Asked before each further attempt; false when pieces of the failed one have gone out already. */
  mayRepeat(): boolean;
  timers?: Timers | undefined;
}

/** One running attempt. */
export interface Attempt {
  /** Gives the signal of the attempt, making it at the first request. */
  signal(): AbortSignal;
  /** Whether it was ended from outside, so that nobody waits for it any more. */
  isOver(): boolean;
}

/**
 * Runs attempts until one succeeds, the policy is used up or the caller's signal aborts.
 *
 * It settles as soon as the signal aborts or the deadline passes, also when the work goes on regardless; what the
 * work does afterwards, a rejection included, is ignored.
 *
 * @param work One attempt.
 * @throws The last attempt's own error, a HoldallError `TIMEOUT`, or the signal's reason.
 */
export function runAttempts<T>(work: (attempt: Attempt) => T | Promise<T>, options: AttemptOptions): T | Promise<T> {
  const attempts = Math.min(options.retry?.attempts ?? 1, MAX_ATTEMPTS);
  return attempts <= 1 ? runOnce(work, options) : runMany(work, options, attempts);
}

async function runMany<T>(
  work: (attempt: Attempt) => T | Promise<T>,
  options: AttemptOptions,
  attempts: number,
): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await runOnce(work, options);
    } catch (error) {
      if (count >= attempts || options.signal?.aborted || !options.mayRepeat() || !isRetryable(error, options.retry))
        throw error;
      await delay((options.retry?.backoffMs ?? 500) * 2 ** (count - 1), options.signal, options.timers);
    }
  }
}

const endless: Attempt = { signal: () => new AbortController().signal, isOver: () => false };

function isRetryable(error: unknown, policy: RetryPolicy | undefined): boolean {
  if (error instanceof ToolSuspend) return false;
  return policy?.retryable === undefined ? HoldallError.is(error) && error.retryable : policy.retryable(error);
}

function runOnce<T>(work: (attempt: Attempt) => T | Promise<T>, options: AttemptOptions): T | Promise<T> {
  const { signal: parent, timeoutMs, timers = hostTimers } = options;
  parent?.throwIfAborted();
  if (parent === undefined && timeoutMs === Number.POSITIVE_INFINITY) return work(endless);
  return new Promise<T>((resolve, reject) => {
    let controller: AbortController | undefined;
    let stopReason: { reason: unknown } | undefined;
    const stop = (reason: unknown): void => {
      stopReason = { reason };
      settle();
      reject(reason);
      controller?.abort(reason);
    };
    const timer =
      timeoutMs === Number.POSITIVE_INFINITY
        ? undefined
        : timers.set(() => stop(timeoutError(timeoutMs, options.name)), timeoutMs);
    const settle = (): void => {
      if (timer !== undefined) timers.clear(timer);
      leave();
    };
    const leave = onAbort(parent, stop);
    const attempt: Attempt = {
      signal() {
        controller ??= new AbortController();
        if (stopReason !== undefined) controller.abort(stopReason.reason);
        return controller.signal;
      },
      isOver: () => stopReason !== undefined,
    };
    // What is thrown at once is a rejection like any other.
    (async () => work(attempt))().then(
      (value) => {
        settle();
        resolve(value);
      },
      (error: unknown) => {
        settle();
        reject(error);
      },
    );
  });
}
