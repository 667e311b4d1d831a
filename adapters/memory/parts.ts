/** What a file system in memory can do by itself; `createFileSystem` adds the rest. */

import {
  type DirEntry,
  equalBytes,
  type FileStat,
  type FileSystemParts,
  type FsErrorCode,
  fsError,
  grepFiles,
  isInside,
  type ReadResult,
} from "holdall";
import { attach, create, detach, find, newFacts, reserve, type Store, sizeOf, statOf, versionOf } from "./store.ts";
import { type DirectoryNode, type FileNode, nodesOf, type Place } from "./tree.ts";

/** Makes the parts over a store. */
export function memoryParts(store: Store): FileSystemParts {
  const parts: FileSystemParts = {
    stat: async (path, options) => {
      const { node } = find(store, path, options?.followSymlinks ?? true);
      return node && statOf(store, node);
    },
    read: async (path, { offset = 0, length = Number.POSITIVE_INFINITY } = {}) => {
      const { bytes, version } = lend(store, path);
      return { bytes: bytes.slice(offset, offset + length), version };
    },
    write: async (path, bytes, options) => write(store, path, bytes, options?.ifVersion),
    list: (path) => list(store, path),
    makeDirectory: async (path) => makeDirectory(store, path),
    remove: async (path, options) => remove(store, path, options?.recursive === true),
    rename: async (from, to) => rename(store, from, to),
    symlink: async (target, path) => symlink(store, target, path),
    readLink: async (path) => {
      const { node } = find(store, path, false);
      if (node === undefined) throw fsError("FS_NOT_FOUND", path);
      if (node.kind !== "symlink")
        throw fsError("FS_INVALID_PATH", path, `${path} is not a symlink. Read it as it is.`);
      return node.target;
    },
    realpath: async (path) => find(store, path, true).path,
    watch: (path, options) => {
      const { node, path: real } = find(store, path, true);
      if (node?.kind !== "directory") throw fsError(node ? "FS_NOT_DIRECTORY" : "FS_NOT_FOUND", path);
      return store.watchers.watch(real, options?.signal);
    },
    grep: (query) => grepFiles({ ...parts, read: (path) => lend(store, path), texts: store.texts }, query),
  };
  return parts;
}

/** Writes a whole file. */
export function write(store: Store, path: string, given: Uint8Array, ifVersion?: string | null): FileStat {
  const place = find(store, path, true);
  const { node } = place;
  if (node !== undefined && node.kind !== "file") throw fsError("FS_IS_DIRECTORY", path);
  if (place.isBlocked) throw fsError("FS_NOT_DIRECTORY", path);
  if (ifVersion !== undefined && ifVersion !== (node === undefined ? null : versionOf(store, node)))
    throw fsError("FS_CONFLICT", path);
  if (node === undefined) {
    const file: FileNode = { kind: "file", bytes: copyOf(given), ...newFacts(store) };
    create(store, place, file);
    return statOf(store, file);
  }
  reserve(store, path, given.length - node.bytes.length, 0);
  const { modifiedAt, change } = newFacts(store);
  if (!equalBytes(node.bytes, given)) Object.assign(node, { bytes: copyOf(given), change });
  node.modifiedAt = modifiedAt;
  store.watchers.tell([{ path: place.path, kind: "written" }]);
  return statOf(store, node);
}

/** Creates a directory and its parents. */
export function makeDirectory(store: Store, path: string): void {
  const place = find(store, path, true);
  if (place.node?.kind === "directory") return;
  // A symlink that leads nowhere is in the way as well.
  if (place.node !== undefined || find(store, path, false).node !== undefined) throw fsError("FS_EXISTS", path);
  if (place.isBlocked) throw fsError("FS_NOT_DIRECTORY", path);
  create(store, place, { kind: "directory", entries: new Map(), ...newFacts(store) });
}

/** Gives a file's own bytes, to callers that only look at them. */
function lend(store: Store, path: string): ReadResult {
  const { node } = find(store, path, true);
  if (node === undefined) throw fsError("FS_NOT_FOUND", path);
  if (node.kind !== "file") throw fsError("FS_IS_DIRECTORY", path);
  return { bytes: node.bytes, version: versionOf(store, node) };
}

/** Entries from which on a directory is listed one by one, for whoever takes them may pause. */
const MANY_ENTRIES = 4096;

function list(store: Store, path: string): Iterable<DirEntry> {
  const { node } = find(store, path, true);
  if (node?.kind !== "directory") throw fsError(node ? "FS_NOT_DIRECTORY" : "FS_NOT_FOUND", path);
  const entries = entriesOf(node);
  return node.entries.size < MANY_ENTRIES ? [...entries] : entries;
}

/** Gives what was there at the start, as far as it still is. */
function* entriesOf({ entries }: DirectoryNode): Generator<DirEntry, void, undefined> {
  for (const name of [...entries.keys()]) {
    const entry = entries.get(name);
    if (entry) yield { name, kind: entry.kind, size: sizeOf(entry), modifiedAt: entry.modifiedAt };
  }
}

function remove(store: Store, path: string, recursive: boolean): void {
  const place = find(store, path, false);
  const { node } = place;
  if (node === undefined) throw fsError("FS_NOT_FOUND", path);
  if (node.kind === "directory" && node.entries.size > 0 && !recursive) throw fsError("FS_NOT_EMPTY", path);
  detach(store, place);
  for (const gone of nodesOf(node)) reserve(store, path, -sizeOf(gone), -1);
  store.watchers.tell([{ path: place.path, kind: "removed" }]);
}

function rename(store: Store, from: string, to: string): void {
  const source = find(store, from, false);
  const target = find(store, to, false);
  if (source.node === undefined) throw fsError("FS_NOT_FOUND", from);
  if (source.node === target.node && source.node !== store.root) return;
  const refusal = refuseMove(source, target);
  if (refusal !== undefined) throw fsError(refusal, refusal === "FS_INVALID_PATH" ? from : to);
  if (target.node === undefined) reserve(store, to, 0, target.names.length - 1);
  else reserve(store, to, -sizeOf(target.node), -1);
  detach(store, source);
  attach(store, target, source.node);
  store.watchers.tell([{ path: source.path, kind: "removed" }]);
  store.watchers.tell([{ path: target.path, kind: "written" }]);
}

function refuseMove(source: Place, target: Place): FsErrorCode | undefined {
  if (source.names.length === 0) return "FS_INVALID_PATH";
  if (source.node?.kind === "directory" && isInside(target.path, source.path)) return "FS_INVALID_PATH";
  if (target.isBlocked) return "FS_NOT_DIRECTORY";
  if (target.node?.kind === "directory" || (target.node !== undefined && source.node?.kind === "directory"))
    return "FS_EXISTS";
  return undefined;
}

function symlink(store: Store, target: string, path: string): void {
  const place = find(store, path, false);
  if (place.node !== undefined) throw fsError("FS_EXISTS", path);
  if (place.isBlocked) throw fsError("FS_NOT_DIRECTORY", path);
  create(store, place, { kind: "symlink", target, ...newFacts(store) });
}

/** Copies bytes; not by `slice`, because that of Node's Buffer shares memory with the caller. */
function copyOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}
