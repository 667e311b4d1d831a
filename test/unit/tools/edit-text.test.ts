/** Replacing text: literal, exact, with the line ends of the place. */

import { describe, expect, test } from "vitest";
import { takeAll } from "../../../src/base/steps.ts";
import { type Replaced, type Replacement, replaceText } from "../../../src/tools/edit-text.ts";
import { createFileText } from "../../../src/tools/file-text.ts";
import { createRandom } from "./random.ts";

/** Pieces of all kinds: whatever they are, the answer is the same. */
const sizes = [Number.POSITIVE_INFINITY, 1, 2, 3] as const;

function replaceAtOnce(text: string, replacement: Replacement, usual?: string): unknown {
  const [whole, ...others] = sizes.map((size) => {
    const done = takeAll(replaceText(createFileText(cut(text, size)), replacement, usual));
    return plainAnswer(done);
  });
  for (const other of others) expect(other).toEqual(whole);
  return whole;
}

function plainAnswer(done: Replaced): unknown {
  if (!done.ok) return done;
  const text = done.text.slice(0, done.text.length);
  expect(done.text.pieces.map((piece) => piece.text).join("")).toBe(text);
  return { ...done, text };
}

function cut(text: string, size: number): { text: string }[] {
  if (text.length > 100 || size > text.length) return [{ text }];
  const pieces: { text: string }[] = [];
  let piece = "";
  for (const character of text) {
    piece += character;
    if (piece.length < size) continue;
    pieces.push({ text: piece });
    piece = "";
  }
  return [...pieces, { text: piece }];
}

interface Case {
  name: string;
  text: string;
  old: string;
  new: string;
  all?: boolean;
  result: string;
}

const replaced: Case[] = [
  { name: "keeps $' literal", text: "A old B", old: "old", new: "x=$'y", result: "A x=$'y B" },
  {
    name: "keeps $& and $$ literal in a CRLF file",
    text: "line one\r\nline two\r\n",
    old: "line two",
    new: "A$&B A$$B",
    result: "line one\r\nA$&B A$$B\r\n",
  },
  { name: "keeps $<n> literal", text: "x=1", old: "x", new: "$<n>", result: "$<n>=1" },
  { name: "takes regular expression characters literally", text: "f(x)[0]*", old: "f(x)[0]*", new: "g", result: "g" },
  { name: "deletes with an empty new text", text: "abc", old: "b", new: "", result: "ac" },
  { name: "deletes the last line", text: "a\nb\n", old: "b\n", new: "", result: "a\n" },
  {
    name: "matches LF with CRLF and answers in CRLF",
    text: "a\r\nb\r\n",
    old: "a\nb",
    new: "c\nd",
    result: "c\r\nd\r\n",
  },
  {
    name: "leaves the LF of one line in a CRLF file",
    text: "a\r\nb\nc\r\n",
    old: "b",
    new: "x",
    result: "a\r\nx\nc\r\n",
  },
  {
    name: "keeps mixed ends line by line",
    text: "a\r\nb\nc\rd",
    old: "a\nb\nc\nd",
    new: "1\n2\n3\n4",
    result: "1\r\n2\n3\r4",
  },
  {
    name: "gives mixed new text the end of its place",
    text: "a\r\nb\r\n",
    old: "a",
    new: "x\r\ny\n",
    result: "x\r\ny\r\n\r\nb\r\n",
  },
  { name: "takes the end before when none follows", text: "a\r\nb", old: "b", new: "x\ny", result: "a\r\nx\r\ny" },
  { name: "takes LF where there is no end at all", text: "b", old: "b", new: "x\ny", result: "x\ny" },
  {
    name: "inserts more lines than were there",
    text: "a\r\nb\n",
    old: "a\nb",
    new: "1\n2\n3",
    result: "1\r\n2\r\n3\n",
  },
  { name: "matches CRLF in a file of LFs", text: "a\nb\n", old: "a\r\nb", new: "c\r\nd", result: "c\nd\n" },
  { name: "works in a file of CRs", text: "a\rb\rc", old: "a\nb", new: "x\ny\nz", result: "x\ry\rz\rc" },
  { name: "removes a whole CRLF line", text: "a\r\nb\r\nc", old: "b\n", new: "", result: "a\r\nc" },
  { name: "matches text that looks like a numbered line", text: "  5→foo", old: "5→foo", new: "bar", result: "  bar" },
  { name: "replaces all without overlap", text: "aaaaa", old: "aa", new: "b", all: true, result: "bba" },
  {
    name: "replaces all over mixed ends",
    text: "x\r\n.x\n.x\r.",
    old: "x\n",
    new: "1\n2\n",
    all: true,
    result: "1\r\n2\r\n.1\n2\n.1\r2\r.",
  },
  { name: "keeps surrogate pairs whole", text: "🦊🦊x", old: "x", new: "🦊", result: "🦊🦊🦊" },
];

