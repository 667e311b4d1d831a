/** What a file system in IndexedDB can do by itself; `createFileSystem` adds the rest. */

import {
  createFileSystem,
  type DirEntry,
  type FileSystemParts,
  fsError,
  globFiles,
  grepFiles,
  type ReadResult,
} from "holdall";
import { promisifyRequest } from "idb-keyval";
import { makeDirectory, makeLink, remove, rename, statOf } from "./changes.ts";
import { chunkKey } from "./layout.ts";
import { findPlace } from "./place.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";
import { list, read, type Store, write, writeStream } from "./store.ts";

/** Makes the parts over a store. */
export function indexedDbParts(store: Store): FileSystemParts {
  const { look, change, stamps } = store;
  const parts: FileSystemParts = {
    stat: (path, options) =>
      look(path, async (view) => {
        const { node } = await findPlace(view, path, options?.followSymlinks ?? true);
        return node && statOf(node);
      }),
    read: (path, options) => read(store, path, options),
    write: (path, bytes, options) => write(store, path, bytes, options),
    async *list(path) {
      yield* await list(store, path);
    },
    makeDirectory: (path, options) =>
      change({ path, signal: options?.signal, run: (view) => makeDirectory(view, path, stamps) }),
    remove: (path, options) =>
      change({ path, signal: options?.signal, run: (view) => remove(view, path, options?.recursive === true) }),
    rename: (from, to, options) =>
      change({ path: from, signal: options?.signal, run: (view) => rename(view, from, to, stamps) }),
    symlink: (target, path, options) =>
      change({ path, signal: options?.signal, run: (view) => makeLink(view, target, path, stamps) }),
    readLink: (path) =>
      look(path, async (view) => {
        const { node } = await findPlace(view, path, false);
        if (node === undefined) throw fsError("FS_NOT_FOUND", path);
        if (node.kind !== "symlink")
          throw fsError("FS_INVALID_PATH", path, `${path} is not a symlink. Read it as it is.`);
        return node.target ?? "";
      }),
    realpath: (path) => look(path, async (view) => (await findPlace(view, path, true)).path),
    writeStream: (path, stream, options) => writeStream(store, path, stream, options),
    async *watch(path, options) {
      const { node, path: real } = await look(path, (view) => findPlace(view, path, true));
      if (node?.kind !== "directory") throw fsError(node === undefined ? "FS_NOT_FOUND" : "FS_NOT_DIRECTORY", path);
      yield* store.watchers.watch(real, options?.signal);
    },
  };
  return { ...parts, ...searches(store, parts) };
}

/** Adds what goes through the whole tree in one pass over its nodes. */
function searches(store: Store, parts: FileSystemParts): Pick<FileSystemParts, "walk" | "glob" | "grep"> {
  const within = async (path: string): Promise<{ snapshot: Snapshot; host: FileSystemParts }> => {
    const snapshot = await store.look(path, (view) => takeSnapshot(view, path));
    return { snapshot, host: { ...parts, list: (directory) => listKnown(snapshot, directory) } };
  };
  const listKnown = (snapshot: Snapshot, directory: string): Iterable<DirEntry> | AsyncIterable<DirEntry> =>
    snapshot.list(directory) ?? parts.list(directory);
  return {
    async *walk(path, options) {
      const { host } = await within(path);
      yield* createFileSystem(host).walk(path, options);
    },
    glob: async (query) => globFiles((await within(query.path)).host, query),
    grep: async (query) => {
      const { snapshot, host } = await within(query.path);
      return grepFiles(
        {
          ...host,
          read: async (path, options) => (await readSmall(store, snapshot, path)) ?? parts.read(path, options),
        },
        query,
      );
    },
  };
}

/** Reads a file of one chunk or less without asking for its node again; gives undefined when that is gone, or larger. */
async function readSmall(store: Store, snapshot: Snapshot, path: string): Promise<ReadResult | undefined> {
  const { bytes: held, content, chunkBytes = 0, size = 0, version = "" } = snapshot.node(path) ?? {};
  if (held !== undefined) return { bytes: held, version };
  if (content === undefined || size === 0 || size > chunkBytes) return undefined;
  const bytes: Uint8Array | undefined = await store.look(path, (view) =>
    promisifyRequest(view.store.get(chunkKey(content, 0))),
  );
  return bytes?.length === size ? { bytes, version } : undefined;
}
