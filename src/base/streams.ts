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

/**
 * Turns a push core into a pull face: runs `produce` with a sink and yields what it pushes.
 *
 * The sink's promise resolves when the consumer asks for the next value, so a slow consumer slows the producer and
 * nothing piles up. Leaving the loop early lets every waiting push resolve, calls `onLeave`, then waits for the producer
 * to end; what it pushes until then goes nowhere.
 *
 * @param produce The push core; it starts when the first value is asked for.
 * @param onLeave Called when the consumer leaves before the end; it should stop the producer.
 * @returns The generator; its return value is what `produce` resolved to, and it throws what `produce` rejected with.
 */
export async function* pull<T, R>(
  produce: (sink: (value: T) => Promise<void>) => Promise<R>,
  onLeave: () => void,
): AsyncGenerator<T, R, undefined> {
  const channel = createChannel<T>();
  const running = produce(channel.push);
  running.then(channel.end, channel.end);
  let finished = false;
  try {
    for (let item = await channel.take(); item !== undefined; item = await channel.take()) {
      try {
        yield item.value;
      } finally {
        item.release();
      }
    }
    finished = true;
  } finally {
    if (!finished) {
      channel.drain();
      onLeave();
      await running.catch(() => {});
    }
  }
  return running;
}

interface Item<T> {
  value: T;
  release(): void;
}

interface Channel<T> {
  push(value: T): Promise<void>;
  take(): Promise<Item<T> | undefined>;
  end(): void;
  drain(): void;
}

function createChannel<T>(): Channel<T> {
  const queue: Item<T>[] = [];
  let waiting: ((item: Item<T> | undefined) => void) | undefined;
  let open = true;
  return {
    push(value) {
      if (!open) return Promise.resolve();
      return new Promise<void>((release) => {
        const item = { value, release };
        if (waiting === undefined) queue.push(item);
        else {
          const give = waiting;
          waiting = undefined;
          give(item);
        }
      });
    },
    take() {
      const item = queue.shift();
      if (item !== undefined || !open) return Promise.resolve(item);
      return new Promise((resolve) => {
        waiting = resolve;
      });
    },
    end() {
      open = false;
      waiting?.(undefined);
      waiting = undefined;
    },
    drain() {
      open = false;
      for (const item of queue.splice(0)) item.release();
    },
  };
}
