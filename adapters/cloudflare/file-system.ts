/** Files in the SQLite storage of a Durable Object. */

import {
  type Backend,
  baseName,
  createBackend,
  createFileSystem,
  createWatchers,
  type DirEntry,
  type FileSystem,
  type FileSystemParts,
  type FsChange,
  fsError,
  parentPath,
  resolvePath,
  type Shell,
  type ShellFactory,
  type Watchers,
} from "holdall";
import { readContent } from "./content.ts";
import { CHUNK_BYTES, childrenOf, type Database, openDatabase, transact, versionOf } from "./database.ts";
import { makeDirectory, remove, rename, statOf, symlink, write } from "./edits.ts";
import { sweepKeys } from "./keys.ts";
import { findPlace } from "./place.ts";
import type { DurableStorage } from "./types.ts";
import { scheduleSweep, sweepUploads, writeStream } from "./uploads.ts";

/** How files are kept. */
export interface DurableFileSystemOptions {
  /** Bytes that all files may have together; more fail with `FS_NO_SPACE`. Defaults to 8 GiB, of the 10 GB an object has. */
  maxBytes?: number;
  /** The most files, directories and symlinks; more fail with `FS_NO_SPACE`. Defaults to a million. */
  maxEntries?: number;
  /**
   * Whether the alarm of the object is set when a file is written from a stream, so that `sweepWorkspace` can be called
   * by it: an upload that was cut off by the end of the object is let go of. Defaults to false: an object has one alarm,
   * which may be meant for something else.
   */
  alarms?: boolean;
  /** Gives the time of changes. Defaults to the host's clock. */
  clock?: () => number;
}

/** How a backend over the files is made. */
export interface DurableBackendOptions extends DurableFileSystemOptions {
  /** Shown to people and in errors. Defaults to `durable object`. */
  name?: string;
  /** The working directory, which is created. Defaults to `/workspace`. */
  cwd?: string;
  /** The home directory, which is created. None by default. */
  home?: string;
  /** The shell, or what makes one over the files. */
  shell?: Shell | ShellFactory;
}

/**
 * Makes a file system in the SQLite storage of a Durable Object. Its tables begin with `holdall_`, so that an object can
 * have others beside them.
 *
 * Every change is one transaction. Content is kept in chunks of 1 MiB, of which a read takes only those it needs.
 *
 * @param storage The storage: `ctx.storage` of an object whose class is migrated as `new_sqlite_classes`.
 * @param options How files are kept.
 */
export function durableObjectFileSystem(storage: DurableStorage, options: DurableFileSystemOptions = {}): FileSystem {
  const database = open(storage, options);
  const parts = durableParts(database, createWatchers(), options.alarms === true);
  return createFileSystem(parts, { chunkBytes: CHUNK_BYTES });
}

/**
 * Makes a backend in the SQLite storage of a Durable Object.
 *
 * @param storage The storage: `ctx.storage` of an object whose class is migrated as `new_sqlite_classes`.
 * @param options How files are kept, and where the backend stands.
 */
export function durableObjectBackend(storage: DurableStorage, options: DurableBackendOptions = {}): Backend {
  const { name = "durable object" } = options;
  const cwd = resolvePath(options.cwd ?? "/workspace");
  const home = options.home === undefined ? undefined : resolvePath(options.home, cwd);
  const database = open(storage, options);
  const watchers = createWatchers();
  const fs = createFileSystem(durableParts(database, watchers, options.alarms === true), { chunkBytes: CHUNK_BYTES });
  transact(database, cwd, () => {
    for (const folder of home === undefined ? [cwd] : [cwd, home]) makeDirectory(database, folder);
  });
  return createBackend({ name, fs, cwd, home, shell: options.shell, close: watchers.close });
}

/**
 * Lets go of uploads that were cut off and of outcomes that nobody asks for any more, and has the alarm set again while
 * there are others. Call it in the object's `alarm`.
 *
 * @param storage The storage of the object.
 * @param now Milliseconds since 1970.
 */
