/** What the base is like at a path and below, to be compared with what it was like before. */

import type { FileStat, FileSystem, FsOptions } from "holdall";
import { below, descend, type Entry, isTransparent, NOTHING, type Seen } from "./tree.ts";
import type { OverlayState } from "./upper.ts";

/** Facts by absolute path. */
export type FactsByPath = ReadonlyMap<string, FileStat>;

/** Files that are looked at at the same time. */
const STATS_AT_ONCE = 16;

/** Looks at a path of the base without following symlinks. */
export function lookAt(base: FileSystem, path: string, options?: FsOptions): Promise<FileStat | undefined> {
  return base.stat(path, { ...signalOf(options), followSymlinks: false });
}

/** Looks at a path of the base and all below it. */
export async function factsBelow(base: FileSystem, path: string, options?: FsOptions): Promise<FactsByPath> {
  const facts = new Map<string, FileStat>();
  const top = await lookAt(base, path, options);
  if (top === undefined) return facts;
  facts.set(path, top);
  if (top.kind !== "directory") return facts;
  let waiting: string[] = [];
  const finish = async (): Promise<void> => {
    const stats = await Promise.all(waiting.map((at) => lookAt(base, at, options)));
    waiting.forEach((at, index) => {
      const stat = stats[index];
      // Gone meanwhile.
      if (stat !== undefined) facts.set(at, stat);
    });
    waiting = [];
  };
  for await (const entry of base.walk(path, signalOf(options))) {
    waiting.push(entry.path);
    if (waiting.length >= STATS_AT_ONCE) await finish();
  }
  await finish();
  return facts;
}

/** Gives what a path of the base is as a mark, which changes when it does; undefined where there is nothing. */
export function markOf(stat: FileStat | undefined): string | undefined {
  if (stat === undefined) return undefined;
  // The entries of a directory have marks of their own.
  return stat.kind === "directory" ? stat.kind : `${stat.kind} ${stat.version}`;
}

/** Gives facts as marks, by paths relative to one of them. */
export function marksOf(facts: FactsByPath, path: string): Seen {
  const marks = new Map<string, string>();
  for (const [at, stat] of facts) marks.set(relativeTo(path, at), markOf(stat) ?? "");
  return marks.size === 0 ? NOTHING : marks;
}

/**
 * Gives what the base was like at a path when it was first covered, or is like now where it never was.
 *
 * @returns Undefined where the base is hidden by what lies above.
 */
export async function seenAt(
  base: FileSystem,
  state: OverlayState,
  path: string,
  options?: FsOptions,
): Promise<Seen | undefined> {
  const step = descend(state.root, path);
  if (step.kind === "entry" ? step.isHidden : step.kind === "beyond" && step.isHidden) return undefined;
  if (step.kind === "entry" && !isTransparent(step.entry)) return step.entry.seen ?? NOTHING;
  const marks = new Map(marksOf(await factsBelow(base, path, options), path));
  if (step.kind === "entry") restoreSeen(marks, step.entry, "");
  return marks.size === 0 ? NOTHING : marks;
}

/** Puts what was seen earlier in the place of what is there now. */
function restoreSeen(marks: Map<string, string>, entry: Entry, at: string): void {
  const { node, seen } = entry;
  if (!isTransparent(entry)) {
    for (const path of marks.keys()) if (path === at || path.startsWith(`${at}/`)) marks.delete(path);
  } else if (seen !== undefined) marks.delete(at);
  for (const [path, mark] of seen ?? []) marks.set(joinRelative(at, path), mark);
  if (node?.kind !== "directory" || node.opaque) return;
  for (const [name, child] of node.entries) restoreSeen(marks, child, joinRelative(at, name));
}

/** Gives a path relative to one above it; empty for that itself. */
export function relativeTo(path: string, at: string): string {
  return at === path ? "" : at.slice(path === "/" ? 1 : path.length + 1);
}

/** Gives the signal alone, as far as there is one. */
export function signalOf(options: FsOptions | undefined): FsOptions {
  return options?.signal === undefined ? {} : { signal: options.signal };
}

function joinRelative(folder: string, name: string): string {
  if (folder === "" || name === "") return folder + name;
  return below(folder, name);
}
