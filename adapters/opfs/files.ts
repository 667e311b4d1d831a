/** Reads and writes files. */

import { type FileStat, fsError, parentPath, type ReadOptions, type ReadResult, type WriteOptions } from "holdall";
import { unlessForbidden } from "./leftovers.ts";
import { fromHandle, isStale } from "./opfs-error.ts";
import type { Source } from "./source.ts";
import { changeOne, look, observe, type Tree, withoutStale } from "./tree.ts";
import { MAX_WHOLE, versionOfBytes } from "./versions.ts";
import type { Pending } from "./writers.ts";

/** Gives the facts of a path; with `isCheap` the version is left empty, so that no file is read. */
export function stat(tree: Tree, path: string, isCheap = false): Promise<FileStat | undefined> {
  return look(tree, path, async () => {
    const { kind } = await tree.handles.find(path);
    if (kind === "missing") return undefined;
    if (kind === "directory") return { kind, size: 0, modifiedAt: 0, version: "directory" };
    try {
      return await observe(tree, path, (file) => statFile(tree, path, file, isCheap));
    } catch (error) {
      // It may have gone, or become a directory, since it was found.
      if (fsCode(error) === "FS_NOT_FOUND") return undefined;
      throw error;
    }
  });
}

async function statFile(tree: Tree, path: string, file: File, isCheap: boolean): Promise<FileStat> {
  const version = isCheap ? "" : (await tree.versions.of(path, file)).version;
  return { kind: "file", size: file.size, modifiedAt: file.lastModified, version };
}

/** Reads a file or a part of it. */
export function read(
  tree: Tree,
  path: string,
  { offset = 0, length = Number.POSITIVE_INFINITY }: ReadOptions = {},
): Promise<ReadResult> {
  return look(tree, path, () =>
    observe(tree, path, async (file) => {
      const { version, bytes: all } = await tree.versions.of(path, file);
      if (all !== undefined && all.length !== file.size) return undefined;
      const bytes = all === undefined ? await readPart(file, offset, length) : cutPart(all, offset, length);
      return bytes && { bytes, version };
    }),
  );
}

/** Reads the start of a file whose version nobody wants to know. */
export function readStart(tree: Tree, path: string, length: number = Number.POSITIVE_INFINITY): Promise<ReadResult> {
  return look(tree, path, () =>
    observe(tree, path, async (file) => {
      const bytes = await readPart(file, 0, length);
      return bytes && { bytes, version: "" };
    }),
  );
}

async function readPart(file: File, offset: number, length: number): Promise<Uint8Array | undefined> {
  const from = Math.min(offset, file.size);
  const to = Math.min(file.size, from + length);
  const part = from === 0 && to === file.size ? file : file.slice(from, to);
  const bytes = new Uint8Array(await part.arrayBuffer());
  return bytes.length === to - from ? bytes : undefined;
}

function cutPart(bytes: Uint8Array, offset: number, length: number): Uint8Array {
  return offset === 0 && length >= bytes.length ? bytes : bytes.slice(offset, offset + length);
}

/** Writes a whole file; it appears when all of it is there. */
export async function write(
  tree: Tree,
  path: string,
  source: Source,
  { ifVersion, signal }: WriteOptions = {},
): Promise<FileStat> {
  const pending = tree.writer(source);
  const versioning = source instanceof Uint8Array && source.length <= MAX_WHOLE ? versionOfBytes(source) : undefined;
  try {
    // Nobody waits for a stream but the one who writes it.
    if (!(source instanceof Uint8Array)) await pending.ready;
    return await changeOne(tree, path, signal, async () => {
      const handle =
        (await replaceKnown(tree, path, pending, ifVersion)) ??
        (await withoutStale(tree, () => place(tree, path, pending, ifVersion)));
      tree.handles.know(path, handle);
      tree.versions.forget(path);
      tree.watchers.tell([{ path, kind: "written" }]);
      const file = await handle.getFile();
      const version = (await versioning) ?? (await tree.versions.of(path, file)).version;
      return { kind: "file", size: file.size, modifiedAt: file.lastModified, version };
    });
  } catch (error) {
    await pending.discard();
    throw signal?.aborted === true && error === signal.reason ? error : fromHandle(error, path);
  }
}

/** Replaces the content of a file that is known, without another look at it; gives undefined where it must be looked at. */
async function replaceKnown(
  { handles }: Tree,
  path: string,
  pending: Pending,
  ifVersion: string | null | undefined,
): Promise<FileSystemFileHandle | undefined> {
  const known = ifVersion === undefined && pending.replace !== undefined ? handles.known(path) : undefined;
  if (known === undefined) return undefined;
  try {
    await pending.replace?.(known);
    return known;
  } catch (error) {
    if (!isStale(error)) throw error;
    handles.forget(path);
    return undefined;
  }
}

/** Puts a content where a file is or shall be. */
async function place(
  tree: Tree,
  path: string,
  pending: Pending,
  ifVersion: string | null | undefined,
): Promise<FileSystemFileHandle> {
  const file = await checkTarget(tree, path, ifVersion);
  const created: string[] = [];
  try {
    const folder = await tree.handles.makeDirectory(parentPath(path), created);
    return await pending.place({ folder, name: tree.handles.nameOf(path), file });
  } catch (error) {
    await removeAgain(tree, created);
    throw error;
  }
}

/** Checks whether a file may be written; gives the one that is there. */
async function checkTarget(
  tree: Tree,
  path: string,
  ifVersion: string | null | undefined,
): Promise<FileSystemFileHandle | undefined> {
  const found = await tree.handles.find(path);
  if (found.kind === "directory") throw fsError("FS_IS_DIRECTORY", path);
  if (found.kind === "missing" && found.isBlocked) throw fsError("FS_NOT_DIRECTORY", path);
  const file = found.kind === "file" ? found.handle : undefined;
  if (ifVersion === undefined) return file;
  if (ifVersion !== (file === undefined ? null : await versionAt(tree, path))) throw fsError("FS_CONFLICT", path);
  return file;
}

function versionAt(tree: Tree, path: string): Promise<string> {
  return observe(tree, path, async (file) => (await tree.versions.of(path, file, true)).version);
}

/** Takes directories away that were created for something that did not come to be. */
export async function removeAgain({ handles, leftovers }: Tree, created: readonly string[]): Promise<void> {
  if (created.length === 0) return;
  await leftovers.undo(async () => {
    for (const path of created.toReversed()) {
      handles.forget(path);
      await unlessForbidden(async () => {
        const above = await handles.find(parentPath(path));
        // What somebody has put into it meanwhile keeps it.
        if (above.kind === "directory") await above.handle.removeEntry(handles.nameOf(path));
      });
    }
  });
}

function fsCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
