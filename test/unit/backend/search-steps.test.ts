/** No step of a search is long, whatever it is made of: counted, because times differ from machine to machine. */

import { describe, expect, test } from "vitest";
import type { Breather } from "../../../src/backend/breather.ts";
import { createGitIgnore } from "../../../src/backend/gitignore.ts";
import { readRules } from "../../../src/backend/gitignore-rules.ts";
import { globFiles } from "../../../src/backend/glob.ts";
import { grepFiles } from "../../../src/backend/grep.ts";
import { linesAround } from "../../../src/backend/grep-lines.ts";
import {
  compileGrepPattern,
  type GrepPattern,
  MAX_GREP_CHOICES,
  MAX_GREP_CLASSES,
  prepareGrepPattern,
} from "../../../src/backend/grep-pattern.ts";
import { scanText } from "../../../src/backend/grep-scan.ts";
import type { LineHit } from "../../../src/backend/line-hits.ts";
import { MAX_GITIGNORE_LINES } from "../../../src/backend/search.ts";
import { sortInRuns } from "../../../src/backend/sort-in-runs.ts";
import { decodeSteps, decodeText, PIECE_BYTES } from "../../../src/backend/text-file.ts";
import { createAtoms } from "../../../src/base/regexp-atoms.ts";
import { judgeRegExp } from "../../../src/base/regexp-safety.ts";
import { parseRegExp } from "../../../src/base/regexp-syntax.ts";
import { plainHost } from "./search-host.ts";

const many = (count: number, part: (index: number) => string, between = "|"): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(between);

const letter = (index: number): string => String.fromCharCode(0x4e00 + index);

function stepsOf(pattern: string, ignoreCase = false): number {
  let count = 0;
  for (const steps = prepareGrepPattern(pattern, { ignoreCase }); steps.next().done !== true; ) count += 1;
  return count;
}

function stepsOver(text: string, pattern: GrepPattern): LineHit[][] {
  return Array.from(scanText(text, pattern), (hits) => [...hits]);
}

describe("a pattern of many parts", () => {
  test.each([
    ["classes", many(800, (index) => `[${letter(index)}a]`, "")],
    ["negated classes", many(600, (index) => `[^${letter(index)}]`, "")],
    ["letters", many(1300, letter, "")],
  ])("is prepared in steps: %s", (_, pattern) => {
    expect(stepsOf(pattern)).toBeGreaterThan(15);
  });

  test("compares words by how they begin, not each with each", () => {
    const words = many(250, (index) => `word${index}x`);
    expect(judgeRegExp(parseRegExp(`(?:${words})*!`) ?? [], createAtoms("m"))).toMatchObject({ kind: "polynomial" });
    expect(judgeRegExp(parseRegExp(`(?:${words}|word7x)*!`) ?? [], createAtoms("m")).kind).toBe("exponential");
  });

  test.each([
    [`${many(MAX_GREP_CHOICES + 1, (index) => `a${letter(index)}?`, "")}b`, false, "optional or alternatives"],
    ["\\p{L}".repeat(MAX_GREP_CLASSES + 1), true, "classes such as \\p{L}"],
  ])("is refused when an engine would take long to compile it: %#", (pattern, ignoreCase, says) => {
    expect(() => compileGrepPattern(pattern, { ignoreCase })).toThrow(says);
  });
});

