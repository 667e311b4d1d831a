/** Read: what the model is shown of a file, and what is refused. */

import { memoryBackend } from "holdall/memory";
import { readTool } from "holdall/tools";
import { describe, expect, test } from "vitest";
import { bytesOf, openDesk, utf8 } from "./setup.ts";

const png = "\x89PNG\r\n\x1a\n and so on";

const shown: { name: string; file: string; path?: string; input?: Record<string, unknown>; says: string }[] = [
  { name: "numbered lines", file: "a\nb\n", says: "success:      1\ta\n     2\tb" },
  { name: "an empty second line", file: "a\n\n", says: "success:      1\ta\n     2\t" },
  { name: "an empty file", file: "", says: "success: /f.txt is empty." },
  { name: "a last line without an end", file: "x1\nx2\nx3", input: { offset: 3 }, says: "success:      3\tx3" },
  {
    name: "some lines, and how to go on",
    file: "x1\nx2\nx3",
    input: { limit: 2 },
    says: "success:      1\tx1\n     2\tx2\n\n[Lines 1-2 of 3. Call Read with offset 3 for more.]",
  },
  { name: "exactly all lines", file: "a\nb\n", input: { limit: 2 }, says: "success:      1\ta\n     2\tb" },
  {
    name: "nothing past the end",
    file: "a\n",
    input: { offset: 5 },
    says: "success: /f.txt has 1 line; there is no line 5. Use a smaller offset.",
  },
  { name: "CRLF and CR line ends", file: "a\r\nb\rc", says: "success:      1\ta\n     2\tb\n     3\tc" },
  {
    name: "only real line ends",
    file: "a\x0bb\xc2\x85c\xe2\x80\xa8d\n",
    says: "success:      1\ta\x0bb\u0085c\u2028d",
  },
  { name: "text without its byte order mark", file: "\xef\xbb\xbfa", says: "success:      1\ta" },
  { name: "UTF-16 little-endian", file: "\xff\xfea\0\n\0", says: "success:      1\ta" },
  { name: "UTF-16 big-endian", file: "\xfe\xff\0a\0\n\x20\xac", says: "success:      1\ta\n     2\t\u20ac" },
  {
    name: "bytes that are not text",
    file: "caf\xe9",
    says: "success:      1\tcaf\ufffd\n\n[\ufffd stands for bytes that are not valid text, unless the file has that very character; Edit refuses such a file.]",
  },
  {
    name: "a notebook by its cells",
    path: "/n.ipynb",
    file: JSON.stringify({
      cells: [
        { cell_type: "markdown", source: "# Title", id: "m1" },
        {
          cell_type: "code",
          source: ["x = 1\n", "x"],
          outputs: [
            { output_type: "stream", text: ["hi\n"] },
            { output_type: "execute_result", data: { "text/plain": "1", "image/png": "aGk=" } },
            { output_type: "error", ename: "NameError", evalue: "y" },
          ],
        },
      ],
    }),
    says: "success: [A notebook by its cells; the numbers count these lines. In the file itself the cells are JSON.]\n     1\t[cell 1: markdown, id m1]\n     2\t# Title\n     3\t\n     4\t[cell 2: code]\n     5\tx = 1\n     6\tx\n     7\t[output]\n     8\thi\n     9\t1\n    10\t[image/png]\n    11\tNameError: y",
  },
  {
    name: "a broken notebook as text",
    path: "/n.ipynb",
    file: "{",
    says: "success: [Not a valid notebook; this is its plain text.]\n     1\t{",
  },
];

const refused: { name: string; file: string; path?: string; says: string }[] = [
  {
    name: "binary data",
    file: "\0\x01\x02\xff",
    says: "error: /f.txt is a binary file of 4 bytes, which Read cannot show. Use a program that knows its kind, if there is one.",
  },
  {
    name: "a directory",
    file: "",
    path: "/",
    says: "error: / is a directory. Use Glob with this path to see what is in it.",
  },
  { name: "a missing file", file: "", path: "/F.txt", says: "error: /F.txt does not exist. Did you mean /f.txt?" },
  {
    name: "a NUL in the path",
    file: "",
    path: "file.txt\0.png",
    says: 'error: "file.txt\\u0000.png" is not a usable path. Give a non-empty path of at most 4096 well-formed characters without NUL.',
  },
];

