import { describe, expect, test } from "vitest";
import { pull } from "../../../src/base/pull.ts";
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

  test("answers everybody who asks before anything was pushed, and holds up only the last", async () => {
    const log: string[] = [];
    const face = pull<number, string>(async (sink) => {
      for (const value of [1, 2, 3]) {
        await sink(value);
        log.push(`released ${value}`);
      }
      return "done";
    }, never);
    expect(await Promise.all([face.next(), face.next()])).toEqual([
      { done: false, value: 1 },
      { done: false, value: 2 },
    ]);
    await settle();
    expect(log).toEqual(["released 1"]);
    expect(await Promise.all([face.next(), face.next(), face.next()])).toEqual([
      { done: false, value: 3 },
      { done: true, value: "done" },
      { done: true, value: undefined },
    ]);
  });

  test("leaves at once while a value is asked for", async () => {
    const stop = new AbortController();
    const face = pull<number, void>(
      () => new Promise((resolve) => stop.signal.addEventListener("abort", () => resolve())),
      () => stop.abort(),
    );
    const asked = face.next();
    expect(await face.return()).toEqual({ done: true, value: undefined });
    expect(await asked).toEqual({ done: true, value: undefined });
  });

  test("does not start when it is left before the first value", async () => {
    const face = pull<number, string>(() => {
      throw new Error("started");
    }, never);
    expect(await face.return("early")).toEqual({ done: true, value: "early" });
    expect(await face.next()).toEqual({ done: true, value: undefined });
  });

  test("leaves with the error that is thrown into it", async () => {
    const log: string[] = [];
    const face = pull<number, void>(
      async (sink) => {
        await sink(1);
        log.push("released");
      },
      () => void log.push("left"),
    );
    await face.next();
    await expect(face.throw(new Error("mine"))).rejects.toThrow("mine");
    expect(log).toEqual(["left", "released"]);
    expect(await face.next()).toEqual({ done: true, value: undefined });
  });

  test("tells nobody to stop after the end", async () => {
    const face = pull<number, string>(async () => "done", never);
    await face.next();
    expect(await face.return("late")).toEqual({ done: true, value: "late" });
  });
});
