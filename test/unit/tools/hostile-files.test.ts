/** Inputs that nobody means well: each is answered, nothing else is touched, and nothing is taken for something it is not. */

import { codingTools, notebookEditTool } from "holdall/tools";
import { describe, expect, test } from "vitest";
import { openGroundDesk, openMemory } from "./ground.ts";

interface Row {
  why: string;
  files?: Record<string, string>;
  /** Files that are read before. */
  read?: string[];
  input: Record<string, unknown>;
  says: RegExp;
  /** Files afterwards, byte by byte; undefined for none. By default all stay as they were. */
  after?: Record<string, string | undefined>;
}

function rows(tool: string, table: readonly Row[]): void {
  test.each(table)("$why", async ({ files = {}, read = [], input, says, after = files }) => {
    const desk = await openGroundDesk(openMemory, files, ({ backend }) => [
      ...codingTools({ backend }),
      notebookEditTool({ backend }),
    ]);
    for (const path of read) await desk.say("Read", { file_path: path });
    expect(await desk.say(tool, input)).toMatch(says);
    for (const [path, content] of Object.entries(after)) expect(await desk.raw(path), path).toBe(content);
    await desk.close();
  });
}

const long = "x".repeat(5000);

describe("hostile paths", () => {
  for (const [tool, field, more] of [
    ["Read", "file_path", {}],
    ["Write", "file_path", { content: "x" }],
    ["Edit", "file_path", { old_string: "a", new_string: "b" }],
    ["NotebookEdit", "notebook_path", { new_source: "x", edit_mode: "insert", cell_type: "code" }],
  ] as const) {
    rows(tool, [
      { why: `${tool}: an empty path`, input: { [field]: "", ...more }, says: /^error: / },
      { why: `${tool}: a NUL`, input: { [field]: "a\0b.ipynb", ...more }, says: /^error: / },
      { why: `${tool}: a path that is too long`, input: { [field]: `${long}.ipynb`, ...more }, says: /^error: / },
      { why: `${tool}: the root`, input: { [field]: "/", ...more }, says: /^error: / },
      { why: `${tool}: the folder itself`, input: { [field]: ".", ...more }, says: /^error: / },
      {
        why: `${tool}: below a file`,
        files: { "a.txt": "a" },
        input: { [field]: "a.txt/b.ipynb", ...more },
        says: /^error: /,
      },
      { why: `${tool}: a number for a path`, input: { [field]: 7, ...more }, says: /^error: / },
      { why: `${tool}: a list for a path`, input: { [field]: ["a"], ...more }, says: /^error: / },
    ]);
  }
  rows("Write", [
    {
      why: "Write: names that every object has",
      input: { file_path: "__proto__/constructor", content: "x" },
      says: /^success: /,
      after: { "__proto__/constructor": "x" },
    },
    { why: "Write: half a character in a name", input: { file_path: "a\ud800b", content: "x" }, says: /^error: / },
  ]);
});

