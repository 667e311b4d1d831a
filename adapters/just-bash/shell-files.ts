/** The few questions a shell asks a file system, all under one signal. */

import type { DirEntry, FileKind, FileStat, FileSystem } from "holdall";

/** What a shell needs to know of a path. */
export interface Look {
  kind: FileKind;
  /** Bytes; 0 for directories. */
  size: number;
  /** Milliseconds since 1970; 0 when unknown. */
  modifiedAt: number;
}

/** The bytes of a file and the version they are from. */
export interface Content {
  bytes: Uint8Array;
  version: string;
}

/** A file system as the shell uses it; absolute, resolved paths, errors of the file system port. */
export interface ShellFiles {
  /** Gives undefined for what is not there; `follow` looks through a symlink at the end of the path. */
  look(path: string, follow: boolean): Promise<Look | undefined>;
  list(path: string): Promise<readonly DirEntry[]>;
  read(path: string): Promise<Content>;
  /** Writes a whole file; with a version, only over that version (null: only a new file). */
  write(path: string, bytes: Uint8Array, ifVersion?: string | null): Promise<FileStat>;
  makeDirectory(path: string): Promise<void>;
  remove(path: string, recursive: boolean): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  realpath(path: string): Promise<string>;
  /** Absent where the file system has no symlinks. */
  symlink?(target: string, path: string): Promise<void>;
  /** Absent where the file system has no symlinks. */
  readLink?(path: string): Promise<string>;
}

/**
 * Asks a file system directly.
 *
 * Each call gets a signal of its own: a hundred calls at once on one signal would make Node warn of a leak.
 *
 * @param fs The file system.
 * @param signal Gives up every call that waits.
 */
export function shellFiles(fs: FileSystem, signal: AbortSignal): ShellFiles {
  const waiting = new Set<AbortController>();
  signal.addEventListener("abort", () => {
    for (const controller of waiting) controller.abort(signal.reason);
  });
  const ask = async <T>(work: (options: { signal: AbortSignal }) => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    const controller = new AbortController();
    waiting.add(controller);
    try {
      return await work({ signal: controller.signal });
    } finally {
      waiting.delete(controller);
    }
  };
  const files: ShellFiles = {
    look: (path, followSymlinks) => ask((options) => fs.stat(path, { followSymlinks, ...options })),
    list: (path) => ask((options) => collect(fs.list(path, options))),
    read: (path) => ask((options) => fs.read(path, options)),
    write: (path, bytes, ifVersion) =>
      ask((options) => fs.write(path, bytes, ifVersion === undefined ? options : { ifVersion, ...options })),
    makeDirectory: (path) => ask((options) => fs.makeDirectory(path, options)),
    remove: (path, recursive) => ask((options) => fs.remove(path, { recursive, ...options })),
    rename: (from, to) => ask((options) => fs.rename(from, to, options)),
    realpath: (path) => ask((options) => fs.realpath(path, options)),
  };
  const { symlink, readLink } = fs;
  if (symlink !== undefined)
    files.symlink = (target, path) => ask((options) => symlink.call(fs, target, path, options));
  if (readLink !== undefined) files.readLink = (path) => ask((options) => readLink.call(fs, path, options));
  return files;
}

async function collect(entries: AsyncIterable<DirEntry>): Promise<DirEntry[]> {
  const all: DirEntry[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}