describe("Read", () => {
  test.each(shown)("shows $name", async ({ file, path = "/f.txt", input, says }) => {
    const desk = openDesk(memoryBackend({ files: { [path]: bytesOf(file) } }));
    expect(await desk.say("Read", { file_path: path, ...input })).toBe(says);
  });

  test.each(refused)("refuses $name", async ({ file, path = "/f.txt", says }) => {
    const desk = openDesk(memoryBackend({ files: { "/f.txt": bytesOf(file) } }));
    expect(await desk.say("Read", { file_path: path })).toBe(says);
    expect(desk.state.toolContext.readFiles).toEqual({});
  });

  test.each([{ offset: 0 }, { offset: -1 }, { limit: 0 }, { offset: 1.5 }])("takes no %o", async (input) => {
    const desk = openDesk(memoryBackend({ files: { "/f.txt": "a\nb\n" } }));
    expect(await desk.say("Read", { file_path: "/f.txt", ...input })).toContain(
      "error: The arguments of Read are not valid",
    );
  });

  test("remembers the version that was shown", async () => {
    const desk = openDesk(memoryBackend({ cwd: "/work", files: { "/work/f.txt": "a\nb\n" } }));
    await desk.call("Read", { file_path: "f.txt", limit: 1 });
    const stat = await desk.backend.fs.stat("/work/f.txt");
    expect(desk.state.toolContext.readFiles).toEqual({ "/work/f.txt": { version: stat?.version } });
  });

  test("cuts long lines between characters", async () => {
    const desk = openDesk(
      memoryBackend({ files: { "/f.txt": utf8(`${"a".repeat(1999)}🦊${"b".repeat(3_000_000)}\nnext`) } }),
    );
    const said = await desk.say("Read", { file_path: "/f.txt" });
    expect(said).toBe(`success:      1\t${"a".repeat(1999)}… [line cut: 3002001 characters in all]\n     2\tnext`);
  });

  test("bounds what it shows in all", async () => {
    const desk = openDesk(memoryBackend({ files: { "/f.txt": `${"a".repeat(999)}\n`.repeat(100) } }));
    const said = await desk.say("Read", { file_path: "/f.txt" });
    expect(said.slice(said.indexOf("\n\n["))).toBe("\n\n[Lines 1-44 of 100. Call Read with offset 45 for more.]");
  });

  test("reads only what it needs of a huge file", async () => {
    const size = 5 * 2 ** 30;
    const lengths: number[] = [];
    const { fs, ...rest } = memoryBackend({ files: { "/huge.log": "" } });
    const line = utf8(`${"x".repeat(62)}\n`);
    const desk = openDesk({
      ...rest,
      fs: {
        ...fs,
        stat: async () => ({ kind: "file", size, modifiedAt: 0, version: "1" }),
        read: async (_path, { offset = 0, length = size } = {}) => {
          lengths.push(length);
          return {
            bytes: Uint8Array.from({ length }, (_, index) => line[(offset + index) % line.length] ?? 0),
            version: "1",
          };
        },
      },
    });
    const said = await desk.say("Read", { file_path: "/huge.log", offset: 10, limit: 10 });
    expect(said.split("\n").length).toBe(12);
    expect(said.endsWith("[Lines 10-19. Call Read with offset 20 for more.]")).toBe(true);
    expect(lengths).toEqual([256 << 10]);
  });

  test("finds a NUL far inside only where it counts", async () => {
    const desk = openDesk(memoryBackend({ files: { "/f.txt": `${"a".repeat(9000)}\0\n` } }));
    expect(await desk.say("Read", { file_path: "/f.txt" })).toContain("success:      1\taaa");
  });

  test.each(["directory", "other"] as const)("refuses a %s without touching it", async (kind) => {
    const { fs, ...rest } = memoryBackend();
    const read = () => Promise.reject(new Error("must not be read"));
    const desk = openDesk({
      ...rest,
      fs: { ...fs, read, stat: async () => ({ kind, size: 0, modifiedAt: 0, version: "1" }) },
    });
    const says =
      kind === "other"
        ? "a device, pipe or socket, not a file. Use a regular file."
        : "a directory. Use Glob with this path to see what is in it.";
    expect(await desk.say("Read", { file_path: "/dev/zero" })).toBe(`error: /dev/zero is ${says}`);
  });

  test("refuses to show a file that is changed meanwhile", async () => {
    const { fs, ...rest } = memoryBackend({ files: { "/f.txt": "" } });
    let version = 0;
    const read = async () => ({ bytes: new Uint8Array(256 << 10).fill(0x61), version: `${version++}` });
    const desk = openDesk({ ...rest, fs: { ...fs, read } });
    expect(await desk.say("Read", { file_path: "/f.txt" })).toBe(
      "error: /f.txt is being changed while it is read. Read it again.",
    );
  });
});

describe("Read of images", () => {
  const backend = memoryBackend({ files: { "/i.txt": bytesOf(png), "/big.png": bytesOf(png + "x".repeat(5 << 20)) } });

  test("gives the image as data, by its content", async () => {
    const { output, state } = await openDesk(backend).call("Read", { file_path: "/i.txt" });
    expect({ output, state }).toEqual({
      state: "success",
      output: [{ type: "data", source: { type: "base64", mediaType: "image/png", data: btoa(png) }, name: "i.txt" }],
    });
  });

  test.each([
    { inputTypes: [], knows: "no images" },
    { inputTypes: ["image/jpeg", "application/pdf"], knows: "image/jpeg" },
  ])("refuses what the model cannot look at: $knows", async ({ inputTypes, knows }) => {
    const desk = openDesk(backend, [readTool({ backend, inputTypes })]);
    expect(await desk.say("Read", { file_path: "/i.txt" })).toBe(
      `error: /i.txt is an image of type image/png (${png.length} bytes), which the model cannot look at. It can look at: ${knows}.`,
    );
  });

  test("refuses a huge image", async () => {
    expect(await openDesk(backend).say("Read", { file_path: "/big.png" })).toBe(
      `error: /big.png is an image of ${png.length + (5 << 20)} bytes; at most 5242880 can be shown. Make a smaller copy.`,
    );
  });
});
