/** Files that are written from streams: kept chunk by chunk apart from the tree, and put into it when all is there. */

import { type FileStat, fsError } from "holdall";
import { dropContent, putChunk } from "./content.ts";
import { asSpaceError, CHUNK_BYTES, type Database, first, nextChange, reserve, run, transact } from "./database.ts";
import { checkFile, putFile } from "./edits.ts";
import type { DurableStorage } from "./types.ts";

/** Milliseconds without a new chunk after which an upload was left behind by an object that is gone: one hour. */
export const UPLOAD_AGE: number = 60 * 60 * 1000;

/** Writes a whole file from a stream; a failure leaves nothing behind. */
export async function writeStream(
  database: Database,
  path: string,
  stream: ReadableStream<Uint8Array>,
  options: { ifVersion?: string | null; signal?: AbortSignal } = {},
): Promise<FileStat> {
  // What cannot be written is known before the first byte.
  checkFile(database, path, options.ifVersion);
  const content = begin(database);
  try {
    const size = await receive(database, path, content, stream);
    options.signal?.throwIfAborted();
    return transact(database, path, () => {
      const place = checkFile(database, path, options.ifVersion);
      run(database.storage, "DELETE FROM holdall_uploads WHERE content = ?", content);
      return putFile(database, path, place, { content, size, reserved: size });
    });
  } catch (error) {
    drop(database, content);
    throw asSpaceError(error, path);
  }
}

/**
 * Lets go of uploads that were left behind when an object ended in the middle of them.
 *
 * @param storage The storage of the object.
 * @param now Milliseconds since 1970.
 * @returns When to look again, while uploads are under way; else undefined.
 */
export function sweepUploads(database: Database, now: number): number | undefined {
  const old = database.storage.sql.exec("SELECT content FROM holdall_uploads WHERE touched_at <= ?", now - UPLOAD_AGE);
  for (const { content } of [...old]) drop(database, Number(content));
  const left = first(database.storage, "SELECT MIN(touched_at) AS touched FROM holdall_uploads")?.touched;
  return typeof left === "number" ? left + UPLOAD_AGE : undefined;
}

/** Has the object woken up when an upload may have been left behind. */
export async function scheduleSweep(storage: DurableStorage, now: number): Promise<void> {
  if ((await storage.getAlarm()) === null) await storage.setAlarm(now + UPLOAD_AGE);
}

function begin(database: Database): number {
  return database.storage.transactionSync(() => {
    const content = nextChange(database);
    run(database.storage, "INSERT INTO holdall_uploads VALUES (?, 0, ?)", content, database.clock());
    return content;
  });
}

async function receive(
  database: Database,
  path: string,
  content: number,
  stream: ReadableStream<Uint8Array>,
): Promise<number> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  let filled = 0;
  let part = 0;
  const keep = (): void => {
    transact(database, path, () => {
      reserve(database, path, filled, 0);
      putChunk(database, content, part, buffer.subarray(0, filled));
      const kept = first(
        database.storage,
        "UPDATE holdall_uploads SET bytes = bytes + ?, touched_at = ? WHERE content = ? RETURNING bytes",
        filled,
        database.clock(),
        content,
      );
      if (kept === undefined) throw fsError("FS_IO", path, `the upload of ${path} took too long. Send it again.`);
    });
    part += 1;
    filled = 0;
  };
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    for (let at = 0; at < value.length; ) {
      const taken = value.subarray(at, at + CHUNK_BYTES - filled);
      buffer.set(taken, filled);
      filled += taken.length;
      at += taken.length;
      if (filled === CHUNK_BYTES) keep();
    }
  }
  const size = part * CHUNK_BYTES + filled;
  if (filled > 0) keep();
  return size;
}

function drop(database: Database, content: number): void {
  const { storage } = database;
  storage.transactionSync(() => {
    const row = first(storage, "DELETE FROM holdall_uploads WHERE content = ? RETURNING bytes", content);
    if (row === undefined) return;
    dropContent(database, content);
    reserve(database, "/", -Number(row.bytes), 0);
  });
}
