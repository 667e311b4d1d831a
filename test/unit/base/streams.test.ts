import { describe, expect, test } from "vitest";
import { isAsyncIterable, isReadableStream, iterateStream, streamFrom } from "../../../src/base/streams.ts";

/** Lets everything that is ready run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

async function collect<T>(iterable: AsyncIterable<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const value of iterable) values.push(value);
  return values;
}

describe("iterateStream", () => {
  test("reads to the end and lets the stream go", async () => {
    const stream = streamFrom(
      (async function* () {
        yield 1;
        yield 2;
      })(),
    );
    expect(await collect(iterateStream(stream))).toEqual([1, 2]);
    expect(stream.locked).toBe(false);
  });

  test("cancels the stream when the loop is left", async () => {
    const cancelled: unknown[] = [];
    const stream = new ReadableStream<number>({
      pull: (controller) => controller.enqueue(1),
      cancel: () => void cancelled.push("cancelled"),
    });
    for await (const _ of iterateStream(stream)) break;
    expect(cancelled).toEqual(["cancelled"]);
    expect(stream.locked).toBe(false);
  });

  test("throws the stream's error behind the values before it", async () => {
    const stream = streamFrom(
      (async function* () {
        yield 1;
        throw new Error("broke");
      })(),
    );
    const seen: number[] = [];
    const reading = (async () => {
      for await (const value of iterateStream(stream)) seen.push(value);
    })();
    await expect(reading).rejects.toThrow("broke");
    expect(seen).toEqual([1]);
  });

  test("ends a read that never comes with the signal's reason, and cancels the stream with it", async () => {
    const stop = new AbortController();
    const reasons: unknown[] = [];
    const stream = new ReadableStream<number>({ cancel: (reason) => void reasons.push(reason) });
    const reading = iterateStream(stream, stop.signal).next();
    const reason = new Error("enough");
    stop.abort(reason);
    await expect(reading).rejects.toBe(reason);
    expect(reasons).toEqual([reason]);
  });

  test("reads nothing under a signal that has aborted already", async () => {
    const reason = new Error("too late");
    const stream = new ReadableStream<number>({ pull: (controller) => controller.enqueue(1) });
    await expect(iterateStream(stream, AbortSignal.abort(reason)).next()).rejects.toBe(reason);
  });

  test("stays quiet when cancelling fails", async () => {
    const stream = new ReadableStream<number>({
      pull: (controller) => controller.enqueue(1),
      cancel: () => Promise.reject(new Error("cannot cancel")),
    });
    for await (const _ of iterateStream(stream)) break;
    expect(stream.locked).toBe(false);
  });
});

describe("streamFrom", () => {
  test("asks for a value only when one is read", async () => {
    let asked = 0;
    const stream = streamFrom({
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          asked += 1;
          return { done: false, value: asked };
        },
      }),
    });
    await settle();
    expect(asked).toBe(0);
    const reader = stream.getReader();
    expect(await reader.read()).toEqual({ done: false, value: 1 });
    expect(asked).toBe(1);
    await reader.cancel();
  });

  test("ends the iterable when it is cancelled", async () => {
    let ended = false;
    const stream = streamFrom(
      (async function* () {
        try {
          for (;;) yield 1;
        } finally {
          ended = true;
        }
      })(),
    );
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel();
    expect(ended).toBe(true);
  });
});

describe("guards", () => {
  test("know async iterables and streams of any origin", () => {
    const values = [(async function* () {})(), { getReader: () => {} }, [], "text", null, undefined, () => {}];
    expect(values.map(isAsyncIterable)).toEqual([true, false, false, false, false, false, false]);
    expect(values.map(isReadableStream)).toEqual([false, true, false, false, false, false, false]);
    expect(isReadableStream(new ReadableStream())).toBe(true);
  });
});
