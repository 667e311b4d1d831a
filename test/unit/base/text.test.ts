import { describe, expect, test } from "vitest";
import {
  cutText,
  cutTextStart,
  isWellFormed,
  plural,
  splitLines,
  utf8Length,
  wellFormed,
} from "../../../src/base/text.ts";
import { forAll, randomText } from "../property.ts";

const halves = ["\ud83e", "\udd8a", "a", "é", "漢", "🦊"] as const;

describe("wellFormed", () => {
  test.each([
    ["already has \ud83d lone", "already has \ufffd lone"],
    ["\udd8a", "\ufffd"],
    ["\ud83e\ud83e\udd8a\udd8a", "\ufffd🦊\ufffd"],
    ["🦊 fine", "🦊 fine"],
    ["", ""],
  ])("mends %j", (text, mended) => {
    expect(wellFormed(text)).toBe(mended);
    expect(isWellFormed(text)).toBe(text === mended);
  });

  test("agrees with what UTF-8 makes of the text", () =>
    forAll(200, (random) => {
      const text = Array.from({ length: random.below(8) }, () => random.pick(halves)).join("");
      expect(wellFormed(text)).toBe(new TextDecoder().decode(new TextEncoder().encode(text)));
    }));
});

describe("cutText", () => {
  test.each<[text: string, limit: number, start: string, end: string]>([
    ["aaaaaaaaa🦊…", 10, "aaaaaaaaa", "aaaaaaa🦊…"],
    ["aaaaaaaaa🦊…", 11, "aaaaaaaaa🦊", "aaaaaaaa🦊…"],
    ["🦊🦊", 2, "🦊", "🦊"],
    ["🦊🦊", 1, "", ""],
    ["🦊🦊", 3, "🦊", "🦊"],
    ["abc", 3, "abc", "abc"],
    ["abc", 2, "ab", "bc"],
    ["abc", 0, "", ""],
    ["abc", -1, "", ""],
    ["", 0, "", ""],
  ])("cuts %j to %i units at either end", (text, limit, start, end) => {
    expect([cutText(text, limit), cutTextStart(text, limit)]).toEqual([start, end]);
  });

  test("keeps as much as fits of a well-formed text, and keeps it well formed", () =>
    forAll(200, (random) => {
      const text = randomText(random, 12);
      const limit = random.below(14);
      const [start, end] = [cutText(text, limit), cutTextStart(text, limit)];
      expect([text.startsWith(start), text.endsWith(end)]).toEqual([true, true]);
      expect([isWellFormed(start), isWellFormed(end)]).toEqual([true, true]);
      const least = Math.min(text.length, limit - 1);
      expect([start.length >= least, end.length >= least]).toEqual([true, true]);
      expect(Math.max(start.length, end.length)).toBeLessThanOrEqual(limit);
    }));
});

describe("utf8Length", () => {
  test("counts what an encoder makes", () =>
    forAll(300, (random) => {
      const text = Array.from({ length: random.below(8) }, () => random.pick(halves)).join("");
      expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
    }));
});

describe("splitLines", () => {
  test.each<[text: string, lines: string[]]>([
    ["", []],
    ["a", ["a"]],
    ["a\n", ["a"]],
    ["a\n\n", ["a", ""]],
    ["a\r\nb\rc\nd", ["a", "b", "c", "d"]],
    ["\n", [""]],
    ["a\u2028b", ["a\u2028b"]],
  ])("splits %j", (text, lines) => {
    expect(splitLines(text)).toEqual(lines);
  });
});

describe("plural", () => {
  test("counts", () => {
    expect([0, 1, 2].map((count) => plural(count, "file"))).toEqual(["0 files", "1 file", "2 files"]);
  });
});
