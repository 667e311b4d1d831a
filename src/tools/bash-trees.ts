/** Looks into the folders that a line removes, moves or copies whole: what is protected may lie deeper inside. */

import type { FileSystem } from "../backend/file-system.ts";

/** The most names that are looked at inside of such folders, for one line; a line that needs more is asked about. */
export const MAX_TREE_NAMES = 8192;

/** One search through the folders of a line. */
export interface TreeSearch {
  fs: FileSystem;
  isDangerous(path: string): boolean;
  /** How many names may still be looked at. */
  left: number;
}

/** What becomes of a folder. */
export interface TreeUse {
  /** Where it will lie. */
  arrivals?: readonly string[];
  /** Whether what its symlinks lead to goes along, which is not looked at. */
  followsLinks?: boolean;
}

/**
 * Tells whether a path is protected, or a folder with something protected in it, where it lies or where it arrives.
 *
 * @param search The search; what is looked at counts.
 * @param root The real path; a file is looked at alone.
 * @param use What becomes of it.
 * @returns True also where there are too many names to look at.
 */
export async function holdsProtected(search: TreeSearch, root: string, use: TreeUse = {}): Promise<boolean> {
  const { fs, isDangerous } = search;
  const places = [root, ...(use.arrivals ?? [])];
  if (places.some(isDangerous)) return true;
  if ((await fs.stat(root))?.kind !== "directory") return false;
  for await (const { path, kind } of fs.walk(root)) {
    search.left -= 1;
    if (search.left < 0 || (use.followsLinks === true && kind === "symlink")) return true;
    const below = path.slice(root.length);
    if (places.some((place) => isDangerous(place + below))) return true;
  }
  return false;
}
