/** The public surface of `holdall/memory`: files that live as long as the page, worker or process. */

import {
  type Backend,
  createBackend,
  createFileSystem,
  type FileSystem,
  resolvePath,
  type Shell,
  type ShellFactory,
} from "holdall";
import { makeDirectory, memoryParts, write } from "./parts.ts";
import { closeStore, createStore } from "./store.ts";

/** What a file system in memory starts with, and how large it may become. */
export interface MemoryFileSystemOptions {
  /** Text or bytes by path; relative paths start at `/`. Bytes are copied. */
  files?: Readonly<Record<string, string | Uint8Array>>;
  /** The most bytes that all files may have together; more fail with `FS_NO_SPACE`. Defaults to 1 GiB. */
  maxBytes?: number;
  /** The most files, directories and symlinks; more fail with `FS_NO_SPACE`. Defaults to a million. */
  maxEntries?: number;
  /** Gives the time of changes. Defaults to the host's clock. */
  clock?: () => number;
}

/** What a backend in memory starts with. */
export interface MemoryBackendOptions extends MemoryFileSystemOptions {
  /** Text or bytes by path; relative paths start at `cwd`. Bytes are copied. */
  files?: Readonly<Record<string, string | Uint8Array>>;
  /** The working directory, which is created. Defaults to `/workspace`. */
  cwd?: string;
  /** The home directory, which is created. None by default. */
  home?: string;
  /** The shell, or what makes one over the files. */
  shell?: Shell | ShellFactory;
}

/**
 * Makes a backend whose files live in memory.
 *
 * @example
 * const backend = memoryBackend({ files: { "notes/plan.md": "ship on friday\n" } });
 * await backend.fs.read("/workspace/notes/plan.md");
 */
export function memoryBackend(options: MemoryBackendOptions = {}): Backend {
  const cwd = resolvePath(options.cwd ?? "/workspace");
  const home = options.home === undefined ? undefined : resolvePath(options.home, cwd);
  const { fs, close } = openMemory(options, cwd, home === undefined ? [cwd] : [cwd, home]);
  return createBackend({ name: "memory", fs, cwd, home, shell: options.shell, close });
}

/**
 * Makes a file system whose files live in memory.
 *
 * A version changes with every write that changes a byte, and no two file systems share one. Names are compared as they
 * are written: upper and lower case, composed and decomposed letters are different.
 *
 * @example
 * const fs = memoryFileSystem({ files: { "/a.txt": "hello" } });
 */
export function memoryFileSystem(options: MemoryFileSystemOptions = {}): FileSystem {
  return openMemory(options, "/", []).fs;
}

function openMemory(
  options: MemoryFileSystemOptions,
  folder: string,
  directories: readonly string[],
): { fs: FileSystem; close(): void } {
  const { files = {}, maxBytes = 2 ** 30, maxEntries = 1_000_000, clock = Date.now } = options;
  const store = createStore({ maxBytes, maxEntries, clock });
  for (const directory of directories) makeDirectory(store, directory);
  const encoder = new TextEncoder();
  for (const [path, content] of Object.entries(files)) {
    write(store, resolvePath(path, folder), typeof content === "string" ? encoder.encode(content) : content);
  }
  return { fs: createFileSystem(memoryParts(store)), close: () => closeStore(store) };
}
