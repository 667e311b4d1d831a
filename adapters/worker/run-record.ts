/** A command and what it has printed, for every request that asks for it: the first one, and those that repeat it. */

import { onAbort, type Timers } from "holdall";
import type { Kept } from "./key-memory.ts";
import type { Batch } from "./protocol.ts";
import { startTimer } from "./timers.ts";
import { goneError, protocolError } from "./wire-error.ts";

/** What a command has printed so far, and how it ended. */
export interface RunRecord extends Kept {
  /**
   * Reads it, from the start or from behind a position. When the last reader leaves before the end, and none comes in time,
   * the command is ended.
   */
  read(position?: number): AsyncIterator<Batch<unknown, unknown>, void>;
}

/** How a command is recorded. */
export interface RunRecordOptions {
  /** Starts the command; it ends when the signal aborts. */
  open(signal: AbortSignal): AsyncIterator<Batch<unknown, unknown>, void>;
  /** Ends it as well. */
  cancelled: AbortSignal;
  /** Milliseconds for which it goes on without a reader; 0 when none can come back. */
  graceMs: number;
  timers: Timers;
  /** It has ended. */
  ended(): void;
}

/** Makes the record of a command, and starts it. */
export function createRunRecord(options: RunRecordOptions): RunRecord {
  const controller = new AbortController();
  const batches: Batch<unknown, unknown>[] = [];
  const waiting = new Set<() => void>();
  let bytes = 0;
  let readers = 0;
  let ended: { error?: unknown } | undefined;
  let stopTimer = (): void => {};

  const changed = (): void => {
    for (const wake of waiting) wake();
    waiting.clear();
  };
  const end = (how: { error?: unknown }): void => {
    ended = how;
    stopTimer();
    stopFollowing();
    changed();
    options.ended();
  };
  const stopFollowing = onAbort(options.cancelled, () => controller.abort(options.cancelled.reason));
  const record = async (): Promise<void> => {
    const source = options.open(controller.signal);
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      batches.push({ ...next.value, position: batches.length + 1 });
      bytes += sizeOf(next.value);
      changed();
    }
  };
  /** Nobody reads any more. */
  const abandon = (): void => {
    const lost = goneError("the connection was cut while the command ran, and the command was ended");
    if (options.graceMs === 0) controller.abort(lost);
    else stopTimer = startTimer(options.timers, () => controller.abort(lost), options.graceMs);
  };
  record().then(
    () => end({}),
    (error: unknown) => end({ error }),
  );
  return {
    isBusy: () => ended === undefined,
    size: () => bytes,
    read: (position = 0) => {
      if (position > batches.length) throw protocolError("no such part of the output has been sent");
      stopTimer();
      readers += 1;
      let at = position;
      let left = false;
      const leave = (): void => {
        if (left) return;
        left = true;
        readers -= 1;
        changed();
        if (readers === 0 && ended === undefined) abandon();
      };
      return {
        next: async () => {
          while (!left && at >= batches.length && ended === undefined)
            await new Promise<void>((resolve) => waiting.add(resolve));
          const value = left ? undefined : batches[at];
          at += 1;
          if (value !== undefined) return { done: false, value };
          leave();
          if (ended !== undefined && "error" in ended) throw ended.error;
          return { done: true, value: undefined };
        },
        // At once, also while a `next` waits: a generator would let it wait for output that may never come.
        return: async () => {
          leave();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** A rough size: text is most of it. */
function sizeOf({ items }: Batch<unknown, unknown>): number {
  let size = 100;
  for (const item of items) {
    const text: unknown = typeof item === "object" && item !== null ? Reflect.get(item, "text") : undefined;
    size += 50 + (typeof text === "string" ? 2 * text.length : 0);
  }
  return size;
}
