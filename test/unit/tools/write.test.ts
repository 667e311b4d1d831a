/** Write: what is created and replaced, and what is never overwritten. */

import { memoryBackend } from "holdall/memory";
import { describe, expect, test } from "vitest";
import { bytesOf, type Desk, openDesk } from "./setup.ts";

async function readDesk(content: string): Promise<Desk> {
  const desk = openDesk(memoryBackend({ files: { "/f.txt": bytesOf(content) } }));
  await desk.call("Read", { file_path: "/f.txt" });
  return desk;
}

const replaced: { name: string; file: string; content: string; result: string; says: string }[] = [
  {
    name: "plain text",
    file: "a\n",
    content: "b\nc\n",
    result: "b\nc\n",
    says: "success: Replaced the content of /f.txt (2 lines).",
  },
  {
    name: "CRLF line ends are kept",
    file: "a\r\nb\r\n",
    content: "a\nc\n",
    result: "a\r\nc\r\n",
    says: "success: Replaced the content of /f.txt (2 lines, with its CRLF line ends kept).",
  },
  {
    name: "CRLF that the model wrote",
    file: "a\r\n",
    content: "b\r\nc\n",
    result: "b\r\nc\n",
    says: "success: Replaced the content of /f.txt (2 lines).",
  },
  {
    name: "mixed line ends are not guessed",
    file: "a\r\nb\n",
    content: "c\n",
    result: "c\n",
    says: "success: Replaced the content of /f.txt (1 line).",
  },
  {
    name: "the byte order mark is kept",
    file: "\xef\xbb\xbfa",
    content: "b",
    result: "\xef\xbb\xbfb",
    says: "success: Replaced the content of /f.txt (1 line).",
  },
  {
    name: "a byte order mark that the model wrote is the same one",
    file: "\xef\xbb\xbfa\n",
    content: "\ufeffb\n",
    result: "\xef\xbb\xbfb\n",
    says: "success: Replaced the content of /f.txt (1 line).",
  },
  {
    name: "UTF-16 is kept",
    file: "\xfe\xff\0a",
    content: "b",
    result: "\xfe\xff\0b",
    says: "success: Replaced the content of /f.txt (1 line).",
  },
  {
    name: "text that is not UTF-8 becomes UTF-8",
    file: "\xe4",
    content: "\u00e4",
    result: "\xc3\xa4",
    says: "success: Replaced the content of /f.txt (1 line).",
  },
  {
    name: "nothing where nothing changes",
    file: "a",
    content: "a",
    result: "a",
    says: "success: /f.txt has exactly this content already; nothing was written.",
  },
  {
    name: "an empty content",
    file: "a",
    content: "",
    result: "",
    says: "success: Replaced the content of /f.txt (0 lines).",
  },
];

