/**
 * Remembers looks, misses and listings for the time of one command line, in front of file systems that answer slowly.
 *
 * A shell asks for the same paths again and again: `cp` alone looks about twelve times. What the shell itself writes is
 * seen at once. What others write meanwhile is seen after `maxAgeMs`, so that a loop that waits for a file ends.
 */

import { baseName, type DirEntry, isInside, parentPath } from "holdall";
import { MAX_CACHED_PATHS } from "./limits.ts";
import type { Look, ShellFiles } from "./shell-files.ts";

/** How long, and by which clock. */
export interface StatCacheOptions {
  /** Milliseconds until an answer is asked for again. */
  maxAgeMs: number;
  /** Gives milliseconds. */
  now(): number;
}

/** Puts a cache in front of the files; make a new one for each command line. */
export function cacheFiles(files: ShellFiles, options: StatCacheOptions): ShellFiles {
  const memory = createMemory(options, files.readLink !== undefined || files.symlink !== undefined);
  const changing = async <T>(work: Promise<T>, forget: () => void): Promise<T> => {
    try {
      return await work;
    } finally {
      // Also after a failure: a part of the change may have happened.
      forget();
    }
  };
  const cached: ShellFiles = {
    ...files,
    look: async (path, follow) => {
      const known = memory.look(path, follow);
      if (known !== undefined) return known ?? undefined;
      const remember = memory.started();
      const look = await files.look(path, follow);
      remember(() => memory.rememberLook(path, follow, look ?? null));
      return look;
    },
    list: async (path) => {
      const known = memory.list(path);
      if (known !== undefined) return known;
      const remember = memory.started();
      const entries = await files.list(path);
      remember(() => memory.rememberList(path, entries));
      return entries;
    },
    write: async (path, bytes, ifVersion) => {
      const stat = await changing(files.write(path, bytes, ifVersion), () => memory.added(path));
      memory.rememberLook(path, true, stat);
      return stat;
    },
    makeDirectory: (path) => changing(files.makeDirectory(path), () => memory.added(path)),
    remove: (path, recursive) => changing(files.remove(path, recursive), () => memory.removed(path)),
    rename: (from, to) =>
      changing(files.rename(from, to), () => {
        memory.removed(from);
        memory.removed(to);
      }),
  };
  const { symlink } = files;
  if (symlink !== undefined)
    cached.symlink = (target, path) => changing(symlink(target, path), () => memory.removed(path));
  return cached;
}

/** What is known of one path; null stands for "is not there". */
interface Known {
  at: number;
  /** Looked at without following. */
  own?: Look | null;
  /** Looked at through symlinks. */
  target?: Look | null;
  list?: Listing;
}

interface Listing {
  entries: readonly DirEntry[];
  byName: ReadonlyMap<string, DirEntry>;
}

interface Memory {
  look(path: string, follow: boolean): Look | null | undefined;
  list(path: string): readonly DirEntry[] | undefined;
  /** Starts a question; its answer is kept only when nothing has changed meanwhile. */
  started(): (keep: () => void) => void;
  rememberLook(path: string, follow: boolean, look: Look | null): void;
  rememberList(path: string, entries: readonly DirEntry[]): void;
  /** Forgets what a new or rewritten path makes untrue: itself and what its folders list. */
  added(path: string): void;
  /** Forgets what a removed or moved path makes untrue: all below it, too. */
  removed(path: string): void;
}

function createMemory({ maxAgeMs, now }: StatCacheOptions, withLinks: boolean): Memory {
  const paths = new Map<string, Known>();
  let changes = 0;
  // Where symlinks may be, two paths can mean one file, so a change of one path leaves only folders certain.
  let linked = withLinks;

  const fresh = (path: string): Known | undefined => {
    const known = paths.get(path);
    return known !== undefined && now() - known.at <= maxAgeMs ? known : undefined;
  };
  const put = (path: string, facts: Omit<Known, "at">): void => {
    if (paths.size >= MAX_CACHED_PATHS) paths.clear();
    // The oldest fact tells the age of all facts of a path.
    paths.set(path, { at: now(), ...fresh(path), ...facts });
  };

  return {
    look: (path, follow) => {
      const known = fresh(path);
      const answer = follow ? known?.target : known?.own;
      return answer === undefined ? deduce(path, follow, fresh) : answer;
    },
    list: (path) => fresh(path)?.list?.entries,
    started: () => {
      const before = changes;
      return (keep) => {
        if (changes === before) keep();
      };
    },
    rememberLook: (path, follow, look) => {
      linked ||= look?.kind === "symlink";
      const both = !linked || (!follow && look?.kind !== "symlink");
      put(path, both ? { own: look, target: look } : follow ? { target: look } : { own: look });
    },
    rememberList: (path, entries) => {
      const byName = new Map(entries.map((entry) => [entry.name, entry]));
      linked ||= entries.some((entry) => entry.kind === "symlink");
      put(path, { list: { entries, byName } });
    },
    added: (path) => {
      changes += 1;
      if (linked) return keepFolders(paths);
      paths.delete(path);
      for (let above = parentPath(path); ; above = parentPath(above)) {
        keepFolder(paths, above, paths.get(above));
        if (above === "/") return;
      }
    },
    removed: (path) => {
      changes += 1;
      if (linked) return paths.clear();
      for (const other of [...paths.keys()]) if (isInside(other, path)) paths.delete(other);
      // The new place of a moved path may have got new folders above it.
      for (let above = parentPath(path); ; above = parentPath(above)) {
        keepFolder(paths, above, paths.get(above));
        if (above === "/") return;
      }
    },
  };
}

/** Answers from what is known of the folders above; undefined when they do not tell. */
function deduce(path: string, follow: boolean, fresh: (path: string) => Known | undefined): Look | null | undefined {
  if (path === "/") return undefined;
  const folder = parentPath(path);
  const listing = fresh(folder)?.list;
  if (listing !== undefined) {
    const entry = listing.byName.get(baseName(path));
    return entry === undefined ? null : fromEntry(entry, follow);
  }
  const known = fresh(folder)?.target;
  const target = known === undefined ? deduce(folder, true, fresh) : known;
  return target === null || target?.kind === "file" ? null : undefined;
}

function fromEntry({ kind, size, modifiedAt }: DirEntry, follow: boolean): Look | undefined {
  if (size === undefined || modifiedAt === undefined || (follow && kind === "symlink")) return undefined;
  return { kind, size, modifiedAt };
}

function keepFolders(paths: Map<string, Known>): void {
  for (const [path, known] of [...paths]) keepFolder(paths, path, known);
}

/** Keeps of a path only that it is a folder. */
function keepFolder(paths: Map<string, Known>, path: string, known: Known | undefined): void {
  if (known === undefined) return;
  const kept: Known = { at: known.at };
  if (known.own?.kind === "directory") kept.own = known.own;
  if (known.target?.kind === "directory") kept.target = known.target;
  if (kept.own === undefined && kept.target === undefined) paths.delete(path);
  else paths.set(path, kept);
}
