/** Databases of one test file: each is closed and deleted after the test that opened it; and what lies in them. */

import type { Backend } from "holdall";
import { deleteIndexedDb, type IndexedDbBackendOptions, indexedDbBackend } from "holdall/indexeddb";
import { afterEach } from "vitest";
import { freshName } from "./storage-support.ts";

/** Gives the function that opens them, under a new name unless one is given. */
export function databases(): (options?: IndexedDbBackendOptions) => Backend {
  const opened: { backend: Backend; name: string }[] = [];
  afterEach(async () => {
    const names = new Set<string>();
    for (const { backend, name } of opened.splice(0)) {
      await backend.close?.();
      names.add(name);
    }
    for (const name of names) await deleteIndexedDb(name);
  });
  return (options = {}) => {
    const name = options.name ?? freshName();
    const backend = indexedDbBackend({ ...options, name });
    opened.push({ backend, name });
    return backend;
  };
}

/** Opens a database as other code would; it lets go of nothing by itself. */
export function openRaw(name: string, store = "files"): Promise<IDBDatabase> {
  const request = indexedDB.open(name);
  request.onupgradeneeded = () => request.result.createObjectStore(store);
  return settled(request);
}

/** Waits for a request. */
export function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Gives the keys of all that lies in a database. */
export async function keysOf(name: string): Promise<string[]> {
  const database = await openRaw(name);
  const keys = await settled(database.transaction("files").objectStore("files").getAllKeys());
  database.close();
  return keys.map(String);
}

/** Changes a database behind the back of its backends. */
export async function changeRaw(name: string, work: (store: IDBObjectStore) => unknown): Promise<void> {
  const database = await openRaw(name);
  const transaction = database.transaction("files", "readwrite");
  const ended = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
  await work(transaction.objectStore("files"));
  await ended;
  database.close();
}
