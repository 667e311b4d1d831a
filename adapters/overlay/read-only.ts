/** A view of a backend through which nothing can be changed. */

import { type Backend, createFileSystem, type FileSystem, type FileSystemParts, fsError } from "holdall";

/** What the view keeps. */
export interface ReadOnlyOptions {
  /**
   * Whether the shell is kept. It runs on the backend itself, so its commands can change files whatever the view says;
   * keep one only where it is known to be harmless. Defaults to false.
   */
  keepShell?: boolean;
  /** Shown to people and in errors. Defaults to the backend's name. */
  name?: string;
}

/**
 * Makes a view of a backend whose files can be read and searched; every change fails with `FS_READ_ONLY`.
 *
 * Closing the view leaves the backend open.
 *
 * @param backend The backend to look at.
 * @param options What the view keeps.
 * @example
 * const toolkit = new Toolkit({ tools: codingTools({ backend: readOnly(nodeBackend({ root: "/srv/docs" })) }) });
 */
export function readOnly(backend: Backend, options: ReadOnlyOptions = {}): Backend {
  const { name = backend.name, keepShell = false } = options;
  const { os, cwd, home, fs, shell } = backend;
  return {
    name,
    os,
    cwd,
    ...(home !== undefined && { home }),
    fs: readOnlyFileSystem(fs),
    ...(keepShell && shell !== undefined && { shell }),
  };
}

/**
 * Makes a view of a file system that can be read and searched; every change fails with `FS_READ_ONLY`, also one that
 * would have changed nothing.
 *
 * @param fs The file system to look at.
 */
export function readOnlyFileSystem(fs: FileSystem): FileSystem {
  const refuse = (path: string): Promise<never> => Promise.reject(fsError("FS_READ_ONLY", path));
  const { readLink, watch } = fs;
  const parts: FileSystemParts = {
    stat: (path, options) => fs.stat(path, options),
    read: (path, options) => fs.read(path, options),
    list: (path, options) => fs.list(path, options),
    walk: (path, options) => fs.walk(path, options),
    readStream: (path, options) => fs.readStream(path, options),
    realpath: (path, options) => fs.realpath(path, options),
    glob: (query) => fs.glob(query),
    grep: (query) => fs.grep(query),
    ...(readLink && { readLink: (path, options) => readLink.call(fs, path, options) }),
    ...(watch && { watch: (path, options) => watch.call(fs, path, options) }),
    write: refuse,
    makeDirectory: refuse,
    remove: refuse,
    rename: refuse,
    writeStream: async (path, stream) => {
      const refusal = fsError("FS_READ_ONLY", path);
      await stream.cancel(refusal).catch(() => {});
      throw refusal;
    },
    ...(fs.symlink && { symlink: (_target, path) => refuse(path) }),
  };
  return createFileSystem(parts);
}
