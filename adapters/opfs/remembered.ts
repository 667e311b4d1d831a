/** Keeps the handles of picked folders from one visit to the next. */

import { fsError } from "holdall";
import { createStore, del, get, set, type UseStore } from "idb-keyval";

let opened: UseStore | undefined;

/**
 * Remembers a folder under a key, in place of what was remembered before.
 *
 * @param key What to call it.
 * @param handle The folder that a person picked.
 * @throws HoldallError `FS_UNSUPPORTED` where the browser keeps no handles.
 */
export async function rememberDirectory(key: string, handle: FileSystemDirectoryHandle): Promise<void> {
  try {
    await set(key, handle, store());
  } catch (error) {
    throw fsError(
      "FS_UNSUPPORTED",
      `/${handle.name}`,
      "this browser does not keep folders from one visit to the next. Ask the person to pick the folder again.",
      error,
    );
  }
}

/** Gives the folder that was remembered under a key; undefined when there is none. Its permission may have ended. */
export async function recallDirectory(key: string): Promise<FileSystemDirectoryHandle | undefined> {
  const handle: unknown = await get(key, store());
  return isDirectory(handle) ? handle : undefined;
}

/** Forgets the folder of a key. */
export async function forgetDirectory(key: string): Promise<void> {
  await del(key, store());
}

function store(): UseStore {
  opened ??= createStore("holdall-directories", "handles");
  return opened;
}

function isDirectory(value: unknown): value is FileSystemDirectoryHandle {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "directory";
}
