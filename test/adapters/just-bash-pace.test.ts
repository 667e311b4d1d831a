/** How long a command keeps a thread before others get their turn, on a clock that the test moves. */

import { expect, test } from "vitest";
import { createPace } from "../../adapters/just-bash/pace.ts";

test("lets timers in after twenty milliseconds, and then after twenty more", async () => {
  let time = 0;
  const pace = createPace(new AbortController().signal, () => time);
  for (const start of [0, 20]) {
    time = start + 19;
    expect(pace()).toBeUndefined();
    time = start + 20;
    let came = false;
    setTimeout(() => {
      came = true;
    }, 0);
    await pace();
    expect(came).toBe(true);
  }
});

test("lets timers in after some thousand calls where the clock stands still", () => {
  const pace = createPace(new AbortController().signal, () => 0);
  let calls = 1;
  while (pace() === undefined && calls < 100_000) calls += 1;
  expect(calls).toBe(5000);
});

test("ends at the next call after an abort, and at one that comes during a pause", async () => {
  let time = 0;
  const controller = new AbortController();
  const pace = createPace(controller.signal, () => time);
  time = 20;
  const pausing = pace();
  controller.abort(new Error("enough"));
  await expect(pausing).rejects.toThrow("enough");
  expect(pace).toThrow("enough");
});
