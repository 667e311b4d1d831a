/** Bundles the selected test files into one worker and serves it from a real workerd: no Node compatibility, no eval. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { Miniflare } from "miniflare";
import { build, type Plugin, type Rolldown } from "vite";
import type { TestProject, Vitest } from "vitest/node";
import { webAliases } from "../aliases.ts";
import { type Entry, listEntries, root } from "../sources.ts";
import { bundleName } from "./protocol.ts";

/**
 * Newer dates than August 2026 switch Node compatibility on by themselves; the flag keeps it off whatever the date, so that
 * a `process` or a `node:` import that slips into the sources fails here as it would on a worker without it.
 */
const runtime = { compatibilityDate: "2026-04-20", compatibilityFlags: ["no_nodejs_compat_v2"] };

/** Starts the worker for a run, renews it when a watched run starts over, and ends it with the project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "holdall-workerd-"));
  const map = join(folder, `${bundleName}.map`);
  const bundle = async () => {
    const { code, sourceMap } = await bundleTests(project);
    await writeFile(map, sourceMap);
    return {
      ...runtime,
      cf: false as const,
      modules: [{ type: "ESModule" as const, path: bundleName, contents: code }],
    };
  };

  const miniflare = new Miniflare(await bundle());
  const url = String(await miniflare.ready);
  const { testTimeout: timeout, testNamePattern, allowOnly } = project.config;
  const pattern = testNamePattern?.source;
  project.provide("workerd", { url, timeout, pattern, allowOnly, map, folder: join(root, "dist") });
  project.onTestsRerun(async () => miniflare.setOptions(await bundle()));
  return async () => {
    await miniflare.dispose();
    await rm(folder, { recursive: true, force: true });
  };
}

async function bundleTests(project: TestProject): Promise<{ code: string; sourceMap: string }> {
  const filters = givenFilters(project.vitest);
  const { testFiles } = await project.globTestFiles(filters);
  // A run of a few files is for whoever works on them, maybe while the rest does not even load.
  const entries = filters ? [] : listEntries().filter(({ source }) => source.startsWith("src/"));
  const result = await build({
    root,
    configFile: false,
    logLevel: "error",
    publicDir: false,
    plugins: [testFilesPlugin(testFiles, entries)],
    resolve: { conditions: ["workerd", "worker", "browser", "module"], alias: webAliases() },
    define: { "process.env.NODE_ENV": '"test"', "import.meta.vitest": "undefined" },
    worker: { format: "es" },
    build: {
      write: false,
      target: "es2022",
      minify: false,
      sourcemap: "hidden",
      // A library: pages get helpers around their dynamic imports, which a worker has no use for.
      lib: { entry: join(root, "test/support/workerd/worker.ts"), formats: ["es"], fileName: () => bundleName },
      // One module: dynamic imports are inlined, so they work without a file system.
      rolldownOptions: { external: [/^cloudflare:/], output: { codeSplitting: false } },
    },
  });
  const chunk = outputsOf(result).find((output) => output.fileName === bundleName);
  if (chunk?.type !== "chunk") throw new Error("The bundle of the worker's tests came out empty.");
  return { code: chunk.code, sourceMap: JSON.stringify(chunk.map) };
}

/** The file filters of the command line. Vitest keeps them to itself; without them every test file is bundled. */
function givenFilters(vitest: Vitest): string[] | undefined {
  const filters: unknown = Reflect.get(vitest, "filenamePattern");
  return Array.isArray(filters) ? filters.map(String) : undefined;
}

function outputsOf(result: Awaited<ReturnType<typeof build>>): Rolldown.RolldownOutput["output"][number][] {
  if (Array.isArray(result)) return result.flatMap((each) => each.output);
  return "output" in result ? result.output : [];
}

function testFilesPlugin(testFiles: readonly string[], entries: readonly Entry[]): Plugin {
  const id = "virtual:test-files";
  return {
    name: "test-files",
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) => (source === `\0${id}` ? listModules(testFiles, entries) : undefined),
  };
}

function listModules(testFiles: readonly string[], entries: readonly Entry[]): string {
  const names = entries.map((_, index) => `entry${index}`);
  return [
    ...entries.map(({ source }, index) => `import * as ${names[index]} from ${JSON.stringify(root + source)};`),
    `export const entries = [${names.join(", ")}];`,
    "export const files = {",
    ...testFiles.map((file) => `${JSON.stringify(relative(root, file))}: () => import(${JSON.stringify(file)}),`),
    "};",
  ].join("\n");
}
