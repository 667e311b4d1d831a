/** Removes files and trees, never through a symlink. */

import type { BigIntStats } from "node:fs";
import { lstat, readdir, rmdir, unlink } from "node:fs/promises";
import { fsError, type RemoveOptions } from "holdall";
import type { Disk } from "./disk.ts";
import { errorNumber, hostError, isMissing } from "./host-error.ts";
import { type OpenDirectory, openDirectory } from "./open.ts";
import { findEntry } from "./real-path.ts";

/** Entries that are removed at the same time. */
const AT_ONCE = 8;

/** How often a directory into which others write is emptied. */
const ROUNDS = 5;

/** Removes a file, a symlink or a directory; see the port. */
export async function remove(disk: Disk, path: string, options: RemoveOptions = {}): Promise<void> {
  const entry = await findEntry(disk, path);
  if (entry.isRoot) throw fsError("FS_INVALID_PATH", path, "the root cannot be removed. Remove what is in it.");
  try {
    const parent = await openDirectory(disk, entry.parent, path);
    try {
      const facts: BigIntStats = await lstat(parent.at(entry.name), { bigint: true });
      await disk.locks.run([disk.paths.key(entry.path)], async () => {
        if (!facts.isDirectory()) return unlink(parent.at(entry.name));
        if (options.recursive === true) return removeTree(parent, Buffer.from(entry.name));
        return rmdir(parent.at(entry.name));
      });
    } finally {
      await parent.close();
    }
  } catch (error) {
    throw hostError(error, path, { ENOTDIR: "FS_NOT_FOUND", EEXIST: "FS_NOT_EMPTY" });
  }
}

/** Removes a directory with all that is in it; names are bytes, because some are no text. */
async function removeTree(parent: OpenDirectory, name: Uint8Array): Promise<void> {
  for (let round = 1; ; round += 1) {
    await empty(parent, name);
    try {
      return await rmdir(parent.at(name));
    } catch (error) {
      if (!["ENOTEMPTY", "EEXIST"].includes(errorNumber(error)) || round === ROUNDS) throw error;
    }
  }
}

async function empty(parent: OpenDirectory, name: Uint8Array): Promise<void> {
  const directory = await parent.enter(name);
  try {
    const entries = await readdir(directory.self, { withFileTypes: true, encoding: "buffer" });
    for (let from = 0; from < entries.length; from += AT_ONCE) {
      const batch = entries.slice(from, from + AT_ONCE);
      // One directory after another: each holds a file open as deep as it goes.
      for (const entry of batch) if (entry.isDirectory()) await removeTree(directory, entry.name);
      await Promise.all(batch.map((entry) => (entry.isDirectory() ? undefined : removeFile(directory, entry.name))));
    }
  } finally {
    await directory.close();
  }
}

async function removeFile(directory: OpenDirectory, name: Uint8Array): Promise<void> {
  try {
    await unlink(directory.at(name));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
