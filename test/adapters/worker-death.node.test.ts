import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";
import { root } from "../support/sources.ts";
import { testWorkerDeath } from "./worker-death.ts";

let folder = "";

/** The worker as one file: the sources are TypeScript, which Node 20 does not run by itself. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdall-worker-"));
  await build({
    entryPoints: [`${root}test/adapters/worker-threads.ts`],
    outfile: join(folder, "worker.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["@mongodb-js/zstd", "node-liblzma"],
    // What was CommonJS asks for modules of Node by `require`.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "error",
  });
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

const start = (file: string) => () => {
  const worker = new Worker(join(folder, file));
  return { port: worker, kill: () => void worker.terminate() };
};

testWorkerDeath(start("worker.mjs"), start("none.mjs"), true);
