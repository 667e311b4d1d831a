/** Tells of changes below a directory. */

import { type FSWatcher, lstatSync, readdirSync, watch } from "node:fs";
import { childPath, createWatchers, type FsChange, fsError, onAbort } from "holdall";
import type { Disk } from "./disk.ts";
import { isDraftName } from "./draft-name.ts";
import { hostError } from "./host-error.ts";
import { isDoubtful } from "./list-directory.ts";
import { openDirectory } from "./open.ts";
import { findReal } from "./real-path.ts";

/** The most directories that are watched at the same time; changes below others are not told. */
export const MAX_WATCHED = 8192;

/** Where changes go. */
interface Changes {
  note(path: string, kind: FsChange["kind"]): void;
  /** Ends the watch with an error. */
  fail(error: unknown): void;
}

/** Watches below a directory until the signal aborts, the loop is left or the file system is closed; see the port. */
export async function* watchTree(
  disk: Disk,
  path: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<FsChange, void, undefined> {
  const { path: real, exists } = await findReal(disk, path);
  if (!exists) throw fsError("FS_NOT_FOUND", path);
  await checkDirectory(disk, real, path);
  const watchers = createWatchers();
  let failure: unknown;
  const changes: Changes = {
    note: (changed, kind) => watchers.tell([{ path: changed, kind }]),
    fail(error) {
      failure ??= error;
      watchers.close();
    },
  };
  const stop = watchesDeep() ? watchDeep(disk, real, changes) : watchEach(disk, real, changes);
  const leave = onAbort(disk.closing, watchers.close);
  try {
    yield* watchers.watch(real, signal);
    if (failure !== undefined) throw hostError(failure, path);
  } finally {
    stop();
    leave();
  }
}

async function checkDirectory(disk: Disk, real: string, path: string): Promise<void> {
  try {
    await (await openDirectory(disk, real, path)).close();
  } catch (error) {
    throw hostError(error, path);
  }
}

/** Whether the host itself watches whole trees; what Node does elsewhere misses files of new directories. */
function watchesDeep(): boolean {
  return process.platform === "darwin" || process.platform === "win32";
}

function watchDeep(disk: Disk, real: string, changes: Changes): () => void {
  const watcher = watch(disk.paths.toHost(real), { recursive: true }, (_event, name) => {
    const path = name === null ? real : childPath(real, disk.paths.fromLink(name));
    if (!isLeftOut(path)) changes.note(path, kindNow(disk, path) === undefined ? "removed" : "written");
  });
  watcher.on("error", (error) => changes.fail(error));
  return () => watcher.close();
}

/** Watches every directory by itself, also those that come later. */
function watchEach(disk: Disk, root: string, changes: Changes): () => void {
  const watchers = new Map<string, FSWatcher>();
  const leave = (directory: string): void => {
    for (const [path, watcher] of watchers) {
      if (path !== directory && !path.startsWith(`${directory}/`)) continue;
      watcher.close();
      watchers.delete(path);
    }
  };
  const onChange = (directory: string, name: string | null): void => {
    const path = name === null ? directory : childPath(directory, name);
    if (isLeftOut(path)) return;
    const kind = kindNow(disk, path);
    changes.note(path, kind === undefined ? "removed" : "written");
    if (kind !== "directory") leave(path);
    else if (!watchers.has(path)) enter(path, true);
  };
  /** Starts with a directory; what is in a new one already has not been told of. */
  const enter = (directory: string, isNew: boolean): void => {
    if (watchers.size >= MAX_WATCHED) return;
    try {
      const watcher = watch(disk.paths.toHost(directory), (_event, name) => onChange(directory, name));
      watcher.on("error", () => leave(directory));
      watchers.set(directory, watcher);
      for (const entry of readdirSync(disk.paths.toHost(directory), { withFileTypes: true })) {
        const path = childPath(directory, entry.name);
        if (isLeftOut(path)) continue;
        if (isNew) changes.note(path, "written");
        if (entry.isDirectory()) enter(path, isNew);
      }
    } catch (error) {
      // Gone already, or not to be looked into; but a root that cannot be watched is a failure.
      if (directory === root) changes.fail(error);
    }
  };
  enter(root, false);
  return () => leave(root);
}

function kindNow({ paths }: Disk, path: string): "directory" | "other" | undefined {
  try {
    const facts = lstatSync(paths.toHost(path), { throwIfNoEntry: false });
    return facts && (facts.isDirectory() ? "directory" : "other");
  } catch {
    return undefined;
  }
}

function isLeftOut(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return isDraftName(name) || isDoubtful(name);
}
