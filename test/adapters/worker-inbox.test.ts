import { describe, expect, test } from "vitest";
import { createGate, createInbox } from "../../adapters/worker/inbox.ts";
import { STREAM_WINDOW } from "../../adapters/worker/limits.ts";
import { createRecent } from "../../adapters/worker/recent.ts";
import { forAll } from "../unit/property.ts";
import { failure, turns } from "./worker-support.ts";

describe("an inbox", () => {
  test("gives every message once and in order, however they are repeated and overtake each other", async () => {
    await forAll(200, async (random) => {
      let credit = STREAM_WINDOW;
      const inbox = createInbox<number>((count) => {
        credit += count;
      });
      const count = 1 + random.below(60);
      const taken: number[] = [];
      const waiting: number[] = [];
      let sent = 0;
      while (taken.length < count) {
        for (; sent < count && credit > 0; sent += 1, credit -= 1) waiting.push(sent);
        for (let times = 1 + random.below(4); times > 0 && waiting.length > 0; times -= 1) {
          const [seq = 0] = waiting.splice(random.below(waiting.length), 1);
          inbox.put(seq, { value: seq });
          if (random.once(3)) inbox.put(seq, { value: -1 });
          if (random.once(3) && taken.length > 0) inbox.put(random.below(taken.length), { value: -2 });
        }
        const ready = Math.min(...waiting, sent) - taken.length;
        for (let times = random.below(ready + 1); times > 0; times -= 1) taken.push(await inbox.take());
      }
      expect(taken).toEqual(Array.from({ length: count }, (_, index) => index));
    });
  });

  test("lets its sender go on by half a window at a time", async () => {
    const credits: number[] = [];
    const inbox = createInbox<number>((count) => credits.push(count));
    for (let seq = 0; seq < STREAM_WINDOW; seq += 1) inbox.put(seq, { value: seq });
    for (let seq = 0; seq < STREAM_WINDOW; seq += 1) await inbox.take();
    expect(credits).toEqual([STREAM_WINDOW / 2, STREAM_WINDOW / 2]);
  });

  test("fails when more comes than was allowed, and keeps nothing of it", async () => {
    const inbox = createInbox<number>(() => {});
    inbox.put(STREAM_WINDOW + 1, { value: 0 });
    inbox.put(0, { value: 0 });
    expect(await failure(inbox.take())).toMatchObject({ code: "BACKEND_PROTOCOL" });
  });

  test("gives a failure behind the messages before it, and one without a place at once", async () => {
    const [first, other] = [createInbox<number>(() => {}), createInbox<number>(() => {})];
    const error = new Error("broken");
    first.put(1, { error });
    first.put(0, { value: 0 });
    expect([await first.take(), await failure(first.take())]).toEqual([0, error]);
    other.put(0, { value: 0 });
    other.fail(error);
    other.fail(new Error("later"));
    expect(await failure(other.take())).toBe(error);
  });

  test("wakes who waits when a message comes, or a failure", async () => {
    const inbox = createInbox<number>(() => {});
    const one = inbox.take();
    inbox.put(0, { value: 7 });
    expect(await one).toBe(7);
    const two = failure(inbox.take());
    inbox.fail(new Error("gone"));
    expect(await two).toMatchObject({ message: "gone" });
  });
});

describe("a gate", () => {
  test("lets a window of messages pass, then as many as it is opened for, never more than a window", async () => {
    const gate = createGate();
    let passed = 0;
    const pass = async (): Promise<void> => {
      for (;;) {
        await gate.pass();
        passed += 1;
      }
    };
    const end = failure(pass());
    await turns(1);
    expect(passed).toBe(STREAM_WINDOW);
    gate.open(3);
    await turns(1);
    expect(passed).toBe(STREAM_WINDOW + 3);
    gate.open(1e9);
    await turns(1);
    expect(passed).toBe(2 * STREAM_WINDOW + 3);
    const reason = new Error("shut");
    gate.shut(reason);
    gate.shut(new Error("again"));
    expect([await end, await failure(gate.pass())]).toEqual([reason, reason]);
  });
});

describe("a memory of numbers", () => {
  test("tells each once, in any order within its reach", async () => {
    await forAll(200, (random) => {
      const size = 1 + random.below(20);
      const isNew = createRecent(size);
      const met = new Set<number>();
      let largest = -1;
      for (let step = 0; step < 200; step += 1) {
        const id = Math.max(0, largest + 1 + random.below(7) - 3 - (random.once(10) ? size : 0));
        const expected = !met.has(id) && id > largest - size;
        expect(isNew(id), `${id} after ${largest}`).toBe(expected);
        if (expected) met.add(id);
        largest = Math.max(largest, expected ? id : -1);
      }
    });
  });

  test("is not held up by a number that is far ahead", () => {
    const isNew = createRecent(8);
    expect([5, 2 ** 53 - 1, 6, 2 ** 53 - 1, 2 ** 53 - 2].map(isNew)).toEqual([true, true, false, false, true]);
  });
});
