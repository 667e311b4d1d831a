/** The file system port: few required methods, the rest is derived by `createFileSystem`. */

import type { GlobQuery, GlobResult, GrepQuery, GrepResult } from "./search.ts";

/** What a path names; `other` is a device, pipe or socket. */
export type FileKind = "file" | "directory" | "symlink" | "other";

/** Facts about a path. */
export interface FileStat {
  kind: FileKind;
  /** Bytes; 0 for directories. */
  size: number;
  /** Milliseconds since 1970; 0 when the host does not know. */
  modifiedAt: number;
  /** An opaque token that changes whenever the content changes. */
  version: string;
}

/** One entry of a directory. */
export interface DirEntry {
  name: string;
  kind: FileKind;
  /** Bytes, where the host tells it along with the listing. */
  size?: number;
  /** Milliseconds since 1970, where the host tells it along with the listing. */
  modifiedAt?: number;
}

/** A directory entry met while walking. */
export interface WalkEntry extends DirEntry {
  /** Absolute. */
  path: string;
}

/** Every waiting call can be given up. */
export interface FsOptions {
  signal?: AbortSignal;
}

/** How to look at a path. */
export interface StatOptions extends FsOptions {
  /** Whether a symlink is looked through. Defaults to true. */
  followSymlinks?: boolean;
}

/** Which part of a file to read. */
export interface ReadOptions extends FsOptions {
  /** The first byte, from 0. Past the end, nothing is read. Defaults to 0. */
  offset?: number;
  /** The most bytes to read. Defaults to the rest of the file. */
  length?: number;
}

/** What a read gave. */
export interface ReadResult {
  /** The bytes asked for; the caller owns them. */
  bytes: Uint8Array;
  /** The version of the whole file they are from. */
  version: string;
}

/** On what condition to write. */
export interface WriteOptions extends FsOptions {
  /** The version the file must have now; null: it must not exist. Left out: no condition. */
  ifVersion?: string | null;
}

/** How to remove. */
export interface RemoveOptions extends FsOptions {
  /** Whether a directory goes with all that is in it. Defaults to false. */
  recursive?: boolean;
}

/** How to walk. */
export interface WalkOptions extends FsOptions {
  /** Directory names that are not entered. */
  skip?: readonly string[];
}

/** What a change was. */
export interface FsChange {
  /** Absolute. */
  path: string;
  kind: "written" | "removed";
}

/**
 * The methods an adapter must bring. Paths are absolute POSIX paths, resolved (`/a/b`, no `..`); bytes are
 * `Uint8Array`. Every failure is a `HoldallError` with an `FS_…` code made by `fsError`.
 */
export interface RequiredFileSystem {
  /** Gives undefined for what is not there. */
  stat(path: string, options?: StatOptions): Promise<FileStat | undefined>;
  /** Fails with `FS_NOT_FOUND` (also below a file), `FS_IS_DIRECTORY`. */
  read(path: string, options?: ReadOptions): Promise<ReadResult>;
  /**
   * Writes a whole file, all or nothing, and creates missing parents; a symlink is written through. The caller may use
   * `bytes` again once the promise is settled. Fails, and then has changed nothing, with `FS_CONFLICT` when the
   * condition does not hold, `FS_IS_DIRECTORY`, `FS_NOT_DIRECTORY` (below a file), `FS_NO_SPACE`.
   */
  write(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<FileStat>;
  /** Lists a directory in no promised order. Fails, when it is read, with `FS_NOT_FOUND`, `FS_NOT_DIRECTORY`. */
  list(path: string, options?: FsOptions): AsyncIterable<DirEntry>;
  /**
   * Creates a directory and its parents; an existing one is fine.
   * Fails with `FS_EXISTS` on a file or a symlink that leads nowhere, `FS_NOT_DIRECTORY` (below a file).
   */
  makeDirectory(path: string, options?: FsOptions): Promise<void>;
  /**
   * Removes a file, a symlink (not its target), or a directory; one that is not empty only with `recursive`.
   * Fails with `FS_NOT_FOUND`, `FS_NOT_EMPTY`, `FS_INVALID_PATH` (the root).
   */
  remove(path: string, options?: RemoveOptions): Promise<void>;
  /**
   * Moves a file, a symlink or a tree and creates the parents of the new place; onto itself, nothing happens. A file
   * or symlink replaces a file or symlink at the new place.
   * Fails, and then has changed nothing, with `FS_NOT_FOUND`, `FS_EXISTS` (the new place is a directory, or a directory
   * is moved onto a file), `FS_INVALID_PATH` (into itself), `FS_NOT_DIRECTORY` (below a file).
   */
  rename(from: string, to: string, options?: FsOptions): Promise<void>;
}

/** What an adapter may bring to save round trips; `createFileSystem` derives what is missing. */
export interface OptionalFileSystem {
  /** Meets all below a directory, parents before children, siblings by name; symlinks are met, not entered. */
  walk(path: string, options?: WalkOptions): AsyncIterable<WalkEntry>;
  /** Reads a file as a stream of chunks of one version. */
  readStream(path: string, options?: ReadOptions): ReadableStream<Uint8Array>;
  /** Writes a whole file from a stream, all or nothing. */
  writeStream(path: string, stream: ReadableStream<Uint8Array>, options?: WriteOptions): Promise<FileStat>;
  /** Resolves symlinks; for a path that does not exist, those of its nearest existing ancestor. */
  realpath(path: string, options?: FsOptions): Promise<string>;
  /**
   * Lists the files that match a pattern; directories of version control are not entered, symlinks to files count.
   * Fails with `FS_NOT_FOUND`, `FS_NOT_DIRECTORY`, `GLOB_TOO_COMPLEX`.
   */
  glob(query: GlobQuery): Promise<GlobResult>;
  /**
   * Searches files for a pattern; directories of version control are not entered, symlinks are not followed.
   * Fails with `FS_NOT_FOUND`, `GREP_PATTERN_INVALID`, `GREP_PATTERN_UNSAFE`, `GREP_TYPE_UNKNOWN`, `GLOB_TOO_COMPLEX`.
   */
  grep(query: GrepQuery): Promise<GrepResult>;
}

/** What only some hosts can do; absent where they cannot. */
export interface HostFileSystem {
  /** Creates a symlink at `path` that points to `target`, which may be relative to the link's directory. */
  symlink?(target: string, path: string, options?: FsOptions): Promise<void>;
  /** Reads where a symlink points. Fails with `FS_INVALID_PATH` on anything else. */
  readLink?(path: string, options?: FsOptions): Promise<string>;
  /** Tells of changes below a directory until the signal aborts. */
  watch?(path: string, options?: FsOptions): AsyncIterable<FsChange>;
}

/** What an adapter passes to `createFileSystem`; a host that need not wait may list a directory as a plain iterable. */
export type FileSystemParts = Omit<RequiredFileSystem, "list"> &
  Partial<OptionalFileSystem> &
  HostFileSystem & {
    list(path: string, options?: FsOptions): AsyncIterable<DirEntry> | Iterable<DirEntry>;
  };

/** A whole file system. */
export type FileSystem = RequiredFileSystem & OptionalFileSystem & HostFileSystem;
