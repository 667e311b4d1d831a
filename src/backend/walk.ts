/** Walks a tree by listing its directories. */

import { HoldallError } from "../base/errors.ts";
import { type Breather, createBreather, ENTRY_UNITS } from "./breather.ts";
import type { DirEntry, FileSystemParts, FsOptions, WalkEntry } from "./file-system.ts";

/** How to walk a tree. */
export interface TreeOptions extends FsOptions {
  /** Whether a directory is entered; the root is always. Defaults to all. */
  enters?(directory: WalkEntry): boolean;
  /** Hears of a directory that is entered, before anything else about its entries; a promise is waited for. */
  opened?(directory: string, entries: readonly DirEntry[]): Promise<void> | undefined;
  /**
   * Whether an entry is passed over, with all below it. Defaults to none.
   *
   * @param folder What stands before its name in its path: the same text for all siblings.
   */
  omits?(entry: WalkEntry, folder: string): boolean;
  /** Tells what an entry costs beside {@link ENTRY_UNITS}. */
  units?(): number;
  /** Pauses long walks; shared with the work done on the entries. Defaults to one of its own. */
  breather?: Breather;
}

/** Entries that take so long to sort that others must get their turn; few folders have as many. */
const MANY_ENTRIES = 4096;

/** Entries that are given together at most, so that work on them can start early. */
const RUN_LENGTH = 256;

/**
 * Meets all below a directory, parents before children, siblings by name in the order of their UTF-16 units.
 *
 * Symlinks are met, not entered. A directory that disappears while the walk goes on has no entries.
 *
 * @param host The file system; its paths are resolved already.
 * @param root The directory; fails as `list` does when it is not one.
 * @returns The entries in runs: waiting for each of them would take longer than a host in memory takes.
 */
export async function* walkRuns(
  host: Pick<FileSystemParts, "list">,
  root: string,
  options: TreeOptions = {},
): AsyncGenerator<WalkEntry[], void, undefined> {
  const { signal, enters = () => true, omits = () => false, opened, units, breather = createBreather() } = options;
  const pending: Folder[] = [];
  const take = (directory: string, entries: DirEntry[]): Promise<void> | undefined => {
    const sorting = sortByName(entries, breather);
    const push = (sorted: DirEntry[]): Promise<void> | undefined => {
      pending.push({ prefix: directory === "/" ? "/" : `${directory}/`, entries: sorted.reverse() });
      return opened?.(directory, sorted);
    };
    return Array.isArray(sorting) ? push(sorting) : sorting.then(push);
  };
  const open = (directory: string): Promise<void> | undefined => {
    const listing = host.list(directory, signal && { signal });
    if (Symbol.iterator in listing) return take(directory, [...listing]);
    return collect(listing, breather, signal).then((entries) => take(directory, entries));
  };
  await open(root);
  let run: WalkEntry[] = [];
  for (let folder = pending.at(-1); folder !== undefined; folder = pending.at(-1)) {
    const met = folder.entries.pop();
    if (met === undefined) {
      pending.pop();
      continue;
    }
    // Made only now, for a directory may have very many.
    const entry = entryAt(folder.prefix, met);
    const isOmitted = omits(entry, folder.prefix);
    if (!isOmitted) run.push(entry);
    const isEntered = !isOmitted && entry.kind === "directory" && enters(entry);
    const opening = isEntered ? guarded(open, entry.path) : undefined;
    // Whoever leaves at the next run leaves no rejection unhandled.
    opening?.catch(() => {});
    if (opening !== undefined || run.length >= RUN_LENGTH) {
      yield run;
      run = [];
    }
    const pause = opening ?? breather.spend(units === undefined ? ENTRY_UNITS : ENTRY_UNITS + units());
    if (pause === undefined) continue;
    await pause;
    signal?.throwIfAborted();
  }
  yield run;
}

/** Meets the entries of {@link walkRuns} one by one. */
export async function* walkTree(
  host: Pick<FileSystemParts, "list">,
  root: string,
  options: TreeOptions = {},
): AsyncGenerator<WalkEntry, void, undefined> {
  for await (const run of walkRuns(host, root, options)) yield* run;
}

async function collect(
  listing: AsyncIterable<DirEntry>,
  breather: Breather,
  signal: AbortSignal | undefined,
): Promise<DirEntry[]> {
  const entries: DirEntry[] = [];
  for await (const entry of listing) {
    entries.push(entry);
    const pause = breather.spend(ENTRY_UNITS);
    if (pause === undefined) continue;
    await pause;
    signal?.throwIfAborted();
  }
  return entries;
}

/** A directory whose entries are not all met yet. */
interface Folder {
  /** What stands before the names in a path. */
  prefix: string;
  /** The next one last. */
  entries: DirEntry[];
}

/** Sorts entries; a promise when there are so many that others must get their turn meanwhile. */
function sortByName(entries: DirEntry[], breather: Breather): Promise<DirEntry[]> | DirEntry[] {
  const byName = (one: DirEntry, other: DirEntry): number => (one.name < other.name ? -1 : 1);
  if (entries.length < MANY_ENTRIES) return entries.sort(byName);
  return import("./sort-in-runs.ts").then(({ sortInRuns }) => sortInRuns(entries, byName, breather));
}

function entryAt(prefix: string, { name, kind, size, modifiedAt }: DirEntry): WalkEntry {
  // One by one: a spread takes several times as long, and this is most of what a walk in memory does.
  const entry: WalkEntry = { path: prefix + name, name, kind };
  if (size !== undefined) entry.size = size;
  if (modifiedAt !== undefined) entry.modifiedAt = modifiedAt;
  return entry;
}

/** Opens a directory that may be gone meanwhile. */
function guarded(open: (path: string) => Promise<void> | undefined, path: string): Promise<void> | undefined {
  try {
    return open(path)?.catch(ignoreGone);
  } catch (error) {
    ignoreGone(error);
    return undefined;
  }
}

function ignoreGone(error: unknown): void {
  if (!HoldallError.is(error, "FS_NOT_FOUND") && !HoldallError.is(error, "FS_NOT_DIRECTORY")) throw error;
}
