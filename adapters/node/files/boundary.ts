/** The directories that a file system may touch: nothing outside of them is read, written or told about. */

import { fsError, isInside } from "holdall";

/** Answers for real paths only: no symlink may be left in them. */
export interface Boundary {
  /** The directories, real. */
  readonly roots: readonly string[];
  /** Tells whether a real path is one of the directories or below one. */
  contains(real: string): boolean;
  /** Tells whether a real path is one of the directories itself. */
  isRoot(real: string): boolean;
  /**
   * Fails with `FS_OUTSIDE_ROOT` unless a real path is inside.
   *
   * @param real The real path.
   * @param path The path as the caller gave it, for the error.
   */
  check(real: string, path: string): void;
}

/** Makes the boundary around real directories. */
export function createBoundary(roots: readonly string[]): Boundary {
  const contains = (real: string): boolean => roots.some((root) => isInside(real, root));
  return {
    roots,
    contains,
    isRoot: (real) => roots.includes(real),
    check(real, path) {
      if (!contains(real)) throw outsideRoot(path);
    },
  };
}

/** Makes the error for a path outside. */
export function outsideRoot(path: string): Error {
  return fsError("FS_OUTSIDE_ROOT", path);
}
