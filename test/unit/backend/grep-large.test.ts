/** A large file is searched in pieces: what stands where two of them meet is found as anywhere else. */

import { describe, expect, test } from "vitest";
import { grepFiles } from "../../../src/backend/grep.ts";
import type { GrepQuery } from "../../../src/backend/search.ts";
import { PIECE_BYTES } from "../../../src/backend/text-file.ts";
import { plainHost } from "./search-host.ts";

/** Lines of a usual kind, and some text across the place where the first piece ends. */
function textWith(around: string, shift: number): string {
  const line = "a line of text é\n";
  const before = line.repeat(Math.ceil(PIECE_BYTES / new TextEncoder().encode(line).length));
  // In bytes: the letter takes two of them.
  const head = before.slice(0, before.lastIndexOf("\n", PIECE_BYTES * (line.length / (line.length + 1)) - 200) + 1);
  const room = PIECE_BYTES - new TextEncoder().encode(head).length - shift;
  return `${head}${"-".repeat(room - 1)}\n${around}\n${line.repeat(1000)}end\n`;
}

async function search(text: string, query: Partial<GrepQuery> & { pattern: string }): Promise<unknown> {
  const { files } = await grepFiles(plainHost({ "/f": text }), { path: "/", ...query });
  return files.map(({ matches, count }) => [count, matches.map(({ line, text: shown, kind }) => [line, shown, kind])]);
}

const lineOf = (text: string, part: string): number => text.slice(0, text.indexOf(part)).split("\n").length;

const long = `needle${"-".repeat(2000)}`;

describe("where two pieces of a file meet", () => {
  test.each<[what: string, around: string, query: Partial<GrepQuery> & { pattern: string }, shown: string]>([
    ["a word", "needle", { pattern: "needle" }, "needle"],
    ["the end of a line, CRLF", "needle\r", { pattern: "needle$" }, "needle"],
    ["a character of four bytes", "x🦊x", { pattern: "x[^x]+x$" }, "x🦊x"],
    ["a long line that an automaton searches", long, { pattern: "n.*e.*dle", maxLineLength: 3000 }, long],
    ["a word without regard to case", "NeeDLE", { pattern: "needle", ignoreCase: true }, "NeeDLE"],
  ])("%s is found", async (_, around, query, shown) => {
    for (let shift = 0; shift < 8; shift += 1) {
      const text = textWith(around, shift);
      expect(await search(text, query), `shift ${shift}`).toEqual([[1, [[lineOf(text, around), shown, "match"]]]]);
    }
  });

  test.each([
    ["one\ntwo", "one\\ntwo"],
    ["one\r\ntwo", "one\\ntwo"],
    ["one\n\n\ntwo", "one\\s+two"],
  ])("a match that spans lines is found: %j", async (around, pattern) => {
    for (let shift = 0; shift < 8; shift += 1) {
      const text = textWith(around, shift);
      const first = lineOf(text, around);
      const lines = around.split(/\r?\n/);
      expect(await search(text, { pattern, multiline: true }), `shift ${shift}`).toEqual([
        [lines.length, lines.map((line, index) => [first + index, line, "match"])],
      ]);
    }
  });

  test("lines around a match are given, and counted, from both", async () => {
    for (let shift = 0; shift < 12; shift += 1) {
      const text = textWith("one\nneedle\ntwo", shift);
      const first = lineOf(text, "one\n");
      expect(await search(text, { pattern: "needle", before: 1, after: 2 }), `shift ${shift}`).toEqual([
        [
          1,
          [
            [first, "one", "context"],
            [first + 1, "needle", "match"],
            [first + 2, "two", "context"],
            [first + 3, "a line of text é", "context"],
          ],
        ],
      ]);
      expect(await search(text, { pattern: "é", mode: "count" })).toEqual([[text.split("é").length - 1, []]]);
    }
  });

  test("a line that goes on over several is cut around its match", async () => {
    const text = `${"x".repeat(PIECE_BYTES + 50)}needle${"y".repeat(PIECE_BYTES)}\n`;
    const { files } = await grepFiles(plainHost({ "/f": text }), { pattern: "needle", path: "/", maxLineLength: 20 });
    expect(files[0]?.matches).toEqual([{ line: 1, text: "xxxxxneedleyyyyyyyyy", kind: "match", cut: true }]);
  });
});
