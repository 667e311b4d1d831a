import { describe, expect, test } from "vitest";
import { createKeyMemory, type Kept, type KeyMemoryOptions, type Mark } from "../../adapters/worker/key-memory.ts";
import { forAll } from "../unit/property.ts";

interface Made extends Kept {
  number: number;
}

/** A memory whose changes are counted, and whose time stands still until it is told. */
function memory(options: Partial<KeyMemoryOptions<Made>> = {}) {
  let made = 0;
  let now = 0;
  const busy = new Set<number>();
  const signals: AbortSignal[] = [];
  const keys = createKeyMemory<Made>({ instance: "here", maxBytes: 1000, ageMs: 100, clock: () => now, ...options });
  const start = (signal: AbortSignal): Made => {
    made += 1;
    const number = made;
    signals.push(signal);
    return { number, isBusy: () => busy.has(number), size: () => 10 };
  };
  return {
    keys,
    busy,
    signals,
    once: (mark: Partial<Mark>) => keys.once({ ...MARK, ...mark }, start).number,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    count: () => made,
  };
}

const MARK: Mark = { key: "k", call: "c", attempt: 1, instance: "here", isSafeAgain: false, isBegun: false };

const unknown = expect.objectContaining({ code: "BACKEND_GONE", data: { outcome: "unknown" } });

describe("a memory of keys", () => {
  test("makes a change once for each key", () => {
    const { once } = memory();
    expect([once({}), once({ attempt: 2 }), once({ key: "other" }), once({ attempt: 9, instance: "there" })]).toEqual([
      1, 1, 2, 1,
    ]);
  });

  test("refuses a key that belongs to another call", () => {
    const { once } = memory();
    once({});
    expect(() => once({ call: "another" })).toThrow(/^BACKEND_PROTOCOL: /);
  });

  test.each([
    ["that went to another memory", { attempt: 2, instance: "there" }],
    ["of which nothing is known", { attempt: 2, instance: undefined }],
    ["whose answer has begun", { attempt: 1, isBegun: true }],
    ["whose answer has begun, safe or not", { attempt: 2, isBegun: true, isSafeAgain: true }],
  ])("does not make a change again %s", (_name, mark) => {
    const { once, count } = memory();
    expect(() => once(mark)).toThrow(unknown);
    expect(count()).toBe(0);
  });

  test.each([
    ["was sent here and never came", { attempt: 2 }],
    ["went to several memories, this one among them", { attempt: 2, instance: "there.here" }],
    ["is safe to make again", { attempt: 2, instance: "there", isSafeAgain: true }],
  ])("makes a change that %s", (_name, mark) => {
    expect(memory().once(mark)).toBe(1);
  });

  test("forgets what is old, and what is too much, but nothing that is under way", () => {
    const { once, busy, pass } = memory({ maxKeys: 2 });
    busy.add(1);
    for (const key of ["1", "2", "3", "4"]) once({ key });
    expect([once({ key: "1", attempt: 2 }), once({ key: "4", attempt: 2 })]).toEqual([1, 4]);
    // Forgotten before its time: it may have been made.
    expect(() => once({ key: "2", attempt: 2 })).toThrow(unknown);
    expect(() => once({ key: "never met", attempt: 2 })).toThrow(unknown);
    pass(101);
    expect(once({ key: "never met", attempt: 2 })).toBe(5);
    busy.delete(1);
    pass(101);
    expect(once({ key: "1" })).toBe(6);
  });

  test("keeps what is asked for again, as long as it is", () => {
    const { once, pass } = memory();
    once({});
    for (let time = 2; time < 6; time += 1) {
      pass(99);
      expect(once({ attempt: time })).toBe(1);
    }
    pass(101);
    expect(once({ key: "other" })).toBe(2);
  });

  test("gives up a change, also one that has not come yet", () => {
    const { once, keys, signals } = memory();
    once({ key: "1" });
    keys.cancel("1");
    keys.cancel("2");
    once({ key: "2" });
    once({ key: "3" });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false]);
  });

  test("asks one that lasts longer first, and is as forgetful as it", () => {
    let hasForgotten = false;
    const kept: Made = { number: 77, isBusy: () => false, size: () => 10 };
    const { once } = memory({
      recall: ({ key }) => (key === "kept" ? kept : undefined),
      hasForgotten: () => hasForgotten,
    });
    expect([once({ key: "kept" }), once({ key: "kept", attempt: 2, instance: "there" })]).toEqual([77, 77]);
    expect(once({ key: "new", attempt: 2 })).toBe(1);
    hasForgotten = true;
    expect(() => once({ key: "newer", attempt: 2 })).toThrow(unknown);
  });

  test("never makes a change twice that it may know of, whatever comes", async () => {
    await forAll(200, (random) => {
      const { once, busy, pass } = memory({
        ageMs: 1000,
        maxKeys: 1 + random.below(5),
        maxBytes: 10 + random.below(60),
      });
      const made = new Map<string, number>();
      for (let step = 0; step < 100; step += 1) {
        const key = `${random.below(12)}`;
        const attempt = made.has(key) ? 2 : 1;
        pass(random.below(5));
        const answer = (): number | undefined => {
          try {
            return once({ key, attempt, instance: random.once(9) ? "there" : "here" });
          } catch (error) {
            expect(error).toEqual(unknown);
            return undefined;
          }
        };
        const number = answer();
        if (number === undefined) continue;
        expect(number).toBe(made.get(key) ?? number);
        made.set(key, number);
        if (random.once(4)) busy.add(number);
        if (random.once(3)) busy.clear();
      }
    });
  });
});
