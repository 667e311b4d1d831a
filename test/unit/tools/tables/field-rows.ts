/**
 * Field cases of editing, writing and reading, on any backend: one row for each, by the id it has in the collection they
 * come from.
 */

import { createFileSystem, fsError, outputText, PermissionEngine, type ReadResult, Toolkit } from "holdall";
import { codingTools, notebookEditTool } from "holdall/tools";
import { describe, expect, test } from "vitest";
import { cutText, wellFormed } from "../../../../src/base/text.ts";
import { type Ground, type GroundDesk, type OpenGround, openGroundDesk } from "../ground.ts";
import { utf8 } from "../setup.ts";

const tools = ({ backend }: Ground) => [
  ...codingTools({ backend, dangerousFiles: [".cursor/mcp.json"] }),
  notebookEditTool({ backend }),
];

/** Text as bytes, one character for each. */
const bytes = (text: string): string => Array.from(utf8(text), (byte) => String.fromCharCode(byte)).join("");

interface EditRow {
  id: string;
  why: string;
  file: string;
  old: string;
  new: string;
  /** The file afterwards. */
  result?: string;
  /** The error; then the file stays as it is. */
  error?: RegExp;
}

const edits: EditRow[] = [
  { id: "ewr-003", why: "$' stays literal", file: "A old B", old: "old", new: "x=$'y", result: "A x=$'y B" },
  {
    id: "ewr-006",
    why: "$ patterns in a CRLF file",
    file: "line one\r\nline two\r\n",
    old: "line two",
    new: "A$&B A$$B",
    result: "line one\r\nA$&B A$$B\r\n",
  },
  { id: "ewr-007", why: "a named group", file: "x=1", old: "x", new: "$<n>", result: "$<n>=1" },
  { id: "ewr-009", why: "characters of regular expressions", file: "f(x)[0]*", old: "f(x)[0]*", new: "g", result: "g" },
  { id: "ewr-013", why: "nothing in an empty file", file: "", old: "", new: "hi", result: "hi" },
  {
    id: "ewr-018",
    why: "two places",
    file: "x\nx\n",
    old: "x",
    new: "y",
    error: /stands 2 times in .* \(lines 1, 2\); nothing was written/,
  },
  { id: "ewr-019", why: "an empty new_string", file: "abc", old: "b", new: "", result: "ac" },
  { id: "ewr-020", why: "LF for CRLF", file: "a\r\nb\r\n", old: "a\nb", new: "c\nd", result: "c\r\nd\r\n" },
  { id: "ewr-023", why: "mixed line ends", file: "a\r\nb\nc\r\n", old: "b", new: "x", result: "a\r\nx\nc\r\n" },
  {
    id: "ewr-026",
    why: "mixed new_string on CRLF",
    file: "a\r\nb\r\n",
    old: "a",
    new: "x\r\ny\n",
    result: "x\r\ny\r\n\r\nb\r\n",
  },
  { id: "ewr-028", why: "the last line goes", file: "a\nb\n", old: "b\n", new: "", result: "a\n" },
  { id: "ewr-029", why: "a UTF-8 mark", file: "\xef\xbb\xbfhello", old: "hello", new: "hi", result: "\xef\xbb\xbfhi" },
  { id: "ewr-030", why: "a match behind the mark", file: "\xef\xbb\xbfa", old: "a", new: "b", result: "\xef\xbb\xbfb" },
  { id: "ewr-033", why: "GBK", file: "\xc4\xe3\xba\xc3\na", old: "a", new: "b", error: /is not valid UTF-8/ },
  {
    id: "ewr-039",
    why: "spaces for tabs",
    file: "\tif x {\n\t\ty()\n",
    old: "    if x {\n        y()",
    new: "    if x {\n        z()",
    error: /Lines 1-2 differ only in indentation\./,
  },
  {
    id: "ewr-041",
    why: "NFD in the file, NFC in the call",
    file: bytes("cafe\u0301"),
    old: "caf\u00e9",
    new: "x",
    error: /Line 1 differs only in the form of accented characters \(Unicode NFC or NFD\)\./,
  },
  {
    id: "ewr-042",
    why: "a zero-width space",
    file: bytes("x\u200by"),
    old: "xy",
    new: "z",
    error: /Line 1 differs only in invisible characters\./,
  },
  {
    id: "ewr-044",
    why: "what looks like a line number",
    file: bytes("  5→foo"),
    old: "5→foo",
    new: "bar",
    result: "  bar",
  },
];

