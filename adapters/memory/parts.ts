/** What a file system in memory can do by itself; `createFileSystem` adds the rest. */

import { type FileStat, type FileSystemParts, type FsErrorCode, fsError, grepFiles, isInside, type ReadResult } from "holdall";
import { type DirectoryNode, type FileNode, findPlace, type LinkNode, nodesOf, type Place, type TreeNode } from "./tree.ts";
import { createWatchers } from "./watchers.ts";

/** Limits and seams of the parts. */
export interface MemoryPartsOptions {
  maxBytes: number;
  maxEntries: number;
  clock: () => number;
}

/** The parts, and what is done without waiting when the file system is made. */
export interface MemoryParts {
  parts: FileSystemParts;
  write(path: string, bytes: Uint8Array, ifVersion?: string | null): FileStat;
  makeDirectory(path: string): void;
  /** Lets go of all files. */
  close(): void;
}

/** Makes the parts over an empty tree. */
export function memoryParts({ maxBytes, maxEntries, clock }: MemoryPartsOptions): MemoryParts {
  const watchers = createWatchers();
  const changes = countChanges();
  const root: DirectoryNode = { kind: "directory", entries: new Map(), modifiedAt: clock(), change: changes.next() };
  let bytesUsed = 0;
  let entriesUsed = 0;
  let isClosed = false;

  const find = (path: string, follow: boolean): Place => {
    if (isClosed) throw fsError("FS_CLOSED", path);
    return findPlace(root, path, follow);
  };
  const facts = (): { modifiedAt: number; change: number } => ({ modifiedAt: clock(), change: changes.next() });
  const statOf = (node: TreeNode): FileStat => ({ kind: node.kind, size: sizeOf(node), modifiedAt: node.modifiedAt, version: changes.version(node.change) });

  /** Fails before anything is changed when there is no room. */
  const reserve = (path: string, bytes: number, entries: number): void => {
    if (bytesUsed + bytes > maxBytes || entriesUsed + entries > maxEntries) throw fsError("FS_NO_SPACE", path);
    bytesUsed += bytes;
    entriesUsed += entries;
  };
  /** Puts a node in its place and creates missing parents. */
  const attach = ({ parent, names }: Place, node: TreeNode): void => {
    let folder = parent;
    Object.assign(folder, facts());
    for (const name of names.slice(0, -1)) {
      const made: DirectoryNode = { kind: "directory", entries: new Map(), ...facts() };
      folder.entries.set(name, made);
      folder = made;
    }
    folder.entries.set(names[names.length - 1] ?? "", node);
  };
  const detach = ({ parent, names }: Place): void => {
    parent.entries.delete(names[0] ?? "");
    Object.assign(parent, facts());
  };
  const create = (place: Place, node: TreeNode): void => {
    reserve(place.path, sizeOf(node), place.names.length);
    attach(place, node);
    watchers.tell(place.path, "written");
  };

  const write = (path: string, given: Uint8Array, ifVersion?: string | null): FileStat => {
    const place = find(path, true);
    const { node } = place;
    if (node !== undefined && node.kind !== "file") throw fsError("FS_IS_DIRECTORY", path);
    if (place.isBlocked) throw fsError("FS_NOT_DIRECTORY", path);
    if (ifVersion !== undefined && ifVersion !== (node === undefined ? null : changes.version(node.change))) throw fsError("FS_CONFLICT", path);
    // Not `slice`: that of Node's Buffer shares memory with the caller.
    const bytes = new Uint8Array(given);
    if (node === undefined) {
      const file: FileNode = { kind: "file", bytes, ...facts() };
      create(place, file);
      return statOf(file);
    }
    reserve(path, bytes.length - node.bytes.length, 0);
    if (!sameBytes(node.bytes, bytes)) node.change = changes.next();
    node.bytes = bytes;
    node.modifiedAt = clock();
    watchers.tell(place.path, "written");
    return statOf(node);
  };

  const makeDirectory = (path: string): void => {
    const place = find(path, true);
    if (place.node?.kind === "directory") return;
    if (place.node !== undefined) throw fsError("FS_EXISTS", path);
    if (place.isBlocked) throw fsError("FS_NOT_DIRECTORY", path);
    if (find(path, false).node !== undefined) throw fsError("FS_EXISTS", path);
    create(place, { kind: "directory", entries: new Map(), ...facts() });
  };

  /** Gives the tree's own bytes, to callers that only look at them. */
  const lend = (path: string): ReadResult => {
    const { node } = find(path, true);
    if (node === undefined) throw fsError("FS_NOT_FOUND", path);
    if (node.kind !== "file") throw fsError("FS_IS_DIRECTORY", path);
    return { bytes: node.bytes, version: changes.version(node.change) };
  };

  const parts: FileSystemParts = {
    stat: async (path, options) => {
      const { node } = find(path, options?.followSymlinks ?? true);
      return node && statOf(node);
    },
    read: async (path, { offset = 0, length = Number.POSITIVE_INFINITY } = {}) => {
      const { bytes, version } = lend(path);
      return { bytes: bytes.slice(offset, offset + length), version };
    },
    write: async (path, bytes, options) => write(path, bytes, options?.ifVersion),
    list: (path) => {
      const { node } = find(path, true);
      if (node?.kind !== "directory") throw fsError(node === undefined ? "FS_NOT_FOUND" : "FS_NOT_DIRECTORY", path);
      return Array.from(node.entries, ([name, entry]) => ({ name, kind: entry.kind, size: sizeOf(entry), modifiedAt: entry.modifiedAt }));
    },
    makeDirectory: async (path) => makeDirectory(path),
    remove: async (path, options) => {
      const place = find(path, false);
      const { node } = place;
      if (node === undefined) throw fsError("FS_NOT_FOUND", path);
      if (node === root) throw fsError("FS_INVALID_PATH", path, "the root cannot be removed. Remove what is in it.");
      if (node.kind === "directory" && node.entries.size > 0 && options?.recursive !== true) throw fsError("FS_NOT_EMPTY", path);
      detach(place);
      for (const gone of nodesOf(node)) reserve(path, -sizeOf(gone), -1);
      watchers.tell(place.path, "removed");
    },
    rename: async (from, to) => {
      const source = find(from, false);
      const target = find(to, false);
      if (source.node === undefined) throw fsError("FS_NOT_FOUND", from);
      if (source.node === target.node && source.node !== root) return;
      const refusal = refuseMove(source, target);
      if (refusal !== undefined) throw fsError(refusal, refusal === "FS_INVALID_PATH" ? from : to);
      if (target.node === undefined) reserve(to, 0, target.names.length - 1);
      else reserve(to, -sizeOf(target.node), -1);
      detach(source);
      attach(target, source.node);
      watchers.tell(source.path, "removed");
      watchers.tell(target.path, "written");
    },
    symlink: async (target, path) => {
      const place = find(path, false);
      if (place.node !== undefined) throw fsError("FS_EXISTS", path);
      if (place.isBlocked) throw fsError("FS_NOT_DIRECTORY", path);
      const link: LinkNode = { kind: "symlink", target, ...facts() };
      create(place, link);
    },
    readLink: async (path) => {
      const { node } = find(path, false);
      if (node?.kind === "symlink") return node.target;
      throw fsError(node === undefined ? "FS_NOT_FOUND" : "FS_INVALID_PATH", path, node && `${path} is not a symlink. Read it as it is.`);
    },
    grep: (query) => grepFiles({ ...parts, read: lend }, query),
    realpath: async (path) => find(path, true).path,
    watch: (path, options) => {
      const place = find(path, true);
      if (place.node?.kind !== "directory") throw fsError(place.node === undefined ? "FS_NOT_FOUND" : "FS_NOT_DIRECTORY", path);
      return watchers.watch(place.path, options?.signal);
    },
  };
  const close = (): void => {
    isClosed = true;
    root.entries.clear();
  };
  return { parts, write, makeDirectory, close };
}

function sizeOf(node: TreeNode): number {
  return node.kind === "file" ? node.bytes.length : 0;
}

function refuseMove(source: Place, target: Place): FsErrorCode | undefined {
  if (source.names.length === 0) return "FS_INVALID_PATH";
  if (target.isBlocked) return isInside(target.path, source.path) ? "FS_INVALID_PATH" : "FS_NOT_DIRECTORY";
  if (source.node?.kind === "directory" && isInside(target.path, source.path)) return "FS_INVALID_PATH";
  if (target.node?.kind === "directory" || (target.node !== undefined && source.node?.kind === "directory")) return "FS_EXISTS";
  return undefined;
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

/** Numbers changes, and makes versions of them that no other tree makes: a state may outlive the files it speaks of. */
function countChanges(): { next(): number; version(change: number): string } {
  let last = 0;
  let tree: string | undefined;
  return {
    next: () => {
      last += 1;
      return last;
    },
    version: (change) => {
      // Workers refuse randomness at module level, where a file system may be made, so it is drawn at the first use.
      tree ??= Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
      return `${tree}.${change.toString(36)}`;
    },
  };
}
