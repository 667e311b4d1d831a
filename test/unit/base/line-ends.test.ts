/** Line ends of long texts, counted window by window. */

import { describe, expect, test } from "vitest";
import { countEnds, countLines, lineEndsOf } from "../../../src/base/line-ends.ts";
import { takeAll } from "../../../src/base/steps.ts";
import { splitLines } from "../../../src/base/text.ts";
import { forAll } from "../property.ts";

test.each([
  ["a\r\nb\r\n", "\r\n"],
  ["\r\n", "\r\n"],
  ["a\nb\n", "\n"],
  ["a\r\nb\n", "mixed"],
  ["\na\r\n", "mixed"],
  ["a\r\nb\r", "mixed"],
  ["a\r\r\nb", "mixed"],
  ["a\rb", "mixed"],
  ["a", "none"],
  ["", "none"],
])("lineEndsOf of %j is %j", (text, ends) => {
  expect(takeAll(lineEndsOf(text))).toBe(ends);
});

test("countLines counts what splitLines gives", () =>
  forAll(500, (random) => {
    const text = Array.from({ length: random.below(8) }, () => random.pick(["a", "\n", "\r", "\r\n"])).join("");
    expect([text, takeAll(countLines(text))]).toEqual([text, splitLines(text).length]);
  }));

describe("a long text", () => {
  test.each([0, 1])("is counted in steps, its line ends %i units away from the ends of the windows", (shift) => {
    const text = "x".repeat(shift) + "\r\n".repeat(100_000);
    expect(takeAll(lineEndsOf(text))).toBe("\r\n");
    expect(takeAll(countLines(text))).toBe(100_000);
    expect([...countEnds(text, "\r\n", 0, text.length)].length).toBe(3);
    expect(takeAll(countEnds(text, "\r\n", shift + 1, shift + 5))).toBe(2);
    expect(takeAll(lineEndsOf(`${text}\n`))).toBe("mixed");
  });
});
