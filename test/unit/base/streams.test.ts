import { describe, expect, test } from "vitest";
import { isAsyncIterable, isReadableStream, iterateStream, pull, streamFrom } from "../../../src/base/streams.ts";
import { forAll } from "../property.ts";

/** Lets everything that is ready run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

async function collect<T>(iterable: AsyncIterable<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const value of iterable) values.push(value);
  return values;
}

const never = (): void => {
  throw new Error("the consumer did not leave");
};

describe("pull", () => {
  test("yields what is pushed, in order, and returns what the producer resolved to", async () => {
    const face = pull<number, string>(async (sink) => {
      for (const value of [1, 2, 3]) await sink(value);
      return "done";
    }, never);
    const steps = [await face.next(), await face.next(), await face.next(), await face.next(), await face.next()];
    expect(steps).toEqual([
      { done: false, value: 1 },
      { done: false, value: 2 },
      { done: false, value: 3 },
      { done: true, value: "done" },
      { done: true, value: undefined },
    ]);
  });

  test("starts the producer only when the first value is asked for", async () => {
    let started = false;
    const face = pull(async () => {
      started = true;
    }, never);
    await settle();
    expect(started).toBe(false);
    await face.next();
    expect(started).toBe(true);
  });

  test("makes the producer wait until the next value is asked for", async () => {
    const log: string[] = [];
    const face = pull<number, void>(async (sink) => {
      for (const value of [1, 2]) {
        log.push(`push ${value}`);
        await sink(value);
      }
    }, never);
    await face.next();
    await settle();
    expect(log).toEqual(["push 1"]);
    await face.next();
    await settle();
    expect(log).toEqual(["push 1", "push 2"]);
  });

  test("keeps the order of values pushed at once and lets each push wait for its own turn", async () => {
    const log: string[] = [];
    const face = pull<number, void>(async (sink) => {
      await Promise.all([1, 2, 3].map((value) => sink(value).then(() => log.push(`released ${value}`))));
    }, never);
    await face.next();
    await face.next();
    await settle();
    expect(log).toEqual(["released 1"]);
    expect(await collect(face)).toEqual([3]);
    expect(log).toEqual(["released 1", "released 2", "released 3"]);
  });

  test("gives values that nobody waited on before the end", async () => {
    const face = pull<number, string>(async (sink) => {
      void sink(1);
      void sink(2);
      return "done";
    }, never);
    expect([await face.next(), await face.next(), await face.next()].map(({ value }) => value)).toEqual([1, 2, "done"]);
  });

  test("throws the producer's error behind the values before it", async () => {
    const seen: number[] = [];
    const face = pull<number, void>(async (sink) => {
      await sink(1);
      void sink(2);
      throw new Error("broke");
    }, never);
    const reading = (async () => {
      for await (const value of face) seen.push(value);
    })();
    await expect(reading).rejects.toThrow("broke");
    expect(seen).toEqual([1, 2]);
  });

  test("throws what a producer throws before it returns a promise", async () => {
    const face = pull(() => {
      throw new Error("at once");
    }, never);
    await expect(face.next()).rejects.toThrow("at once");
  });

  test("on early leave releases the push that waits, calls onLeave and waits for the producer", async () => {
    const log: string[] = [];
    const face = pull<number, void>(
      async (sink) => {
        await sink(1);
        log.push("released");
        await sink(2);
        await sink(3);
        log.push("ended");
      },
      () => void log.push("left"),
    );
    for await (const value of face) {
      log.push(`got ${value}`);
      break;
    }
    expect(log).toEqual(["got 1", "left", "released", "ended"]);
  });

  test("on early leave with pushes still waiting releases them all", async () => {
    const face = pull<number, void>(
      async (sink) => void (await Promise.all([sink(1), sink(2), sink(3)])),
      () => {},
    );
    for await (const _ of face) break;
    expect(await face.next()).toEqual({ done: true, value: undefined });
  });

  test("does not throw what the producer rejects with after the consumer has left", async () => {
    const stop = new AbortController();
    const face = pull<number, void>(
      async (sink) => {
        await sink(1);
        if (stop.signal.aborted) throw new Error("stopped");
      },
      () => stop.abort(),
    );
    for await (const _ of face) break;
    expect(stop.signal.aborted).toBe(true);
  });

  test("lets the consumer's own error out, not the producer's", async () => {
    const face = pull<number, void>(
      async (sink) => {
        await sink(1);
        throw new Error("producer");
      },
      () => {},
    );
    const reading = (async () => {
      for await (const _ of face) throw new Error("consumer");
    })();
    await expect(reading).rejects.toThrow("consumer");
  });

  test("gives the same values whatever the two sides wait for", () =>
    forAll(100, async (random) => {
      const values = Array.from({ length: random.below(8) }, (_, index) => index);
      const pauses = async (): Promise<void> => {
        for (let turn = random.below(4); turn > 0; turn -= 1) await Promise.resolve();
      };
      const face = pull<number, number>(async (sink) => {
        const open: Promise<void>[] = [];
        for (const value of values) {
          const pushed = sink(value);
          if (random.once(3)) open.push(pushed);
          else await pushed;
          await pauses();
        }
        if (random.once(2)) await Promise.all(open);
        return values.length;
      }, never);
      const seen: number[] = [];
      let step = await face.next();
      for (; step.done !== true; step = await face.next()) {
        seen.push(step.value);
        await pauses();
      }
      expect([seen, step.value]).toEqual([values, values.length]);
    }));
});

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
