import { nodeFileSystem } from "holdall/node";
import { fileSystemContract } from "holdall/testing";
import { describe, test } from "vitest";
import { openFileSystem } from "../../adapters/node/node-file-system.ts";
import { temporaryFolders } from "./node-support.ts";

describe("nodeFileSystem", () => {
  const folder = temporaryFolders();
  const create = async () => {
    const root = await folder();
    return { fs: nodeFileSystem({ root }), root };
  };
  for (const { name, run } of fileSystemContract({ create, can: { symlinks: true, watch: true } })) test(name, run);
});

describe("nodeFileSystem, of the whole disk and with durable writes", () => {
  const folder = temporaryFolders();
  const create = async () => {
    const root = await folder();
    return { fs: nodeFileSystem({ root: "/", durable: true }), root };
  };
  for (const { name, run } of fileSystemContract({ create, can: { symlinks: true, watch: true } })) test(name, run);
});

describe("nodeFileSystem on a host that does not show open files", () => {
  const folder = temporaryFolders();
  const create = async () => {
    const { fs, root } = openFileSystem({ root: await folder() }, { openFiles: undefined });
    return { fs, root };
  };
  for (const { name, run } of fileSystemContract({ create, can: { symlinks: true, watch: true } })) test(name, run);
});
