/** A backend in a folder that a person picked. */

import { type Backend, createSharedWatchers, fsError, HoldallError, hostTimers, resolvePath } from "holdall";
import { backendOf, createDirectories, once, type TreeBackendOptions } from "./backend.ts";
import { isThere } from "./directories.ts";
import { createHandles } from "./handles.ts";
import { createLeftovers } from "./leftovers.ts";
import { hostLocks } from "./locks.ts";
import { plainNames } from "./names.ts";
import { fromHandle } from "./opfs-error.ts";
import type { Tree } from "./tree.ts";
import { createTurns } from "./turns.ts";
import { createVersions } from "./versions.ts";
import { directWriter } from "./writers.ts";

/** How to use the folder. */
export interface DirectoryBackendOptions extends TreeBackendOptions {
  /** The working directory, which is created. Defaults to `/`, the folder itself. */
  cwd?: string;
  /** Whether every change fails with `FS_READ_ONLY`. Defaults to false. */
  readOnly?: boolean;
  /** What tabs that use the same folder call it, so that their changes take turns. Defaults to the folder's name. */
  name?: string;
  /** Gives the time, for versions. Defaults to the host's clock. */
  clock?: () => number;
}

/**
 * Makes a backend whose files are those of a folder, such as `showDirectoryPicker` gives it: a person's real files.
 *
 * Nothing but the files themselves is put into the folder. A content is written through the browser's own swap file, so an
 * existing file is always whole; a new one is empty for a moment. A directory is moved by copying it before the old one is
 * removed, unless the browser can move it. Other programs may change the files at any time: versions show it, but a
 * program that writes in the very moment of a conditional write is not noticed.
 *
 * After a reload the browser wants the permission to be asked for again: see {@link ensurePermission}; without it calls fail
 * with `FS_IO` and `retryable`. What a change had begun when the permission ended, such as a new file that is still empty, is
 * taken back by the first call after it is given again. A folder that is gone fails with `FS_NOT_FOUND`, and says so.
 *
 * @example
 * const handle = await showDirectoryPicker({ mode: "readwrite" });
 * const backend = directoryBackend(handle);
 */
export function directoryBackend(handle: FileSystemDirectoryHandle, options: DirectoryBackendOptions = {}): Backend {
  if (handle?.kind !== "directory")
    throw new HoldallError(
      "FS_INVALID_ARGUMENT",
      "directoryBackend needs the handle of a directory. Pass what was picked.",
    );
  const { readOnly = false, clock = Date.now, timers = hostTimers } = options;
  const cwd = resolvePath(options.cwd ?? "/");
  const lock = `holdall:directory:${options.name ?? handle.name}`;
  const home = options.home === undefined ? [] : [resolvePath(options.home, cwd)];
  const leftovers = createLeftovers();
  const tree: Tree = {
    handles: createHandles(async () => handle, plainNames),
    versions: createVersions(clock),
    inTurn: createTurns({ locks: hostLocks(), name: lock, timers }),
    writer: directWriter(timers, leftovers),
    leftovers,
    watchers: createSharedWatchers(lock),
    timers,
    scratch: undefined,
    isReadOnly: readOnly,
    isClosed: false,
    moving: undefined,
    ready: once(async () => {
      await checkFolder(handle);
      if (!readOnly) await createDirectories(tree, [cwd, ...home]);
    }),
  };
  return backendOf("directory", tree, cwd, options, () => {});
}

async function checkFolder(handle: FileSystemDirectoryHandle): Promise<void> {
  let isFound: boolean;
  try {
    isFound = await isThere(handle);
  } catch (error) {
    throw fromHandle(error, "/");
  }
  if (isFound) return;
  throw fsError(
    "FS_NOT_FOUND",
    "/",
    `the folder ${JSON.stringify(handle.name)} is no longer where it was picked. Pick it again.`,
  );
}
