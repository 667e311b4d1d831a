/** Reads files: a range of one version, never half old and half new. */

import type { FileHandle } from "node:fs/promises";
import { fsError, type ReadOptions, type ReadResult } from "holdall";
import type { Disk } from "./disk.ts";
import { isSameContent, kindOf, versionOf } from "./facts.ts";
import { hostError } from "./host-error.ts";
import { openToRead } from "./open.ts";
import { findReal } from "./real-path.ts";

/** How often a file that changes under the reader is read again. */
const ATTEMPTS = 5;

/** Bytes that are tried past the size that was told: files that the host makes up have none. */
const PROBE_BYTES = 64 << 10;

/** Reads a range of a file; see the port. */
export async function readFile(disk: Disk, path: string, options: ReadOptions = {}): Promise<ReadResult> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    options.signal?.throwIfAborted();
    const result = await readOnce(disk, path, options, attempt === ATTEMPTS);
    if (result !== undefined) return result;
  }
  throw fsError("FS_CONFLICT", path, `${path} keeps changing while it is read. Try again later.`);
}

/** Gives undefined when the file was changed or replaced meanwhile. */
async function readOnce(
  disk: Disk,
  path: string,
  options: ReadOptions,
  isLast: boolean,
): Promise<ReadResult | undefined> {
  const handle = await openFile(disk, path);
  try {
    const before = await handle.stat({ bigint: true });
    refuseOthers(kindOf(before), path);
    // Replaced since it was opened: its version is none that anybody was told. Some hosts count no links at all.
    if (before.nlink === 0n && !isLast) return undefined;
    const bytes = await readRange(disk, handle, Number(before.size), path, options);
    return isSameContent(before, await handle.stat({ bigint: true }))
      ? { bytes, version: versionOf(before) }
      : undefined;
  } catch (error) {
    throw hostError(error, path);
  } finally {
    await handle.close();
  }
}

async function openFile(disk: Disk, path: string): Promise<FileHandle> {
  const { path: real, exists } = await findReal(disk, path);
  if (!exists) throw fsError("FS_NOT_FOUND", path);
  try {
    return await openToRead(disk, real, path);
  } catch (error) {
    throw hostError(error, path, { ENOTDIR: "FS_NOT_FOUND" });
  }
}

/** Fails on anything but a file. */
export function refuseOthers(kind: string, path: string): void {
  if (kind === "directory") throw fsError("FS_IS_DIRECTORY", path);
  if (kind === "file") return;
  throw fsError("FS_UNSUPPORTED", path, `${path} is a device, pipe or socket, not a file. Use a regular file.`);
}

async function readRange(
  { maxReadBytes }: Disk,
  handle: FileHandle,
  size: number,
  path: string,
  { offset = 0, length = Number.POSITIVE_INFINITY, signal }: ReadOptions,
): Promise<Uint8Array> {
  const wanted = Math.min(length, Math.max(0, size - offset));
  if (wanted > maxReadBytes) throw tooLarge(path, maxReadBytes);
  const bytes = new Uint8Array(wanted);
  const got = await fill(handle, bytes, offset, signal);
  if (got < wanted) return bytes.slice(0, got);
  return length > wanted && size === 0 ? readUnsized(handle, path, offset, length, maxReadBytes) : bytes;
}

/** Reads until the end of a file that tells no size, as those below `/proc` do. */
async function readUnsized(
  handle: FileHandle,
  path: string,
  offset: number,
  length: number,
  limit: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  while (size < length) {
    const part = new Uint8Array(Math.min(PROBE_BYTES, length - size));
    const got = await fill(handle, part, offset + size, undefined);
    parts.push(part.subarray(0, got));
    size += got;
    if (size > limit) throw tooLarge(path, limit);
    if (got < part.length) break;
  }
  return new Uint8Array(Buffer.concat(parts));
}

/** Fills a buffer as far as the file goes; gives how far. */
async function fill(
  handle: FileHandle,
  bytes: Uint8Array,
  offset: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  let at = 0;
  while (at < bytes.length) {
    signal?.throwIfAborted();
    const { bytesRead } = await handle.read(bytes, at, Math.min(bytes.length - at, MAX_STEP), offset + at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return at;
}

/** Bytes of one call, after which an abort is noticed. */
const MAX_STEP = 16 << 20;

function tooLarge(path: string, limit: number): Error {
  return fsError("FS_TOO_LARGE", path, `${path} has more than ${limit} bytes to read at once. Read it in parts.`);
}
