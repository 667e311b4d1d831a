/** The tree that files in memory live in: nodes, and finding the place of a path. */

import { fsError, resolvePath } from "holdall";

/** A file; its bytes belong to the tree alone and are never changed in place. */
export interface FileNode extends NodeFacts {
  kind: "file";
  bytes: Uint8Array;
}

/** A directory. */
export interface DirectoryNode extends NodeFacts {
  kind: "directory";
  entries: Map<string, TreeNode>;
}

/** A symlink. */
export interface LinkNode extends NodeFacts {
  kind: "symlink";
  target: string;
}

/** Anything in the tree. */
export type TreeNode = FileNode | DirectoryNode | LinkNode;

/** What every node has. */
export interface NodeFacts {
  modifiedAt: number;
  /** The number of the change that gave it its content, unique in the tree. */
  change: number;
}

/** Where a path leads. */
export interface Place {
  /** The path without symlinks, as far as it exists. */
  path: string;
  /** The deepest directory on the way. */
  parent: DirectoryNode;
  /** The names below it: none for `/`, one for what exists or could be created, more when parents are missing. */
  names: readonly string[];
  /** What is there. */
  node: TreeNode | undefined;
  /** Whether a file stands where a directory would have to be. */
  isBlocked: boolean;
}

/** The most symlinks that one path may lead through. */
const MAX_SYMLINKS = 40;

/**
 * Finds the place of a path.
 *
 * @param root The root of the tree.
 * @param path The absolute, resolved path.
 * @param follow Whether a symlink at its end is looked through.
 */
export function findPlace(root: DirectoryNode, path: string, follow: boolean): Place {
  let names = namesOf(path);
  let parent = root;
  let links = 0;
  for (let at = 0; at < names.length; at += 1) {
    const node = parent.entries.get(names[at] ?? "");
    const isLast = at === names.length - 1;
    if (node?.kind === "symlink" && (follow || !isLast)) {
      links += 1;
      if (links > MAX_SYMLINKS) throw fsError("FS_LOOP", path);
      names = [...namesOf(resolvePath(node.target, `/${names.slice(0, at).join("/")}`)), ...names.slice(at + 1)];
      parent = root;
      at = -1;
    } else if (isLast || node?.kind !== "directory") {
      return {
        path: `/${names.join("/")}`,
        parent,
        names: names.slice(at),
        node: isLast ? node : undefined,
        isBlocked: !isLast && node !== undefined,
      };
    } else parent = node;
  }
  return { path: "/", parent: root, names: [], node: root, isBlocked: false };
}

/** Gives everything at and below a node. */
export function* nodesOf(node: TreeNode): Generator<TreeNode, void, undefined> {
  const pending = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    yield next;
    if (next.kind === "directory") for (const entry of next.entries.values()) pending.push(entry);
  }
}

function namesOf(path: string): string[] {
  return path === "/" ? [] : path.slice(1).split("/");
}
