/** Finds the place of a path in a workspace. */

import { childPath, fsError, parentPath, resolvePath } from "holdall";
import { type Database, type NodeRow, nodeAt } from "./database.ts";

/** Where a path leads. */
export interface Place {
  /** The path without symlinks, as far as it exists. */
  readonly path: string;
  /** What is there. */
  readonly node: NodeRow | undefined;
  /** The deepest directory that exists on the way, or what stands in the place of one. */
  readonly above: NodeRow | undefined;
}

/** The most symlinks that one path may lead through. */
const MAX_SYMLINKS = 40;

/**
 * Finds the place of a path. What exists is found at once: its path leads through directories only.
 *
 * @param database The workspace.
 * @param path The absolute, resolved path.
 * @param follow Whether a symlink at its end is looked through.
 */
export function findPlace(database: Database, path: string, follow: boolean): Place {
  let at = path;
  for (let links = 0; links <= MAX_SYMLINKS; links += 1) {
    const node = nodeAt(database, at);
    if (node !== undefined && (node.target === null || !follow)) return { path: at, node, above: undefined };
    const above = node ?? nearest(database, at);
    if (above.target === null) return { path: at, node: undefined, above };
    const target = resolvePath(above.target, parentPath(above.path));
    const rest = at.slice(above.path.length + 1);
    at = rest === "" ? target : childPath(target, rest);
  }
  throw fsError("FS_LOOP", path);
}

/** Tells whether a file stands where a directory would have to be. */
export function isBlocked({ above }: Place): boolean {
  return above !== undefined && above.kind !== "directory";
}

/** Gives the node nearest above a path; the root is always there. */
function nearest(database: Database, path: string): NodeRow {
  for (let at = parentPath(path); ; at = parentPath(at)) {
    const node = nodeAt(database, at);
    if (node !== undefined) return node;
    if (at === "/") throw fsError("FS_IO", path, "the workspace has lost its root. Use another object.");
  }
}
