/** A command and what it has printed, for every request that asks for it: the first one, and those that repeat it. */

import type { Kept } from "./key-memory.ts";
import type { Batch } from "./protocol.ts";
import { goneError } from "./wire-error.ts";

/** What a command has printed so far, and how it ended. */
export interface RunRecord extends Kept {
  /** Reads all of it from the start. When the last reader leaves before the end, the command is ended. */
  read(): AsyncIterator<Batch<unknown, unknown>, void>;
}

/**
 * Makes the record of a command.
 *
 * @param open Starts the command; it ends when the signal aborts.
 * @param cancelled Ends it as well.
 */
export function createRunRecord(
  open: (signal: AbortSignal) => AsyncIterator<Batch<unknown, unknown>, void>,
  cancelled: AbortSignal,
): RunRecord {
  const controller = new AbortController();
  const batches: Batch<unknown, unknown>[] = [];
  const waiting = new Set<() => void>();
  let bytes = 0;
  let readers = 0;
  let ended: { error?: unknown } | undefined;

  const changed = (): void => {
    for (const wake of waiting) wake();
    waiting.clear();
  };
  const end = (how: { error?: unknown }): void => {
    ended = how;
    cancelled.removeEventListener("abort", cancel);
    changed();
  };
  const cancel = (): void => controller.abort(cancelled.reason);
  const record = async (): Promise<void> => {
    const source = open(controller.signal);
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      batches.push(next.value);
      bytes += sizeOf(next.value);
      changed();
    }
  };
  if (cancelled.aborted) cancel();
  else cancelled.addEventListener("abort", cancel);
  record().then(
    () => end({}),
    (error: unknown) => end({ error }),
  );
  return {
    isBusy: () => ended === undefined,
    size: () => bytes,
    read: () => {
      readers += 1;
      let at = 0;
      let left = false;
      const leave = (): void => {
        if (left) return;
        left = true;
        readers -= 1;
        changed();
        if (readers === 0 && ended === undefined)
          controller.abort(goneError("the connection was cut while the command ran, and the command was ended"));
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
