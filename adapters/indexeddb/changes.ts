/** What can be done to the tree within one transaction; each first looks whether it may, then changes all or nothing. */

import { type FileStat, fsError, isInside, resolvePath } from "holdall";
import { promisifyRequest } from "idb-keyval";
import {
  alone,
  CHUNK_BYTES,
  chunkKey,
  chunksOf,
  cutChunks,
  markKey,
  NODE_BYTES,
  type NodeRecord,
  nodesBelow,
} from "./layout.ts";
import { findPlace, type Place } from "./place.ts";
import type { Stamp } from "./stamp.ts";
import type { View } from "./view.ts";

/** A content that lies in the store already and belongs to no file yet. */
export interface StagedContent {
  content: string;
  size: number;
}

/** Gives the facts of a node as the port tells them. */
export function statOf({ kind, size, modifiedAt, version }: NodeRecord): FileStat {
  return { kind, size, modifiedAt, version };
}

/** Finds the place of a file that is to be written; fails when it cannot be. */
export async function findTarget(view: View, path: string, ifVersion: string | null | undefined): Promise<Place> {
  const place = await findPlace(view, path, true);
  if (place.node !== undefined && place.node.kind !== "file") throw fsError("FS_IS_DIRECTORY", path);
  if (place.isBlocked) throw fsError("FS_NOT_DIRECTORY", path);
  if (ifVersion !== undefined && ifVersion !== (place.node?.version ?? null)) throw fsError("FS_CONFLICT", path);
  return place;
}

/** Writes a whole file, from bytes or from what was staged. */
export async function writeFile(
  view: View,
  path: string,
  given: Uint8Array | StagedContent,
  ifVersion: string | null | undefined,
  stamps: () => Stamp,
): Promise<FileStat> {
  const place = await findTarget(view, path, ifVersion);
  const stamp = stamps();
  const content = "content" in given ? useStaged(view, place.node, given) : putContent(view, place.node, given, stamp);
  const record: NodeRecord = {
    path: place.path,
    kind: "file",
    size: "content" in given ? given.size : given.length,
    ...stamp,
    ...content,
  };
  attach(view, place, record, stamps);
  return statOf(record);
}

/** Where the content of a file is. */
type Content = Pick<NodeRecord, "bytes" | "content" | "chunkBytes">;

/** Gives a small content to the node; puts others over the chunks of the old one, which saves taking those away. */
function putContent(view: View, old: NodeRecord | undefined, bytes: Uint8Array, { version }: Stamp): Content {
  if (bytes.length <= NODE_BYTES) {
    deleteContent(view, old);
    return { bytes: alone(bytes) };
  }
  const content = old?.content ?? version;
  let count = 0;
  for (const chunk of cutChunks(bytes)) {
    view.store.put(chunk, chunkKey(content, count));
    count += 1;
  }
  if (old !== undefined && old.size > count * (old.chunkBytes ?? CHUNK_BYTES))
    view.store.delete(chunksOf(content, count));
  return { content, chunkBytes: CHUNK_BYTES };
}

function useStaged(view: View, old: NodeRecord | undefined, { content }: StagedContent): Content {
  deleteContent(view, old);
  view.store.delete(markKey(content));
  return { content, chunkBytes: CHUNK_BYTES };
}

function deleteContent({ store }: View, node: NodeRecord | undefined): void {
  if (node?.content !== undefined && node.size > 0) store.delete(chunksOf(node.content));
}

/** Puts a node in its place, creates missing parents, and notes it for those who watch. */
function attach(view: View, { missing }: Place, record: NodeRecord, stamps: () => Stamp): void {
  for (const path of missing) view.put({ path, kind: "directory", size: 0, ...stamps() });
  view.put(record);
  view.changes.push({ path: record.path, kind: "written" });
}

/** Creates a directory and its parents. */
export async function makeDirectory(view: View, path: string, stamps: () => Stamp): Promise<void> {
  const place = await findPlace(view, path, true);
  if (place.node?.kind === "directory") return;
  // A symlink that leads nowhere is in the way as well.
  if (place.node !== undefined || (await findPlace(view, path, false)).node !== undefined)
    throw fsError("FS_EXISTS", path);
  if (place.isBlocked) throw fsError("FS_NOT_DIRECTORY", path);
  attach(view, place, { path: place.path, kind: "directory", size: 0, ...stamps() }, stamps);
}

/** Creates a symlink. */
export async function makeLink(view: View, target: string, path: string, stamps: () => Stamp): Promise<void> {
  const place = await findPlace(view, path, false);
  if (place.node !== undefined) throw fsError("FS_EXISTS", path);
  if (place.isBlocked) throw fsError("FS_NOT_DIRECTORY", path);
  attach(view, place, { path: place.path, kind: "symlink", size: 0, ...stamps(), target }, stamps);
}

/** Removes a node, and with `recursive` all below it. */
export async function remove(view: View, path: string, recursive: boolean): Promise<void> {
  const { node, path: real } = await findPlace(view, path, false);
  if (node === undefined) throw fsError("FS_NOT_FOUND", path);
  const below = node.kind === "directory" ? await readBelow(view, real, recursive ? undefined : 1) : [];
  if (below.length > 0 && !recursive) throw fsError("FS_NOT_EMPTY", path);
  for (const gone of below) deleteContent(view, gone);
  deleteContent(view, node);
  detachTree(view, real, below.length > 0);
  view.changes.push({ path: real, kind: "removed" });
}

/** Moves a node with all below it: chunks stay where they are, only nodes are written anew. */
export async function rename(view: View, from: string, to: string, stamps: () => Stamp): Promise<void> {
  const source = await findPlace(view, from, false);
  const target = await findPlace(view, to, false);
  const { node } = source;
  if (node === undefined) throw fsError("FS_NOT_FOUND", from);
  if (source.path === target.path && source.path !== "/") return;
  checkMove(node, target, from, to);
  const below = node.kind === "directory" ? await readBelow(view, source.path) : [];
  const moved = below.map((record) => ({ ...record, path: target.path + record.path.slice(source.path.length) }));
  // A path of the port is bounded, and what is below must stay within reach.
  for (const { path } of moved) resolvePath(path);
  deleteContent(view, target.node);
  detachTree(view, source.path, below.length > 0);
  attach(view, target, { ...node, path: target.path }, stamps);
  for (const record of moved) view.put(record);
  view.changes.push({ path: source.path, kind: "removed" });
}

function checkMove(node: NodeRecord, target: Place, from: string, to: string): void {
  if (node.path === "/") throw fsError("FS_INVALID_PATH", from);
  if (node.kind === "directory" && isInside(target.path, node.path)) throw fsError("FS_INVALID_PATH", from);
  if (target.isBlocked) throw fsError("FS_NOT_DIRECTORY", to);
  if (target.node?.kind === "directory" || (target.node !== undefined && node.kind === "directory"))
    throw fsError("FS_EXISTS", to);
}

async function readBelow({ store }: View, directory: string, limit?: number): Promise<NodeRecord[]> {
  const lists: NodeRecord[][] = await Promise.all(
    nodesBelow(directory).map((range) => promisifyRequest(store.getAll(range, limit))),
  );
  return lists.flat();
}

function detachTree(view: View, path: string, isFull: boolean): void {
  if (isFull) for (const range of nodesBelow(path)) view.store.delete(range);
  view.forget(path);
  view.delete(path);
}
