/** The table of mounts: which file system a path belongs to, and what the path is called there. */

import { childPath, type FileSystem, HoldallError, isInside, resolvePath } from "holdall";

/** A part of a file system to mount; a backend is one as well. */
export interface MountSource {
  fs: FileSystem;
  /** The directory of `fs` that is shown. Defaults to `/`. */
  root?: string;
}

/** What is mounted where, by absolute path. */
export type Mounts = Readonly<Record<string, FileSystem | MountSource>>;

/** One mount. */
export interface Mount {
  /** Where it is in the tree. */
  readonly point: string;
  readonly fs: FileSystem;
  /** The directory of its file system that is shown there. */
  readonly root: string;
}

/** The mounts of a tree. */
export interface MountTable {
  readonly mounts: readonly Mount[];
  /** Gives the mount that a path belongs to: the one with the longest prefix; undefined where there is none. */
  owner(path: string): Mount | undefined;
  /** Gives the mounts strictly below a path. */
  below(path: string): readonly Mount[];
  /** Gives the names that lead from a directory to mounts below it. */
  namesIn(path: string): readonly string[];
}

/**
 * Makes the table.
 *
 * @throws HoldallError `MOUNT_INVALID` for no mount at all, a relative path, or two that are the same.
 */
export function mountTable(given: Mounts): MountTable {
  const mounts = Object.entries(given).map(([path, source]): Mount => {
    if (!path.startsWith("/")) throw invalid(`${JSON.stringify(path)} is not an absolute path`);
    const point = resolvePath(path);
    return "fs" in source
      ? { point, fs: source.fs, root: resolvePath(source.root ?? "/") }
      : { point, fs: source, root: "/" };
  });
  if (mounts.length === 0) throw invalid("there is no mount");
  if (new Set(mounts.map(({ point }) => point)).size < mounts.length) throw invalid("two mounts have the same path");
  // Longest first, so that the first that fits is the one that owns a path.
  mounts.sort((one, other) => other.point.length - one.point.length);
  return {
    mounts,
    owner: (path) => mounts.find(({ point }) => isInside(path, point)),
    below: (path) => mounts.filter(({ point }) => point !== path && isInside(point, path)),
    namesIn: (path) => {
      const start = path === "/" ? 1 : path.length + 1;
      const inside = mounts.filter(({ point }) => point !== path && isInside(point, path));
      return [...new Set(inside.map(({ point }) => point.slice(start).split("/")[0] ?? ""))];
    },
  };
}

/** Gives what a path of the tree is called in its file system. */
export function toInner({ point, root }: Mount, path: string): string {
  return rebase(path, point, root);
}

/** Gives where a path of a mounted file system is in the tree. */
export function toOuter({ point, root }: Mount, path: string): string {
  return rebase(path, root, point);
}

function rebase(path: string, from: string, to: string): string {
  const rest = path.slice(from === "/" ? 1 : from.length + 1);
  if (path === from || rest === "") return to;
  return childPath(to, rest);
}

function invalid(what: string): HoldallError {
  return new HoldallError("MOUNT_INVALID", `${what}. Give each file system an absolute path of its own.`);
}
