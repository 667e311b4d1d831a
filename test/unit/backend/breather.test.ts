import { describe, expect, test } from "vitest";
import { createBreather, nextTurn } from "../../../src/backend/breather.ts";

describe("createBreather", () => {
  function breather() {
    let now = 0;
    let rests = 0;
    const made = createBreather({
      clock: () => now,
      rest: async () => {
        rests += 1;
      },
    });
    return { ...made, tick: (milliseconds: number) => (now += milliseconds), rests: () => rests };
  }

  test("does not pause for little work, however long it takes", () => {
    const { spend, tick } = breather();
    tick(1000);
    expect(spend(100)).toBeUndefined();
  });

  test("pauses when there was work and time is up, and then not at once again", async () => {
    const { spend, tick, rests } = breather();
    expect(spend(1 << 16)).toBeUndefined();
    tick(8);
    await spend(1 << 16);
    expect(rests()).toBe(1);
    expect(spend(1 << 16)).toBeUndefined();
    tick(8);
    expect(spend(1 << 16)).toBeInstanceOf(Promise);
  });

  test("pauses after much work where the clock stands still", async () => {
    const { spend, rests } = breather();
    let pauses = 0;
    for (let round = 0; round < 128; round += 1) {
      const pause = spend(1 << 16);
      if (pause === undefined) continue;
      pauses += 1;
      await pause;
    }
    expect([pauses, rests()]).toEqual([2, 2]);
  });
});

describe("nextTurn", () => {
  test("lets a timer that is due have its turn", async () => {
    let fired = false;
    setTimeout(() => {
      fired = true;
    }, 0);
    for (let turn = 0; turn < 10_000 && !fired; turn += 1) await nextTurn();
    expect(fired).toBe(true);
  });
});
