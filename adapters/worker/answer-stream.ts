/** Answers in pieces as the body of a response. */

import type { Timers } from "holdall";
import type { Batch, WireError } from "./protocol.ts";
import { startTimer } from "./timers.ts";

/** How pieces are written: as server-sent events, or as frames of bytes. */
export interface StreamCodec<TItem> {
  contentType: string;
  /** A sign of life. */
  alive: Uint8Array;
  /** Some pieces, and the end if these are the last; a body that has none was cut. */
  batch(batch: Batch<TItem, unknown>): Uint8Array;
  /** The failure that ends the answer. */
  failed(error: WireError): Uint8Array;
}

/** How an answer is streamed. */
export interface AnswerStreamOptions {
  /** Milliseconds between signs of life while there is nothing to say. */
  keepAliveMs: number;
  timers: Timers;
  /** Makes what is sent of a failure. */
  pack(error: unknown): WireError;
  /** The reader has left before the end. */
  left(): void;
  /** No more is sent, however it ended. */
  closed(): void;
}

/** Makes the body; pieces are asked for as they are read. */
export function answerStream<TItem>(
  source: AsyncIterator<Batch<TItem, unknown>, void>,
  codec: StreamCodec<TItem>,
  options: AnswerStreamOptions,
): ReadableStream<Uint8Array> {
  let pending: ReturnType<typeof source.next> | undefined;
  const nextPiece = async (): Promise<{ piece: Uint8Array; last: boolean }> => {
    pending ??= source.next();
    const next = await within(pending, options);
    if (next === undefined || next.done === true) return { piece: codec.alive, last: next !== undefined };
    pending = undefined;
    return { piece: codec.batch(next.value), last: next.value.end !== undefined };
  };
  return new ReadableStream<Uint8Array>(
    {
      // Some hosts send the head of a response with its first bytes only.
      start: (controller) => controller.enqueue(codec.alive),
      async pull(controller) {
        const { piece, last } = await nextPiece().catch((error: unknown) => ({
          piece: codec.failed(options.pack(error)),
          last: true,
        }));
        controller.enqueue(piece);
        if (!last) return;
        controller.close();
        options.closed();
      },
      cancel() {
        pending?.catch(() => {});
        options.left();
        source.return?.()?.catch(() => {});
        options.closed();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Waits for a promise; gives undefined when it is time for a sign of life. */
async function within<T>(promise: Promise<T>, { keepAliveMs, timers }: AnswerStreamOptions): Promise<T | undefined> {
  let stop = (): void => {};
  const time = new Promise<undefined>((resolve) => {
    stop = startTimer(timers, () => resolve(undefined), keepAliveMs);
  });
  try {
    return await Promise.race([promise, time]);
  } finally {
    stop();
  }
}
