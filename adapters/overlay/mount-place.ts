/** Finds the mount and the real path of a path: symlinks lead through the tree, never around its mounts. */

import { type FsOptions, fsError, HoldallError, isInside, parentPath, resolvePath } from "holdall";
import { type Mount, type MountTable, toInner } from "./mount-table.ts";

/** Where a path leads. */
export interface MountPlace {
  /** The path in the tree without symlinks, as far as it exists. */
  readonly path: string;
  /** The mount it belongs to; undefined for a directory that only leads to mounts, and for what is nowhere. */
  readonly mount: Mount | undefined;
  /** What the path is called in the mounted file system. */
  readonly inner: string;
}

/** The most symlinks that one path may lead through. */
const MAX_SYMLINKS = 40;

/**
 * Finds the place of a path.
 *
 * @param table The mounts.
 * @param path The absolute, resolved path.
 * @param follow Whether a symlink at its end is looked through.
 */
export async function findPlace(
  table: MountTable,
  path: string,
  follow: boolean,
  options: FsOptions,
): Promise<MountPlace> {
  let at = path;
  for (let links = 0; links <= MAX_SYMLINKS; links += 1) {
    const mount = table.owner(at);
    if (mount === undefined) return { path: at, mount, inner: at };
    const link = await findLink(table, mount, at, follow, options);
    if (link === undefined) return { path: at, mount, inner: toInner(mount, at) };
    at = link;
  }
  throw fsError("FS_LOOP", path);
}

/** Gives where the first symlink on the way leads; undefined when there is none. */
async function findLink(
  table: MountTable,
  mount: Mount,
  path: string,
  follow: boolean,
  options: FsOptions,
): Promise<string | undefined> {
  const { fs } = mount;
  const { readLink } = fs;
  if (readLink === undefined || path === mount.point) return undefined;
  const folder = parentPath(path);
  const candidates = (await isReal(mount, folder, options)) ? [] : between(mount.point, folder);
  if (follow) candidates.push(path);
  for (const at of candidates) {
    // What a mount lies below is a directory of the tree, whatever its own file system has there.
    if (table.below(at).length > 0) continue;
    const inner = toInner(mount, at);
    const kind = (await fs.stat(inner, { ...options, followSymlinks: false }))?.kind;
    if (kind === undefined) return undefined;
    if (kind !== "symlink") continue;
    const target = resolvePath(await readLink.call(fs, inner, options), parentPath(at));
    const rest = path.slice(at.length + 1);
    return rest === "" ? target : `${target === "/" ? "" : target}/${rest}`;
  }
  return undefined;
}

async function isReal(mount: Mount, path: string, options: FsOptions): Promise<boolean> {
  if (!isInside(path, mount.point)) return true;
  const inner = toInner(mount, path);
  try {
    return (await mount.fs.realpath(inner, options)) === inner;
  } catch (error) {
    options.signal?.throwIfAborted();
    // A circle, or a link out of what is mounted: which one it is is found step by step.
    if (HoldallError.is(error)) return false;
    throw error;
  }
}

/** Gives the directories below one down to another, the uppermost first. */
function between(top: string, path: string): string[] {
  const all: string[] = [];
  for (let at = path; at !== top && at !== "/"; at = parentPath(at)) all.push(at);
  return all.reverse();
}
