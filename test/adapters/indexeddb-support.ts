/** Databases of one test file: each is closed and deleted after the test that opened it. */

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
