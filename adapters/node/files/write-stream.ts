/** Writes files from streams, without holding them in memory. */

import type { FileHandle } from "node:fs/promises";
import type { FileStat, WriteOptions } from "holdall";
import type { Disk } from "./disk.ts";
import { replaceFile } from "./write-file.ts";

/** Writes a whole file from a stream; see the port. The next chunk is asked for when one is written. */
export function writeStream(
  disk: Disk,
  path: string,
  stream: ReadableStream<Uint8Array>,
  options: WriteOptions = {},
): Promise<FileStat> {
  return replaceFile(disk, path, options, (handle) => copy(stream, handle));
}

async function copy(stream: ReadableStream<Uint8Array>, handle: FileHandle): Promise<void> {
  const reader = stream.getReader();
  let isDone = false;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) await writeAll(handle, next.value);
    isDone = true;
  } finally {
    if (!isDone) void reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
}
