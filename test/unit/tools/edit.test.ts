/** Edit: what is written, what is refused, and what is said about it. */

import { outputText, restoreAgentState } from "holdall";
import { memoryBackend } from "holdall/memory";
import { describe, expect, test } from "vitest";
import { createRandom } from "./random.ts";
import { bytesOf, type Desk, openDesk } from "./setup.ts";

async function readDesk(content: string, path = "/f.txt"): Promise<Desk> {
  const desk = openDesk(memoryBackend({ files: { [path]: bytesOf(content) } }));
  await desk.call("Read", { file_path: path });
  return desk;
}

interface Written {
  name: string;
  file: string;
  input: Record<string, unknown>;
  result: string;
  says?: string;
}

const written: Written[] = [
  { name: "$' stays literal", file: "A old B", input: { old_string: "old", new_string: "x=$'y" }, result: "A x=$'y B" },
  {
    name: "$& stays literal and CRLF is kept",
    file: "line one\r\nline two\r\n",
    input: { old_string: "line two", new_string: "A$&B A$$B" },
    result: "line one\r\nA$&B A$$B\r\n",
  },
  {
    name: "regex characters are literal",
    file: "f(x)[0]*",
    input: { old_string: "f(x)[0]*", new_string: "g" },
    result: "g",
  },
  { name: "an empty file is filled", file: "", input: { old_string: "", new_string: "hi" }, result: "hi" },
  { name: "an empty new_string deletes", file: "abc", input: { old_string: "b", new_string: "" }, result: "ac" },
  {
    name: "LF matches CRLF",
    file: "a\r\nb\r\n",
    input: { old_string: "a\nb", new_string: "c\nd" },
    result: "c\r\nd\r\n",
  },
  {
    name: "mixed line ends stay",
    file: "a\r\nb\nc\r\n",
    input: { old_string: "b", new_string: "x" },
    result: "a\r\nx\nc\r\n",
  },
  {
    name: "no bare CR and no CRCRLF",
    file: "a\r\nb\r\n",
    input: { old_string: "a", new_string: "x\r\ny\n" },
    result: "x\r\ny\r\n\r\nb\r\n",
  },
  {
    name: "a UTF-8 mark survives",
    file: "\xef\xbb\xbfhello",
    input: { old_string: "hello", new_string: "hi" },
    result: "\xef\xbb\xbfhi",
  },
  {
    name: "a match at the very start keeps the mark",
    file: "\xef\xbb\xbfa",
    input: { old_string: "a", new_string: "b" },
    result: "\xef\xbb\xbfb",
  },
  {
    name: "UTF-16 little-endian survives",
    file: "\xff\xfea\0\n\0",
    input: { old_string: "a", new_string: "\u00e9\n" },
    result: "\xff\xfe\xe9\0\n\0\n\0",
  },
  {
    name: "UTF-16 big-endian survives",
    file: "\xfe\xff\0a\0\r\0\n",
    input: { old_string: "a", new_string: "b\nc" },
    result: "\xfe\xff\0b\0\r\0\n\0c\0\r\0\n",
  },
  {
    name: "all occurrences",
    file: "x y x",
    input: { old_string: "x", new_string: "z", replace_all: true },
    result: "z y z",
    says: "success: Replaced all 2 occurrences in /f.txt.",
  },
  {
    name: "one occurrence",
    file: "x y",
    input: { old_string: "x", new_string: "z" },
    result: "z y",
    says: "success: Replaced 1 occurrence in /f.txt.",
  },
  {
    name: "further edits, each on what those before it left",
    file: "one\ntwo\n",
    input: {
      old_string: "one",
      new_string: "1",
      edits: [
        { old_string: "1\ntwo", new_string: "1\n2" },
        { old_string: "2", new_string: "3" },
      ],
    },
    result: "1\n3\n",
    says: "success: Made 3 edits (3 occurrences) in /f.txt.",
  },
  {
    name: "further edits alone",
    file: "one\ntwo\n",
    input: { old_string: "", new_string: "", edits: [{ old_string: "one", new_string: "1" }] },
    result: "1\ntwo\n",
    says: "success: Replaced 1 occurrence in /f.txt.",
  },
  {
    name: "text that looks like a line number",
    file: "  5→foo".replace("→", "\xe2\x86\x92"),
    input: { old_string: "5→foo", new_string: "bar" },
    result: "  bar",
  },
];

interface Refused {
  name: string;
  file: string;
  input: Record<string, unknown>;
  says: string;
}