describe("a text of many lines", () => {
  test.each([
    ["x", false],
    ["x", true],
    ["^$|x", true],
  ])("is scanned by some lines a step: %s, multiline %s", (pattern, multiline) => {
    const steps = stepsOver("x\n".repeat(50_000), compileGrepPattern(pattern, { multiline }));
    expect(Math.max(...steps.map((hits) => hits.length))).toBeLessThanOrEqual(1024);
    expect(steps.flat()).toHaveLength(50_000);
  });

  test("is scanned by some lines a step, also where one match spans all of them", () => {
    const steps = stepsOver("\n".repeat(50_000), compileGrepPattern("\\n+", { multiline: true }));
    expect(Math.max(...steps.map((hits) => hits.length))).toBeLessThanOrEqual(1024);
    expect(steps.flat().map(({ from }) => from)).toEqual(Array.from({ length: 50_000 }, (_, index) => index));
  });

  test("is counted in steps, and nothing is made of lines that nobody takes", () => {
    const text = `${"\n".repeat(300_000)}x`;
    const hit = { from: 300_000, to: 300_001, at: 300_000 };
    const lines = linesAround(text, [hit], { before: 0, after: 0, maxLineLength: 9 });
    const taken = [...lines];
    expect(taken.slice(0, -1)).toEqual(Array.from({ length: 4 }, () => undefined));
    expect(taken.at(-1)).toEqual({ line: 300_001, text: "x", kind: "match", cut: false });
  });

  const decodeAll = (bytes: Uint8Array): { text: string | undefined; count: number } => {
    const steps = decodeSteps(bytes);
    for (let count = 0; ; count += 1) {
      const step = steps.next();
      if (step.done === true) return { text: step.value?.slice(0, step.value.length), count };
    }
  };

  test("is decoded in pieces as in one go", () => {
    const bytes = new TextEncoder().encode(`\ufeff${"é漢🦊x".repeat(300_000)}`);
    const { text, count } = decodeAll(bytes);
    expect(count).toBe(Math.ceil(bytes.length / PIECE_BYTES));
    expect(text === decodeText(bytes)).toBe(true);
    expect(decodeAll(new Uint8Array(PIECE_BYTES + 1))).toEqual({ text: undefined, count: 0 });
  });

  const utf16 = (text: string, isBig: boolean): number[] =>
    [...text].flatMap((character) =>
      Array.from({ length: character.length }, (_, at) => character.charCodeAt(at)).flatMap((unit) =>
        isBig ? [unit >> 8, unit & 255] : [unit & 255, unit >> 8],
      ),
    );

  test.each<[what: string, start: number[], around: number[]]>([
    ["a character of two bytes", [], [0xc3, 0xa9]],
    ["a character of three bytes", [], [0xe6, 0xbc, 0xa2]],
    ["a character of four bytes", [], [0xf0, 0x9f, 0xa6, 0x8a]],
    ["a mark that is no mark there", [], [0xef, 0xbb, 0xbf]],
    ["bytes that belong to none", [], [0x80, 0x80, 0x80, 0x80, 0x80, 0x80]],
    ["a character that does not end", [], [0xf0, 0x9f, 0xa6, 0x41]],
    ["a surrogate in UTF-8", [], [0xed, 0xa0, 0xbd, 0xed, 0xb2, 0xa9]],
    ["a pair of UTF-16", utf16("\ufeff", false), utf16("🦊", false)],
    ["a pair of big-endian UTF-16", utf16("\ufeff", true), utf16("🦊", true)],
    ["half a pair", utf16("\ufeff", false), utf16("\ud83e", false)],
  ])("is cut into pieces beside %s", (_, start, around) => {
    const step = start.length === 0 ? 1 : 2;
    for (let shift = -8; shift <= 4; shift += step) {
      const bytes = new Uint8Array(PIECE_BYTES + 64).fill(0x61);
      bytes.set(start);
      bytes.set(around, PIECE_BYTES + shift);
      expect(decodeAll(bytes).text === decodeText(bytes), `at ${shift}`).toBe(true);
    }
  });

  test("pauses while lines around matches are given", async () => {
    let spent = 0;
    const breather = {
      spend() {
        spent += 1;
        return undefined;
      },
    };
    const host = plainHost({ "/f": `${"-\n".repeat(20)}x\n`.repeat(2000) });
    const { files } = await grepFiles(
      host,
      { pattern: "x", path: "/", before: 9, after: 9, limit: 2000 },
      { breather },
    );
    expect(files[0]?.matches).toHaveLength(2000 * 19 - 9);
    expect(spent).toBeGreaterThan(25);
  });
});

test("many files are sorted in runs, newest first, those of one time by path", async () => {
  const count = 30_000;
  const name = (index: number): string => `f${String(index).padStart(6, "0")}`;
  const entries = Array.from({ length: count }, (_, index) => ({
    name: name(index),
    kind: "file" as const,
    size: 1,
    modifiedAt: (index * 7919) % 1000,
  }));
  let pauses = 0;
  const breather = {
    spend(units: number) {
      if (units > 1 << 15) pauses += 1;
      return undefined;
    },
  };
  const host = plainHost(
    { "/f": "" },
    {
      list: async function* () {
        yield* entries;
      },
    },
  );
  const { matches } = await globFiles(host, { pattern: "*", path: "/", limit: count }, breather);
  const expected = [...entries]
    .sort((one, other) => other.modifiedAt - one.modifiedAt)
    .map((entry) => `/${entry.name}`);
  expect(matches.map(({ path }) => path)).toEqual(expected);
  expect(pauses).toBeGreaterThan(15);
});

