import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeFileSystem } from "holdall/node";
import { fileSystemContract } from "holdall/testing";
import { describe, test } from "vitest";

describe("nodeFileSystem", () => {
  const folders: string[] = [];
  const create = async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), "holdall-node-")));
    folders.push(root);
    return { fs: nodeFileSystem({ root }), root };
  };
  const destroy = async () => {
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
  };
  for (const { name, run } of fileSystemContract({ create, destroy, can: { symlinks: true, watch: true } }))
    test(name, run);
});