export async function sweepWorkspace(storage: DurableStorage, now: number = Date.now()): Promise<void> {
  const database = open(storage, {});
  const times = [sweepUploads(database, now), sweepKeys(database, now)].filter((time) => time !== undefined);
  const next = times.length === 0 ? undefined : Math.min(...times);
  if (next !== undefined && (await storage.getAlarm()) === null) await storage.setAlarm(Math.max(next, now + 1000));
}

function open(storage: DurableStorage, options: DurableFileSystemOptions): Database {
  const { maxBytes = 8 * 2 ** 30, maxEntries = 1_000_000, clock = Date.now } = options;
  return openDatabase(storage, { maxBytes, maxEntries }, clock);
}

function durableParts(database: Database, watchers: Watchers, alarms: boolean): FileSystemParts {
  const change = <T>(path: string, run: () => T, ...changes: FsChange[]): T => {
    const result = transact(database, path, run);
    watchers.tell(changes);
    return result;
  };
  const real = (path: string): string => parentReal(database, path);
  return {
    stat: async (path, options) => {
      const { node } = findPlace(database, path, options?.followSymlinks ?? true);
      return node && statOf(database, node);
    },
    read: async (path, { offset = 0, length = Number.POSITIVE_INFINITY } = {}) => {
      const { node } = findPlace(database, path, true);
      if (node === undefined) throw fsError("FS_NOT_FOUND", path);
      if (node.content === null) throw fsError("FS_IS_DIRECTORY", path);
      const bytes = readContent(database, node.content, offset, Math.min(node.size, offset + length));
      return { bytes, version: versionOf(database, node) };
    },
    write: async (path, bytes, options) =>
      change(path, () => write(database, path, bytes, options?.ifVersion), {
        path: fileReal(database, path),
        kind: "written",
      }),
    writeStream: async (path, stream, options) => {
      if (alarms) await scheduleSweep(database.storage, database.clock());
      const stat = await writeStream(database, path, stream, options);
      watchers.tell([{ path: fileReal(database, path), kind: "written" }]);
      return stat;
    },
    list: (path) => list(database, path),
    makeDirectory: async (path) =>
      change(path, () => makeDirectory(database, path), { path: real(path), kind: "written" }),
    remove: async (path, options) => {
      const removed = real(path);
      change(path, () => remove(database, path, options?.recursive === true), { path: removed, kind: "removed" });
    },
    rename: async (from, to) => {
      const moved = real(from);
      change(from, () => rename(database, from, to), { path: moved, kind: "removed" });
      watchers.tell([{ path: real(to), kind: "written" }]);
    },
    symlink: async (target, path) =>
      change(path, () => symlink(database, target, path), { path: real(path), kind: "written" }),
    readLink: async (path) => {
      const { node } = findPlace(database, path, false);
      if (node === undefined) throw fsError("FS_NOT_FOUND", path);
      if (node.target === null) throw fsError("FS_INVALID_PATH", path, `${path} is not a symlink. Read it as it is.`);
      return node.target;
    },
    realpath: async (path) => findPlace(database, path, true).path,
    watch: (path, options) => {
      const { node } = findPlace(database, path, true);
      if (node?.kind !== "directory") throw fsError(node === undefined ? "FS_NOT_FOUND" : "FS_NOT_DIRECTORY", path);
      return watchers.watch(node.path, options?.signal);
    },
  };
}

function list(database: Database, path: string): DirEntry[] {
  const { node } = findPlace(database, path, true);
  if (node?.kind !== "directory") throw fsError(node === undefined ? "FS_NOT_FOUND" : "FS_NOT_DIRECTORY", path);
  return childrenOf(database, node.path).map(({ path: child, kind, size, modifiedAt }) => ({
    name: baseName(child),
    kind,
    size,
    modifiedAt,
  }));
}

/** Gives the real path of a file, for those who watch. */
function fileReal(database: Database, path: string): string {
  try {
    return findPlace(database, path, true).path;
  } catch {
    // A circle of links: the change itself will tell.
    return path;
  }
}

/** Gives a path whose parents are real, for those who watch. */
function parentReal(database: Database, path: string): string {
  const parent = fileReal(database, parentPath(path));
  return parent === "/" ? `/${baseName(path)}` : `${parent}/${baseName(path)}`;
}