const refused: Refused[] = [
  {
    name: "several places",
    file: "x\nx\n",
    input: { old_string: "x", new_string: "y" },
    says: "error: old_string stands 2 times in /f.txt (lines 1, 2); nothing was written. Add lines around it until it is unique, or set replace_all.",
  },
  {
    name: "nothing to change",
    file: "x",
    input: { old_string: "x", new_string: "x" },
    says: "error: old_string and new_string are the same; nothing was written. Say what should change.",
  },
  {
    name: "an empty old_string",
    file: "x",
    input: { old_string: "", new_string: "y" },
    says: "error: old_string is empty but /f.txt is not; nothing was written. Use the text to replace, or Write for the whole file.",
  },
  {
    name: "bytes that are not text",
    file: "\xc4\xe3\xba\xc3\na",
    input: { old_string: "a", new_string: "b" },
    says: "error: /f.txt is not valid UTF-8 or UTF-16 text, so an edit would damage it; nothing was written. Use a program that knows its encoding.",
  },
  {
    name: "spaces for tabs",
    file: "\tif x {\n\t\ty()\n",
    input: { old_string: "    if x {\n        y()", new_string: "z" },
    says: "error: old_string was not found in /f.txt; nothing was written. Lines 1-2 differ only in indentation. The file has:\n     1\t\tif x {\n     2\t\t\ty()",
  },
  {
    name: "half a surrogate pair",
    file: "a",
    input: { old_string: "a", new_string: "\ud83d" },
    says: "error: new_string has half of a surrogate pair in it; nothing was written. Send the whole character.",
  },
  {
    name: "the second of two edits",
    file: "one\ntwo\n",
    input: { old_string: "one", new_string: "1", edits: [{ old_string: "three", new_string: "3" }] },
    says: "error: Edit 2 of 2: old_string was not found in /f.txt; nothing was written. Nothing like it is in the file. Read the file again and copy the text exactly.",
  },
];

