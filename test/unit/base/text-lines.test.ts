/** Lines as numbers, against lines as texts. */

import { describe, expect, test } from "vitest";
import { linesWithEnds } from "../../../src/base/diff.ts";
import { createLongText } from "../../../src/base/long-text.ts";
import { takeAll } from "../../../src/base/steps.ts";
import { countOf, createLineHash, lineAt, numberLines, readLines } from "../../../src/base/text-lines.ts";
import { forAll } from "../property.ts";

/** With the second one nearly all hashes are equal. */
const hashes = [createLineHash(), { start: 0, factor: 1 }] as const;

test.each(hashes)("equal lines have equal numbers, others do not, by hashes of kind %#", (hash) =>
  forAll(300, (random) => {
    const makePieces = (): string[] =>
      Array.from({ length: random.below(12) }, () => random.pick(["a", "b", "ab", "ba", "\n", "\r\n", "🦊\n", ""]));
    const [before, after] = [makePieces(), makePieces()];
    const [old, fresh] = [before.join(""), after.join("")];
    const oldLines = takeAll(readLines(createLongText(before), 0, old.length, hash));
    const freshLines = takeAll(readLines(createLongText(after), 0, fresh.length, hash));
    const numbers = takeAll(numberLines(oldLines, freshLines));
    const lines = [...linesWithEnds(old), ...linesWithEnds(fresh)];
    const firsts = [...new Set(lines)];
    expect([...numbers.old, ...numbers.new]).toEqual(lines.map((line) => firsts.indexOf(line)));
    expect(numbers.count).toBe(firsts.length);
    expect(Array.from({ length: countOf(oldLines) }, (_, index) => lineAt(oldLines, index))).toEqual(
      linesWithEnds(old),
    );
  }),
);

test("only the lines between two places are read", () => {
  const text = "a\nb\nc\nd";
  const [hash] = hashes;
  const lines = takeAll(readLines(text, 2, 5, hash));
  expect([countOf(lines), lineAt(lines, 0), lineAt(lines, 1)]).toEqual([2, "b\n", "c"]);
});

describe("a long text", () => {
  test.each([
    ["short lines", "ab\n".repeat(200_000), 200_000],
    ["one line", "a".repeat(600_000), 1],
    ["line ends", "\n".repeat(600_000), 600_000],
  ])("of %s is read and numbered in steps", (_name, text, count) => {
    const [hash] = hashes;
    const reading = readLines(text, 0, text.length, hash);
    let steps = 0;
    for (; reading.next().done !== true; steps += 1);
    expect(steps).toBeGreaterThan(8);
    const lines = takeAll(readLines(text, 0, text.length, hash));
    const numbers = takeAll(numberLines(lines, lines));
    expect([countOf(lines), numbers.count]).toEqual([count, 1]);
  });
});
