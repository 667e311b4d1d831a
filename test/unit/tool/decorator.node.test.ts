import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Toolkit } from "../../../src/toolkit/toolkit.ts";
import { root } from "../../support/sources.ts";

let folder: string;
let fixture: typeof import("../../support/fixtures/decorated.ts");
let compiled: { markedTools(object: object): readonly import("../../../src/tool/tool.ts").Tool[] };

// The test runner's own compiler leaves decorators as they are, and engines do not know them yet.
beforeAll(async () => {
  const output = join(root, "test/.output");
  await mkdir(output, { recursive: true });
  folder = await mkdtemp(join(output, "decorated-"));
  await build({
    stdin: {
      contents:
        'export * from "./test/support/fixtures/decorated.ts"; export { markedTools } from "./src/tool/method-tools.ts";',
      resolveDir: root,
    },
    outfile: join(folder, "decorated.mjs"),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    packages: "external",
    tsconfigRaw: {},
  });
  const loaded = await import(join(folder, "decorated.mjs"));
  fixture = loaded;
  compiled = loaded;
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("marked methods become tools of their object, inherited ones included", async () => {
  const tools = compiled.markedTools(new fixture.Alarm(2));
  const toolkit = new Toolkit({ tools });
  expect(toolkit.schemas().map((schema) => schema.name)).toEqual(["hour", "stop_clock", "ring"]);
  expect((await toolkit.run({ name: "hour", input: { zone: "CET" } })).output).toEqual([
    { type: "text", text: "CET 2" },
  ]);
  expect((await toolkit.run({ id: "7", name: "ring" })).output).toEqual([{ type: "text", text: "ring 7" }]);
  expect(compiled.markedTools(new fixture.Clock(3)).map((tool) => tool.name)).toEqual(["hour", "stop_clock"]);
});
