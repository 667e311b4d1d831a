/** The content of files, in chunks that fit into a row. */

import { CHUNK_BYTES, type Database, run } from "./database.ts";

/** Keeps one chunk. */
export function putChunk({ storage }: Database, content: number, part: number, bytes: Uint8Array): void {
  run(storage, "INSERT INTO holdall_chunks (content, part, bytes) VALUES (?, ?, ?)", content, part, bytes);
}

/** Keeps a whole content. */
export function putContent(database: Database, content: number, bytes: Uint8Array): void {
  for (let part = 0; part * CHUNK_BYTES < bytes.length; part += 1)
    putChunk(database, content, part, bytes.subarray(part * CHUNK_BYTES, (part + 1) * CHUNK_BYTES));
}

/** Reads a part of a content; `end` is exclusive and not past its size. */
export function readContent({ storage }: Database, content: number, start: number, end: number): Uint8Array {
  const bytes = new Uint8Array(Math.max(0, end - start));
  if (bytes.length === 0) return bytes;
  const rows = storage.sql.exec(
    "SELECT part, bytes FROM holdall_chunks WHERE content = ? AND part BETWEEN ? AND ? ORDER BY part",
    content,
    Math.floor(start / CHUNK_BYTES),
    Math.floor((end - 1) / CHUNK_BYTES),
  );
  for (const { part, bytes: chunk } of rows) {
    if (!(chunk instanceof ArrayBuffer)) continue;
    const at = Number(part) * CHUNK_BYTES;
    const from = Math.max(start, at);
    bytes.set(new Uint8Array(chunk).subarray(from - at, Math.min(end, at + chunk.byteLength) - at), from - start);
  }
  return bytes;
}

/** Lets go of a content. */
export function dropContent({ storage }: Database, content: number | null): void {
  if (content !== null) run(storage, "DELETE FROM holdall_chunks WHERE content = ?", content);
}
