/**
 * Edit in a large file, against reading the file as text and writing it again, through the port. Memory hands bytes over as
 * fast as they are copied, which is shown apart: whoever edits text has to decode and to encode it.
 */

import { createAgentState, Toolkit } from "holdall";
import { memoryBackend } from "holdall/memory";
import { editTool } from "holdall/tools";
import { compare } from "./harness.ts";

const path = "/workspace/big.txt";
const size = 10 << 20;

/** Lines of code-like text; every one is different. */
function makeText(line: (index: number) => string): string {
  const lines: string[] = [];
  for (let length = 0, index = 0; length < size; index += 1) {
    const next = line(index);
    lines.push(next);
    length += next.length + 1;
  }
  return `${lines.join("\n")}\n`;
}

const texts = {
  "ASCII, LF": makeText((index) => `  const value${index} = compute(${index}, "text of the line");`),
  "ASCII, CRLF": makeText((index) => `  const value${index} = compute(${index}, "text of the line");\r`),
  "beyond ASCII": makeText((index) => `  const wert${index} = « é 漢字 🦊 » + ${index};`),
};

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

for (const [name, text] of Object.entries(texts)) {
  const backend = memoryBackend({ files: { [path]: text } });
  const toolkit = new Toolkit({ tools: [editTool({ backend })] });
  const state = createAgentState();
  const middle = text.indexOf("\n", text.length / 2) + 1;
  const [one, other] = [text.slice(middle, middle + 20), `${text.slice(middle, middle + 18)}##`];
  const changed = text.slice(0, middle) + other + text.slice(middle + 20);
  const [first, second] = [encoder.encode(text), encoder.encode(changed)];

  /** There and back, as the edits below. */
  const readAndWrite = async (makeBytes: (old: Uint8Array, isBack: boolean) => Uint8Array): Promise<void> => {
    for (const isBack of [false, true]) {
      const { bytes } = await backend.fs.read(path);
      const { version } = await backend.fs.write(path, makeBytes(bytes, isBack));
      state.toolContext.readFiles[path] = { version };
    }
  };
  await readAndWrite((_, isBack) => (isBack ? first : second));

  const swap = async (from: string, to: string): Promise<void> => {
    const result = await toolkit.run(
      { name: "Edit", input: { file_path: path, old_string: from, new_string: to } },
      { state },
    );
    if (result.state !== "success") throw new Error(`the edit failed: ${JSON.stringify(result.output)}`);
  };

  await compare({
    title: `Edit in ${(first.length / 2 ** 20).toFixed(1)} MiB: ${name}`,
    rounds: 9,
    roundTime: 200,
    base: {
      name: "read and write text",
      run: () =>
        readAndWrite((bytes, isBack) => {
          // As strict as Edit is: what is no text must not be written back.
          decoder.decode(bytes);
          return encoder.encode(isBack ? text : changed);
        }),
    },
    candidates: [
      {
        name: "Edit",
        atMost: 3,
        run: async () => {
          await swap(one, other);
          await swap(other, one);
        },
      },
      { name: "read and write bytes", run: () => readAndWrite((_, isBack) => (isBack ? first : second)) },
    ],
  });
}