describe("hostile edits", () => {
  const edit = (file: string, old_string: string, new_string: string, more: object = {}) => ({
    files: { f: file },
    read: ["f"],
    input: { file_path: "f", old_string, new_string, ...more },
  });
  rows("Edit", [
    { why: "a match that may begin at two places", ...edit("aaa", "aa", "b"), says: /^error: .*2 times/ },
    { why: "all of such", ...edit("aaaaa", "aa", "b", { replace_all: true }), says: /^success/, after: { f: "bba" } },
    {
      why: "a new text that has the old one",
      ...edit("aXa", "a", "aa", { replace_all: true }),
      says: /^success/,
      after: { f: "aaXaa" },
    },
    { why: "half a character to find", ...edit("\xef\xbf\xbd", "\ud800", "x"), says: /^error/ },
    { why: "half of a character that is there", ...edit("\xf0\x9f\xa6\x8a", "\ud83e", "x"), says: /^error/ },
    { why: "a NUL to find", ...edit("ab", "\0", "x"), says: /^error/ },
    { why: "only a mark", ...edit("\xef\xbb\xbf", "\ufeff", "x"), says: /^error/ },
    { why: "the wrong form of an accent", ...edit("caf\xc3\xa9", "cafe\u0301", "x"), says: /^error/ },
    { why: "a letter that looks the same", ...edit("abc", "\u0430bc", "x"), says: /^error/ },
    { why: "a space that is none", ...edit("a b", "a\u200bb", "x"), says: /^error/ },
    { why: "the line numbers of an answer", ...edit("a\nb\n", "1\ta\n2\tb", "x"), says: /^error/ },
    { why: "nothing to change", ...edit("abc", "b", "b"), says: /^error/ },
    { why: "nothing to find", ...edit("abc", "", "b"), says: /^error/ },
    { why: "more than the file has", ...edit("abc", `abc${long}`, "b"), says: /^error/ },
    { why: "a text for yes", ...edit("aa", "a", "b", { replace_all: "perhaps" }), says: /^error/ },
    { why: "a tail of spaces", ...edit("a\nb", "a \nb", "x"), says: /^error/ },
    {
      why: "a file that was not read",
      files: { f: "a" },
      input: { file_path: "f", old_string: "a", new_string: "b" },
      says: /^error/,
    },
    { why: "an end of line that is none", ...edit("a\xe2\x80\xa8b", "a\nb", "x"), says: /^error/ },
    { why: "a lone carriage return, which no text of a model means", ...edit("a\rb", "a\rb", "x"), says: /^error/ },
    {
      why: "a dollar sign in what is put in many times",
      ...edit("a.a", "a", "$1$$$`", { replace_all: true }),
      says: /^success/,
      after: { f: "$1$$$`.$1$$$`" },
    },
  ]);
  rows("NotebookEdit", [
    {
      why: "a notebook that is no JSON",
      files: { "a.ipynb": "{" },
      read: ["a.ipynb"],
      input: { notebook_path: "a.ipynb", cell_id: "a", new_source: "x" },
      says: /^error/,
    },
    {
      why: "a notebook that is a list",
      files: { "a.ipynb": "[]" },
      read: ["a.ipynb"],
      input: { notebook_path: "a.ipynb", cell_id: "a", new_source: "x" },
      says: /^error/,
    },
    {
      why: "cells that are none",
      files: { "a.ipynb": '{"cells":{"length":1}}' },
      read: ["a.ipynb"],
      input: { notebook_path: "a.ipynb", cell_id: "0", new_source: "x" },
      says: /^error/,
    },
    {
      why: "cells of null",
      files: { "a.ipynb": '{"cells":[null,1,"x"]}' },
      read: ["a.ipynb"],
      input: { notebook_path: "a.ipynb", cell_id: "0", new_source: "x" },
      says: /^error/,
    },
    {
      why: "a cell by a name that every object has",
      files: { "a.ipynb": '{"cells":[]}' },
      read: ["a.ipynb"],
      input: { notebook_path: "a.ipynb", cell_id: "__proto__", new_source: "x" },
      says: /^error/,
    },
    {
      why: "a notebook by another name",
      files: { "a.txt": "{}" },
      read: ["a.txt"],
      input: { notebook_path: "a.txt", cell_id: "a", new_source: "x" },
      says: /^error/,
    },
  ]);
});

describe("hostile ranges", () => {
  const files = { f: "one\ntwo\nthree\n", empty: "", nul: "a\0b", cr: "a\rb\rc" };
  rows("Read", [
    {
      why: "a start beyond all numbers of lines",
      files,
      input: { file_path: "f", offset: 9_007_199_254_740_991 },
      says: /3 lines/,
    },
    {
      why: "more lines than there are numbers",
      files,
      input: { file_path: "f", limit: 9_007_199_254_740_991 },
      says: /^success: .*three/s,
    },
    {
      why: "a start that is no exact number",
      files,
      input: { file_path: "f", offset: 1e300 },
      says: /^(error|success): /,
    },
    { why: "a start of text", files, input: { file_path: "f", offset: "x" }, says: /^error/ },
    { why: "an empty file from the second line", files, input: { file_path: "empty", offset: 2 }, says: /empty/ },
    { why: "a NUL in a short text", files, input: { file_path: "nul" }, says: /^error: .*binary/ },
    { why: "lone carriage returns", files, input: { file_path: "cr" }, says: /^success: / },
  ]);
});

