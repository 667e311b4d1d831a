/** Edit in a large file, against reading and writing the file through the port. */

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

for (const [name, text] of Object.entries(texts)) {
  const backend = memoryBackend({ files: { [path]: text } });
  const toolkit = new Toolkit({ tools: [editTool({ backend })] });
  const state = createAgentState();
  const middle = text.indexOf("\n", text.length / 2) + 1;
  const [one, other] = [text.slice(middle, middle + 20), `${text.slice(middle, middle + 18)}##`];
  const { bytes: first } = await backend.fs.read(path);
  const second = new TextEncoder().encode(text.slice(0, middle) + other + text.slice(middle + 20));
  const { version } = await backend.fs.write(path, first);
  state.toolContext.readFiles[path] = { version };

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
      name: "read and write",
      run: async () => {
        // There and back, as the edits below.
        for (const bytes of [second, first]) {
          await backend.fs.read(path);
          const { version: now } = await backend.fs.write(path, bytes);
          state.toolContext.readFiles[path] = { version: now };
        }
      },
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
    ],
  });
}
