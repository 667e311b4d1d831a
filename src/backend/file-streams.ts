/** Files as Web Streams, made from reads of ranges and from one write. */

import { abortable } from "../base/abort.ts";
import { concatBytes } from "../base/bytes.ts";
import { iterateStream, streamFrom } from "../base/streams.ts";
import type { ReadOptions, RequiredFileSystem } from "./file-system.ts";
import { absolutePath, checkBytes } from "./fs-arguments.ts";
import { fsError } from "./fs-error.ts";

/** Bytes that a stream reads at a time when nothing else is said: 256 KiB. */
export const DEFAULT_CHUNK_BYTES: number = 256 << 10;

/** The most bytes that are collected from a stream when nothing else is said: 256 MiB. */
export const DEFAULT_STREAM_BYTES: number = 256 << 20;

/**
 * Reads a file range by range, each when it is asked for.
 *
 * The stream fails with `FS_CONFLICT` when the file changes between two ranges, so that it never mixes versions.
 */
export function streamFile(
  host: Pick<RequiredFileSystem, "read">,
  path: string,
  options: ReadOptions = {},
  chunkBytes: number = DEFAULT_CHUNK_BYTES,
): ReadableStream<Uint8Array> {
  return streamFrom(readRanges(host, path, options, chunkBytes));
}

async function* readRanges(
  host: Pick<RequiredFileSystem, "read">,
  path: string,
  options: ReadOptions,
  chunkBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { offset = 0, length = Number.POSITIVE_INFINITY, signal } = options;
  let version: string | undefined;
  for (let at = 0; at < length || version === undefined; ) {
    signal?.throwIfAborted();
    const wanted = Math.min(chunkBytes, length - at);
    const part = await abortable(
      host.read(path, { offset: offset + at, length: wanted, ...(signal && { signal }) }),
      signal,
    );
    version ??= part.version;
    if (part.version !== version)
      throw fsError("FS_CONFLICT", path, `${path} changed while it was being read. Read it again from the start.`);
    // Counted first: whoever takes the bytes may give their buffer away.
    const { length: read } = part.bytes;
    if (read > 0) yield part.bytes;
    at += read;
    if (read < wanted) return;
  }
}

/**
 * Collects a stream of bytes and cancels it on any failure.
 *
 * @param stream The bytes; anything else fails with `FS_INVALID_ARGUMENT`.
 * @param path The path they are for.
 * @param signal Ends the waiting.
 * @param limit The most bytes; more fail with `FS_TOO_LARGE`.
 */
export async function collectStream(
  stream: ReadableStream<Uint8Array>,
  path: string,
  signal: AbortSignal | undefined,
  limit: number = DEFAULT_STREAM_BYTES,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  await checkPath(stream, path);
  for await (const part of iterateStream(stream, signal)) {
    checkBytes(part, path);
    size += part.length;
    if (size > limit)
      throw fsError(
        "FS_TOO_LARGE",
        path,
        `more than ${limit} bytes were streamed to ${path}; nothing was changed. Write a smaller file.`,
      );
    parts.push(part);
  }
  return concatBytes(parts);
}

/** A stream on its way to a host: its chunks are checked, and what it fails with is told apart from the host's failures. */
export interface Source {
  /** What the host reads; it fails as the stream does, with `FS_INVALID_ARGUMENT` on what is no bytes, and on an abort. */
  readonly stream: ReadableStream<Uint8Array>;
  /** What reading failed with, once it has. */
  readonly failure: { error: unknown } | undefined;
  /** Cancels what has not been read, without waiting. */
  leave(reason: unknown): void;
}

/** Opens a stream for a host to read. */
export function openSource(stream: ReadableStream<Uint8Array>, path: string, signal: AbortSignal | undefined): Source {
  let failure: { error: unknown } | undefined;
  const parts = (async function* () {
    try {
      for await (const part of iterateStream(stream, signal)) {
        checkBytes(part, path);
        yield part;
      }
    } catch (error) {
      failure = { error };
      throw error;
    }
  })();
  return {
    stream: streamFrom(parts),
    get failure() {
      return failure;
    },
    leave(reason) {
      void parts.return().catch(() => {});
      // What has not been begun is not cancelled by leaving it.
      if (!stream.locked) void stream.cancel(reason).catch(() => {});
    },
  };
}

/** Makes a stream that fails at the first read. */
export function brokenStream(error: unknown): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({ start: (controller) => controller.error(error) });
}

/** Checks the path before anything is taken from the stream. */
async function checkPath(stream: ReadableStream<Uint8Array>, path: string): Promise<void> {
  try {
    absolutePath(path);
  } catch (error) {
    await stream.cancel(error).catch(() => {});
    throw error;
  }
}