describe("hostile globs", () => {
  const files = { "a.ts": "", "[": "", "]": "", "{a": "", "!x": "", "sub/b.ts": "", "sub/.c": "", "a\\b": "" };
  const found = (names: string): RegExp => new RegExp(`^success: (?:ROOT/)?${names}$`);
  const none = /^success: .*[Nn]o files?/;
  rows("Glob", [
    { why: "an open bracket is itself", files, input: { pattern: "[" }, says: found("\\[") },
    { why: "an open brace is itself", files, input: { pattern: "{a" }, says: found("\\{a") },
    { why: "a bracket in a class", files, input: { pattern: "[]]" }, says: found("\\]") },
    { why: "a mark that denies nothing", files, input: { pattern: "!x" }, says: found("!x") },
    { why: "a range the wrong way round", files, input: { pattern: "[z-a].ts" }, says: none },
    {
      why: "out of the folder, which is another folder to search",
      files,
      input: { pattern: "../box/a.*" },
      says: found("a.ts"),
    },
    { why: "out of a folder by a star", files, input: { pattern: "*/../../**" }, says: none },
    { why: "out and in again", files, input: { pattern: "sub/../a.ts" }, says: found("a.ts") },
    { why: "slashes in a row", files, input: { pattern: "sub//b.ts" }, says: found("sub/b.ts") },
    { why: "alternatives of nothing", files, input: { pattern: "{,}a.ts" }, says: found("a.ts") },
    { why: "an empty pattern", files, input: { pattern: "" }, says: /^(error: |success: .*[Nn]o files?)/ },
    { why: "too many alternatives", files, input: { pattern: "{a,b}".repeat(11) }, says: /^error: .*alternatives/ },
    { why: "a range of too many numbers", files, input: { pattern: "{1..99999}" }, says: /^error: .*alternatives/ },
    { why: "a pattern that is too long", files, input: { pattern: "a".repeat(5000) }, says: /^error/ },
    {
      why: "stars that could be shared out in many ways",
      files: { [`${"a".repeat(200)}b`]: "" },
      input: { pattern: `${"*a".repeat(100)}c` },
      says: none,
    },
    {
      why: "many stars over folders",
      files: { [`${"a/".repeat(60)}b`]: "" },
      input: { pattern: `${"**/a/".repeat(100)}c` },
      says: none,
    },
    { why: "a NUL", files, input: { pattern: "a\0*" }, says: /^(error|success: .*[Nn]o files?)/ },
    { why: "a folder that is a file", files, input: { pattern: "*", path: "a.ts" }, says: /^error/ },
    { why: "a folder that is not there", files, input: { pattern: "*", path: "nowhere" }, says: /^error/ },
  ]);
});

describe("hostile searches", () => {
  const files = { "f.txt": "one\ntwo\nthree", "g.ts": "x\r\n", ["__proto__"]: "one" };
  rows("Grep", [
    ...["(", "[", "a{2,1}", "\\", "(?<n>a)(?<n>b)", "(?<=", "\\k<no>(?<n>a)"].map((pattern) => ({
      why: `the pattern ${pattern}`,
      files,
      input: { pattern },
      says: /^error: /,
    })),
    ...["(a+)+$", "(a|a)*b", "(a*)*b", "(\\w+\\s?)*!"].map((pattern) => ({
      why: `the pattern ${pattern} ends soon`,
      files: { f: `${"a".repeat(3000)}!` },
      input: { pattern },
      says: /^(error|success): /,
    })),
    { why: "a type that every object has", files, input: { pattern: "x", type: "__proto__" }, says: /^error: .*type/ },
    {
      why: "a type that every object has, again",
      files,
      input: { pattern: "x", type: "constructor" },
      says: /^error: .*type/,
    },
    { why: "a mode that is none", files, input: { pattern: "x", output_mode: "toString" }, says: /^error/ },
    { why: "lines before that are less than none", files, input: { pattern: "x", "-B": -1 }, says: /^error/ },
    {
      why: "very many lines around",
      files,
      input: { pattern: "two", output_mode: "content", "-C": 1_000_000 },
      says: /one.*two.*three/s,
    },
    { why: "a file with the name of what every object has", files, input: { pattern: "one" }, says: /__proto__/ },
    {
      why: "the end of a line of two characters",
      files,
      input: { pattern: "x$", output_mode: "content" },
      says: /g\.ts/,
    },
    { why: "a file that is not there", files, input: { pattern: "x", path: "nowhere" }, says: /^error/ },
    { why: "more to pass over than there is", files, input: { pattern: "one", offset: 1_000_000 }, says: /^success/ },
    {
      why: "too many alternatives of a glob",
      files,
      input: { pattern: "x", glob: "{a,b}".repeat(11) },
      says: /^error/,
    },
    { why: "a glob out of the folder", files, input: { pattern: "one", glob: "../*" }, says: /^success: .*[Nn]o / },
  ]);
});
