import { describe, expect, test } from "vitest";
import { linesAround } from "../../../src/backend/grep-lines.ts";
import { compileGrepPattern, type GrepPattern } from "../../../src/backend/grep-pattern.ts";
import { scanText } from "../../../src/backend/grep-scan.ts";
import type { LineHit } from "../../../src/backend/line-hits.ts";
import { createAtoms } from "../../../src/base/regexp-atoms.ts";
import { compileAutomaton } from "../../../src/base/regexp-automaton.ts";
import { parseRegExp } from "../../../src/base/regexp-syntax.ts";
import { forAll, type Random } from "../property.ts";

/** The lines of each step, which are gone with the next. */
function stepsOver(text: string, pattern: GrepPattern): LineHit[][] {
  return Array.from(scanText(text, pattern), (hits) => [...hits]);
}

function scan(text: string, pattern: GrepPattern): string[] {
  return stepsOver(text, pattern)
    .flat()
    .map(({ from, to }) => text.slice(from, to));
}

/** Compiles a pattern so that its automaton has to search nearly everything. */
function automatic(source: string, options: { multiline: boolean }): GrepPattern {
  const pattern = compileGrepPattern(source, options);
  const choices = parseRegExp(pattern.regexp.source) ?? [];
  const automaton = compileAutomaton(choices, createAtoms(pattern.regexp.flags));
  return automaton === undefined ? pattern : { ...pattern, automaton, window: 2 };
}

/** What the scan must find: every line by itself, the slow way. */
function lineByLine(source: string, text: string): string[] {
  const lines = text.split("\n").map((line, index, all) => (index < all.length - 1 ? line.replace(/\r$/, "") : line));
  if (lines[lines.length - 1] === "") lines.pop();
  return lines.filter((line) => new RegExp(source).test(line));
}

const sources = [
  "a",
  "^a",
  "b$",
  "^$",
  "a[^b]*",
  "\\s",
  "\\s+$",
  "^\\s*",
  "\\W",
  "a.*b",
  "a|b$",
  "(?!a)b",
  "(?<!a)b",
  "b(?!\\s)",
  "\\ba",
  "a\\b",
  "\\Ba",
  "[\\s\\S]b",
  "x*",
  "(a)b\\1",
  "[^]",
] as const;

const randomText = (random: Random, length: number): string =>
  Array.from({ length }, () => random.pick(["a", "b", "a", " ", "é", "\n", "\r\n", "\n\n"])).join("");

