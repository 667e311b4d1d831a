/** The public surface of `holdall/indexeddb`: files that stay in the browser, shared by all tabs of a site. */

import {
  type Backend,
  createBackend,
  createFileSystem,
  HoldallError,
  hostTimers,
  resolvePath,
  type Shell,
  type ShellFactory,
  type Timers,
} from "holdall";
import { CHUNK_BYTES } from "./layout.ts";
import { indexedDbParts } from "./parts.ts";
import { createStore } from "./store.ts";

/** Which database to use, and how. */
export interface IndexedDbBackendOptions {
  /**
   * The name of the database. Backends of one name, in any tab or worker of the site, see the same files. The database
   * must be Holdall's own. Defaults to `holdall`.
   */
  name?: string;
  /** The working directory, which is created. Defaults to `/workspace`. */
  cwd?: string;
  /** The home directory, which is created. None by default. */
  home?: string;
  /** The shell, or what makes one over the files. */
  shell?: Shell | ShellFactory;
  /**
   * Whether a change is done when the browser has it (`relaxed`) or when the disk has it (`strict`, slower). A tab or
   * browser that dies loses nothing either way; a machine that loses power may lose the last seconds of `relaxed`.
   * Defaults to `relaxed`.
   */
  durability?: "relaxed" | "strict";
  /**
   * Milliseconds that a call waits for the database to open, which another tab may hold up while it deletes it; the
   * call then fails with `FS_IO`, and later ones succeed once the way is free. Defaults to 10,000.
   */
  openTimeoutMs?: number;
  /** Gives the time of changes. Defaults to the host's clock. */
  clock?: () => number;
  /** Sets timers. Defaults to the host's. */
  timers?: Timers;
}

/**
 * Makes a backend whose files live in IndexedDB: they survive a reload, and every tab of the site sees them.
 *
 * Nothing is opened before the first call. Changes are all or nothing, also when the tab is killed in the middle; writes
 * that are made at the same time share one transaction. A condition (`ifVersion`) holds across tabs. Files are kept in
 * chunks, so a part of a large one is read without the rest, and a streamed one needs little memory; a file of at most
 * 1 KiB lies with its facts, which makes it quick to write and to search. How much can be kept is for the browser to
 * say: what does not fit fails with `FS_NO_SPACE` and changes nothing. Call `navigator.storage.persist()` to keep a
 * browser that runs out of room from deleting the files.
 *
 * The time of a directory is when it was created. Names are compared as they are written. A search reads the
 * facts of 20,000 files and directories in one go, and those beyond directory by directory.
 *
 * @example
 * const backend = indexedDbBackend({ name: "my-project" });
 * await backend.fs.write("/workspace/plan.md", new TextEncoder().encode("ship on friday\n"));
 */
export function indexedDbBackend(options: IndexedDbBackendOptions = {}): Backend {
  const {
    name = "holdall",
    durability = "relaxed",
    openTimeoutMs = 10_000,
    clock = Date.now,
    timers = hostTimers,
  } = options;
  const cwd = resolvePath(options.cwd ?? "/workspace");
  const home = options.home === undefined ? undefined : resolvePath(options.home, cwd);
  const directories = (home === undefined ? [cwd] : [cwd, home]).filter((path) => path !== "/");
  const store = createStore({ name, durability, openTimeoutMs, clock, timers, directories });
  const fs = createFileSystem(indexedDbParts(store), { chunkBytes: CHUNK_BYTES });
  return createBackend({ name: "indexeddb", fs, cwd, home, shell: options.shell, close: store.close });
}

/**
 * Deletes a database with all its files. Backends that have it open let go of it, and start an empty one when they are
 * used again.
 *
 * @param name The name that was given to {@link indexedDbBackend}.
 */
export function deleteIndexedDb(name = "holdall"): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (cause: unknown): void =>
      reject(
        new HoldallError("FS_IO", `the database ${JSON.stringify(name)} could not be deleted. Try again.`, {
          data: { database: name },
          cause,
        }),
      );
    try {
      const request = indexedDB.deleteDatabase(name);
      request.onsuccess = () => resolve();
      request.onerror = () => failed(request.error);
    } catch (error) {
      failed(error);
    }
  });
}