describe("Edit", () => {
  test.each(written)("writes: $name", async ({ file, input, result, says }) => {
    const desk = await readDesk(file);
    expect(await desk.say("Edit", { file_path: "/f.txt", ...input })).toBe(
      says ?? "success: Replaced 1 occurrence in /f.txt.",
    );
    expect(await desk.raw("/f.txt")).toBe(result);
  });

  test.each(refused)("refuses: $name", async ({ file, input, says }) => {
    const desk = await readDesk(file);
    expect(await desk.say("Edit", { file_path: "/f.txt", ...input })).toBe(says);
    expect(await desk.raw("/f.txt")).toBe(file);
  });

  test("gives the diff in the metadata", async () => {
    const desk = await readDesk("a\nb\nc\n");
    const { metadata } = await desk.call("Edit", { file_path: "/f.txt", old_string: "b", new_string: "x\ny" });
    expect(metadata).toEqual({
      filePath: "/f.txt",
      diff: "--- a/f.txt\n+++ b/f.txt\n@@ -1,3 +1,4 @@\n a\n-b\n+x\n+y\n c\n",
      added: 2,
      removed: 1,
      occurrences: 1,
    });
  });

  test("creates a file from an empty old_string, with its folders", async () => {
    const desk = openDesk(memoryBackend());
    expect(await desk.say("Edit", { file_path: "/a/b.txt", old_string: "", new_string: "hi\n" })).toBe(
      "success: Created /a/b.txt.",
    );
    expect(await desk.raw("/a/b.txt")).toBe("hi\n");
    expect(await desk.say("Edit", { file_path: "/a/b.txt", old_string: "hi", new_string: "ho" })).toBe(
      "success: Replaced 1 occurrence in /a/b.txt.",
    );
  });

  test("asks to read first", async () => {
    const desk = openDesk(memoryBackend({ files: { "/f.txt": "a" } }));
    const said = "error: /f.txt exists but has not been read. Read it first, then repeat the call.";
    expect(await desk.say("Edit", { file_path: "/f.txt", old_string: "a", new_string: "b" })).toBe(said);
  });

  test("needs no reading without a conversation", async () => {
    const desk = openDesk(memoryBackend({ files: { "/f.txt": "a" } }));
    const result = await desk.toolkit.run({
      name: "Edit",
      input: { file_path: "/f.txt", old_string: "a", new_string: "b" },
    });
    expect([result.state, await desk.raw("/f.txt")]).toEqual(["success", "b"]);
  });

  test("edits again without reading again", async () => {
    const desk = await readDesk("a c");
    await desk.say("Edit", { file_path: "/f.txt", old_string: "a", new_string: "b" });
    expect(await desk.say("Edit", { file_path: "/f.txt", old_string: "c", new_string: "d" })).toBe(
      "success: Replaced 1 occurrence in /f.txt.",
    );
    expect(await desk.raw("/f.txt")).toBe("b d");
  });

  test("shows what has changed since the file was read", async () => {
    const desk = await readDesk("a\nb\n");
    await desk.backend.fs.write("/f.txt", bytesOf("a\nB\n"));
    expect(await desk.say("Edit", { file_path: "/f.txt", old_string: "b", new_string: "c" })).toBe(
      "error: /f.txt has changed since it was read; nothing was written. Read it again, then repeat the call.\nWhat has changed since:\n--- a/f.txt\n+++ b/f.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n",
    );
    expect(await desk.raw("/f.txt")).toBe("a\nB\n");
  });

  test("says where the text stands now when what was read is not at hand", async () => {
    const desk = await readDesk("a\nb\n");
    const stored = restoreAgentState(JSON.parse(JSON.stringify(desk.state)));
    await desk.backend.fs.write("/f.txt", bytesOf("new\na\nb\n"));
    const input = { file_path: "/f.txt", old_string: "b", new_string: "c" };
    const result = await desk.toolkit.run({ name: "Edit", input }, { state: stored });
    expect([result.state, outputText(result.output)]).toEqual([
      "error",
      expect.stringMatching(
        /^\/f\.txt has changed since it was read; nothing was written\. .* It has 8 bytes now.*\. old_string now stands at line 3:\n {5}1\tnew\n {5}2\ta\n {5}3\tb$/,
      ),
    ]);
  });

  test("takes the same content under a new version for unchanged", async () => {
    const desk = await readDesk("a");
    await desk.backend.fs.write("/f.txt", bytesOf("x"));
    await desk.backend.fs.write("/f.txt", bytesOf("a"));
    expect(await desk.say("Edit", { file_path: "/f.txt", old_string: "a", new_string: "b" })).toBe(
      "success: Replaced 1 occurrence in /f.txt.",
    );
  });

  test("makes parallel edits of one file without losing any", async () => {
    const desk = await readDesk(Array.from({ length: 6 }, (_, index) => `<${index}>\n`).join(""));
    const edits = Array.from({ length: 6 }, (_, index) =>
      desk.say("Edit", { file_path: "/f.txt", old_string: `<${index}>`, new_string: `done ${index}` }),
    );
    const answers = await Promise.all(edits);
    const text = await desk.raw("/f.txt");
    answers.forEach((answer, index) => {
      expect(text.includes(`done ${index}`), answer).toBe(answer.startsWith("success"));
    });
    expect(
      answers.every((answer) => answer.startsWith("success")),
      answers.join("\n"),
    ).toBe(true);
  });

  test("writes through a symlink, and knows the file under both names", async () => {
    const desk = await readDesk("a");
    await desk.backend.fs.symlink?.("/f.txt", "/alias.txt");
    expect(await desk.say("Edit", { file_path: "/alias.txt", old_string: "a", new_string: "b" })).toBe(
      "success: Replaced 1 occurrence in /alias.txt.",
    );
    expect(await desk.raw("/f.txt")).toBe("b");
    expect((await desk.backend.fs.stat("/alias.txt", { followSymlinks: false }))?.kind).toBe("symlink");
  });

  test("refuses a symlink cycle and a missing file", async () => {
    const desk = openDesk(memoryBackend({ files: { "/Readme.md": "x" } }));
    await desk.backend.fs.symlink?.("/b", "/a");
    await desk.backend.fs.symlink?.("/a", "/b");
    const edit = { old_string: "a", new_string: "b" };
    expect(await desk.say("Edit", { file_path: "/a", ...edit })).toBe(
      "error: /a leads through too many symlinks. Use the real path.",
    );
    expect(await desk.say("Edit", { file_path: "/README.MD", ...edit })).toBe(
      "error: /README.MD does not exist. Did you mean /Readme.md?",
    );
    expect(await desk.say("Edit", { file_path: "/nowhere/x", ...edit })).toBe(
      "error: /nowhere/x does not exist. Use Glob to find the file.",
    );
  });

  test("keeps a notebook valid JSON", async () => {
    const desk = await readDesk('{"cells":[]}', "/n.ipynb");
    expect(await desk.say("Edit", { file_path: "/n.ipynb", old_string: "[]", new_string: "[" })).toBe(
      "error: /n.ipynb would no longer be a notebook: its content must be JSON. Nothing was written; correct the text.",
    );
    expect(await desk.raw("/n.ipynb")).toBe('{"cells":[]}');
  });

  test("does what a plain string does, for random sequences of edits", async () => {
    const random = createRandom(99);
    for (let round = 0; round < 25; round += 1) {
      const [mark, end] = [random.pick(["", "\xef\xbb\xbf"]), random.pick(["\n", "\r\n"])];
      let model = Array.from({ length: 12 }, (_, index) => `line ${index} $&`).join("\n");
      const desk = await readDesk(mark + model.replaceAll("\n", end));
      for (let step = 0; step < 8; step += 1) {
        const start = random.below(model.length);
        const old = model.slice(start, start + 1 + random.below(12));
        const fresh = random.pick(["", "$1", "new", "a\nb", "\n"]);
        const fits = fresh !== old && model.indexOf(old) === model.lastIndexOf(old);
        const { state } = await desk.call("Edit", { file_path: "/f.txt", old_string: old, new_string: fresh });
        if (fits) model = model.split(old).join(fresh);
        const file = await desk.raw("/f.txt");
        const what = `round ${round}, step ${step}: ${JSON.stringify({ old, fresh })}`;
        expect({ state, file }, what).toEqual({
          state: fits ? "success" : "error",
          file: mark + model.replaceAll("\n", end),
        });
      }
    }
  });
});
