/** Many calls at once share a signal, their caller's or their shell's: Node prints a warning when each listens by itself. */
import type { Backend } from "holdall";
import { justBashShell } from "holdall/just-bash";
import { memoryBackend } from "holdall/memory";
import { nodeBackend } from "holdall/node";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { temporaryFolders } from "./node-support.ts";

const MANY = 30;

describe("many calls at once make the host print no warning", () => {
  const warnings: string[] = [];
  // The stack tells who listened.
  const note = ({ stack, message }: Error): void => void warnings.push(stack ?? message);
  beforeEach(() => void process.on("warning", note));
  afterEach(() => {
    process.off("warning", note);
    warnings.length = 0;
  });
  const folder = temporaryFolders();
  const backends: [string, () => Promise<Backend>][] = [
    ["in memory", async () => memoryBackend({ shell: justBashShell() })],
    ["in Node", async () => nodeBackend({ root: await folder() })],
  ];

  // Those that take a while are all under way at once, also on a quick machine.
  const commands = backends.flatMap(([name, open]) => ["true", "sleep 0.3"].map((line) => [name, line, open] as const));

  test.each(commands)("%s: commands, each of them %s", async (_name, line, open) => {
    const { shell, close } = await open();
    for (const signal of [undefined, new AbortController().signal]) {
      const codes = Array.from({ length: MANY }, async (_, index) => {
        const running = shell?.run(line, { session: `${index}`, ...(signal && { signal }) });
        return (await running?.exit)?.code;
      });
      expect([await Promise.all(codes), warnings]).toEqual([Array.from({ length: MANY }, () => 0), []]);
    }
    await close?.();
  });

  test.each(backends)("%s: files under one signal", async (_name, open) => {
    const { fs, cwd, close } = await open();
    const { signal } = new AbortController();
    await Promise.all(
      Array.from({ length: MANY }, async (_, index) => {
        await fs.write(`${cwd}/${index}`, new Uint8Array(1), { signal });
        await fs.read(`${cwd}/${index}`, { signal });
      }),
    );
    expect(warnings).toEqual([]);
    await close?.();
  });
});
