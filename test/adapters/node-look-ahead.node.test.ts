/** Files of a long search are looked at by several threads, and it makes no difference whether they do, die or never start. */
import { execFile } from "node:child_process";
import { link, mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { type FileFacts, globFiles } from "holdall";
import { nodeFileSystem } from "holdall/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lookAhead, WORTHWHILE } from "../../adapters/node/search/look-ahead.ts";
import { createFactsBatch, type FactsBatch, lookAtBatch } from "../../adapters/node/workers/facts-batch.ts";
import {
  createFactsThreads,
  type FactsThread,
  type FactsThreads,
  startFactsThread,
} from "../../adapters/node/workers/facts-threads.ts";
import { listEntries, root as packageRoot } from "../support/sources.ts";

const BATCH = 512;
const FILES = (WORTHWHILE + 3) * BATCH + 7;

let folder = "";
let paths: readonly string[] = [];

/** One file for each size and time; `odd` has a link, a folder and nothing between files. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdall-ahead-"));
  await mkdir(join(folder, "many"));
  await mkdir(join(folder, "odd", "folder"), { recursive: true });
  const seen = join(folder, "many", "f0");
  await writeFile(seen, "x");
  await writeFile(join(folder, "many", "f1"), "xyz");
  await utimes(seen, 1000, 1000.5);
  await utimes(join(folder, "many", "f1"), 1000, 2000.0019);
  await symlink("../many/f0", join(folder, "odd", "link"));
  paths = Array.from({ length: FILES }, (_, index) => join(folder, "many", `f${index % 2}`));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const facts = [
  [1, 1_000_500],
  [3, 2_000_001],
] as const;

const unknown = [Number.NaN, Number.NaN];

function nothingOf({ length }: readonly string[]): FileFacts {
  return { sizes: new Float64Array(length).fill(Number.NaN), times: new Float64Array(length).fill(Number.NaN) };
}

/** Takes all paths and gives the size and time of each, by its place. */
async function lookAtAll(threads: FactsThreads, all: readonly string[] = paths): Promise<(readonly number[])[]> {
  const files = nothingOf(all);
  const ahead = lookAhead((path) => path, threads);
  for (const path of all) ahead.add(path);
  await ahead.finish(files, () => undefined);
  ahead.stop();
  return all.map((_, index) => [files.sizes[index] ?? 0, files.times[index] ?? 0]);
}

const expected = Array.from({ length: FILES }, (_, index) => facts[index % 2]);

function lookAtRest(batch: FactsBatch): void {
  const steps = lookAtBatch(batch);
  while (steps.next().done !== true);
}

function beginWithAll({ progress }: FactsBatch): void {
  Atomics.store(progress, 0, BATCH);
}

const idleThread: FactsThread = { post: () => {}, flush: async () => {}, end: () => {} };

describe("looking ahead", () => {
  test("tells size and time of plain files alone, by their place", async () => {
    const odd = ["many/f0", "odd/link", "odd/folder", "odd/nothing", "many/f0/below", "many/f1"].map((path) =>
      join(folder, path),
    );
    const told = await lookAtAll(createFactsThreads({ count: 0 }), odd);
    expect(told).toEqual([facts[0], unknown, unknown, unknown, unknown, facts[1]]);
  });

  test("asks no thread for a few files, and for many offers all", async () => {
    const offered: FactsBatch[] = [];
    const threads = { isRunning: false, offer: (batch: FactsBatch) => offered.push(batch), settle: async () => {} };
    await lookAtAll(threads, paths.slice(0, WORTHWHILE * BATCH - 1));
    expect(offered).toEqual([]);
    expect(await lookAtAll(threads)).toEqual(expected);
    expect(offered).toHaveLength(WORTHWHILE + 3);
  });

  test("asks threads that run already for fewer files, too", async () => {
    const offered: FactsBatch[] = [];
    const threads = { isRunning: true, offer: (batch: FactsBatch) => offered.push(batch), settle: async () => {} };
    await lookAtAll(threads, paths.slice(0, BATCH - 1));
    expect(offered).toEqual([]);
    expect(await lookAtAll(threads, paths.slice(0, 2 * BATCH + 1))).toEqual(expected.slice(0, 2 * BATCH + 1));
    expect(offered).toHaveLength(2);
  });

  test.each<[what: string, start: (died: () => void) => FactsThread]>([
    ["do all as soon as they are asked", () => ({ ...idleThread, post: lookAtRest })],
    ["do some and leave the rest", () => ({ ...idleThread, post: (batch) => void lookAtBatch(batch).next() })],
    ["never come to it", () => idleThread],
    ["begin with all and never end", () => ({ ...idleThread, post: beginWithAll })],
    [
      "die of the first batch",
      (died) => ({
        ...idleThread,
        post(batch) {
          beginWithAll(batch);
          died();
        },
      }),
    ],
    [
      "cannot be started",
      () => {
        throw new Error("There are no threads.");
      },
    ],
    ["have no file to run", startFactsThread],
  ])("tells the same when threads %s", async (_, start) => {
    const threads = createFactsThreads({ start, count: 2 });
    expect(await lookAtAll(threads)).toEqual(expected);
    expect(await lookAtAll(threads)).toEqual(expected);
  });

  test("leaves nothing for a thread to do once it is stopped", async () => {
    const offered: FactsBatch[] = [];
    const ahead = lookAhead((path) => path, {
      isRunning: true,
      offer: (batch) => offered.push(batch),
      settle: async () => {},
    });
    for (const path of paths) ahead.add(path);
    const reason = new Error("enough");
    const finished = ahead.finish(nothingOf(paths), () => Promise.reject(reason));
    await expect(finished).rejects.toBe(reason);
    ahead.stop();
    offered.forEach(lookAtRest);
    expect(offered.map(({ facts: seen }) => seen[0])).toEqual(offered.map(() => 0));
  });
});

describe("threads that look at files", () => {
  test("start with the first batch, take turns, end when there is nothing to do, and start again", async () => {
    const log: string[] = [];
    let ended = (): void => {};
    const threads = createFactsThreads({
      count: 2,
      idleTime: 1,
      start: () => {
        const name = `thread ${log.filter((line) => line.endsWith("starts")).length}`;
        log.push(`${name} starts`);
        return {
          ...idleThread,
          post: () => log.push(`${name} works`),
          end() {
            log.push(`${name} ends`);
            ended();
          },
        };
      },
    });
    expect(log).toEqual([]);
    for (const first of [0, 2]) {
      log.length = 0;
      for (let index = 0; index < 3; index += 1) threads.offer(createFactsBatch(["/"]));
      await new Promise<void>((resolve) => {
        ended = () => log.filter((line) => line.endsWith("ends")).length === 2 && resolve();
      });
      expect(log.slice(0, 2), String(first)).toEqual(["thread 0 starts", "thread 1 starts"]);
      expect(log.slice(2, 5).map((line) => line.slice(-5))).toEqual(["works", "works", "works"]);
      expect(new Set(log.slice(2, 4)).size).toBe(2);
    }
  });

  test("are not tried again when one dies", () => {
    let starts = 0;
    const threads = createFactsThreads({
      count: 2,
      start(died) {
        starts += 1;
        return { ...idleThread, post: died };
      },
    });
    for (let index = 0; index < 3; index += 1) threads.offer(createFactsBatch(["/"]));
    expect(starts).toBe(2);
  });

  test("work as real threads, give a search what it finds alone, and keep no process alive", async () => {
    const [output, wide] = [join(folder, "built"), join(folder, "wide")];
    await mkdir(wide);
    await Promise.all(Array.from({ length: 300 }, (_, index) => writeFile(join(wide, `f${index}`), "x".repeat(index))));
    // Long enough to be worthwhile without as many files: each is met under many names.
    for (let index = 0; index < 10; index += 1) await writeLinks(join(folder, "deep", `d${index}`), wide);
    await bundle(output, `${script}search(${JSON.stringify(folder)}, ${JSON.stringify(paths.slice(0, 2))});`);
    const { stdout } = await promisify(execFile)(process.execPath, [join(output, "script.js")]);
    const found = await globFiles(nodeFileSystem({ root: folder }), { pattern: "deep/**", path: folder, limit: 9999 });
    expect(found.matches).toHaveLength(3000);
    expect(JSON.parse(stdout)).toEqual({ seen: facts.flat(), found });
  }, 60_000);
});

/** Runs in a process of its own; it ends with an error when a thread keeps it alive. */
const script = `
  import { nodeFileSystem } from "holdall/node";
  import { createFactsBatch, isDone } from "./adapters/node/workers/facts-batch.ts";
  import { createFactsThreads } from "./adapters/node/workers/facts-threads.ts";
  async function search(path, paths) {
    const threads = createFactsThreads({ count: 1 });
    const batch = createFactsBatch(paths);
    threads.offer(batch);
    await threads.settle();
    const found = await nodeFileSystem({ root: path }).glob({ pattern: "deep/**", path, limit: 9999 });
    console.log(JSON.stringify({ seen: isDone(batch) && Array.from(batch.facts, Math.floor), found }));
    setTimeout(() => process.exit(3), 5000).unref();
  }
`;

/** Makes other names of all files of a folder. */
async function writeLinks(to: string, from: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) await link(join(from, name), join(to, name));
}

/** As files that Node runs: the sources are TypeScript, which Node 20 does not run by itself. */
async function bundle(outdir: string, contents: string): Promise<void> {
  const shared = { bundle: true, platform: "node", format: "esm", target: "node20", logLevel: "error" } as const;
  const alias = Object.fromEntries(listEntries().map(({ name, source }) => [name, packageRoot + source]));
  await build({
    ...shared,
    entryPoints: [`${packageRoot}adapters/node/workers/facts-worker.ts`],
    outdir,
  });
  await build({
    ...shared,
    stdin: { contents, resolveDir: packageRoot, loader: "ts" },
    alias,
    external: ["unpdf"],
    outfile: join(outdir, "script.js"),
  });
  await writeFile(join(outdir, "package.json"), JSON.stringify({ type: "module" }));
}
