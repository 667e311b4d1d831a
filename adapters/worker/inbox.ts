/** Messages of one stream: in order, each once, never more than the reader allowed. */

import { STREAM_WINDOW } from "./limits.ts";
import { protocolError } from "./wire-error.ts";

/** A message, or the failure that stands in its place. */
export type Entry<T> = { value: T } | { error: unknown };

/** The receiving end of a stream. */
export interface Inbox<T> {
  /** Takes a message that came; a repeated one is dropped, one that came too soon waits for those before it. */
  put(seq: number, entry: Entry<T>): void;
  /** Fails at once, whatever is still there. */
  fail(error: unknown): void;
  /** Gives the next message, or fails as the stream does. One caller at a time. */
  take(): Promise<T>;
}

/**
 * Makes an inbox.
 *
 * @param credit Tells the sender that so many more messages may come.
 */
export function createInbox<T>(credit: (count: number) => void): Inbox<T> {
  const early = new Map<number, Entry<T>>();
  const queue: Entry<T>[] = [];
  let next = 0;
  let taken = 0;
  let unpaid = 0;
  let failed: { error: unknown } | undefined;
  let wake = (): void => {};

  const fail = (error: unknown): void => {
    failed ??= { error };
    early.clear();
    queue.length = 0;
    wake();
  };
  const pay = (): void => {
    taken += 1;
    unpaid += 1;
    if (unpaid < STREAM_WINDOW / 2) return;
    credit(unpaid);
    unpaid = 0;
  };
  return {
    put: (seq, entry) => {
      if (failed !== undefined || seq < next || early.has(seq)) return;
      // A failure needs no credit.
      if (seq > taken + STREAM_WINDOW) return fail(protocolError("the other side sent more than it was allowed"));
      early.set(seq, entry);
      for (let ready = early.get(next); ready !== undefined; ready = early.get(next)) {
        early.delete(next);
        queue.push(ready);
        next += 1;
      }
      wake();
    },
    fail,
    take: async () => {
      for (;;) {
        const entry = queue.shift() ?? failed;
        if (entry === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        } else if ("error" in entry) throw entry.error;
        else {
          pay();
          return entry.value;
        }
      }
    },
  };
}

/** The sending end's right to send. */
export interface Gate {
  /** Waits until one more message may go; rejects once the gate is shut. */
  pass(): Promise<void>;
  /** Lets so many more messages go, never more than a window at once. */
  open(count: number): void;
  /** Ends all waiting. */
  shut(reason: unknown): void;
}

/** Makes a gate with a whole window of messages. */
export function createGate(): Gate {
  let left = STREAM_WINDOW;
  let shut: { reason: unknown } | undefined;
  let wake = (): void => {};
  return {
    pass: async () => {
      for (;;) {
        if (shut !== undefined) throw shut.reason;
        if (left > 0) break;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      left -= 1;
    },
    open: (count) => {
      left = Math.min(left + count, STREAM_WINDOW);
      wake();
    },
    shut: (reason) => {
      shut ??= { reason };
      wake();
    },
  };
}
