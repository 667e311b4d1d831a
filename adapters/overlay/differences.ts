/** Compares what an overlay shows with what the base has, path by path. */

import { type FileStat, type FsOptions, isInside } from "holdall";
import { type FactsByPath, factsBelow, lookAt, markOf, relativeTo } from "./base-facts.ts";
import type { Session } from "./session.ts";
import { below, type DirectoryNode, type Entry, flatten, isTransparent, type OverlayNode, type Seen } from "./tree.ts";

/** An entry of the tree that covers a part of the base. */
export interface Region {
  readonly path: string;
  readonly entry: Entry;
  readonly seen: Seen;
  /** Whether only the directory itself is meant: what is below is covered by regions of its own. */
  readonly isShallow: boolean;
}

/** What an overlay and its base have at one path. */
export interface Difference {
  readonly path: string;
  readonly region: Region;
  /** What the base has now. */
  readonly before: FileStat | undefined;
  /** What the overlay has. */
  readonly after: OverlayNode | undefined;
  /** Whether both have the same. */
  readonly isEqual: boolean;
  /** Whether the base has changed since the overlay covered it, to something else than what the overlay has. */
  readonly isConflict: boolean;
}

/** Bytes of two files that are compared at a time. */
const PIECE = 1 << 20;

/** Tells whether a path is one of those chosen or lies below one; without a choice every path is. */
export function isChosen(path: string, chosen: readonly string[] | undefined): boolean {
  return chosen === undefined || chosen.some((each) => isInside(path, each));
}

/**
 * Finds the regions of a tree that can hold something chosen.
 *
 * @param root The tree.
 * @param chosen Absolute paths; all when left out.
 */
export function* regionsOf(
  root: DirectoryNode,
  chosen: readonly string[] | undefined,
  at = "/",
): Generator<Region, void, undefined> {
  for (const [name, entry] of root.entries) {
    const path = below(at, name);
    if (chosen?.every((each) => !isInside(path, each) && !isInside(each, path))) continue;
    const { seen } = entry;
    const isShallow = isTransparent(entry);
    if (seen !== undefined) yield { path, entry, seen, isShallow };
    if (isTransparent(entry)) yield* regionsOf(entry.node, chosen, path);
  }
}

/** Compares a region with the base; also what is equal is given. */
export async function compareRegion(
  session: Session,
  region: Region,
  chosen: readonly string[] | undefined,
  options: FsOptions,
): Promise<Difference[]> {
  const facts = await factsOf(session, region, options);
  const nodes = new Map<string, OverlayNode>();
  const { node } = region.entry;
  if (node !== undefined) {
    for (const [relative, each] of region.isShallow ? [["", node] as const] : flatten(node))
      nodes.set(below(region.path, relative), each);
  }
  const differences: Difference[] = [];
  for (const path of new Set([...nodes.keys(), ...facts.keys()])) {
    if (!isChosen(path, chosen)) continue;
    options.signal?.throwIfAborted();
    const before = facts.get(path);
    const after = nodes.get(path);
    const isEqual = await areEqual(session, path, before, after, options);
    const hasChanged = markOf(before) !== region.seen.get(relativeTo(region.path, path));
    differences.push({ path, region, before, after, isEqual, isConflict: hasChanged && !isEqual });
  }
  return differences;
}

async function factsOf(session: Session, { path, isShallow }: Region, options: FsOptions): Promise<FactsByPath> {
  if (!isShallow) return factsBelow(session.base, path, options);
  const stat = await lookAt(session.base, path, options);
  return new Map(stat === undefined ? [] : [[path, stat]]);
}

async function areEqual(
  { base, upper }: Session,
  path: string,
  before: FileStat | undefined,
  after: OverlayNode | undefined,
  options: FsOptions,
): Promise<boolean> {
  if (before === undefined || after === undefined) return before === after;
  if (before.kind !== after.kind) return false;
  if (after.kind === "directory") return true;
  if (after.kind === "symlink") return (await base.readLink?.(path, options)) === after.target;
  if (before.size !== after.size) return false;
  for (let offset = 0; offset < after.size; offset += PIECE) {
    const range = { offset, length: PIECE, ...options };
    const [one, other] = await Promise.all([base.read(path, range), upper.read(after.content, range)]);
    if (one.bytes.length !== other.length || one.bytes.some((byte, index) => byte !== other[index])) return false;
  }
  return true;
}
