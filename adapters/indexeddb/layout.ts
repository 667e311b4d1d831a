/**
 * How files lie in the one object store: nodes by folder and name, contents in chunks, marks of unfinished contents.
 *
 * Each node says where its content is, so that a database may hold what any version of the package has written.
 */

import { baseName, parentPath } from "holdall";

/** What is kept of a file, directory or symlink; a content of some length lies elsewhere, so that listings do not read it. */
export interface NodeRecord {
  /** Absolute; kept beside the key because listings read values alone. */
  path: string;
  kind: "file" | "directory" | "symlink";
  /** Bytes; 0 for directories. */
  size: number;
  /** Milliseconds since 1970. */
  modifiedAt: number;
  version: string;
  /** The content of a small file. */
  bytes?: Uint8Array;
  /** The name of the chunks of any other. */
  content?: string;
  /** Bytes of each of its chunks but the last. */
  chunkBytes?: number;
  /** Where a symlink points. */
  target?: string;
}

/** What is kept of a content that is being streamed in and belongs to no file yet. */
export interface StagedMark {
  content: string;
  /** When it was begun, in milliseconds since 1970. */
  at: number;
}

/**
 * Bytes that a node holds itself: 1 KiB. A small write then is one request less, a quarter of what it takes, and a search
 * finds the bytes with the node. More would slow listings down, which read them along.
 */
export const NODE_BYTES: number = 1 << 10;

/** Bytes of a chunk: 512 KiB. */
export const CHUNK_BYTES: number = 512 << 10;

/** The root, which is not kept. */
export const ROOT: NodeRecord = { path: "/", kind: "directory", size: 0, modifiedAt: 0, version: "root" };

/** Sorts after every text and number. */
const END: IDBValidKey = [];

/** Gives the key of a node. */
export function nodeKey(path: string): IDBValidKey {
  return [parentPath(path), baseName(path)];
}

/** Gives the keys of the entries of a directory, in the order of their names. */
export function entriesOf(directory: string): IDBKeyRange {
  return IDBKeyRange.bound([directory], [directory, END]);
}

/** Gives the keys of all below a directory: each directory's entries together, parents before children. */
export function nodesBelow(directory: string): IDBKeyRange[] {
  // "0" comes right after "/".
  if (directory === "/") return [IDBKeyRange.bound(["/"], ["0"], false, true)];
  return [entriesOf(directory), IDBKeyRange.bound([`${directory}/`], [`${directory}0`], false, true)];
}

/** Gives the key of a chunk. "#" comes before "/", so contents are never among nodes. */
export function chunkKey(content: string, index: number): IDBValidKey {
  return [`#${content}`, index];
}

/** Gives the keys of the chunks of a content between two, or from one on. */
export function chunksOf(content: string, from = 0, to: IDBValidKey = END): IDBKeyRange {
  return IDBKeyRange.bound([`#${content}`, from], [`#${content}`, to]);
}

/** Gives the key of the mark of an unfinished content. */
export function markKey(content: string): IDBValidKey {
  return [`!${content}`];
}

/** Gives the keys of all marks. */
export function allMarks(): IDBKeyRange {
  return IDBKeyRange.bound(["!"], ['"']);
}

/** Cuts bytes into chunks. */
export function* cutChunks(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) yield alone(bytes.subarray(from, from + CHUNK_BYTES));
}

/** Gives bytes that share no larger buffer, which would be stored with all of it. */
export function alone(bytes: Uint8Array): Uint8Array {
  return bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}
