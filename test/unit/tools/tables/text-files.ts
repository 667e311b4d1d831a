/** What the text file tools of the first version do, on any backend. */

import { createFileSystem, type FileSystem, outputText, PermissionEngine, Toolkit } from "holdall";
import { textFileTools } from "holdall/tools";
import { describe, expect, test } from "vitest";
import { type GroundDesk, type OpenGround, openGroundDesk } from "../ground.ts";

const ten = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join("");
const five = "1\n2\n3\n4\n5\n";

const numbered = (from: number, lines: readonly string[]): string =>
  `\`\`\`\n${lines.map((line, index) => `${from + index}: ${line}\n`).join("")}\`\`\``;
const tenLines = (from: number, to: number): string =>
  numbered(
    from,
    Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`),
  );

/** Views by what is asked for; the rows of `upstream-java.jsonl` by their line. */
const views: { row?: number; file: string; ranges?: string | null; says: string }[] = [
  { file: five, says: `success: The content of f.txt:\n${numbered(1, ["1", "2", "3", "4", "5"])}` },
  { file: five, ranges: " ", says: `success: The content of f.txt:\n${numbered(1, ["1", "2", "3", "4", "5"])}` },
  { file: five, ranges: null, says: `success: The content of f.txt:\n${numbered(1, ["1", "2", "3", "4", "5"])}` },
  { file: "", says: "success: The content of f.txt:\n```\n```" },
  { row: 139, file: ten, ranges: "-3,-1", says: `success: The content of f.txt in lines [8, 10]:\n${tenLines(8, 10)}` },
  { row: 140, file: ten, ranges: "5,-1", says: `success: The content of f.txt in lines [5, 10]:\n${tenLines(5, 10)}` },
  { row: 141, file: ten, ranges: "8,20", says: `success: The content of f.txt in lines [8, 10]:\n${tenLines(8, 10)}` },
  { row: 142, file: ten, ranges: "-20,3", says: `success: The content of f.txt in lines [1, 3]:\n${tenLines(1, 3)}` },
  { file: ten, ranges: "[ 2 , +3 ]", says: `success: The content of f.txt in lines [2, 3]:\n${tenLines(2, 3)}` },
  { file: ten, ranges: "0,2", says: `success: The content of f.txt in lines [1, 2]:\n${tenLines(1, 2)}` },
  {
    row: 143,
    file: ten,
    ranges: "5",
    says: "error: Invalid range format. Expected '[start,end]' or 'start,end', but got 5.",
  },
  {
    row: 144,
    file: five,
    ranges: "10,20",
    says: "error: Invalid range: start line 10 is greater than end line 5.",
  },
  { file: five, ranges: "0,0", says: "error: Invalid range: start line 1 is greater than end line 0." },
  { file: "", ranges: "1,1", says: "error: Invalid range: start line 1 is greater than end line 0." },
  { file: "a\r\nb", says: `success: The content of f.txt:\n${numbered(1, ["a", "b"])}` },
  { file: "\xef\xbb\xbfa", says: `success: The content of f.txt:\n${numbered(1, ["a"])}` },
  { file: "\xc4\xe3", says: "error: The file f.txt is not text in UTF-8 or UTF-16." },
  { file: "a\0b", says: "error: The file f.txt is not text in UTF-8 or UTF-16." },
];

/** Writes by what comes of them. */
const writes: {
  row?: number;
  name: string;
  tool?: "insert_text_file";
  file: string;
  input: object;
  says: string;
  result: string;
}[] = [
  {
    name: "a whole file, as given",
    file: "\xef\xbb\xbfold\r\n",
    input: { content: "new" },
    says: "success: Overwrite f.txt successfully.",
    result: "new",
  },
  {
    name: "over bytes that are no text",
    file: "\0\xff",
    input: { content: "new" },
    says: "success: Overwrite f.txt successfully.",
    result: "new",
  },
  {
    row: 150,
    name: "a range",
    file: five,
    input: { content: "x", ranges: "2,3" },
    says: `success: Write f.txt successfully. The new content snippet:\n${numbered(1, ["1", "x", "4", "5"])}`,
    result: "1\nx\n4\n5\n",
  },
  {
    name: "a range in a file of CRLF with a mark, whose end has no line end",
    file: "\xef\xbb\xbfa\r\nb\r\nc",
    input: { content: "x\ny\n", ranges: "[-2,-2]" },
    says: `success: Write f.txt successfully. The new content snippet:\n${numbered(1, ["a", "x", "y", "c"])}`,
    result: "\xef\xbb\xbfa\r\nx\r\ny\r\nc",
  },
  {
    name: "the last line, which has no line end",
    file: "a\nb",
    input: { content: "x\ny\n", ranges: "2,99" },
    says: `success: Write f.txt successfully. The new content snippet:\n${numbered(1, ["a", "x", "y"])}`,
    result: "a\nx\ny",
  },
  {
    row: 153,
    name: "in front of a line",
    file: five,
    input: { content: "x", ranges: "3,2" },
    says: `success: Write f.txt successfully. The new content snippet:\n${numbered(1, ["1", "2", "x", "3", "4", "5"])}`,
    result: "1\n2\nx\n3\n4\n5\n",
  },
  {
    name: "in front of all",
    file: "1\n",
    input: { content: "x", ranges: "0,0" },
    says: `success: Write f.txt successfully. The new content snippet:\n${numbered(1, ["x", "1"])}`,
    result: "x\n1\n",
  },
  {
    name: "only five lines around",
    file: "x\n".repeat(30),
    input: { content: "y", ranges: "15,15" },
    says: `success: Write f.txt successfully. The new content snippet:\n${numbered(10, [..."xxxxxyxxxxx"])}`,
    result: `${"x\n".repeat(14)}y\n${"x\n".repeat(15)}`,
  },
  {
    row: 154,
    name: "after the last line",
    tool: "insert_text_file",
    file: five,
    input: { content: "x", line_number: 6 },
    says: `success: Insert content into f.txt at line 6 successfully. The new content between lines 1-6 is:\n${numbered(1, ["1", "2", "3", "4", "5", "x"])}`,
    result: "1\n2\n3\n4\n5\nx\n",
  },
  {
    name: "after a last line without line end",
    tool: "insert_text_file",
    file: "a\r\nb",
    input: { content: "x", line_number: 3 },
    says: `success: Insert content into f.txt at line 3 successfully. The new content between lines 1-3 is:\n${numbered(1, ["a", "b", "x"])}`,
    result: "a\r\nb\r\nx",
  },
  {
    row: 156,
    name: "an empty line",
    tool: "insert_text_file",
    file: five,
    input: { content: "", line_number: 3 },
    says: `success: Insert content into f.txt at line 3 successfully. The new content between lines 1-6 is:\n${numbered(1, ["1", "2", "", "3", "4", "5"])}`,
    result: "1\n2\n\n3\n4\n5\n",
  },
  {
    name: "into an empty file",
    tool: "insert_text_file",
    file: "",
    input: { content: "a\nb", line_number: 1 },
    says: `success: Insert content into f.txt at line 1 successfully. The new content between lines 1-2 is:\n${numbered(1, ["a", "b"])}`,
    result: "a\nb",
  },
];

const refused: { row?: number; name: string; tool?: "insert_text_file"; file: string; input: object; says: string }[] =
  [
    {
      row: 151,
      name: "a range behind the end",
      file: five,
      input: { content: "x", ranges: "10,15" },
      says: "error: The start line 10 is invalid. The file only has 5 lines.",
    },
    {
      name: "a range in an empty file",
      file: "",
      input: { content: "x", ranges: "1,1" },
      says: "error: The start line 1 is invalid. The file only has 0 lines.",
    },
    {
      name: "a range that runs backwards",
      file: five,
      input: { content: "x", ranges: "5,2" },
      says: "error: Invalid range: start line 5 is greater than end line 2.",
    },
    {
      name: "a range that is none",
      file: five,
      input: { content: "x", ranges: "1-2" },
      says: "error: Invalid range format. Expected '[start,end]' or 'start,end', but got 1-2.",
    },
    {
      name: "a range in what is no text",
      file: "\xff",
      input: { content: "x", ranges: "1,1" },
      says: "error: The file f.txt is not text in UTF-8 or UTF-16.",
    },
    {
      name: "half a character",
      file: five,
      input: { content: "\ud83d" },
      says: "error: Content has half of a surrogate pair in it; nothing was written. Send the whole character.",
    },
    {
      row: 155,
      name: "a line behind the end",
      tool: "insert_text_file",
      file: five,
      input: { content: "x", line_number: 10 },
      says: "error: InvalidArgumentsError: The given line_number (10) is not in the valid range [1, 6].",
    },
    {
      name: "line 0",
      tool: "insert_text_file",
      file: five,
      input: { content: "x", line_number: 0 },
      says: "error: InvalidArgumentsError: The line number 0 is invalid.",
    },
  ];

/** Paths that lead out of `base`, or seem to. */
const outside = [
  "../secret.txt",
  "sub/../../secret.txt",
  "../base-evil/secret.txt",
  "ROOT/base-evil/secret.txt",
  "ROOT/base/../secret.txt",
  "/etc/passwd",
  "~/secret.txt",
  "..\\secret.txt",
  "sub\\..\\..\\secret.txt",
  "%2e%2e/secret.txt",
  "%2E%2e%2Fsecret.txt",
  "%252e%252e%252fsecret.txt",
  "..%5csecret.txt",
  "%2fetc%2fpasswd",
  "\uff0e\uff0e/secret.txt",
  "..\0/secret.txt",
  "x\0/../../../secret.txt",
  "link-out/secret.txt",
  "link-up/secret.txt",
  "link-file",
  "link-nowhere",
  "sub/link-out/new.txt",
];

const files = {
  "base/a.txt": "a\n",
  "base/sub/b.txt": "b\n",
  "base/.hidden": "h\n",
  "secret.txt": "top secret\n",
  "base-evil/secret.txt": "top secret\n",
};

async function openBase(open: OpenGround): Promise<GroundDesk> {
  const desk = await openGroundDesk(open, files, ({ backend, root }) =>
    textFileTools({ backend, baseDirectory: `${root}/base` }),
  );
  const { root } = desk;
  await desk.link("base/link-out", root);
  await desk.link("base/link-up", "..");
  await desk.link("base/link-file", "../secret.txt");
  await desk.link("base/link-nowhere", "../new.txt");
  await desk.link("base/sub/link-out", "../..");
  await desk.link("base/link-in", "sub");
  return desk;
}

/** Adds the tests. */
export function textFileCases(open: OpenGround): void {
  const openFile = (file: string): Promise<GroundDesk> =>
    openGroundDesk(open, { "f.txt": file }, ({ backend }) => textFileTools({ backend }));

  describe("view_text_file", () => {
    test.each(views)("shows $ranges of $file", async ({ file, ranges, says }) => {
      const desk = await openFile(file);
      const input = { file_path: "f.txt", ...(ranges === undefined ? {} : { ranges }) };
      expect(await desk.say("view_text_file", input)).toBe(says);
      await desk.close();
    });

    test("says what is no file", async () => {
      const desk = await openBase(open);
      expect(await desk.say("view_text_file", { file_path: "none.txt" })).toBe(
        "error: The file none.txt does not exist.",
      );
      expect(await desk.say("view_text_file", { file_path: "sub" })).toBe("error: The path sub is not a file.");
      await desk.close();
    });
  });

  describe("write_text_file and insert_text_file", () => {
    test.each(writes)("writes $name", async ({ tool = "write_text_file", file, input, says, result }) => {
      const desk = await openFile(file);
      expect(await desk.say(tool, { file_path: "f.txt", ...input })).toBe(says);
      expect(await desk.raw("f.txt")).toBe(result);
      await desk.close();
    });

    test.each(refused)("refuses $name", async ({ tool = "write_text_file", file, input, says }) => {
      const desk = await openFile(file);
      expect(await desk.say(tool, { file_path: "f.txt", ...input })).toBe(says);
      expect(await desk.raw("f.txt")).toBe(file);
      await desk.close();
    });

    test("creates a file below the base directory, with its folders; a range is ignored (149, 152)", async () => {
      const desk = await openBase(open);
      expect(await desk.say("write_text_file", { file_path: "x/y.txt", content: "1\n2", ranges: "1,5" })).toBe(
        "success: Create and write x/y.txt successfully. The ranges 1,5 is ignored because the file does not exist.",
      );
      expect(await desk.raw("base/x/y.txt")).toBe("1\n2");
      expect(await desk.say("write_text_file", { file_path: "z.txt", content: "" })).toBe(
        "success: Create and write z.txt successfully.",
      );
      expect(await desk.say("insert_text_file", { file_path: "none.txt", content: "", line_number: 1 })).toBe(
        "error: InvalidArgumentsError: The target file none.txt does not exist.",
      );
      await desk.close();
    });

    test("gives the diff in the metadata", async () => {
      const desk = await openFile("a\nb\n");
      const { metadata } = await desk.call("insert_text_file", { file_path: "f.txt", content: "x", line_number: 2 });
      expect(metadata).toMatchObject({ filePath: `${desk.root}/f.txt`, added: 1, removed: 0 });
      await desk.close();
    });
  });

  describe("list_directory", () => {
    test("lists folders and files, hidden ones too, and nothing of where links lead outside", async () => {
      const desk = await openBase(open);
      expect(await desk.say("list_directory", { dir_path: "." })).toBe(
        "success: Contents of directory .:\n\nDirectories:\n  ROOT/base/link-in\n  ROOT/base/sub\n\nFiles:\n  ROOT/base/.hidden\n  ROOT/base/a.txt\n  ROOT/base/link-file\n  ROOT/base/link-nowhere\n  ROOT/base/link-out\n  ROOT/base/link-up\n\nTotal: 2 directory(ies), 6 file(s)",
      );
      await desk.close();
    });

    test("says what is empty, missing or no folder", async () => {
      const desk = await openBase(open);
      await desk.backend.fs.makeDirectory(`${desk.root}/base/empty`);
      const list = (dir_path: string): Promise<string> => desk.say("list_directory", { dir_path });
      expect(await list("empty")).toBe("success: Contents of directory empty:\n\n(empty directory)");
      expect(await list("none")).toBe("error: The directory none does not exist.");
      expect(await list("a.txt")).toBe("error: The path a.txt is not a directory.");
      expect(await list("..")).toBe(
        "error: Access denied: The file path '..' is outside the allowed base directory 'ROOT/base'.",
      );
      expect(await list("link-out")).toBe(
        "error: Access denied: The file path 'link-out' is outside the allowed base directory 'ROOT/base'.",
      );
      await desk.close();
    });
  });

  describe("the base directory", () => {
    test.each(outside)("refuses %j for every tool (147)", async (written) => {
      const desk = await openBase(open);
      const path = written.replace("ROOT", desk.root);
      const before = await desk.raw("secret.txt");
      const calls = [
        desk.say("view_text_file", { file_path: path }),
        desk.say("write_text_file", { file_path: path, content: "x" }),
        desk.say("insert_text_file", { file_path: path, content: "x", line_number: 1 }),
        desk.say("list_directory", { dir_path: path }),
      ];
      for (const said of await Promise.all(calls)) {
        expect(said).toMatch(/^error: (Access denied: The file path '|"[^"]*" is not a usable path)/);
        expect(said).not.toContain("top secret");
      }
      expect([await desk.raw("secret.txt"), await desk.raw("new.txt"), await desk.raw("base-evil/new.txt")]).toEqual([
        before,
        undefined,
        undefined,
      ]);
      await desk.close();
    });

    test("takes paths that stay inside, however they are written", async () => {
      const desk = await openBase(open);
      const { root } = desk;
      for (const path of ["a.txt", "./a.txt", "sub/../a.txt", `${root}/base/a.txt`, "link-in/../a.txt"]) {
        expect(await desk.say("view_text_file", { file_path: path })).toMatch(/^success: /);
      }
      expect(await desk.say("view_text_file", { file_path: "link-in/b.txt" })).toMatch(/1: b\n```$/);
      for (const path of ["100%.txt", "a%41.txt", "..x/a.txt", "a\\b.txt"]) {
        expect(await desk.say("write_text_file", { file_path: path, content: "x" })).toMatch(/^success: Create/);
      }
      await desk.close();
    });

    test("refuses blank paths (148)", async () => {
      const desk = await openBase(open);
      for (const path of ["", " \t"]) {
        expect(await desk.say("view_text_file", { file_path: path })).toBe("error: File path cannot be null or empty.");
      }
      await desk.close();
    });

    test("may itself be a symlink", async () => {
      const desk = await openGroundDesk(open, files, ({ backend, root }) =>
        textFileTools({ backend, baseDirectory: `${root}/shortcut` }),
      );
      await desk.link("shortcut", "base");
      expect(await desk.say("view_text_file", { file_path: "a.txt" })).toMatch(/1: a\n```$/);
      expect(await desk.say("view_text_file", { file_path: `${desk.root}/base/a.txt` })).toMatch(
        /^error: Access denied/,
      );
      expect(await desk.say("view_text_file", { file_path: "../secret.txt" })).toMatch(/^error: Access denied/);
      await desk.close();
    });

    test("tells nothing of a folder that was replaced by a link while it was read", async () => {
      const desk = await openBase(open);
      const { backend, root } = desk;
      // The link is put there behind the check and in front of the read.
      const fs = createFileSystem({
        ...backend.fs,
        read: async (path, options) => {
          await replaceByLink(backend.fs, `${root}/base/sub`, `${root}/base-evil`);
          return backend.fs.read(path, options);
        },
      });
      const tools = textFileTools({ backend: { ...backend, fs }, baseDirectory: `${root}/base` });
      const toolkit = new Toolkit({ tools });
      await desk.put("base/sub/secret.txt", "mine\n");
      const read = await toolkit.run({ name: "view_text_file", input: { file_path: "sub/secret.txt" } });
      expect([read.state, outputText(read.output).replaceAll(root, "ROOT")]).toEqual([
        "error",
        "Access denied: The file path 'sub/secret.txt' is outside the allowed base directory 'ROOT/base'.",
      ]);
      await desk.close();
    });

    test("overwrites nothing outside when a folder is replaced by a link while it is written", async () => {
      const desk = await openBase(open);
      const { backend, root } = desk;
      const fs = createFileSystem({
        ...backend.fs,
        write: async (path, bytes, options) => {
          await replaceByLink(backend.fs, `${root}/base/sub`, `${root}/base-evil`);
          return backend.fs.write(path, bytes, options);
        },
      });
      const tools = textFileTools({ backend: { ...backend, fs }, baseDirectory: `${root}/base` });
      const input = { file_path: "sub/secret.txt", content: "x" };
      await desk.put("base/sub/secret.txt", "mine\n");
      const result = await new Toolkit({ tools }).run({ name: "write_text_file", input });
      expect([result.state, await desk.raw("base-evil/secret.txt")]).toEqual(["error", "top secret\n"]);
      await desk.close();
    });
  });

  describe("permission of the text file tools", () => {
    const decide = async (name: string, input: object, mode: "default" | "accept_edits" | "explore") => {
      const desk = await openBase(open);
      const tools = textFileTools({ backend: desk.backend, baseDirectory: `${desk.root}/base` });
      const permission = new PermissionEngine({ mode });
      const result = await new Toolkit({ tools }).run({ name, input }, { permission });
      await desk.close();
      return result.state;
    };

    test("reading needs no question, writing does, and what cannot be is denied at once", async () => {
      const write = { file_path: "a.txt", content: "x" };
      expect([
        await decide("view_text_file", { file_path: "a.txt" }, "explore"),
        await decide("list_directory", { dir_path: "." }, "explore"),
        await decide("write_text_file", write, "explore"),
        await decide("write_text_file", write, "default"),
        await decide("write_text_file", write, "accept_edits"),
        await decide("write_text_file", { file_path: ".env", content: "x" }, "accept_edits"),
        await decide("write_text_file", { file_path: "../secret.txt", content: "x" }, "default"),
        await decide("insert_text_file", { file_path: "link-file", content: "x", line_number: 1 }, "default"),
      ]).toEqual(["success", "success", "denied", "suspended", "success", "suspended", "denied", "denied"]);
    });
  });
}

async function replaceByLink(fs: FileSystem, path: string, target: string): Promise<void> {
  await fs.remove(path, { recursive: true });
  await fs.symlink?.(target, path);
}
