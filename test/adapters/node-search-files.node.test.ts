/** How a search of the disk reads files: long ones leave others their turn, and bytes are lent. */
import { readdirSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeFileSystem } from "holdall/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBoundary } from "../../adapters/node/files/boundary.ts";
import { openFilesFolder } from "../../adapters/node/files/open.ts";
import { hostPaths } from "../../adapters/node/paths/host-paths.ts";
import { createSyncReader } from "../../adapters/node/search/sync-read.ts";

const LONG = 9 << 20;

let root = "";
let long = "";

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "holdall-search-files-"));
  long = join(root, "long.txt");
  await writeFile(long, `${"some line of text\n".repeat(LONG / 18)}needle\n`);
  await writeFile(join(root, "short.txt"), "short needle\n");
});

afterAll(() => rm(root, { recursive: true, force: true }));

const reader = (): ReturnType<typeof createSyncReader> =>
  createSyncReader({
    paths: hostPaths("linux"),
    boundary: createBoundary([root]),
    openFiles: openFilesFolder,
    path: root,
    real: root,
  });

function openHere(): string[] {
  return openFilesFolder === undefined ? [] : readdirSync(openFilesFolder);
}

test("a short file is there at once, a long one after turns of the event loop", async () => {
  const read = reader();
  const short = join(root, "short.txt");
  const options = { length: 1 << 25, required: undefined };
  expect(read({ path: short, real: short, ...options }, undefined)).toMatchObject({ version: "" });
  let turns = 0;
  let isRead = false;
  const count = (): void => {
    turns += 1;
    if (!isRead) setImmediate(count);
  };
  setImmediate(count);
  const { bytes } = await read({ path: long, real: long, ...options }, undefined);
  isRead = true;
  expect([bytes.length, new TextDecoder().decode(bytes.subarray(-7))]).toEqual([LONG - (LONG % 18) + 7, "needle\n"]);
  expect(turns).toBeGreaterThanOrEqual(4);
});

test.runIf(openFilesFolder !== undefined)("an abort between two steps closes the file", async () => {
  const before = openHere();
  const controller = new AbortController();
  const reading = reader()({ path: long, real: long, length: 1 << 25, required: undefined }, controller.signal);
  expect(openHere()).toHaveLength(before.length + 1);
  const reason = new Error("enough");
  controller.abort(reason);
  await expect(reading).rejects.toBe(reason);
  expect(openHere()).toEqual(before);
});

test("a long file is searched between short ones, and no more than asked for is read", async () => {
  const fs = nodeFileSystem({ root, ripgrep: false });
  const { files } = await fs.grep({ pattern: "needle", path: root });
  expect(files.map(({ path, matches }) => [path, matches.map(({ line }) => line)])).toEqual([
    [long, [Math.floor(LONG / 18) + 1]],
    [join(root, "short.txt"), [1]],
  ]);
  const part = await reader()({ path: long, real: long, length: 5 << 20, required: undefined }, undefined);
  expect(part.bytes).toHaveLength(5 << 20);
});

test("rules of several folders above are told apart", async () => {
  const folder = join(root, "a", "b", "c");
  await mkdir(folder, { recursive: true });
  await mkdir(join(root, "a", ".git"));
  await writeFile(join(root, "a", ".gitignore"), "one.ts\n");
  await writeFile(join(root, "a", "b", ".gitignore"), "two.ts\n!three.ts\n");
  for (const name of ["one.ts", "two.ts", "three.ts", "four.ts"]) await writeFile(join(folder, name), "");
  const { matches } = await nodeFileSystem({ root }).glob({ pattern: "*.ts", path: folder });
  expect(matches.map(({ path }) => path).sort()).toEqual([join(folder, "four.ts"), join(folder, "three.ts")]);
});
