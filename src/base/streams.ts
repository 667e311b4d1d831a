/** Async iterables and Web Streams, in engines that lack one conversion or the other. */

import { onAbort } from "./abort.ts";

/** Takes one value; the promise it returns is back-pressure. */
export type Sink<T> = (value: T) => void | Promise<void>;

/** Reads a stream as an async iterable; leaving the loop cancels the stream. */
export async function* iterateStream<T>(
  stream: ReadableStream<T>,
  signal?: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const reader = stream.getReader();
  const stop = onAbort(signal, (reason) => void reader.cancel(reason).catch(() => {}));
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (signal?.aborted) throw signal.reason;
      if (done) return;
      yield value;
    }
  } finally {
    stop();
    await reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}

/** Makes a stream that pulls from an async iterable; cancelling it ends the iterable. */
export function streamFrom<T>(iterable: AsyncIterable<T>): ReadableStream<T> {
  const iterator = iterable[Symbol.asyncIterator]();
  return new ReadableStream<T>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel(reason) {
        await iterator.return?.(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Tells whether a value can be read with `for await`. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** Tells whether a value is a readable stream, of this realm or another. */
export function isReadableStream(value: unknown): value is ReadableStream<unknown> {
  return typeof value === "object" && value !== null && "getReader" in value && typeof value.getReader === "function";
}
