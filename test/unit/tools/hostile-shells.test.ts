/** Shells that lie, and calls that ask for too much: the answer stays small, whole and true. */

import { outputText, type Shell, type ShellExit, type ShellOutput, Toolkit } from "holdall";
import { memoryBackend } from "holdall/memory";
import { bashTool, textFileTools } from "holdall/tools";
import { describe, expect, test } from "vitest";
import { wellFormed } from "../../../src/base/text.ts";
import { openGroundDesk, openMemory } from "./ground.ts";

const ended: ShellExit = { code: 0, timedOut: false, truncated: false };

function shellThat(output: () => AsyncIterable<ShellOutput>, exit: () => Promise<ShellExit>): Shell {
  return { run: () => ({ [Symbol.asyncIterator]: () => output()[Symbol.asyncIterator](), exit: exit() }) };
}

async function* prints(...texts: string[]): AsyncGenerator<ShellOutput, void, undefined> {
  for (const text of texts) yield { stream: "stdout", text };
}

async function run(shell: Shell, input: Record<string, unknown> = {}) {
  const toolkit = new Toolkit({ tools: [bashTool({ backend: memoryBackend({ shell }) })] });
  const result = await toolkit.run({ name: "Bash", input: { command: "do it", ...input } });
  return { state: result.state, text: outputText(result.output) };
}

describe("a shell that", () => {
  test.each<[what: string, shell: Shell, state: string, says: RegExp]>([
    [
      "prints a million pieces",
      shellThat(
        () => prints(...Array<string>(100_000).fill("x\n")),
        async () => ended,
      ),
      "success",
      /x/,
    ],
    [
      "prints one huge line",
      shellThat(
        () => prints("x".repeat(4 << 20)),
        async () => ended,
      ),
      "success",
      /x/,
    ],
    [
      "prints nothing but control characters",
      shellThat(
        () => prints("\x1b[2J\0\x07"),
        async () => ended,
      ),
      "success",
      /^/,
    ],
    [
      "prints halves of characters",
      shellThat(
        () => prints("\ud83e", "\udd8a\ud800"),
        async () => ended,
      ),
      "success",
      /^/,
    ],
    [
      "breaks while it prints",
      shellThat(
        async function* () {
          yield* prints("begun");
          throw new Error("gone");
        },
        async () => ended,
      ),
      "error",
      /begun/,
    ],
    [
      "loses how it ended",
      shellThat(
        () => prints("begun"),
        () => Promise.reject(new Error("gone")),
      ),
      "error",
      /begun/,
    ],
    [
      "breaks before it begins",
      {
        run: () => {
          throw new Error("gone");
        },
      },
      "error",
      /gone/,
    ],
    [
      "ends with a code that is none",
      shellThat(
        () => prints("x"),
        async () => ({ ...ended, code: Number.NaN }),
      ),
      "error",
      /x/,
    ],
    [
      "ends below all codes",
      shellThat(
        () => prints("x"),
        async () => ({ ...ended, code: -1 }),
      ),
      "error",
      /-1/,
    ],
  ])("%s is told of as it is, within bounds", async (_what, shell, state, says) => {
    const { state: got, text } = await run(shell);
    expect([got, text.length < 200_000, wellFormed(text) === text]).toEqual([state, true, true]);
    expect(text).toMatch(says);
  });

  test.each([
    { command: "" },
    { command: "   " },
    { command: 7 },
    { command: ["ls"] },
    { command: "x", timeout: -1 },
    { command: "x", timeout: Number.MAX_SAFE_INTEGER },
    { command: "x", timeout: "soon" },
    { command: "a\0b" },
  ])("is not asked for %o", async (input) => {
    let isAsked = false;
    const shell: Shell = {
      run() {
        isAsked = true;
        return shellThat(prints, async () => ended).run("");
      },
    };
    const { state } = await run(shell, input);
    expect([state, isAsked]).toEqual(["error", false]);
  });
});

describe("text files of the first version", () => {
  const files = { "f.txt": "one\ntwo\n" };
  test.each<[tool: string, input: Record<string, unknown>]>([
    ["view_text_file", { file_path: "" }],
    ["view_text_file", { file_path: "a\0b" }],
    ["view_text_file", { file_path: "f.txt", ranges: [9, 10] }],
    ["view_text_file", { file_path: "f.txt", ranges: [2, 1] }],
    ["view_text_file", { file_path: "." }],
    ["view_text_file", { file_path: "../../etc/passwd" }],
    ["view_text_file", { file_path: "/boxes/f.txt" }],
    ["write_text_file", { file_path: ".", content: "x" }],
    ["write_text_file", { file_path: "f.txt/g", content: "x" }],
    ["write_text_file", { file_path: "../g", content: "x" }],
    ["write_text_file", { file_path: "a/../../g", content: "x" }],
    ["write_text_file", { file_path: "f.txt", content: "x", ranges: [5, 9] }],
    ["insert_text_file", { file_path: "f.txt", content: "x", line_number: -1 }],
    ["insert_text_file", { file_path: "f.txt", content: "x", line_number: 1e9 }],
    ["insert_text_file", { file_path: "nowhere", content: "x", line_number: 1 }],
    ["list_directory", { directory_path: ".." }],
    ["list_directory", { directory_path: "f.txt" }],
  ])("%s refuses %o, and nothing is changed", async (tool, input) => {
    const desk = await openGroundDesk(openMemory, files, ({ backend, root }) =>
      textFileTools({ backend, baseDirectory: root }),
    );
    expect(await desk.say(tool, input)).toMatch(/^error: /);
    expect(await desk.raw("f.txt")).toBe(files["f.txt"]);
    await desk.close();
  });
});
