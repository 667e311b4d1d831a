/** The tree of what an overlay holds itself: nodes, whiteouts, and what the base was like where they lie over it. */

import { childPath } from "holdall";

/** What every node has. */
export interface NodeFacts {
  /** Milliseconds since 1970. */
  modifiedAt: number;
  /** The number of the change that gave it its content; 0 for a directory that is only on the way to something. */
  change: number;
  /** Where the base has what this was before it was changed or moved. */
  origin?: string;
}

/** A file; its content is kept apart, under an id, and never changed in place. */
export interface FileNode extends NodeFacts {
  readonly kind: "file";
  readonly content: string;
  readonly size: number;
}

/** A symlink. */
export interface LinkNode extends NodeFacts {
  readonly kind: "symlink";
  readonly target: string;
}

/** A directory. */
export interface DirectoryNode extends NodeFacts {
  readonly kind: "directory";
  readonly entries: Map<string, Entry>;
  /** Whether it hides the directory of the base that it lies over. */
  readonly opaque: boolean;
  /** The epoch in which it was made; one of an earlier epoch belongs to a checkpoint as well, and is copied first. */
  readonly epoch: number;
}

/** Anything in the tree. */
export type OverlayNode = FileNode | LinkNode | DirectoryNode;

/**
 * What the base was like at a path and below when the overlay first covered it: marks by relative path, the path itself
 * under the empty name. Empty when there was nothing.
 */
export type Seen = ReadonlyMap<string, string>;

/** What lies over one name of a directory. */
export interface Entry {
  /** What is there; undefined for a whiteout, which hides what the base has. */
  readonly node: OverlayNode | undefined;
  /** Left out below what hides the base already, and for directories that only let the base show through. */
  readonly seen?: Seen;
}

/** What is put at a path; undefined takes the entry away, so that the base shows through again. */
export type Put = readonly [path: string, entry: Entry | undefined];

/** Where a path leads in the tree, taken literally: symlinks are not followed. */
export type Step =
  /** An entry lies exactly there. */
  | { kind: "entry"; entry: Entry; isHidden: boolean }
  /** A symlink or file stands on the way. */
  | { kind: "stopped"; entry: Entry; path: string; rest: string }
  /** The tree knows nothing there; the base shows through unless it is hidden. */
  | { kind: "beyond"; isHidden: boolean };

/** What the base was like where there was nothing. */
export const NOTHING: Seen = new Map();

/** Makes a directory. */
export function directory(epoch: number, facts: NodeFacts, opaque: boolean): DirectoryNode {
  return { kind: "directory", entries: new Map(), opaque, epoch, ...facts };
}

/** Tells whether an entry lets the base show through: a directory that is not opaque. */
export function isTransparent(entry: Entry): entry is Entry & { node: DirectoryNode } {
  return entry.node?.kind === "directory" && !entry.node.opaque;
}

/** Follows a path down the tree. */
export function descend(root: DirectoryNode, path: string): Step {
  let entry: Entry = { node: root };
  let isHidden = false;
  let at = "";
  for (const name of namesOf(path)) {
    const { node } = entry;
    if (node === undefined) return { kind: "beyond", isHidden: true };
    if (node.kind !== "directory") return { kind: "stopped", entry, path: at, rest: path.slice(at.length + 1) };
    isHidden ||= node.opaque;
    const next = node.entries.get(name);
    if (next === undefined) return { kind: "beyond", isHidden };
    entry = next;
    at += `/${name}`;
  }
  return { kind: "entry", entry, isHidden };
}

/**
 * Puts entries into a tree. Directories on the way are made, and those that are left without a purpose go away.
 *
 * @returns The root, another one when the old one belongs to a checkpoint.
 */
export function putEntries(root: DirectoryNode, puts: readonly Put[], epoch: number, facts: NodeFacts): DirectoryNode {
  let whole = root;
  for (const [path, entry] of puts) whole = putInto(whole, namesOf(path), entry, { epoch, facts, isHidden: false });
  return whole;
}

function putInto(
  node: DirectoryNode,
  names: readonly string[],
  entry: Entry | undefined,
  how: { epoch: number; facts: NodeFacts; isHidden: boolean },
): DirectoryNode {
  const { epoch, facts } = how;
  const own = node.epoch === epoch ? node : { ...node, entries: new Map(node.entries), epoch };
  const [name = "", ...rest] = names;
  if (rest.length === 0) {
    if (entry === undefined) own.entries.delete(name);
    else own.entries.set(name, entry);
    Object.assign(own, { modifiedAt: facts.modifiedAt, change: facts.change });
    return own;
  }
  const there = own.entries.get(name);
  if (there?.node?.kind !== "directory") {
    if (entry === undefined) return own;
    const made = putInto(directory(epoch, { modifiedAt: 0, change: 0 }, false), rest, entry, how);
    own.entries.set(name, { ...there, node: made });
    return own;
  }
  const isHidden = how.isHidden || own.opaque;
  const below = putInto(there.node, rest, entry, { ...how, isHidden });
  const isIdle = !isHidden && below.entries.size === 0 && !below.opaque && there.seen === undefined;
  if (isIdle && entry === undefined) own.entries.delete(name);
  else own.entries.set(name, { ...there, node: below });
  return own;
}

/** Meets everything at and below a node, parents first, with paths relative to it. */
export function* flatten(node: OverlayNode, at = ""): Generator<[path: string, node: OverlayNode], void, undefined> {
  yield [at, node];
  if (node.kind !== "directory") return;
  for (const [name, entry] of node.entries) {
    if (entry.node !== undefined) yield* flatten(entry.node, at === "" ? name : `${at}/${name}`);
  }
}

/** Joins a directory and what is below it. */
export function below(directoryPath: string, relative: string): string {
  if (relative === "") return directoryPath;
  return childPath(directoryPath, relative);
}

function namesOf(path: string): string[] {
  return path === "/" ? [] : path.slice(1).split("/");
}
