/** Moves files and directories, also where the browser moves no directories; nothing is lost when it ends in between. */

import { joinPath, parentPath } from "holdall";
import { fillByStream } from "./filler.ts";
import { removeSpare, unlessForbidden } from "./leftovers.ts";
import { isMovable } from "./movable.ts";
import { nameOf } from "./opfs-error.ts";
import { whenUnlocked } from "./timing.ts";
import type { Tree } from "./tree.ts";

/** Moves a file over what is there. */
export async function moveFile(
  tree: Tree,
  file: FileSystemFileHandle,
  from: string,
  folder: FileSystemDirectoryHandle,
  to: string,
): Promise<void> {
  const name = tree.handles.nameOf(to);
  if (isMovable(file)) {
    try {
      await whenUnlocked(tree.timers, () => file.move(folder, name));
      return;
    } catch (error) {
      if (!isIncapable(error)) throw error;
    }
  }
  const isNew = (await tree.handles.find(to)).kind === "missing";
  try {
    await whenUnlocked(tree.timers, () => copyFile(file, folder, name));
    await removeEntry(tree, from);
  } catch (error) {
    if (isNew) await tree.leftovers.undo(() => removeSpare(folder, name, file));
    throw error;
  }
}

/**
 * Moves a directory. Where the browser cannot, its files are moved one by one: with a scratch folder, a journal lets the
 * next visit finish what a crash interrupts; without one, all is copied before anything is removed.
 */
export async function moveDirectory(
  tree: Tree,
  directory: FileSystemDirectoryHandle,
  from: string,
  folder: FileSystemDirectoryHandle,
  to: string,
): Promise<void> {
  if (isMovable(directory)) {
    try {
      await whenUnlocked(tree.timers, () => directory.move(folder, tree.handles.nameOf(to)));
      return;
    } catch (error) {
      if (!isIncapable(error)) throw error;
    }
  }
  const scratch = await tree.scratch?.();
  if (scratch === undefined) return copyDirectory(tree, directory, from, folder, to);
  await scratch.writeJournal({ from, to });
  try {
    await moveEntries(tree, directory, from, to);
    await removeEntry(tree, from);
  } catch (error) {
    // Back to where it was; if that fails as well, the journal stays, and the next visit moves on.
    await moveBack(tree, from, to);
    await scratch.clearJournal();
    throw error;
  }
  await scratch.clearJournal();
}

/** Finishes a move that a crash has interrupted. */
export async function finishMove(tree: Tree, from: string, to: string): Promise<void> {
  const source = await tree.handles.find(from);
  if (source.kind !== "directory") return;
  await moveEntries(tree, source.handle, from, to);
  await removeEntry(tree, from);
  tree.handles.forget(from);
}

async function moveEntries(tree: Tree, directory: FileSystemDirectoryHandle, from: string, to: string): Promise<void> {
  const folder = await tree.handles.makeDirectory(to, []);
  // Read to the end first: what is moved away would confuse the listing.
  const entries: [string, FileSystemHandle][] = [];
  for await (const entry of tree.handles.entries(directory)) entries.push(entry);
  for (const [name, handle] of entries) {
    const [old, next] = [joinPath(from, name), joinPath(to, name)];
    if (isFile(handle)) await moveFile(tree, handle, old, folder, next);
    else if (isDirectory(handle)) await moveEntries(tree, handle, old, next);
  }
}

async function moveBack(tree: Tree, from: string, to: string): Promise<void> {
  tree.handles.forget(from);
  tree.handles.forget(to);
  const moved = await tree.handles.find(to);
  if (moved.kind !== "directory") return;
  await moveEntries(tree, moved.handle, to, from);
  await removeEntry(tree, to);
}

/** Copies a directory, then removes the old one; when either fails, what is in both is taken out of the new one. */
async function copyDirectory(
  tree: Tree,
  directory: FileSystemDirectoryHandle,
  from: string,
  folder: FileSystemDirectoryHandle,
  to: string,
): Promise<void> {
  const name = tree.handles.nameOf(to);
  const made: (() => Promise<void>)[] = [() => folder.removeEntry(name)];
  try {
    await copyEntries(directory, await tree.handles.makeDirectory(to, []), made);
    await removeEntry(tree, from);
  } catch (error) {
    await tree.leftovers.undo(async () => {
      for (const remove of made.toReversed()) await unlessForbidden(remove);
      tree.handles.forget(to);
    });
    throw error;
  }
}

/** Copies what is in a directory; notes how each thing is removed again unless it has become the only one of its kind. */
async function copyEntries(
  from: FileSystemDirectoryHandle,
  to: FileSystemDirectoryHandle,
  made: (() => Promise<void>)[],
): Promise<void> {
  for await (const [name, handle] of from.entries()) {
    if (isFile(handle)) {
      made.push(() => removeSpare(to, name, handle));
      await copyFile(handle, to, name);
    } else if (isDirectory(handle)) {
      made.push(() => to.removeEntry(name));
      await copyEntries(handle, await to.getDirectoryHandle(name, { create: true }), made);
    }
  }
}

async function copyFile(file: FileSystemFileHandle, folder: FileSystemDirectoryHandle, name: string): Promise<void> {
  const copy = await folder.getFileHandle(name, { create: true });
  await fillByStream(copy, [], (await file.getFile()).stream());
}

async function removeEntry({ handles, timers }: Tree, path: string): Promise<void> {
  const folder = await handles.find(parentPath(path));
  if (folder.kind !== "directory") return;
  await whenUnlocked(timers, () => folder.handle.removeEntry(handles.nameOf(path), { recursive: true }));
}

/** Tells whether an error says that this browser, or this kind of folder, has no moves. */
function isIncapable(error: unknown): boolean {
  return ["NotSupportedError", "TypeError", "SecurityError"].includes(nameOf(error));
}

function isFile(handle: FileSystemHandle): handle is FileSystemFileHandle {
  return handle.kind === "file";
}

function isDirectory(handle: FileSystemHandle): handle is FileSystemDirectoryHandle {
  return handle.kind === "directory";
}