describe("Write", () => {
  test.each(replaced)("replaces: $name", async ({ file, content, result, says }) => {
    const desk = await readDesk(file);
    expect(await desk.say("Write", { file_path: "/f.txt", content })).toBe(says);
    expect(await desk.raw("/f.txt")).toBe(result);
  });

  test("creates a file with its folders, and knows it from then on", async () => {
    const desk = openDesk(memoryBackend({ cwd: "/work" }));
    const { metadata, output } = await desk.call("Write", { file_path: "a/b.txt", content: "x\ny" });
    expect(output).toEqual([{ type: "text", text: "Created /work/a/b.txt (2 lines)." }]);
    expect(metadata).toEqual({
      filePath: "/work/a/b.txt",
      diff: "--- /dev/null\n+++ b/work/a/b.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file\n",
      added: 2,
      removed: 0,
    });
    expect(await desk.say("Write", { file_path: "/work/a/b.txt", content: "z" })).toBe(
      "success: Replaced the content of /work/a/b.txt (1 line).",
    );
  });

  test("finds the home folder", async () => {
    const desk = openDesk({ ...memoryBackend(), home: "/home/me" });
    expect(await desk.say("Write", { file_path: "~/a.txt", content: "x" })).toBe(
      "success: Created /home/me/a.txt (1 line).",
    );
    const homeless = openDesk(memoryBackend());
    expect(await homeless.say("Write", { file_path: "~/a.txt", content: "x" })).toBe(
      'error: "~/a.txt" cannot be used: there is no home folder in memory. Give an absolute path, or one relative to the working directory.',
    );
  });

  test("overwrites only what has been read", async () => {
    const desk = openDesk(memoryBackend({ files: { "/f.txt": "secret" } }));
    await desk.call("Grep", { pattern: "secret", output_mode: "content" });
    expect(await desk.say("Write", { file_path: "/f.txt", content: "x" })).toBe(
      "error: /f.txt exists but has not been read. Read it first, then repeat the call.",
    );
    expect(await desk.raw("/f.txt")).toBe("secret");
  });

  test("shows what has changed since the file was read", async () => {
    const desk = await readDesk("a\n");
    await desk.backend.fs.write("/f.txt", bytesOf("b\n"));
    expect(await desk.say("Write", { file_path: "/f.txt", content: "x" })).toBe(
      "error: /f.txt has changed since it was read; nothing was written. Read it again, then repeat the call.\nWhat has changed since:\n--- a/f.txt\n+++ b/f.txt\n@@ -1,1 +1,1 @@\n-a\n+b\n",
    );
    expect(await desk.raw("/f.txt")).toBe("b\n");
  });

  test("loses a race cleanly", async () => {
    const desk = await readDesk("a\n");
    const { backend } = desk;
    const racing = openDesk({
      ...backend,
      fs: {
        ...backend.fs,
        write: async (path, bytes, options) => {
          await backend.fs.write(path, bytesOf("theirs\n"));
          return backend.fs.write(path, bytes, options);
        },
      },
    });
    await racing.call("Read", { file_path: "/f.txt" });
    expect(await racing.say("Write", { file_path: "/f.txt", content: "mine" })).toBe(
      "error: /f.txt was changed while it was being written; nothing was written. Read it again, then repeat the call.\nWhat has changed since:\n--- a/f.txt\n+++ b/f.txt\n@@ -1,1 +1,1 @@\n-a\n+theirs\n",
    );
    expect(await racing.say("Write", { file_path: "/new.txt", content: "mine" })).toBe(
      "error: /new.txt was created by somebody else meanwhile; nothing was written. Read it, then decide what to write.",
    );
    expect([await desk.raw("/f.txt"), await desk.raw("/new.txt")]).toEqual(["theirs\n", "theirs\n"]);
  });

  const refused: { name: string; path: string; content?: string; says: string }[] = [
    {
      name: "an existing directory",
      path: "/dir/",
      says: "error: /dir is a directory. Use Glob with this path to see what is in it.",
    },
    {
      name: "a path that ends like one",
      path: "/new/",
      says: "error: /new/ names a directory, not a file. Add the name of the file.",
    },
    { name: "the root", path: "/", says: "error: / is a directory. Use Glob with this path to see what is in it." },
    { name: "a file as a folder", path: "/f.txt/x", says: "error: /f.txt/x" },
    { name: "a NUL", path: "/a\0b", says: 'error: "/a\\u0000b" is not a usable path.' },
    {
      name: "a network share",
      path: "\\\\server\\share\\x",
      says: 'error: "\\\\\\\\server\\\\share\\\\x" cannot be used: network shares and file streams cannot be named.',
    },
    {
      name: "a file stream",
      path: "/f.txt::$DATA",
      says: 'error: "/f.txt::$DATA" cannot be used: network shares and file streams cannot be named.',
    },
    {
      name: "half a character",
      path: "/x",
      content: "\udc00",
      says: "error: Content has half of a surrogate pair in it; nothing was written.",
    },
    {
      name: "a notebook that is no JSON",
      path: "/n.ipynb",
      content: "{",
      says: "error: /n.ipynb would no longer be a notebook",
    },
    {
      name: "a link that leads nowhere",
      path: "/link",
      says: "error: /link is a symlink to /outside/new.txt, which does not exist. Use the path of the file itself.",
    },
  ];
  test.each(refused)("refuses $name", async ({ path, content = "x", says }) => {
    const desk = openDesk(memoryBackend({ files: { "/f.txt": "a", "/dir/a": "" } }));
    await desk.backend.fs.symlink?.("/outside/new.txt", "/link");
    expect((await desk.say("Write", { file_path: path, content })).slice(0, says.length)).toBe(says);
    expect(await desk.backend.fs.stat("/outside/new.txt")).toBe(undefined);
  });

  test("writes nothing once the call was aborted", async () => {
    const desk = openDesk(memoryBackend());
    const call = { name: "Write", input: { file_path: "/x", content: "x" } };
    const result = await desk.toolkit.run(call, { signal: AbortSignal.abort() });
    expect([result.state, await desk.backend.fs.stat("/x")]).toEqual(["interrupted", undefined]);
  });
});