interface ReadRow {
  id: string;
  why: string;
  file: string;
  name?: string;
  input?: object;
  says: RegExp | string;
}

const reads: ReadRow[] = [
  { id: "ewr-032", why: "UTF-16LE with a mark", file: "\xff\xfea\0\n\0", says: "success:      1\ta" },
  { id: "ewr-035", why: "NULs", file: "\0\x01\x02\xff", says: /^error: .*binary/ },
  {
    id: "ewr-036",
    why: "a NUL behind what is looked at",
    file: `${"x".repeat(80)}\n`.repeat(112).concat("a\0b\n"),
    says: /^success: .*x\n {3}113\ta\0b/s,
  },
  {
    id: "ewr-051",
    why: "a last line without line end",
    file: "x1\nx2\nx3",
    input: { limit: 2 },
    says: /x2\n.*offset 3/s,
  },
  { id: "ewr-051", why: "and the rest of it", file: "x1\nx2\nx3", input: { offset: 3 }, says: /^success: {6}3\tx3/ },
  { id: "ewr-052", why: "an empty last line", file: "a\n\n", says: "success:      1\ta\n     2\t" },
  { id: "ewr-053", why: "an empty file", file: "", says: /^success: .*is empty/ },
  { id: "ewr-054", why: "a negative offset", file: "a\nb\n", input: { offset: -1 }, says: /^error: .*offset/s },
  { id: "ewr-055", why: "offset 0", file: "a\nb\n", input: { offset: 0 }, says: /^error: .*offset/s },
  {
    id: "ewr-056",
    why: "one endless line",
    file: "x".repeat(3_000_000),
    says: /^success: {6}1\tx{2000}.{0,80}line cut.{0,80}$/,
  },
  {
    id: "ewr-094",
    why: "cells whose source is a string",
    file: '{"cells":[{"cell_type":"code","source":"a = 1\\nb = 2","outputs":[]}]}',
    name: "nb.ipynb",
    says: /a = 1.*b = 2/s,
  },
];

