/** Fills files that nobody else uses yet, in whatever way this place allows. */

import { fsError } from "holdall";
import { fillSync, isSyncCapable } from "./fill-sync.ts";
import { spawnWorker } from "./spawn-worker.ts";
import { createWorkerFiller } from "./worker-filler.ts";

/** What a file is filled from. */
export type Source = Uint8Array | ReadableStream<Uint8Array>;

/** Fills files. */
export interface Filler {
  /**
   * Replaces all that is in a file.
   *
   * @param file The file.
   * @param place Where it lies, from the root of the private file system: handles cannot be sent to a worker everywhere.
   * @param source What it shall hold.
   */
  fill(file: FileSystemFileHandle, place: readonly string[], source: Source): Promise<void>;
  /** Whether it is by streams, which pages have: then the file itself can be filled, too. */
  readonly byStream: boolean;
  /** Lets go of what it holds. */
  close(): void;
}

/** How files are filled. */
export interface FillerOptions {
  /** `stream`: by a writable stream; `handle`: by a sync access handle, outside of a worker in one of its own. */
  access?: "stream" | "handle";
  /** Makes the worker. */
  worker?: () => Worker;
}

/** Chooses how to fill files: by a stream where the browser has them, which Safari has had since version 26. */
export function chooseFiller({ access, worker = spawnWorker }: FillerOptions): Filler {
  const hasStreams = typeof FileSystemFileHandle === "function" && "createWritable" in FileSystemFileHandle.prototype;
  if (access === "stream" || (access === undefined && hasStreams))
    return { fill: fillByStream, byStream: true, close: () => {} };
  const hasHandles = typeof FileSystemFileHandle === "function" && isSyncCapable(FileSystemFileHandle.prototype);
  return hasHandles ? { fill: fillByHandle, byStream: false, close: () => {} } : createWorkerFiller(worker);
}

/** Fills a file by a writable stream; until that is closed, the file is as it was. */
export async function fillByStream(
  file: FileSystemFileHandle,
  _place: readonly string[],
  source: Source,
): Promise<void> {
  const writable = await file.createWritable();
  try {
    for await (const part of partsOf(source)) await writable.write(part);
    await writable.close();
  } catch (error) {
    await writable.abort().catch(() => {});
    throw error;
  }
}

async function fillByHandle(file: FileSystemFileHandle, place: readonly string[], source: Source): Promise<void> {
  if (!isSyncCapable(file)) throw fsError("FS_UNSUPPORTED", `/${place.join("/")}`);
  await fillSync(file, partsOf(source));
}

/** Gives a source part by part. */
export async function* partsOf(source: Source): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  if (source instanceof Uint8Array) {
    yield asPlain(source);
    return;
  }
  const reader = source.getReader();
  for (let next = await reader.read(); next.done !== true; next = await reader.read()) yield asPlain(next.value);
}

/** Handles take no shared memory, and WebKit writes the whole buffer that a part is a view of. */
function asPlain(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return isPlain(bytes) && bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

function isPlain(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer;
}
