/** Lines of files by their places, against lines as a list of texts. */

import { describe, expect, test } from "vitest";
import { createLongText } from "../../../src/base/long-text.ts";
import { takeAll } from "../../../src/base/steps.ts";
import { splitLines } from "../../../src/base/text.ts";
import { findLines, numberLines, spliceOfLines } from "../../../src/tools/v1/file-lines.ts";
import { forAll, type Random } from "../property.ts";

const makePieces = (random: Random): string[] =>
  Array.from({ length: random.below(9) }, () => random.pick(["a", "bc", "\n", "\r", "\r\n", "🦊", ""]));

const numbered = (lines: readonly string[], first: number): string =>
  lines.map((line, index) => `${first + index}: ${line}\n`).join("");

test("finds the lines that splitting finds, wherever the pieces of the text end", () =>
  forAll(500, (random) => {
    const pieces = makePieces(random);
    const lines = splitLines(pieces.join(""));
    const found = takeAll(findLines(createLongText(pieces)));
    const [first, last] = [1 + random.below(3), random.below(lines.length + 1)];
    expect([pieces, found.count, takeAll(numberLines(found, [first, last])).join("")]).toEqual([
      pieces,
      lines.length,
      numbered(lines.slice(first - 1, last), first),
    ]);
  }));

/** The same with a list: lines with their ends, some of them taken out, others put in. */
function replaceInList(text: string, first: number, count: number, content: string): string {
  const lines = text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
  if (lines.length === 0) return content;
  const before = lines.slice(0, first - 1);
  const after = lines.slice(first - 1 + count);
  const ends = lines.slice(0, first).flatMap((line) => /(?:\r\n|\n|\r)$/.exec(line) ?? []);
  const end = ends.at(-1) ?? "\n";
  const last = before.pop();
  if (last !== undefined) before.push(/[\r\n]$/.test(last) ? last : last + end);
  const isEnded = after.length > 0 || /[\r\n]$/.test(text);
  const fresh = (content === "" ? [""] : splitLines(content)).join(end) + (isEnded ? end : "");
  return [...before, fresh, ...after].join("");
}

test("replaces lines as a list of them would", () =>
  forAll(1000, (random) => {
    const text = makePieces(random).join("");
    const content = makePieces(random).join("");
    const lines = takeAll(findLines(text));
    const first = 1 + random.below(lines.count + 1);
    const count = random.below(lines.count - first + 2);
    const { start, end, fresh } = spliceOfLines(lines, first, count, content);
    expect([text, first, count, content, text.slice(0, start) + fresh + text.slice(end)]).toEqual([
      text,
      first,
      count,
      content,
      replaceInList(text, first, count, content),
    ]);
  }));

describe("a large file", () => {
  test.each([
    ["LF", "ab\n"],
    ["CRLF", "ab\r\n"],
    ["CR", "a\r"],
    ["nothing but line ends", "\r\n"],
  ])("with %s is looked through in steps", (_name, line) => {
    const text = line.repeat(100_001);
    const steps = findLines(text);
    let count = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) count += 1;
    expect(step.value.count).toBe(100_001);
    expect(count).toBeGreaterThan(2);
    const shown = takeAll(numberLines(step.value, [1, 100_001])).join("");
    expect(shown.endsWith(`\n100001: ${line.trimEnd()}\n`)).toBe(true);
  });
});
