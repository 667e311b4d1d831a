import { justBashShell } from "holdall/just-bash";
import { nodeFileSystem } from "holdall/node";
import { shellContract } from "holdall/testing";
import { describe, test } from "vitest";
import { temporaryFolders } from "./node-support.ts";

describe("justBashShell over nodeFileSystem", () => {
  // Not in /dev, where temporary files may be: the simulated shell has a folder of its own there.
  const folder = temporaryFolders("/tmp");
  const create = async () => {
    const cwd = await folder();
    const fs = nodeFileSystem({ root: cwd });
    return { fs, cwd, shell: justBashShell()({ fs, cwd }) };
  };
  for (const { name, run } of shellContract({ create })) test(name, run, 60_000);
});