/** Everything that takes more than one step. */
const stories: { id: string; why: string; files?: Record<string, string>; run(desk: GroundDesk): Promise<void> }[] = [
  {
    id: "ewr-022",
    why: "Write keeps the CRLF of a file",
    files: { "f.txt": "a\r\nb\r\n" },
    run: async (desk) => {
      await desk.say("Read", { file_path: "f.txt" });
      expect(await desk.say("Write", { file_path: "f.txt", content: "a\nc\n" })).toMatch(
        /^success: .*CRLF line ends kept/,
      );
      expect(await desk.raw("f.txt")).toBe("a\r\nc\r\n");
    },
  },
  {
    id: "ewr-031",
    why: "Write keeps the mark of a file",
    files: { "f.txt": "\xef\xbb\xbfa" },
    run: async (desk) => {
      await desk.say("Read", { file_path: "f.txt" });
      await desk.say("Write", { file_path: "f.txt", content: "b" });
      expect(await desk.raw("f.txt")).toBe("\xef\xbb\xbfb");
    },
  },
  {
    id: "ewr-045",
    why: "a cut leaves no half of a character",
    run: async () => expect(cutText("aaaaaaaaa🦊…", 10)).toBe("aaaaaaaaa"),
  },
  {
    id: "ewr-047",
    why: "what is ill-formed becomes U+FFFD",
    run: async () => expect(wellFormed("already has \ud83d lone")).toBe("already has \ufffd lone"),
  },
  {
    id: "ewr-057",
    why: "the marker of a cut line never matches",
    files: { "f.txt": "y".repeat(5000) },
    run: async (desk) => {
      const shown = (await desk.say("Read", { file_path: "f.txt" })).split("\t")[1] ?? "";
      expect(shown).toContain("… [line cut:");
      expect(await desk.say("Edit", { file_path: "f.txt", old_string: shown, new_string: "z" })).toMatch(
        /^error: .*not found.*marker that Read puts/,
      );
      expect(await desk.raw("f.txt")).toBe("y".repeat(5000));
    },
  },
  ...["ewr-058", "ewr-059"].map((id) => ({
    id,
    why: "what never ends is refused before it is opened",
    files: { endless: "" },
    run: async (desk: GroundDesk) => {
      const { fs } = desk.backend;
      const path = `${desk.root}/endless`;
      const wrapped = createFileSystem({
        ...fs,
        stat: async (asked, options) => {
          const stat = await fs.stat(asked, options);
          return asked === path && stat !== undefined ? { ...stat, kind: "other" } : stat;
        },
        read: () => new Promise<ReadResult>(() => {}),
      });
      const toolkit = new Toolkit({ tools: codingTools({ backend: { ...desk.backend, fs: wrapped } }) });
      for (const name of ["Read", "Write", "Edit"]) {
        const input = { file_path: path, content: "x", old_string: "", new_string: "x" };
        const result = await toolkit.run({ name, input });
        expect([result.state, outputText(result.output)]).toEqual([
          "error",
          `${path} is a device, pipe or socket, not a file. Use a regular file.`,
        ]);
      }
    },
  })),
  {
    id: "ewr-060",
    why: "a folder",
    files: { "dir/a": "" },
    run: async (desk) =>
      expect(await desk.say("Read", { file_path: "dir" })).toBe(
        "error: ROOT/dir is a directory. Use Glob with this path to see what is in it.",
      ),
  },
  {
    id: "ewr-061",
    why: "the beginning of a huge file",
    files: { huge: "" },
    run: async (desk) => {
      let asked = 0;
      const size = 5 * 2 ** 30;
      const line = utf8("a line of sixteen");
      line[16] = 10;
      const { fs } = desk.backend;
      const wrapped = createFileSystem({
        ...fs,
        stat: async (path, options) => {
          const stat = await fs.stat(path, options);
          return stat && path.endsWith("/huge") ? { ...stat, size } : stat;
        },
        read: async (path, { offset = 0, length = size } = {}) => {
          const count = Math.min(length, size - offset);
          asked += count;
          const { version } = await fs.read(path);
          return { bytes: Uint8Array.from({ length: count }, (_, at) => line[(offset + at) % 17] ?? 0), version };
        },
      });
      const toolkit = new Toolkit({ tools: codingTools({ backend: { ...desk.backend, fs: wrapped } }) });
      const result = await toolkit.run({ name: "Read", input: { file_path: "huge", limit: 10 } });
      expect([result.state, outputText(result.output).split("\n").length > 9, asked < 2 ** 21]).toEqual([
        "success",
        true,
        true,
      ]);
    },
  },
  {
    id: "ewr-062",
    why: "the same content, written again",
    files: { "f.txt": "a" },
    run: async (desk) => {
      await desk.say("Read", { file_path: "f.txt" });
      await desk.put("f.txt", "other");
      await desk.put("f.txt", "a");
      expect(await desk.say("Edit", { file_path: "f.txt", old_string: "a", new_string: "b" })).toMatch(/^success/);
    },
  },
  {
    id: "ewr-064",
    why: "a clock that runs backwards",
    files: { "f.txt": "a" },
    run: async (desk) => {
      const { fs } = desk.backend;
      let time = 1000;
      const wrapped = createFileSystem({
        ...fs,
        stat: async (path, options) => {
          const stat = await fs.stat(path, options);
          time -= 10;
          return stat && { ...stat, modifiedAt: time };
        },
      });
      const again = await openGroundDesk(
        async () => ({ ...desk, backend: { ...desk.backend, fs: wrapped } }),
        {},
        tools,
      );
      await again.say("Read", { file_path: "f.txt" });
      expect(await again.say("Edit", { file_path: "f.txt", old_string: "a", new_string: "b" })).toMatch(/^success/);
    },
  },
  {
    id: "ewr-065",
    why: "an edit behind an edit",
    files: { "f.txt": "a c" },
    run: async (desk) => {
      await desk.say("Read", { file_path: "f.txt" });
      for (const [old_string, new_string] of [
        ["a", "b"],
        ["c", "d"],
      ] as const) {
        expect(await desk.say("Edit", { file_path: "f.txt", old_string, new_string })).toMatch(/^success/);
      }
      expect(await desk.say("Write", { file_path: "f.txt", content: "e" })).toMatch(/^success/);
      expect(await desk.raw("f.txt")).toBe("e");
    },
  },
  {
    id: "ewr-071",
    why: "a search is no reading",
    files: { "f.txt": "a" },
    run: async (desk) => {
      expect(await desk.say("Grep", { pattern: "a" })).toMatch(/^success: .*f\.txt/);
      expect(await desk.say("Write", { file_path: "f.txt", content: "b" })).toMatch(/^error: .*has not been read/);
      expect(await desk.raw("f.txt")).toBe("a");
    },
  },
  {
    id: "ewr-073",
    why: "two edits at once",
    files: { "f.txt": "a c" },
    run: async (desk) => {
      await desk.say("Read", { file_path: "f.txt" });
      const said = await Promise.all([
        desk.say("Edit", { file_path: "f.txt", old_string: "a", new_string: "b" }),
        desk.say("Edit", { file_path: "f.txt", old_string: "c", new_string: "d" }),
      ]);
      const [first, second] = said.map((one) => one.startsWith("success"));
      expect([await desk.raw("f.txt"), first || second], said.join("\n")).toEqual([
        `${first ? "b" : "a"} ${second ? "d" : "c"}`,
        true,
      ]);
    },
  },
  {
    id: "ewr-075",
    why: "a circle of symlinks",
    run: async (desk) => {
      await desk.link("a", "b");
      await desk.link("b", "a");
      expect(await desk.say("Edit", { file_path: "a", old_string: "x", new_string: "y" })).toMatch(
        /^error: .*too many symlinks/,
      );
    },
  },
  {
    id: "ewr-078",
    why: "a symlink to a file outside that is not there",
    run: async (desk) => {
      const refusal: unknown = await desk.link("link", "/outside-of-it/new.txt").catch((error: unknown) => error);
      // A host with a root of its own may not even make such a link.
      if (refusal !== undefined) return expect(refusal).toMatchObject({ code: "FS_OUTSIDE_ROOT" });
      expect(await desk.say("Write", { file_path: "link", content: "x" })).toMatch(/^error: /);
      expect(await desk.backend.fs.stat("/outside-of-it/new.txt").catch(() => undefined)).toBeUndefined();
    },
  },
  {
    id: "ewr-081",
    why: "a deny rule holds for what a symlink leads to",
    files: { ".env": "KEY=1" },
    run: async (desk) => {
      await desk.link("alias", ".env");
      const permission = new PermissionEngine({ rules: [{ tool: "Read", content: "./.env", behavior: "deny" }] });
      const toolkit = new Toolkit({ tools: tools(desk) });
      const { state } = await toolkit.run({ name: "Read", input: { file_path: "alias" } }, { permission });
      expect(state).toBe("denied");
    },
  },
  {
    id: "ewr-082",
    why: "a protected file in other letters",
    run: async (desk) => {
      const permission = new PermissionEngine({ mode: "accept_edits" });
      const toolkit = new Toolkit({ tools: tools(desk) });
      const input = { file_path: ".cUrSoR/mcp.json", content: "{}" };
      expect((await toolkit.run({ name: "Write", input }, { permission })).state).toBe("suspended");
    },
  },
  ...[
    { id: "ewr-084", path: "file.txt\0.png" },
    { id: "ewr-086", path: "\\\\server\\share\\x" },
    { id: "ewr-088", path: "a.txt::$DATA" },
  ].map(({ id, path }) => ({
    id,
    why: JSON.stringify(path),
    files: { "a.txt": "a", "file.txt": "f" },
    run: async (desk: GroundDesk) => {
      for (const [name, more] of [
        ["Read", {}],
        ["Write", { content: "x" }],
        ["Edit", { old_string: "a", new_string: "x" }],
      ] as const) {
        expect(await desk.say(name, { file_path: path, ...more })).toMatch(/^error: /);
      }
      expect([await desk.raw("a.txt"), await desk.raw("file.txt")]).toEqual(["a", "f"]);
    },
  })),
  {
    id: "ewr-091",
    why: "the path of a folder",
    files: { "dir/a": "" },
    run: async (desk) => {
      expect(await desk.say("Write", { file_path: "dir/", content: "x" })).toMatch(/^error: .*is a directory/);
      expect(await desk.say("Write", { file_path: "new/", content: "x" })).toMatch(/^error: .*names a directory/);
    },
  },
  ...(["ewr-092", "ewr-093"] as const).map((id) => ({
    id,
    why: id === "ewr-092" ? "a host that breaks down while it writes" : "a host that cannot put the file in its place",
    files: { "f.txt": "a" },
    run: async (desk: GroundDesk) => {
      const { fs } = desk.backend;
      const failing = createFileSystem({
        ...fs,
        write: async (path) => {
          throw fsError(id === "ewr-092" ? "FS_IO" : "FS_READ_ONLY", path);
        },
      });
      const broken = await openGroundDesk(
        async () => ({ ...desk, backend: { ...desk.backend, fs: failing } }),
        {},
        tools,
      );
      await broken.say("Read", { file_path: "f.txt" });
      const edit = { file_path: "f.txt", old_string: "a", new_string: "b" };
      expect(await broken.say("Edit", edit)).toMatch(/^error: /);
      expect(await broken.say("Write", { file_path: "f.txt", content: "b" })).toMatch(/^error: /);
      expect(await desk.raw("f.txt")).toBe("a");
    },
  })),
  {
    id: "ewr-096",
    why: "an edit that would break a notebook",
    files: { "nb.ipynb": '{"cells":[]}' },
    run: async (desk) => {
      await desk.say("Read", { file_path: "nb.ipynb" });
      expect(await desk.say("Edit", { file_path: "nb.ipynb", old_string: "[]", new_string: "[" })).toMatch(
        /^error: .*would no longer be a notebook/,
      );
      expect(await desk.raw("nb.ipynb")).toBe('{"cells":[]}');
    },
  },
  {
    id: "ewr-097",
    why: "a notebook that is no JSON",
    files: { "nb.ipynb": '{"cells":[' },
    run: async (desk) => {
      await desk.say("Read", { file_path: "nb.ipynb" });
      const input = { notebook_path: "nb.ipynb", cell_id: "1", new_source: "x" };
      expect(await desk.say("NotebookEdit", input)).toMatch(/^error: .*is not a notebook.*nothing was written/);
      expect(await desk.raw("nb.ipynb")).toBe('{"cells":[');
    },
  },
  {
    id: "ewr-098",
    why: "an id that two cells have",
    files: { "nb.ipynb": '{"cells":[{"id":"a","source":""},{"id":"a","source":""}]}' },
    run: async (desk) => {
      await desk.say("Read", { file_path: "nb.ipynb" });
      const input = { notebook_path: "nb.ipynb", cell_id: "a", new_source: "x" };
      expect(await desk.say("NotebookEdit", input)).toBe(
        'error: The id "a" is ambiguous: cells 1, 2 have it; nothing was written. Use the position of the cell as cell_id.',
      );
    },
  },
];

