/** Reads files: what their nodes hold, or only the chunks that are asked for. */

import { fsError, type ReadOptions, type ReadResult } from "holdall";
import { promisifyRequest } from "idb-keyval";
import { CHUNK_BYTES, chunkKey, chunksOf, type NodeRecord } from "./layout.ts";
import { findPlace } from "./place.ts";
import type { View } from "./view.ts";

/** Reads a file or a part of it. */
export async function readFile(
  view: View,
  path: string,
  { offset = 0, length = Number.POSITIVE_INFINITY }: ReadOptions,
): Promise<ReadResult> {
  const { node } = await findPlace(view, path, true);
  if (node === undefined) throw fsError("FS_NOT_FOUND", path);
  if (node.kind !== "file") throw fsError("FS_IS_DIRECTORY", path);
  const from = Math.min(offset, node.size);
  const to = Math.min(node.size, from + length);
  return { bytes: await readBytes(view, node, from, to), version: node.version };
}

function readBytes(view: View, node: NodeRecord, from: number, to: number): Uint8Array | Promise<Uint8Array> {
  if (from === to) return new Uint8Array(0);
  // Copied: others who look at the same time are given the same node.
  return node.bytes?.slice(from, to) ?? readRange(view, node, from, to);
}

async function readRange({ store }: View, node: NodeRecord, from: number, to: number): Promise<Uint8Array> {
  const { content = "", chunkBytes = CHUNK_BYTES, path, size } = node;
  const first = Math.floor(from / chunkBytes);
  const last = Math.floor((to - 1) / chunkBytes);
  const chunks: (Uint8Array | undefined)[] =
    first === last
      ? [await promisifyRequest(store.get(chunkKey(content, first)))]
      : await promisifyRequest(store.getAll(chunksOf(content, first, last)));
  const [only] = chunks;
  // What came out of the store is nobody else's.
  if (only !== undefined && from === 0 && to === only.length && chunks.length === 1) return only;
  const bytes = new Uint8Array(to - from);
  let at = first * chunkBytes;
  for (const chunk of chunks) {
    if (chunk === undefined) break;
    bytes.set(chunk.subarray(Math.max(from - at, 0), to - at), Math.max(at - from, 0));
    at += chunk.length;
  }
  if (at < to)
    throw fsError("FS_IO", path, `${path} is damaged: ${at} of its ${size} bytes are left. Write the file anew.`);
  return bytes;
}
