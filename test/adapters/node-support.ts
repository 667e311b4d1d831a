/** Folders for tests of the Node adapter, and the adapter as a program of its own. */
import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { afterAll, afterEach, beforeAll } from "vitest";
import { root, sourceAliases } from "../support/sources.ts";

/** Gives a function that makes empty folders in another, which are removed after each test. */
export function temporaryFolders(parent: string = tmpdir()): () => Promise<string> {
  const folders: string[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
  });
  return async () => {
    const folder = await realpath(await mkdtemp(join(parent, "holdall-node-")));
    folders.push(folder);
    return folder;
  };
}

/** Bundles the adapter into one file that Node runs without help; gives its path. */
export function bundledAdapter(): () => string {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "holdall-node-bundle-"));
    await chmod(folder, 0o755);
    const bundle = await rolldown({
      input: `${root}adapters/node/index.ts`,
      platform: "node",
      resolve: {
        alias: Object.fromEntries(
          sourceAliases().map(({ find, replacement }) => [find.source.slice(1, -1), replacement]),
        ),
      },
      plugins: [{ name: "entries", resolveId: (id) => sourceAliases().find(({ find }) => find.test(id))?.replacement }],
    });
    await bundle.write({ dir: folder, format: "esm", entryFileNames: "node.mjs", chunkFileNames: "[name]-[hash].mjs" });
    await bundle.close();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return () => join(folder, "node.mjs");
}

/** Tells whether a program can be run here. */
export function has(program: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
