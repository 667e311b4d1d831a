import { rm } from "node:fs/promises";
import { fileSystemContract, shellContract } from "holdall/testing";
import { describe, test } from "vitest";
import { bashShell } from "./bash-shell.ts";
import { diskFileSystem, temporaryFolder } from "./disk-file-system.ts";

describe("the file system contract on a disk", () => {
  const folders: string[] = [];
  const create = async () => {
    const root = await temporaryFolder();
    folders.push(root);
    return { fs: diskFileSystem(), root };
  };
  const destroy = async () => {
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
  };
  for (const { name, run } of fileSystemContract({ create, destroy, can: { symlinks: true } })) test(name, run);
});

describe("the shell contract on bash", () => {
  const folders: string[] = [];
  const create = async () => {
    const [cwd, state] = [await temporaryFolder(), await temporaryFolder()];
    folders.push(cwd, state);
    return { shell: bashShell(cwd, state), fs: diskFileSystem(), cwd };
  };
  const destroy = async () => {
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
  };
  const cases = shellContract({ create, destroy, can: { abortBusyLoop: true, signals: true } });
  for (const { name, run } of cases) test(name, run);
});
