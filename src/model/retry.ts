/** Trying again: which failures, how often and after how long. */

import { delay, type Timers } from "../base/abort.ts";
import { HoldallError } from "../base/errors.ts";
import type { Clock } from "../base/ids.ts";

/** How a request that failed before its answer began is tried again. */
export interface RetryOptions {
  /** How often a request is made at most. Defaults to 3; 1 means no second try. */
  attempts?: number;
  /** The wait before the second try, in milliseconds; it doubles each time. Defaults to 500. */
  initialDelayMs?: number;
  /** The longest wait, in milliseconds, also when the server asks for a longer one. Defaults to 60,000. */
  maxDelayMs?: number;
}

/** Everything a retry needs. */
export interface RetryPolicy extends Required<RetryOptions> {
  timers: Timers;
  /** A number from 0 to below 1. */
  random: () => number;
}

/**
 * Makes a request until it succeeds, fails for good, or has been made often enough; then the last error is thrown.
 *
 * Tried again is what is retryable, except a time-out: the server may still be at work, and be paid for it.
 *
 * @param attempt One request.
 * @param signal Ends a wait at once with its reason.
 */
export async function withRetry<T>(
  attempt: () => Promise<T>,
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let made = 1; ; made += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (made >= policy.attempts || !isWorthRetrying(error)) throw error;
      await delay(waitFor(error, made, policy), signal, policy.timers);
    }
  }
}

/**
 * Reads how long a server asks to wait: `retry-after-ms`, or `retry-after` in seconds or as a date.
 *
 * @returns Milliseconds, never negative; undefined when the headers do not say or say nonsense.
 */
export function retryAfter(headers: Headers, clock: Clock): number | undefined {
  const exact = readNumber(headers.get("retry-after-ms"));
  if (exact !== undefined) return exact;
  const text = headers.get("retry-after");
  const seconds = readNumber(text);
  if (seconds !== undefined) return seconds * 1000;
  // Engines read the strangest texts as dates.
  const date = text !== null && /GMT\s*$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - clock());
}

function isWorthRetrying(error: unknown): error is HoldallError {
  return HoldallError.is(error) && error.retryable && !HoldallError.is(error.cause, "TIMEOUT");
}

function waitFor(error: HoldallError, made: number, policy: RetryPolicy): number {
  const asked = error.data.retryAfterMs;
  if (typeof asked === "number") return Math.min(asked, policy.maxDelayMs);
  const longest = Math.min(policy.initialDelayMs * 2 ** (made - 1), policy.maxDelayMs);
  // Half of it is left to chance, so that many clients do not come back all at once.
  return longest * (0.5 + policy.random() / 2);
}

function readNumber(text: string | null): number | undefined {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
