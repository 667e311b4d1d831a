/** What a file system over directory handles can do by itself; `createFileSystem` adds the rest. */

import { type FileSystemParts, fsError, globFiles, grepFiles } from "holdall";
import { list, makeDirectory, remove, rename } from "./directories.ts";
import { read, readStart, stat, write } from "./files.ts";
import { look, type Tree } from "./tree.ts";

/** Makes the parts over a tree. */
export function opfsParts(tree: Tree): FileSystemParts {
  const parts: FileSystemParts = {
    stat: (path) => stat(tree, path),
    read: (path, options) => read(tree, path, options),
    write: (path, bytes, options) => write(tree, path, bytes, options),
    async *list(path) {
      yield* await list(tree, path);
    },
    makeDirectory: (path, options) => makeDirectory(tree, path, options?.signal),
    remove: (path, options) => remove(tree, path, options?.recursive === true, options?.signal),
    rename: (from, to, options) => rename(tree, from, to, options?.signal),
    writeStream: (path, stream, options) => write(tree, path, stream, options),
    async *watch(path, options) {
      const { kind } = await look(tree, path, () => tree.handles.find(path));
      if (kind !== "directory") throw fsError(kind === "missing" ? "FS_NOT_FOUND" : "FS_NOT_DIRECTORY", path);
      yield* tree.watchers.watch(path, options?.signal);
    },
  };
  // Searches want to know neither versions nor, of most files, anything but the name.
  const searched: FileSystemParts = {
    ...parts,
    stat: (path) => stat(tree, path, true),
    read: (path, options) =>
      options?.offset === undefined ? readStart(tree, path, options?.length) : read(tree, path, options),
  };
  return {
    ...parts,
    glob: (query) => globFiles(searched, query),
    grep: (query) => grepFiles(searched, query),
  };
}