const refused: { name: string; text: string; old: string; lines: number[]; all?: boolean }[] = [
  { name: "what is not there", text: "abc", old: "x", lines: [] },
  { name: "what is there twice", text: "x\ny\nx\n", old: "x", lines: [1, 3] },
  { name: "what overlaps itself", text: "aaa", old: "aa", lines: [1, 1] },
  { name: "a line break that is not there", text: "ab", old: "a\nb", lines: [] },
  { name: "a lone CR for a line end", text: "a\r\nb\n", old: "\r", lines: [], all: true },
  { name: "nothing to replace all of", text: "abc", old: "x", lines: [], all: true },
];

describe("replaceText", () => {
  test.each(replaced)("$name", ({ text, old, new: fresh, all, result }) => {
    const answer = replaceAtOnce(text, { old_string: old, new_string: fresh, replace_all: all });
    expect(answer).toMatchObject({ ok: true, text: result });
  });

  test.each(refused)("refuses $name", ({ text, old, lines, all }) => {
    expect(replaceAtOnce(text, { old_string: old, new_string: "!", replace_all: all })).toEqual({ ok: false, lines });
  });

  test("goes by the usual line end where the text has none", () => {
    const replacement = { old_string: "a", new_string: "a\nb" };
    expect(replaceAtOnce("a", replacement, "\r\n")).toMatchObject({ text: "a\r\nb" });
    expect(replaceAtOnce("a\n", replacement, "\r\n")).toMatchObject({ text: "a\nb\n" });
  });

  test("stays quick with many places in one huge line", () => {
    const text = `${"a".repeat(50_000)}\r\n`;
    const answer = replaceAtOnce(text, { old_string: "a", new_string: "b\nc", replace_all: true });
    expect(answer).toMatchObject({ ok: true, count: 50_000 });
  });

  test("refuses to grow without bound", () => {
    const replacement = { old_string: "a", new_string: "b".repeat(1_000_000), replace_all: true };
    expect(() => replaceAtOnce("a".repeat(1000), replacement)).toThrow("would make the file too large");
  });

  test("does what a plain model of lines does, for random texts", () => {
    const random = createRandom(4711);
    for (let round = 0; round < 500; round += 1) {
      const ends = random.pick([["\n"], ["\r\n"], ["\r\n", "\n", "\r"]]);
      const lines = Array.from({ length: 1 + random.below(8) }, () => ({
        text: "ab$&🦊".slice(0, 1 + random.below(4)),
        end: random.pick(ends),
      }));
      const [from, count] = [random.below(lines.length), 1 + random.below(3)];
      const old = lines.slice(from, from + count);
      // A mark makes the place unique; the model below replaces the very same lines by themselves.
      old[0] = { text: `<${round}>${old[0]?.text ?? ""}`, end: old[0]?.end ?? "\n" };
      const whole = [...lines.slice(0, from), ...old, ...lines.slice(from + count)];
      const write = (some: typeof lines): string => some.map((line) => line.text + line.end).join("");
      const fresh = old.map((line) => ({ ...line, text: `${line.text}!` }));
      const replacement = {
        old_string: old.map((line) => `${line.text}\n`).join(""),
        new_string: fresh.map((line) => line.text + random.pick(["\n", "\r\n"])).join(""),
      };
      const expected = write([...lines.slice(0, from), ...fresh, ...lines.slice(from + count)]);
      const answer = replaceAtOnce(write(whole), replacement);
      expect(answer, `round ${round}: ${JSON.stringify([write(whole), replacement])}`).toEqual({
        ok: true,
        text: expected,
        count: 1,
      });
    }
  });
});

test.each(["\n", "\r\n", "\r"])("many places are replaced in steps, between line ends %j", (end) => {
  // The third kind of line end makes it a text of several kinds.
  const text = `a\n${`b${end}`.repeat(50_000)}`;
  const source = createFileText([{ text }]);
  const steps = replaceText(source, { old_string: "b", new_string: "cc", replace_all: true });
  let count = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) count += 1;
  expect(plainAnswer(step.value)).toEqual({ ok: true, text: text.replaceAll("b", "cc"), count: 50_000 });
  expect(count).toBeGreaterThan(5);
});
