/** Copies files and trees for `cp`. */

import { isInside } from "holdall";
import type { BridgeCore } from "./bridge-core.ts";
import type { FactTable } from "./file-facts.ts";
import { nodeError } from "./node-error.ts";
import type { ShellFiles } from "./shell-files.ts";

/** Copies a file, or with `recursive` a tree. */
export type Copy = (from: string, to: string, recursive: boolean) => Promise<void>;

/** Makes the copier of one command line; modes are copied, symlinks stay symlinks within a tree. */
export function createCopier(core: BridgeCore, files: ShellFiles, facts: FactTable): Copy {
  const copy: Copy = async (from, to, recursive) => {
    const own = await core.need(from, false, "cp");
    if (own.kind === "symlink" && recursive && files.readLink !== undefined && files.symlink !== undefined) {
      if ((await core.find(to, false)) !== undefined) await files.remove(to, false);
      return files.symlink(await files.readLink(from), to);
    }
    const look = own.kind === "symlink" ? await core.need(from, true, "cp") : own;
    if (look.kind === "directory") {
      if (!recursive) throw nodeError("EISDIR", "cp", from);
      if (isInside(to, from)) throw nodeError("EINVAL", "cp", to);
      await core.makeDirectory(to, true);
      for (const { name } of await core.names(from)) await copy(`${from}/${name}`, `${to}/${name}`, true);
      return;
    }
    await core.write(to, await core.read(from));
    facts.drop(to);
    facts.carry(from, to, false);
  };
  return copy;
}
