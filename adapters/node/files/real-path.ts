/** Finds out what a path really is behind symlinks, also where it does not exist yet. */

import { readlink, realpath } from "node:fs/promises";
import { baseName, childPath, fsError, parentPath, resolvePath } from "holdall";
import { outsideRoot } from "./boundary.ts";
import type { Disk } from "./disk.ts";
import { errorNumber, hostError, isMissing } from "./host-error.ts";

/** Where a path leads. */
export interface RealPlace {
  /** Without symlinks. */
  path: string;
  /** Whether there was something when it was looked up. */
  exists: boolean;
}

/** The most symlinks to what does not exist that one path may lead through. */
const MAX_LINKS = 40;

/**
 * Resolves all symlinks of a path that lies inside the boundary; what does not exist is appended to the real path of
 * its nearest existing ancestor.
 *
 * @throws HoldallError `FS_OUTSIDE_ROOT`, `FS_LOOP`.
 */
export async function findReal(disk: Disk, path: string): Promise<RealPlace> {
  try {
    const place = await resolve(disk, path, 0);
    disk.boundary.check(place.path, path);
    return place;
  } catch (error) {
    // What is wrong outside is nobody's business.
    if (!disk.boundary.contains(path)) throw outsideRoot(path);
    throw hostError(error, path);
  }
}

/** An entry of a directory, for calls that do not look through a symlink at the end of their path. */
export interface Entry {
  /** The real path of the directory. */
  parent: string;
  name: string;
  /** The real path of the entry, which may be a symlink itself. */
  path: string;
  /** Whether it is a directory of the boundary itself, which has no entry that may be touched. */
  isRoot: boolean;
}

/** Resolves all symlinks of a path but the last. */
export async function findEntry(disk: Disk, path: string): Promise<Entry> {
  if (path === "/" || disk.boundary.isRoot(path)) {
    disk.boundary.check(path, path);
    return { parent: parentPath(path), name: baseName(path), path, isRoot: true };
  }
  // Refuses a last name that the host would read as something else.
  disk.paths.toHost(path);
  const parent = (await findReal(disk, parentPath(path))).path;
  const name = baseName(path);
  const real = childPath(parent, name);
  return { parent, name, path: real, isRoot: disk.boundary.isRoot(real) };
}

async function resolve(disk: Disk, path: string, links: number): Promise<RealPlace> {
  const { paths } = disk;
  try {
    return { path: paths.fromHost(await realpath(paths.toHost(path))), exists: true };
  } catch (error) {
    if (!isMissing(error) || path === "/") throw error;
  }
  const parent = await resolve(disk, parentPath(path), links);
  const at = resolvePath(`./${baseName(path)}`, parent.path);
  const target = parent.exists ? await readTarget(disk, at) : undefined;
  if (target === undefined) return { path: at, exists: false };
  if (links >= MAX_LINKS) throw fsError("FS_LOOP", path);
  return resolve(disk, resolvePath(target, parent.path), links + 1);
}

/** Reads a symlink that leads nowhere; gives undefined where there is nothing or something else. */
async function readTarget({ paths }: Disk, path: string): Promise<string | undefined> {
  try {
    return paths.fromLink(await readlink(paths.toHost(path)));
  } catch (error) {
    if (isMissing(error) || errorNumber(error) === "EINVAL") return undefined;
    throw error;
  }
}
