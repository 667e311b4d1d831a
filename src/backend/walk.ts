/** Walks a tree by listing its directories. */

import { HoldallError } from "../base/errors.ts";
import { childPath } from "../base/path.ts";
import { type Breather, createBreather, ENTRY_UNITS } from "./breather.ts";
import type { DirEntry, FileKind, FileSystemParts, FsOptions, WalkEntry } from "./file-system.ts";

/** How to walk a tree. */
export interface TreeOptions extends FsOptions {
  /** Whether a directory is entered; the root is always. Defaults to all. */
  enters?(directory: WalkEntry): boolean;
  /**
   * Hears of a directory that is entered, before anything else about its entries; a promise is waited for.
   *
   * @param kindOf Tells what has a name in it; undefined where there is nothing.
   */
  opened?(directory: string, kindOf: Listing["kindOf"]): Promise<void> | undefined;
  /**
   * Whether an entry is passed over, with all below it; a promise is waited for. Defaults to none.
   *
   * @param folder What stands before its name in its path: the same text for all siblings.
   */
  omits?(entry: WalkEntry, folder: string): boolean | Promise<boolean>;
  /** Tells what an entry costs beside {@link ENTRY_UNITS}. */
  units?(): number;
  /** Pauses long walks; shared with the work done on the entries. Defaults to one of its own. */
  breather?: Breather;
}

/** The entries of a directory, in order. */
export interface Listing {
  /** Gives the next one; undefined at the end. */
  next(): DirEntry | undefined;
  kindOf(name: string): FileKind | undefined;
}

/** Entries that take so long to list and sort that others must get their turn; few folders have as many. */
const MANY_ENTRIES = 4096;

/** Entries that are given together at most, so that work on them can start early. */
const RUN_LENGTH = 256;

/** Some entries of a walk. */
export interface Run {
  entries: WalkEntry[];
  /** What stands before the name of each in its path: the same text for all siblings, for whoever keeps very many. */
  folders: string[];
}

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
): AsyncGenerator<Run, void, undefined> {
  const {
    signal,
    enters = () => true,
    omits = () => false,
    opened,
    units = () => 0,
    breather = createBreather(),
  } = options;
  const pending: Folder[] = [];
  const take = (directory: string, { next, kindOf }: Listing): Promise<void> | undefined => {
    pending.push({ prefix: childPath(directory, ""), next });
    return opened?.(directory, kindOf);
  };
  const open = (directory: string): Promise<void> | undefined => {
    const entries = host.list(directory, signal && { signal });
    if (Array.isArray(entries) && entries.length < MANY_ENTRIES) return take(directory, sorted([...entries]));
    return import("./collect-listing.ts")
      .then(({ collectListing }) => collectListing(entries, breather, signal))
      .then((listing) => take(directory, listing));
  };
  await open(root);
  let run: Run = { entries: [], folders: [] };
  for (let folder = pending.at(-1); folder !== undefined; folder = pending.at(-1)) {
    const met = folder.next();
    if (met === undefined) {
      pending.pop();
      continue;
    }
    // Made only now, for a directory may have very many.
    const entry = entryAt(folder.prefix, met);
    const omitted = omits(entry, folder.prefix);
    const isMet = !(typeof omitted === "boolean" ? omitted : await omitted);
    if (isMet) {
      run.entries.push(entry);
      run.folders.push(folder.prefix);
    }
    const isEntered = isMet && entry.kind === "directory" && enters(entry);
    const opening = isEntered ? guarded(open, entry.path) : undefined;
    // Whoever leaves at the next run leaves no rejection unhandled.
    opening?.catch(() => {});
    if (opening !== undefined || run.entries.length >= RUN_LENGTH) {
      yield run;
      run = { entries: [], folders: [] };
    }
    const pause = opening ?? breather.spend(ENTRY_UNITS + units());
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
  for await (const { entries } of walkRuns(host, root, options)) yield* entries;
}

/** A directory whose entries are not all met yet. */
interface Folder extends Pick<Listing, "next"> {
  /** What stands before the names in a path. */
  prefix: string;
}

/** Sorts a few entries in place. */
function sorted(entries: DirEntry[]): Listing {
  entries.sort((one, other) => (one.name < other.name ? 1 : -1));
  return {
    next: () => entries.pop(),
    kindOf: (name) => entries.find((entry) => entry.name === name)?.kind,
  };
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
