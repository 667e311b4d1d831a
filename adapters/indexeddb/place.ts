/** Finds where a path leads: symlinks are followed, missing folders are named. */

import { fsError, parentPath, resolvePath } from "holdall";
import type { NodeRecord } from "./layout.ts";
import type { View } from "./view.ts";

/** Where a path leads. */
export interface Place {
  /** The path without symlinks, as far as it exists. */
  path: string;
  /** What is there. */
  node: NodeRecord | undefined;
  /** Directories above it that do not exist, the outermost first. */
  missing: readonly string[];
  /** Whether a file stands where a directory would have to be. */
  isBlocked: boolean;
}

/** The most symlinks that one path may lead through. */
const MAX_SYMLINKS = 40;

/**
 * Finds the place of a path.
 *
 * @param view The tree.
 * @param path The absolute, resolved path.
 * @param follow Whether a symlink at its end is looked through.
 */
export async function findPlace(view: View, path: string, follow: boolean): Promise<Place> {
  let at = path;
  for (let links = 0; links <= MAX_SYMLINKS; links += 1) {
    // Nodes are kept under their real paths: what is found at once has no symlink above it.
    const node = await view.find(at);
    if (node !== undefined && (node.kind !== "symlink" || !follow))
      return { path: at, node, missing: [], isBlocked: false };
    if (node !== undefined) {
      at = resolvePath(node.target ?? "", parentPath(at));
      continue;
    }
    const { above, missing } = await findAbove(view, at);
    if (above.kind !== "symlink") return { path: at, node: undefined, missing, isBlocked: above.kind === "file" };
    at = resolvePath(`${above.target ?? ""}${at.slice(above.path.length)}`, parentPath(above.path));
  }
  throw fsError("FS_LOOP", path);
}

/** Finds the nearest node above a path that is not there. */
async function findAbove(view: View, path: string): Promise<{ above: NodeRecord; missing: string[] }> {
  const missing: string[] = [];
  const first = await view.find(parentPath(path));
  // Where the folder is missing, the ones above it are asked for together.
  if (first === undefined) await view.preload(foldersAbove(path));
  for (let folder = parentPath(path); ; folder = parentPath(folder)) {
    const above = await view.find(folder);
    if (above !== undefined) return { above, missing };
    missing.unshift(folder);
  }
}

function* foldersAbove(path: string): Generator<string, void, undefined> {
  for (let folder = parentPath(path); folder !== "/"; folder = parentPath(folder)) yield folder;
}
