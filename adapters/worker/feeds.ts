/** Answers in pieces, as the iterables and streams that the port promises. */

import type { Feed } from "./link.ts";

/** Makes an iterable; the call is made when the first item is asked for, and given up when the loop is left. */
export async function* iterateFeed<T>(open: () => Feed<T, unknown>): AsyncGenerator<T, undefined, undefined> {
  const feed = open();
  let ended = false;
  try {
    while (!ended) {
      const { items, end } = await feed.next();
      ended = end !== undefined;
      yield* items;
    }
  } finally {
    if (!ended) feed.stop();
  }
  return undefined;
}

/** Makes a stream of bytes; the call is made at the first read, and given up when the stream is cancelled. */
export function streamFeed(open: () => Feed<Uint8Array, unknown>): ReadableStream<Uint8Array> {
  let feed: Feed<Uint8Array, unknown> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        feed ??= open();
        let taken = 0;
        // A pull that gives nothing would not be repeated.
        while (taken === 0) {
          const { items, end } = await feed.next();
          for (const chunk of items) controller.enqueue(chunk);
          taken += items.length;
          if (end !== undefined) return controller.close();
        }
      },
      cancel: () => feed?.stop(),
    },
    { highWaterMark: 0 },
  );
}