test("many names are sorted in runs, as in one go", async () => {
  let pauses = 0;
  const breather = {
    spend() {
      pauses += 1;
      return undefined;
    },
  };
  const values = Array.from({ length: 30_000 }, (_, index) => ({ key: (index * 7919) % 1009, index }));
  const compare = (one: { key: number }, other: { key: number }): number => one.key - other.key;
  const few = sortInRuns(values.slice(0, 1024), compare, breather);
  expect([few, pauses]).toEqual([values.slice(0, 1024).sort(compare), 0]);
  expect(await sortInRuns([...values], compare, breather)).toEqual([...values].sort(compare));
  expect(pauses).toBeGreaterThan(15);
});

test("a long .gitignore is compiled in parts, with pauses between", async () => {
  let pauses = 0;
  const breather = {
    spend() {
      pauses += 1;
      return Promise.resolve();
    },
  };
  const lines = many(3000, (index) => (index % 500 === 499 ? `*a*b*c${index}` : `name${index}`), "\n");
  const parts = await readRules(lines, breather);
  expect(parts.length).toBeGreaterThan(MAX_GITIGNORE_LINES / 128);
  expect(parts.filter((part) => part.judge("name7", false) === "ignored")).toHaveLength(1);
  expect(parts.filter((part) => part.judge("abc1499", true) === "ignored")).toHaveLength(1);
  // What stands behind the last line that counts says nothing.
  const judged = (name: string): number => parts.filter((part) => part.judge(name, false) === "ignored").length;
  expect([judged("name1998"), judged("name2000"), judged("abc2499")]).toEqual([1, 0, 0]);
  expect(pauses).toBe(MAX_GITIGNORE_LINES);
});

test("entries are judged by many rules with pauses between, and the verdict is the same", async () => {
  const names = ["keep", "x7x7x", "x100x", "name7"];
  const text = many(2000, (index) => (index % 128 < 100 ? `name${index}` : `*x*${index}*x*`), "\n");
  const host = plainHost({ "/.gitignore": text, ...Object.fromEntries(names.map((name) => [`/${name}`, ""])) });
  const judge = async (breather: Breather, signal?: AbortSignal): Promise<(boolean | Promise<boolean>)[]> => {
    const rules = createGitIgnore(host, "/", { breather, ...(signal && { signal }) });
    await rules.open("/", (name) => (name === ".gitignore" ? "file" : undefined));
    return names.map((name) => rules.ignores({ path: `/${name}`, name, kind: "file" }));
  };
  const atOnce = await judge({ spend: () => undefined });
  expect(atOnce).toEqual([false, false, true, true]);
  let pauses = 0;
  const paused = await judge({
    spend() {
      pauses += 1;
      return Promise.resolve();
    },
  });
  expect(paused.every((verdict) => verdict instanceof Promise)).toBe(true);
  expect(await Promise.all(paused)).toEqual(atOnce);
  expect(pauses).toBeGreaterThan(2000 + 3 * 15);
  const controller = new AbortController();
  const aborted = await judge({ spend: () => Promise.resolve() }, controller.signal);
  controller.abort(new Error("enough"));
  for (const verdict of aborted) await expect(verdict).rejects.toThrow("enough");
});

test("at most sixteen files are looked at together, and none of them is left behind by an abort in a pause", async () => {
  const controller = new AbortController();
  const reason = new Error("enough");
  let open = 0;
  let most = 0;
  const kinds = ["file", "symlink"] as const;
  const host = plainHost(
    { "/f": "" },
    {
      list: async function* () {
        // Of every other one all is known already.
        for (let index = 0; index < 200; index += 1) {
          const kind = kinds[index % 2] ?? "file";
          yield { name: `f${index}`, kind, ...(kind === "file" && { size: 1, modifiedAt: index }) };
        }
      },
      stat: async (path, options) => {
        if (path === "/") return { kind: "directory", size: 0, modifiedAt: 0, version: "1" };
        open += 1;
        most = Math.max(most, open);
        await Promise.resolve();
        open -= 1;
        options?.signal?.throwIfAborted();
        return { kind: "file", size: 1, modifiedAt: 0, version: "1" };
      },
    },
  );
  let looked = false;
  const breather = {
    spend() {
      if (most === 0 || looked) return undefined;
      looked = true;
      return Promise.resolve().then(() => {
        expect(open).toBe(0);
        controller.abort(reason);
      });
    },
  };
  const found = globFiles(host, { pattern: "*", path: "/", signal: controller.signal }, breather);
  await expect(found).rejects.toBe(reason);
  expect(most).toBeLessThanOrEqual(16);
});
