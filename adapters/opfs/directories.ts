/** Lists, creates, removes and moves. */

import { type DirEntry, fsError, isInside, parentPath } from "holdall";
import { removeAgain } from "./files.ts";
import type { Found } from "./handles.ts";
import { moveDirectory, moveFile } from "./move.ts";
import { nameOf } from "./opfs-error.ts";
import { whenUnlocked } from "./timing.ts";
import { ALONE, changeAlone, changeOne, look, type Signal, type Tree, withoutStale } from "./tree.ts";

/** Lists a directory. */
export function list(tree: Tree, path: string): Promise<DirEntry[]> {
  return look(tree, path, async () => {
    const found = await tree.handles.find(path);
    if (found.kind === "file") throw fsError("FS_NOT_DIRECTORY", path);
    if (found.kind === "missing") throw fsError("FS_NOT_FOUND", path);
    const entries: DirEntry[] = [];
    const swapFiles: string[] = [];
    try {
      for await (const [name, { kind }] of tree.handles.entries(found.handle, swapFiles)) entries.push({ name, kind });
    } catch (error) {
      tree.handles.forget(path);
      // Firefox and WebKit do not say that it is the directory itself that is gone.
      if (path === "/" || (await tree.handles.find(path)).kind === "directory") throw error;
      throw fsError("FS_NOT_FOUND", path, undefined, error);
    }
    if (swapFiles.length > 0 && tree.scratch !== undefined) void removeSwapFiles(tree, found.handle, swapFiles);
    return entries;
  });
}

/** Takes swap files away that a killed browser has left: while nobody else changes the tree, there are no others. */
async function removeSwapFiles(tree: Tree, folder: FileSystemDirectoryHandle, names: readonly string[]): Promise<void> {
  const removing = tree.inTurn(ALONE, undefined, async () => {
    for (const name of names) await folder.removeEntry(name).catch(() => {});
  });
  await removing.catch(() => {});
}

/** Creates a directory and its parents. */
export function makeDirectory(tree: Tree, path: string, signal: Signal): Promise<void> {
  return changeOne(tree, path, signal, async () => {
    const isNew = await withoutStale(tree, () => create(tree, path));
    if (isNew) tree.watchers.tell([{ path, kind: "written" }]);
  });
}

/** Creates a directory; tells whether it was not there. */
async function create(tree: Tree, path: string): Promise<boolean> {
  const found = await tree.handles.find(path);
  if (found.kind === "directory") return false;
  if (found.kind === "file") throw fsError("FS_EXISTS", path);
  if (found.isBlocked) throw fsError("FS_NOT_DIRECTORY", path);
  const created: string[] = [];
  try {
    await tree.handles.makeDirectory(path, created);
    return true;
  } catch (error) {
    await removeAgain(tree, created);
    throw error;
  }
}

/** Removes a file or directory. */
export function remove(tree: Tree, path: string, recursive: boolean, signal: Signal): Promise<void> {
  return changeAlone(tree, path, signal, async () => {
    const found = await tree.handles.find(path);
    if (found.kind === "missing") throw fsError("FS_NOT_FOUND", path);
    if (found.kind === "directory" && !recursive) await clearSwapFiles(tree, found.handle, path);
    const folder = await folderOf(tree, path);
    await whenUnlocked(tree.timers, () => folder.removeEntry(tree.handles.nameOf(path), { recursive }));
    tree.handles.forget(path);
    tree.watchers.tell([{ path, kind: "removed" }]);
  });
}

/** Moves a file or directory. */
export function rename(tree: Tree, from: string, to: string, signal: Signal): Promise<void> {
  return changeAlone(tree, from, signal, async () => {
    // Other tabs may have taken folders away, and a move that has begun is not begun anew.
    tree.handles.forget("/");
    const source = await tree.handles.find(from);
    if (source.kind === "missing") throw fsError("FS_NOT_FOUND", from);
    if (from === to && from !== "/") return;
    await checkMove(tree, source, from, to);
    const created: string[] = [];
    try {
      const folder = await tree.handles.makeDirectory(parentPath(to), created);
      if (source.kind === "file") await moveFile(tree, source.handle, from, folder, to);
      else {
        tree.moving = moveDirectory(tree, source.handle, from, folder, to);
        await tree.moving;
      }
    } catch (error) {
      await removeAgain(tree, created);
      throw error;
    } finally {
      tree.moving = undefined;
      tree.handles.forget(from);
      tree.handles.forget(to);
      tree.versions.forget(to);
    }
    tree.watchers.tell([
      { path: from, kind: "removed" },
      { path: to, kind: "written" },
    ]);
  });
}

/** Browsers would replace a directory by what is moved to it. */
async function checkMove(tree: Tree, source: Found, from: string, to: string): Promise<void> {
  if (from === "/" || (source.kind === "directory" && isInside(to, from))) throw fsError("FS_INVALID_PATH", from);
  const target = await tree.handles.find(to);
  if (target.kind === "missing") {
    if (target.isBlocked) throw fsError("FS_NOT_DIRECTORY", to);
  } else if (target.kind === "directory" || source.kind === "directory") throw fsError("FS_EXISTS", to);
}

/** Fails unless a directory is empty but for swap files, which it takes away. */
async function clearSwapFiles({ handles }: Tree, directory: FileSystemDirectoryHandle, path: string): Promise<void> {
  const swapFiles: string[] = [];
  for await (const _entry of handles.entries(directory, swapFiles)) throw fsError("FS_NOT_EMPTY", path);
  for (const name of swapFiles) await directory.removeEntry(name);
}

async function folderOf({ handles }: Tree, path: string): Promise<FileSystemDirectoryHandle> {
  const folder = await handles.find(parentPath(path));
  if (folder.kind !== "directory") throw fsError("FS_NOT_FOUND", path);
  return folder.handle;
}

/** Tells whether a folder that a person picked is still where it was. */
export async function isThere(root: FileSystemDirectoryHandle): Promise<boolean> {
  try {
    // Only looking at what is in it asks the disk; WebKit finds a folder that is gone empty.
    await root.keys().next();
    return true;
  } catch (error) {
    if (nameOf(error) === "NotFoundError") return false;
    throw error;
  }
}
