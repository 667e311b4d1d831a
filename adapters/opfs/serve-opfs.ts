/** The worker's side: fills the files that the page names. */

import { isSyncCapable, type SyncHandle, writeAll } from "./fill-sync.ts";
import type { FromWorker, ToWorker } from "./worker-protocol.ts";

/** What is used of the global scope of a dedicated worker. */
interface WorkerScope {
  postMessage(message: FromWorker): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToWorker>) => void): void;
}

interface OpenFile {
  handle: SyncHandle;
  size: number;
}

/**
 * Serves `opfsBackend` from a dedicated worker of your own, made by its option `worker`.
 *
 * @example
 * ```ts
 * // my-worker.ts
 * import { serveOpfs } from "holdall/opfs";
 * serveOpfs();
 * ```
 */
export function serveOpfs(): void {
  const scope = globalThis as unknown as WorkerScope;
  const files = new Map<number, OpenFile>();
  scope.addEventListener("message", ({ data }) => {
    // One message at a time for each file: the page waits for the answer.
    answer(files, data).then(
      () => scope.postMessage({ id: data.id }),
      (error: unknown) => scope.postMessage({ id: data.id, error: packError(error) }),
    );
  });
}

async function answer(files: Map<number, OpenFile>, message: ToWorker): Promise<void> {
  if (message.type === "open") {
    files.set(message.id, { handle: await openFile(message.place), size: 0 });
    return;
  }
  const file = files.get(message.id);
  if (file === undefined) throw new DOMException("The file is not open.", "InvalidStateError");
  if (message.type === "write") {
    file.size = writeAll(file.handle, message.bytes, file.size);
    return;
  }
  files.delete(message.id);
  try {
    file.handle.flush();
  } finally {
    file.handle.close();
  }
}

async function openFile(place: readonly string[]): Promise<SyncHandle> {
  let folder = await navigator.storage.getDirectory();
  for (const name of place.slice(0, -1)) folder = await folder.getDirectoryHandle(name);
  const file = await folder.getFileHandle(place[place.length - 1] ?? "");
  if (!isSyncCapable(file)) throw new DOMException("There are no sync access handles here.", "NotSupportedError");
  const handle = await file.createSyncAccessHandle();
  handle.truncate(0);
  return handle;
}

function packError(error: unknown): { name: string; message: string } {
  if (error instanceof Error || error instanceof DOMException) return { name: error.name, message: error.message };
  return { name: "Error", message: String(error) };
}