describe("scanText", () => {
  test("finds what a search of each line by itself finds", () =>
    forAll(500, (random) => {
      const [source, text] = [random.pick(sources), randomText(random, random.below(40))];
      expect([source, text, scan(text, compileGrepPattern(source))]).toEqual([source, text, lineByLine(source, text)]);
    }));

  test("finds the same in small windows", () =>
    forAll(500, (random) => {
      const [source, text] = [random.pick(sources), randomText(random, random.below(200))];
      const longest = Math.max(...text.split("\n").map((line) => line.length));
      const pattern = { ...compileGrepPattern(source), window: 2 * longest + 2 + random.below(30) };
      expect([source, text, scan(text, pattern)]).toEqual([source, text, lineByLine(source, text)]);
    }));

  test.each([
    ["needle", true],
    ["^x", true],
    ["x$", false],
    ["^needle", false],
    ["needle$", false],
    ["y$", true],
    ["needlex{20}", true],
    ["\\bneedle", false],
    ["needle[^!]*", true],
  ])("searches a line longer than the window in pieces: %j", (source, isFound) => {
    const line = `${"x".repeat(333)}needle${"x".repeat(333)}y`;
    const text = `before\n${line}\nafter needl`;
    const pattern = { ...compileGrepPattern(source), window: 64 };
    expect(scan(text, pattern).includes(line)).toBe(isFound);
    expect(scan(text, pattern).filter((found) => found === line).length).toBeLessThanOrEqual(1);
  });

  test("finds with an automaton what a search of each line by itself finds, however long the lines are", () =>
    forAll(500, (random) => {
      const [source, text] = [random.pick(sources), randomText(random, random.below(200))];
      const pattern = automatic(source, { multiline: false });
      expect([source, text, scan(text, pattern)]).toEqual([source, text, lineByLine(source, text)]);
    }));

  test("finds with an automaton what one execution over the whole text finds", () =>
    forAll(500, (random) => {
      const [source, text] = [random.pick(sources), randomText(random, random.below(200))];
      const whole = compileGrepPattern(source, { multiline: true });
      expect([source, text, scan(text, automatic(source, { multiline: true }))]).toEqual([
        source,
        text,
        scan(text, whole),
      ]);
    }));

  test.each([
    ["x.*y", false],
    ["x.*x.*y", false],
    ["x.*x.*x.*y", false],
    ["x.*x.*x.*x.*y", false],
    ["x.*x.*y", true],
    ["x.*x.*(?=y)z", false],
    ["(x).*\\1.*y", false],
  ])("looks only so far at a time at a text made to stop it: %j, across lines %s", (source, multiline) => {
    const pattern = compileGrepPattern(source, { multiline });
    const text = "x".repeat(20_000);
    let executions = 0;
    const exec = (given: string): null => {
      executions += 1;
      // The worst that an execution may have to do.
      const degree = (source.match(/\.\*/g)?.length ?? 0) + 1;
      let steps = 1;
      for (let power = 1; power <= degree; power += 1) steps *= given.length / power;
      expect(steps).toBeLessThan(5_000_000);
      return null;
    };
    const regexp = Object.assign(new RegExp(pattern.regexp), { exec });
    const steps = stepsOver(text, { ...pattern, regexp });
    expect(steps.flat()).toEqual([]);
    // Either many executions, or pauses between the steps of an automaton.
    expect(Math.max(executions, steps.length * 65_536)).toBeGreaterThan(text.length / 4096);
  });

  test.each<[pattern: string, text: string, expected: string[]]>([
    ["a\\nb", "a\nb\nc\na\nb", ["a", "b", "a", "b"]],
    ["b\\n", "a\nb\nc", ["b"]],
    ["x", "x x\nx", ["x x", "x"]],
    ["a[^c]*c", "a\n\nc a\nc", ["a", "", "c a", "c"]],
    ["$", "a\r\nb", ["a", "b"]],
    ["(?=b)", "a\nb", ["b"]],
    ["", "🦊\n", ["🦊"]],
  ])("searches across lines, each line once: %j", (pattern, text, expected) => {
    expect(scan(text, compileGrepPattern(pattern, { multiline: true }))).toEqual(expected);
  });

  test("finds matches across lines in small windows, whatever their place", () => {
    const pattern = { ...compileGrepPattern("start\\n.*?end", { multiline: true }), window: 64 };
    for (let before = 0; before < 150; before += 1) {
      const text = `${"-".repeat(before)}start\nmiddle\nend\n${"-\n".repeat(100)}`;
      expect([before, scan(text, pattern)]).toEqual([before, [`${"-".repeat(before)}start`, "middle", "end"]]);
    }
  });

  test("takes a long line with many matches in one piece of time", () => {
    const text = "x ".repeat(300_000);
    expect(scan(text, compileGrepPattern("x", { multiline: true }))).toEqual([text]);
  });

  test("has no line in an empty text, nor after the last line end", () => {
    expect(scan("", compileGrepPattern(""))).toEqual([]);
    expect(scan("\n", compileGrepPattern(""))).toEqual([""]);
    expect(scan("a\n", compileGrepPattern("$"))).toEqual(["a"]);
    expect(scan("a\r\n\r\n", compileGrepPattern("^$"))).toEqual([""]);
  });
});

describe("linesAround", () => {
  const text = "one\r\ntwo\nthree\nfour\nfive\nsix\nseven";
  const hitsOf = (source: string, given = text): LineHit[] => stepsOver(given, compileGrepPattern(source)).flat();
  const show = (source: string, before: number, after: number): string[] =>
    [...linesAround(text, hitsOf(source), { before, after, maxLineLength: 100 })]
      .flatMap((line) => line ?? [])
      .map(({ line, kind, text: shown }) => `${line}${kind === "match" ? ":" : "-"}${shown}`);

  test.each<[source: string, before: number, after: number, expected: string[]]>([
    ["two", 0, 0, ["2:two"]],
    ["two|four", 1, 1, ["1-one", "2:two", "3-three", "4:four", "5-five"]],
    ["two|five", 1, 1, ["1-one", "2:two", "3-three", "4-four", "5:five", "6-six"]],
    ["one|seven", 2, 1, ["1:one", "2-two", "5-five", "6-six", "7:seven"]],
    ["t", 100, 100, ["1-one", "2:two", "3:three", "4-four", "5-five", "6-six", "7-seven"]],
    ["seven", 0, 3, ["7:seven"]],
    ["none", 5, 5, []],
  ])("shows %j with %i lines before and %i after", (source, before, after, expected) => {
    expect(show(source, before, after)).toEqual(expected);
  });

  test.each([
    ["needle", 20],
    [`needle${"x".repeat(100)}`, 20],
    [`${"x".repeat(100)}needle`, 20],
    [`${"🦊".repeat(50)}needle${"🦊".repeat(50)}`, 21],
    [`${"🦊".repeat(50)}needle${"🦊".repeat(50)}`, 20],
  ])("cuts %j to %i units around the match", (line, limit) => {
    const [shown] = linesAround(line, hitsOf("needle", line), { before: 0, after: 0, maxLineLength: limit });
    expect(shown).toEqual({
      line: 1,
      text: expect.stringContaining("needle"),
      kind: "match",
      cut: line.length > limit,
    });
    expect(shown?.text.length).toBeLessThanOrEqual(limit);
    expect(shown?.text).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
  });
});
