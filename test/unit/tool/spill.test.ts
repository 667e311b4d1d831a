import { createFileSystem, defineTool, fsError, outputText, spillTo, Toolkit, ToolResult } from "holdall";
import { memoryFileSystem } from "holdall/memory";
import { describe, expect, test } from "vitest";

const long = "line\n".repeat(100);

function toolkitOver(spill: ReturnType<typeof spillTo>): Toolkit {
  const tool = defineTool({ name: "long", description: "", execute: () => long });
  return new Toolkit({ tools: [tool], resultLimit: { characters: 50, spill } });
}

describe("spillTo", () => {
  test("puts the whole text into a file that the model is told of", async () => {
    const fs = memoryFileSystem();
    const result = await toolkitOver(spillTo(fs, "/work/results")).run({ id: "call_1", name: "long" });
    expect(result.metadata).toEqual({ truncated: { characters: 500, path: "/work/results/call_1.txt" } });
    expect(outputText(result.output)).toContain("The whole text is in /work/results/call_1.txt");
    expect(new TextDecoder().decode((await fs.read("/work/results/call_1.txt")).bytes)).toBe(long);
  });

  test.each(["../../etc/passwd", "/etc/passwd", "a/../../b", "..", "\u0000", "é".repeat(300)])(
    "does not let the id %j of a model lead out of the folder",
    async (id) => {
      const fs = memoryFileSystem();
      await toolkitOver(spillTo(fs, "/work/results")).run({ id, name: "long" });
      const files = (await fs.glob({ pattern: "**/*", path: "/" })).matches.map(({ path }) => path);
      expect(files).toEqual([expect.stringMatching(/^\/work\/results\/[\w-]{1,100}\.txt$/)]);
    },
  );

  test("says that the rest is gone where it cannot be written", async () => {
    const write = async (path: string): Promise<never> => Promise.reject(fsError("FS_NO_SPACE", path));
    const fs = createFileSystem({ ...memoryFileSystem(), write });
    const result = await toolkitOver(spillTo(fs)).run({ name: "long" });
    expect(result).toMatchObject({ state: "success", metadata: { truncated: { characters: 500 } } });
    expect(outputText(result.output)).toContain("The rest was not kept");
  });
});

describe("a result of more than can be put aside", () => {
  const piece = "0123456789abcdef".repeat(1 << 16);
  const tool = defineTool({
    name: "endless",
    description: "",
    execute: async function* () {
      for (let at = 0; at < 20; at += 1) yield ToolResult.text(piece);
      yield ToolResult.success("the very end");
    },
  });
  const total = 20 * piece.length + "the very end".length;

  test("is shown with its true end", async () => {
    const toolkit = new Toolkit({ tools: [tool], resultLimit: { characters: 100 } });
    const result = await toolkit.run({ name: "endless" });
    const text = outputText(result.output);
    expect([text.startsWith(piece.slice(0, 70)), text.endsWith("the very end")]).toEqual([true, true]);
    expect(text).toContain(`[… ${total - 100} of ${total} characters left out here. The rest was not kept`);
  });

  test("is put aside so far when it comes in one piece, too", async () => {
    const fs = memoryFileSystem();
    const whole = defineTool({ name: "whole", description: "", execute: () => `${piece.repeat(17)}the very end` });
    const toolkit = new Toolkit({ tools: [whole], resultLimit: { characters: 100, spill: spillTo(fs, "/work") } });
    const text = outputText((await toolkit.run({ id: "one", name: "whole" })).output);
    expect([text.includes(`The first ${16 << 20} characters are in`), text.endsWith("the very end")]).toEqual([
      true,
      true,
    ]);
    expect((await fs.stat("/work/one.txt"))?.size).toBe(16 << 20);
  });

  test("is told of where no character may go out", async () => {
    const toolkit = new Toolkit({ tools: [tool], resultLimit: { characters: 0 } });
    expect(outputText((await toolkit.run({ name: "endless" })).output)).toContain(
      `${total} of ${total} characters left out`,
    );
  });

  test("is put aside up to what there is room for, and the model is told how much that is", async () => {
    const fs = memoryFileSystem();
    const toolkit = new Toolkit({ tools: [tool], resultLimit: { characters: 100, spill: spillTo(fs, "/work") } });
    const text = outputText((await toolkit.run({ id: "one", name: "endless" })).output);
    expect(text.endsWith("the very end")).toBe(true);
    expect(text).toContain(`The first ${16 << 20} characters are in /work/one.txt`);
    expect((await fs.stat("/work/one.txt"))?.size).toBe(16 << 20);
  });
});
