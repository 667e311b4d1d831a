import { createFileSystem, defineTool, fsError, outputText, spillTo, Toolkit } from "holdall";
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