/** The ids of the whole collection; each has a row above. */
const ids =
  "003 006 007 009 013 018 019 020 022 023 026 028 029 030 031 032 033 035 036 039 041 042 044 045 047 051 052 053 054 055 056 057 058 059 060 061 062 064 065 071 073 075 078 081 082 084 086 088 091 092 093 094 096 097 098"
    .split(" ")
    .map((number) => `ewr-${number}`);

/** Adds the tests. */
export function fieldRowCases(open: OpenGround): void {
  describe("field cases", () => {
    test("have a row each", () => {
      expect([...new Set([...edits, ...reads, ...stories].map(({ id }) => id))].sort()).toEqual(ids);
    });

    test.each(edits)("$id Edit: $why", async ({ file, old, new: fresh, result, error }) => {
      const desk = await openGroundDesk(open, { "f.txt": file }, tools);
      await desk.say("Read", { file_path: "f.txt" });
      const said = await desk.say("Edit", { file_path: "f.txt", old_string: old, new_string: fresh });
      expect(said).toMatch(error === undefined ? /^success: / : /^error: /);
      if (error !== undefined) expect(said).toMatch(error);
      expect(await desk.raw("f.txt")).toBe(result ?? file);
      await desk.close();
    });

    test.each(reads)("$id Read: $why", async ({ file, name = "f.txt", input, says }) => {
      const desk = await openGroundDesk(open, { [name]: file }, tools);
      const said = await desk.say("Read", { file_path: name, ...input });
      if (typeof says === "string") expect(said).toBe(says);
      else expect(said).toMatch(says);
      await desk.close();
    });

    test.each(stories)("$id: $why", async ({ files = {}, run }) => {
      const desk = await openGroundDesk(open, files, tools);
      await run(desk);
      await desk.close();
    });
  });
}
