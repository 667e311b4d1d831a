/** Makes, moves and links entries of directories. */

import type { BigIntStats } from "node:fs";
import { lstat, readlink, rename, symlink, unlink } from "node:fs/promises";
import { fsError, HoldallError, isInside, resolvePath } from "holdall";
import type { Disk } from "./disk.ts";
import { hostError, isMissing, translated } from "./host-error.ts";
import { lookAt, type OpenDirectory, openDirectory } from "./open.ts";
import { openMade } from "./parents.ts";
import { type Entry, findEntry, findReal } from "./real-path.ts";

/** Makes a directory and its parents; see the port. */
export async function makeDirectory(disk: Disk, path: string): Promise<void> {
  const { path: real } = await findReal(disk, path);
  const now = await lookAt(disk, real, path);
  if (now?.isDirectory() === true) return;
  // A symlink that leads nowhere is in the way as well.
  if (now !== undefined || (await statEntry(disk, path)) !== undefined) throw fsError("FS_EXISTS", path);
  const made = await openMade(disk, real, path);
  await made.close();
}

/** Gives the facts of a path without looking through a symlink at its end; undefined when there is nothing. */
export async function statEntry(disk: Disk, path: string): Promise<BigIntStats | undefined> {
  const entry = await findEntry(disk, path);
  if (entry.isRoot) return lookAt(disk, entry.path, path);
  try {
    return await inDirectory(disk, entry, path, (directory) => lstat(directory.at(entry.name), { bigint: true }));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw hostError(error, path);
  }
}

/** Moves a file, a symlink or a tree; see the port. */
export async function move(disk: Disk, from: string, to: string): Promise<void> {
  const [source, target] = [await findEntry(disk, from), await findEntry(disk, to)];
  const [moved, replaced] = [await statEntry(disk, from), await statEntry(disk, to)];
  if (moved === undefined) throw fsError("FS_NOT_FOUND", from);
  if (source.path === target.path && !source.isRoot) return;
  if (source.isRoot || (moved.isDirectory() && isInside(target.path, source.path)))
    throw fsError("FS_INVALID_PATH", from);
  const keys = [disk.paths.key(source.path), disk.paths.key(target.path)];
  const run = (): Promise<void> => moveEntry(disk, { source, target, from, to, isTree: moved.isDirectory() });
  if (replaced === undefined) return disk.locks.run(keys, run);
  if (moved.dev === replaced.dev && moved.ino === replaced.ino) {
    // One file under two names, of which the old one shall go; or the same name in another case.
    if (moved.isDirectory() || moved.nlink === 1n) return disk.locks.run(keys, run);
    return inDirectory(disk, source, from, (directory) => translated(from, () => unlink(directory.at(source.name))));
  }
  if (replaced.isDirectory() || moved.isDirectory()) throw fsError("FS_EXISTS", to);
  return disk.locks.run(keys, run);
}

interface Move {
  source: Entry;
  target: Entry;
  from: string;
  to: string;
  isTree: boolean;
}

async function moveEntry(disk: Disk, { source, target, from, to, isTree }: Move): Promise<void> {
  const old = await translated(from, () => openDirectory(disk, source.parent, from), { ENOTDIR: "FS_NOT_FOUND" });
  try {
    const made = await openMade(disk, target.parent, to);
    try {
      await rename(old.at(source.name), made.directory.at(target.name));
    } catch (error) {
      await made.undo();
      // Somebody has put something in the place meanwhile.
      throw hostError(error, to, {
        ENOTEMPTY: "FS_EXISTS",
        EISDIR: "FS_EXISTS",
        ...(isTree && { ENOTDIR: "FS_EXISTS" }),
      });
    } finally {
      await made.close();
    }
  } finally {
    await old.close();
  }
}

/**
 * Makes a symlink; see the port. One that would lead out of the boundary is refused, because other programs would
 * follow it.
 */
export async function makeLink(disk: Disk, target: string, path: string): Promise<void> {
  const entry = await findEntry(disk, path);
  if ((await statEntry(disk, path)) !== undefined) throw fsError("FS_EXISTS", path);
  const hostTarget = disk.paths.toLink(target);
  await findReal(disk, resolvePath(target, entry.parent)).catch((error: unknown) => {
    // A circle leads nowhere, so not out either.
    if (!HoldallError.is(error, "FS_LOOP")) throw error;
  });
  const made = await openMade(disk, entry.parent, path);
  try {
    await symlink(hostTarget, made.directory.at(entry.name));
  } catch (error) {
    await made.undo();
    throw hostError(error, path);
  } finally {
    await made.close();
  }
}

/** Reads where a symlink points; see the port. */
export async function readLink(disk: Disk, path: string): Promise<string> {
  const facts = await statEntry(disk, path);
  if (facts === undefined) throw fsError("FS_NOT_FOUND", path);
  if (!facts.isSymbolicLink()) throw fsError("FS_INVALID_PATH", path, `${path} is not a symlink. Read it as it is.`);
  const entry = await findEntry(disk, path);
  return translated(path, () =>
    inDirectory(disk, entry, path, async (directory) => disk.paths.fromLink(await readlink(directory.at(entry.name)))),
  );
}

async function inDirectory<T>(
  disk: Disk,
  entry: Entry,
  path: string,
  work: (directory: OpenDirectory) => Promise<T>,
): Promise<T> {
  const directory = await openDirectory(disk, entry.parent, path);
  try {
    return await work(directory);
  } finally {
    await directory.close();
  }
}
