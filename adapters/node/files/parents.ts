/** Opens the directory of something that is to be made, with all that is missing on the way to it. */

import { mkdir, rmdir } from "node:fs/promises";
import { baseName, parentPath } from "holdall";
import type { Disk } from "./disk.ts";
import { errorNumber, hostError } from "./host-error.ts";
import { type OpenDirectory, openDirectory } from "./open.ts";

/** A directory that is open, and the way back. */
export interface MadeDirectory {
  directory: OpenDirectory;
  /** Removes the directories that were made, as far as nobody has put anything into them, when the call fails. */
  undo(): Promise<void>;
  /** Closes what is open. */
  close(): Promise<void>;
}

/**
 * Opens a directory, and makes it and its parents where they are missing.
 *
 * @param real The real path of the directory, inside the boundary.
 * @param path The path as the caller gave it, for errors.
 */
export async function openMade(disk: Disk, real: string, path: string): Promise<MadeDirectory> {
  const missing: string[] = [];
  let directory: OpenDirectory | undefined;
  for (let at = real; directory === undefined; at = parentPath(at)) {
    try {
      directory = await openDirectory(disk, at, path);
    } catch (error) {
      if (errorNumber(error) !== "ENOENT" || disk.boundary.isRoot(at)) throw hostError(error, path);
      missing.push(baseName(at));
    }
  }
  const opened = [directory];
  const made: { parent: OpenDirectory; name: string }[] = [];
  const result: MadeDirectory = {
    directory,
    async undo() {
      for (const { parent, name } of made.reverse()) await rmdir(parent.at(name)).catch(() => {});
    },
    close: async () => void (await Promise.all(opened.map((each) => each.close()))),
  };
  try {
    for (const name of missing.reverse()) {
      const parent = result.directory;
      if (await makeOne(parent, name)) made.push({ parent, name });
      result.directory = await parent.enter(name);
      opened.push(result.directory);
    }
    return result;
  } catch (error) {
    await result.undo();
    await result.close();
    throw hostError(error, path);
  }
}

/** Makes one directory; gives false when somebody else was quicker. */
async function makeOne(parent: OpenDirectory, name: string): Promise<boolean> {
  try {
    await mkdir(parent.at(name));
    return true;
  } catch (error) {
    if (errorNumber(error) === "EEXIST") return false;
    throw error;
  }
}
