/** Turns the list of entries into the rows of a tree. */
import { baseName, parentPath } from "holdall";
import { ROOT } from "./limits.ts";
import type { Entry, FileStatus } from "./workspace.ts";

/** One visible row. */
export interface TreeRow {
  path: string;
  name: string;
  kind: Entry["kind"];
  /** From 1. */
  level: number;
  /** The place among its siblings, from 1. */
  position: number;
  siblings: number;
  isExpanded: boolean;
  /** For a folder: whether anything below it differs. */
  status: FileStatus;
}

/** Lists the rows that are visible while some folders are expanded; folders come first. */
export function visibleRows(
  entries: readonly Entry[],
  expanded: ReadonlySet<string>,
  statuses: ReadonlyMap<string, FileStatus>,
): TreeRow[] {
  const children = groupByFolder(entries);
  const touched = touchedFolders(statuses);
  const rows: TreeRow[] = [];
  const add = (folder: string, level: number): void => {
    const siblings = children.get(folder) ?? [];
    siblings.forEach(({ path, kind }, index) => {
      const isExpanded = kind === "directory" && expanded.has(path);
      const status = statuses.get(path) ?? (touched.has(path) ? "changed" : "same");
      const place = { level, position: index + 1, siblings: siblings.length };
      rows.push({ path, name: baseName(path), kind, ...place, isExpanded, status });
      if (isExpanded) add(path, level + 1);
    });
  };
  add(ROOT, 1);
  return rows;
}

/** Lists the folders that shall be expanded at first: all of a small tree, none of a large one. */
export function firstExpanded(entries: readonly Entry[]): Set<string> {
  if (entries.length > 60) return new Set();
  return new Set(entries.filter(({ kind }) => kind === "directory").map(({ path }) => path));
}

function groupByFolder(entries: readonly Entry[]): Map<string, Entry[]> {
  const children = new Map<string, Entry[]>();
  for (const entry of entries) {
    const folder = parentPath(entry.path);
    const siblings = children.get(folder);
    if (siblings === undefined) children.set(folder, [entry]);
    else siblings.push(entry);
  }
  for (const siblings of children.values()) siblings.sort(byKindAndName);
  return children;
}

function byKindAndName(one: Entry, other: Entry): number {
  if (one.kind !== other.kind) return one.kind === "directory" ? -1 : 1;
  return one.path < other.path ? -1 : 1;
}

function touchedFolders(statuses: ReadonlyMap<string, FileStatus>): Set<string> {
  const touched = new Set<string>();
  for (const [path, status] of statuses) {
    if (status === "same") continue;
    for (let folder = parentPath(path); folder.length > ROOT.length; folder = parentPath(folder)) touched.add(folder);
  }
  return touched;
}
