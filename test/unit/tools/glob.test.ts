/** Glob: which files are found, in which words. */

import { memoryBackend } from "holdall/memory";
import { MAX_GLOB_FILES } from "holdall/tools";
import { describe, expect, test } from "vitest";
import { type Desk, openDesk } from "./setup.ts";

function deskWith(paths: readonly string[]): Desk {
  let now = 1_000_000;
  // Each file is a second older than the one before, so that the order of the paths is the order of the answer.
  return openDesk(
    memoryBackend({
      cwd: "/work",
      files: Object.fromEntries(paths.map((path) => [path, path === ".gitignore" ? "dist/" : ""])),
      clock: () => (now -= 1000),
    }),
  );
}

const found: { name: string; files: string[]; input: Record<string, unknown>; says: string }[] = [
  {
    name: "a dot folder that is named",
    files: [".github/workflows/ci.yml"],
    input: { pattern: ".github/workflows/*.yml" },
    says: "/work/.github/workflows/ci.yml",
  },
  {
    name: "dot files, but nothing of .git",
    files: [".env", "a.txt", ".git/config"],
    input: { pattern: "**/*" },
    says: "/work/.env\n/work/a.txt",
  },
  {
    name: "alternatives",
    files: ["a.ts", "b.tsx", "c.js"],
    input: { pattern: "*.{ts,tsx}" },
    says: "/work/a.ts\n/work/b.tsx",
  },
  { name: "an unclosed brace as it is", files: ["a.{ts"], input: { pattern: "*.{ts" }, says: "/work/a.{ts" },
  {
    name: "an escaped bracket",
    files: ["[id].tsx", "i.tsx"],
    input: { pattern: "\\[id\\].tsx" },
    says: "/work/[id].tsx",
  },
  { name: "a class", files: ["[id].tsx", "i.tsx"], input: { pattern: "[id].tsx" }, says: "/work/i.tsx" },
  { name: "a negated class", files: ["a.ts", "b.ts"], input: { pattern: "[!a]*.ts" }, says: "/work/b.ts" },
  {
    name: "nothing for a leading !",
    files: ["a.md", "b.ts"],
    input: { pattern: "!*.md" },
    says: "No files match !*.md in /work.",
  },
  {
    name: "files below a folder",
    files: ["src/a.ts", "a.ts"],
    input: { pattern: "**/*.ts", path: "src" },
    says: "/work/src/a.ts",
  },
  {
    name: "files of an absolute pattern",
    files: ["/abs/a.ts", "src/a.ts"],
    input: { pattern: "/abs/*.ts", path: "src" },
    says: "/abs/a.ts",
  },
  {
    name: "files above",
    files: ["/other/a.ts", "src/a.ts"],
    input: { pattern: "../other/**", path: "." },
    says: "/other/a.ts",
  },
  {
    name: "what a pattern without wildcards names",
    files: ["/x/a.ts"],
    input: { pattern: "/x/a.ts" },
    says: "/x/a.ts",
  },
  { name: "nothing", files: ["a.ts"], input: { pattern: "*.rs" }, says: "No files match *.rs in /work." },
  {
    name: "files in a folder that is named, although .gitignore leaves it out",
    files: ["dist/a.js", ".gitignore"],
    input: { pattern: "dist/*.js" },
    says: "/work/dist/a.js",
  },
  {
    name: "a file that is named, although .gitignore leaves it out",
    files: ["x/dist/a.js", ".gitignore"],
    input: { pattern: "x/dist/a.js" },
    says: "/work/x/dist/a.js",
  },
  {
    name: "nothing that .gitignore leaves out",
    files: ["a.js", "dist/a.js", ".gitignore"],
    input: { pattern: "**/*.js" },
    says: "/work/a.js",
  },
  {
    name: "also that when it is told to",
    files: ["a.js", "dist/a.js", ".gitignore"],
    input: { pattern: "**/*.js", include_ignored: true },
    says: "/work/a.js\n/work/dist/a.js",
  },
  {
    name: "no name in another form of its accents",
    files: ["e\u0301.txt"],
    input: { pattern: "\u00e9.txt" },
    says: "No files match \u00e9.txt in /work.",
  },
  {
    name: "what many stars could match in many ways",
    files: [`${"a".repeat(200)}c`, `x/y/${"a".repeat(200)}b`],
    input: { pattern: `${"**/".repeat(20)}${"*a".repeat(20)}*b` },
    says: `/work/x/y/${"a".repeat(200)}b`,
  },
  {
    name: "the newest first",
    files: ["z.ts", "a.ts", "m.ts"],
    input: { pattern: "*.ts" },
    says: "/work/z.ts\n/work/a.ts\n/work/m.ts",
  },
];

const refused: { name: string; input: Record<string, unknown>; says: string }[] = [
  { name: "a missing folder", input: { pattern: "*", path: "nowhere" }, says: "error: /work/nowhere does not exist." },
  {
    name: "a folder of a pattern that does not exist",
    input: { pattern: "nowhere/*.ts" },
    says: "error: /work/nowhere does not exist.",
  },
  { name: "a file", input: { pattern: "*", path: "a.txt" }, says: "error: /work/a.txt is not a directory." },
  {
    name: "a range without end",
    input: { pattern: "{1..30000000}" },
    says: 'error: The pattern "{1..30000000}" has more than',
  },
  { name: "an explosion of braces", input: { pattern: "{a,b}".repeat(25) }, says: "error: The pattern" },
];

describe("Glob", () => {
  test.each(found)("finds $name", async ({ files, input, says }) => {
    expect(await deskWith(files).say("Glob", input)).toBe(`success: ${says}`);
  });

  test.each(refused)("refuses $name", async ({ input, says }) => {
    expect((await deskWith(["a.txt"]).say("Glob", input)).slice(0, says.length)).toBe(says);
  });

  test("bounds the list and says so", async () => {
    const desk = deskWith(Array.from({ length: MAX_GLOB_FILES + 5 }, (_, index) => `f${index}`));
    const { output, metadata } = await desk.call("Glob", { pattern: "*" });
    const [block] = output;
    const text = block?.type === "text" ? block.text : "";
    expect(text.split("\n").length).toBe(MAX_GLOB_FILES + 2);
    expect(
      text.endsWith("\n\n[The 500 newest files are shown; there are more. Narrow the pattern or give a deeper path.]"),
    ).toBe(true);
    expect(metadata).toEqual({ count: MAX_GLOB_FILES, truncated: true });
  });
});
