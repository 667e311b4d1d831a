/** Fills files that nobody else uses yet, in whatever way this place allows. */

import { fsError } from "holdall";
import { fillSync, isSyncCapable } from "./fill-sync.ts";
import { type Filler, partsOf, type Source } from "./source.ts";
import { spawnWorker } from "./spawn-worker.ts";
import { createWorkerFiller } from "./worker-filler.ts";

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
