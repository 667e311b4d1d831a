/** Grep: the forms of its answers, their limits, and hostile patterns. */

import { memoryBackend } from "holdall/memory";
import { describe, expect, test } from "vitest";
import { bytesOf, openDesk } from "./setup.ts";

type Files = Record<string, string | Uint8Array>;
const three = "x one\ntwo\nx three\nfour\nfive\n6\nx seven\n";

const cases: { name: string; files: Files; input: Record<string, unknown>; says: string }[] = [
  {
    name: "files by default",
    files: { "b.txt": "x", "a.txt": "x", "c.txt": "y" },
    input: { pattern: "x" },
    says: "success: /work/a.txt\n/work/b.txt",
  },
  {
    name: "matching lines",
    files: { "a.txt": three, "b.txt": "no\nx\n" },
    input: { pattern: "x", output_mode: "content" },
    says: "success: /work/a.txt:1:x one\n/work/a.txt:3:x three\n/work/a.txt:7:x seven\n/work/b.txt:2:x",
  },
  {
    name: "lines without numbers",
    files: { "a.txt": "y\nx\n" },
    input: { pattern: "x", output_mode: "content", n: false, "-B": 1 },
    says: "success: /work/a.txt-y\n/work/a.txt:x",
  },
  {
    name: "context, each line once, with separators",
    files: { "a.txt": three, "b.txt": "x" },
    input: { pattern: "x", output_mode: "content", "-A": 1, "-B": 1 },
    says: "success: /work/a.txt:1:x one\n/work/a.txt-2-two\n/work/a.txt:3:x three\n/work/a.txt-4-four\n--\n/work/a.txt-6-6\n/work/a.txt:7:x seven\n--\n/work/b.txt:1:x",
  },
  {
    name: "-C over -A and -B",
    files: { "a.txt": "1\n2\nx\n4\n5\n" },
    input: { pattern: "x", output_mode: "content", "-C": 1, "-A": 2, "-B": 2 },
    says: "success: /work/a.txt-2-2\n/work/a.txt:3:x\n/work/a.txt-4-4",
  },
  {
    name: "counts of lines",
    files: { "a.txt": "x x\nx\n" },
    input: { pattern: "x", output_mode: "count" },
    says: "success: /work/a.txt:2",
  },
  {
    name: "one file without its path",
    files: { "a.txt": "y\nx\n" },
    input: { pattern: "x", output_mode: "content", path: "a.txt", "-B": 1 },
    says: "success: 1-y\n2:x",
  },
  {
    name: "the count of one file",
    files: { "a.txt": "x\nx\n" },
    input: { pattern: "x", output_mode: "count", path: "/work/a.txt" },
    says: "success: 2",
  },
  {
    name: "nothing",
    files: { "a.txt": "y" },
    input: { pattern: "x" },
    says: "success: No matches found for pattern: x",
  },
  {
    name: "a page, and how to go on",
    files: { "a.txt": three },
    input: { pattern: "x", output_mode: "content", head_limit: 1, offset: 1 },
    says: "success: /work/a.txt:3:x three\n\n[There are more: call Grep with offset 2, or narrow pattern, path or glob.]",
  },
  {
    name: "nothing behind the last page",
    files: { "a.txt": three },
    input: { pattern: "x", offset: 9 },
    says: "success: No matches after the first 9.",
  },
  {
    name: "all for a limit of 0",
    files: Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${String(index).padStart(3, "0")}`, "x"])),
    input: { pattern: "x", head_limit: 0 },
    says: `success: ${Array.from({ length: 300 }, (_, index) => `/work/f${String(index).padStart(3, "0")}`).join("\n")}`,
  },
  {
    name: "a pattern that looks like an option",
    files: { "a.txt": "--pre=sh" },
    input: { pattern: "--pre=sh" },
    says: "success: /work/a.txt",
  },
  {
    name: "a flag at the start",
    files: { "a.txt": "FOO" },
    input: { pattern: "(?i)foo" },
    says: "success: /work/a.txt",
  },
  { name: "case ignored", files: { "a.txt": "FOO" }, input: { pattern: "foo", i: true }, says: "success: /work/a.txt" },
  {
    name: "the end of a CRLF line",
    files: { "a.txt": "foo\r\nbar\r\n" },
    input: { pattern: "foo$", output_mode: "content" },
    says: "success: /work/a.txt:1:foo",
  },
  {
    name: "every line of many",
    files: { "a.txt": "aa\naa\naa\n" },
    input: { pattern: "a", output_mode: "count" },
    says: "success: /work/a.txt:3",
  },
  {
    name: "several globs",
    files: { "a.ts": "x", "b.tsx": "x", "c.js": "x", "d.md": "x" },
    input: { pattern: "x", glob: "*.{ts,tsx}, *.md" },
    says: "success: /work/a.ts\n/work/b.tsx\n/work/d.md",
  },
  {
    name: "globs separated by commas",
    files: { "a.ts": "x", "c.js": "x", "d.md": "x" },
    input: { pattern: "x", glob: "*.ts,*.js" },
    says: "success: /work/a.ts\n/work/c.js",
  },
  {
    name: "glob and type together",
    files: { "a.ts": "x", "c.js": "x" },
    input: { pattern: "x", glob: "*.{ts,tsx}", type: "js" },
    says: "success: No matches found for pattern: x",
  },
  {
    name: "nothing that .gitignore leaves out",
    files: { ".gitignore": "dist/\n*.log", "a.ts": "x", "b.log": "x", "dist/c.ts": "x" },
    input: { pattern: "x" },
    says: "success: /work/a.ts",
  },
  {
    name: "also that when it is told to, or when it is named",
    files: { ".gitignore": "dist/\n*.log", "b.log": "x" },
    input: { pattern: "x", include_ignored: true },
    says: "success: /work/b.log",
  },
  {
    name: "files of a folder that is named, although .gitignore leaves it out",
    files: { ".gitignore": "dist/\n*.log", "dist/c.ts": "x", "dist/d.log": "x" },
    input: { pattern: "x", path: "dist" },
    says: "success: /work/dist/c.ts",
  },
  {
    name: "a line of a long text that many parts of the pattern could match",
    files: { "a.txt": `${"x".repeat(3000)}\n${"x".repeat(3000)}y\n` },
    input: { pattern: "x.*x.*x.*y$", output_mode: "count" },
    says: "success: /work/a.txt:1",
  },
  {
    name: "no binary files",
    files: { "a.bin": bytesOf("\0x"), "a.txt": "x" },
    input: { pattern: "x" },
    says: "success: /work/a.txt",
  },
  {
    name: "a binary file that was asked for",
    files: { "a.bin": bytesOf("\0x") },
    input: { pattern: "x", path: "a.bin" },
    says: "success: No matches found for pattern: x\n\n[The file is binary and was not searched.]",
  },
  {
    name: "text that is not UTF-8",
    files: { "a.txt": bytesOf("caf\xe9 x") },
    input: { pattern: "x", output_mode: "content" },
    says: "success: /work/a.txt:1:caf\ufffd x",
  },
];

const refused: { name: string; input: Record<string, unknown>; says: string }[] = [
  { name: "a missing path", input: { pattern: "x", path: "nowhere" }, says: "error: /work/nowhere does not exist." },
  { name: "a broken pattern", input: { pattern: "a(" }, says: "error: " },
  { name: "an unknown type", input: { pattern: "x", type: "nope" }, says: 'error: There is no file type "nope".' },
  {
    name: "a negative limit",
    input: { pattern: "x", head_limit: -1 },
    says: "error: The arguments of Grep are not valid",
  },
];

describe("Grep", () => {
  test.each(cases)("finds $name", async ({ files, input, says }) => {
    expect(await openDesk(memoryBackend({ cwd: "/work", files })).say("Grep", input)).toBe(says);
  });

  test.each(refused)("refuses $name", async ({ input, says }) => {
    const desk = openDesk(memoryBackend({ cwd: "/work", files: { "a.txt": "x" } }));
    expect((await desk.say("Grep", input)).slice(0, says.length)).toBe(says);
  });

  test("cuts a long line around the match", async () => {
    const desk = openDesk(memoryBackend({ files: { "/a.txt": `${"a".repeat(1_000_000)}x${"b".repeat(1_000_000)}` } }));
    const said = await desk.say("Grep", { pattern: "x", output_mode: "content", path: "/" });
    expect(said.length).toBeLessThan(600);
    expect(said).toMatch(/^success: \/a\.txt:1:.*axb.* \[line cut\]$/);
  });

  test("bounds the whole answer and tells where to go on", async () => {
    const desk = openDesk(memoryBackend({ files: { "/a.txt": `${"x".repeat(400)}\n`.repeat(500) } }));
    const { output, metadata } = await desk.call("Grep", {
      pattern: "x",
      output_mode: "content",
      head_limit: 0,
      path: "/a.txt",
    });
    const [block] = output;
    expect(metadata).toEqual({ count: 99, truncated: true, timedOut: false });
    expect(
      block?.type === "text" &&
        block.text.endsWith("[There are more: call Grep with offset 99, or narrow pattern, path or glob.]"),
    ).toBe(true);
  });

  test("says that a search took too long", async () => {
    const { fs, ...rest } = memoryBackend({ files: { "/a.txt": "x" } });
    const desk = openDesk({
      ...rest,
      fs: { ...fs, grep: async (query) => ({ ...(await fs.grep(query)), timedOut: true }) },
    });
    expect(await desk.say("Grep", { pattern: "x", path: "/" })).toBe(
      "success: /a.txt\n\n[The search took too long and was ended: not all files were searched. Narrow path, glob or type.]",
    );
  });
});
