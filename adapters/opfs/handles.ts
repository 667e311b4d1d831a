/** Finds handles by path, and keeps those it has met: each step of a path would be a question to the browser. */

import { baseName, isInside, parentPath } from "holdall";
import { isSwapFile, type Names } from "./names.ts";
import { fromNaming, nameOf } from "./opfs-error.ts";

/** What a path leads to. */
export type Found =
  | { kind: "file"; handle: FileSystemFileHandle }
  | { kind: "directory"; handle: FileSystemDirectoryHandle }
  /** Nothing; `isBlocked` tells whether a file stands where a directory would have to be. */
  | { kind: "missing"; isBlocked: boolean };

/** The handles below one directory. */
export interface Handles {
  /** Finds what is at a path. */
  find(path: string): Promise<Found>;
  /**
   * Gives the handle of a file that was there when it was last looked at. In every browser a handle means a path, not what
   * was there: whatever has taken the place of the file is met through it, and a file that is gone is missed.
   */
  known(path: string): FileSystemFileHandle | undefined;
  /** Notes that a file is there. */
  know(path: string, file: FileSystemFileHandle): void;
  /** Finds a directory, and creates it with its parents; notes what was created, the outermost first. */
  makeDirectory(path: string, created: string[]): Promise<FileSystemDirectoryHandle>;
  /** Lists a directory, without the swap files of the browser; those are noted. */
  entries(
    directory: FileSystemDirectoryHandle,
    swapFiles?: string[],
  ): AsyncGenerator<[name: string, handle: FileSystemHandle], void, undefined>;
  /** Gives the name of a path as handles have it. */
  nameOf(path: string): string;
  /** Forgets the handles at and below a path, after it was removed or moved. */
  forget(path: string): void;
}

/** Directories that are kept, and files; over it, all are forgotten. */
const MAX_KEPT = 2000;

/**
 * Makes the handles below a root.
 *
 * @param openRoot Gives the root's handle; asked again until it succeeds.
 * @param names How names are written.
 */
export function createHandles(openRoot: () => Promise<FileSystemDirectoryHandle>, names: Names): Handles {
  const kept = new Map<string, FileSystemDirectoryHandle>();
  const files = new Map<string, FileSystemFileHandle>();
  const keep = (path: string, handle: FileSystemDirectoryHandle): FileSystemDirectoryHandle => {
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(path, handle);
    return handle;
  };
  const handleName = (path: string): string => names.write(baseName(path));

  /** Gives the directory, or why there is none. */
  const findDirectory = async (path: string): Promise<Found> => {
    const known = kept.get(path);
    if (known !== undefined) return { kind: "directory", handle: known };
    if (path === "/") return { kind: "directory", handle: keep("/", await openRoot()) };
    const above = await findDirectory(parentPath(path));
    if (above.kind !== "directory") return above;
    try {
      return { kind: "directory", handle: keep(path, await above.handle.getDirectoryHandle(handleName(path))) };
    } catch (error) {
      if (!isMissing(error)) throw fromNaming(error, path);
      // Firefox and WebKit say of a file that there is no such directory.
      return { kind: "missing", isBlocked: await hasFile(above.handle, handleName(path)) };
    }
  };

  return {
    nameOf: handleName,
    known: (path) => files.get(path),
    know(path, file) {
      if (files.size >= MAX_KEPT) files.clear();
      files.set(path, file);
    },
    async find(path) {
      if (path === "/") return findDirectory("/");
      const above = await findDirectory(parentPath(path));
      if (above.kind !== "directory") return above;
      const name = handleName(path);
      try {
        return { kind: "file", handle: await above.handle.getFileHandle(name) };
      } catch (error) {
        if (nameOf(error) === "TypeMismatchError") {
          const known = kept.get(path) ?? (await above.handle.getDirectoryHandle(name));
          return { kind: "directory", handle: keep(path, known) };
        }
        if (!isMissing(error)) throw fromNaming(error, path);
        return { kind: "missing", isBlocked: false };
      }
    },
    async makeDirectory(path, created) {
      const found = await findDirectory(path);
      if (found.kind === "directory") return found.handle;
      const above = await this.makeDirectory(parentPath(path), created);
      const handle = await above.getDirectoryHandle(handleName(path), { create: true });
      created.push(path);
      return keep(path, handle);
    },
    async *entries(directory, swapFiles = []) {
      for await (const [name, handle] of directory.entries()) {
        if (isSwapFile(name)) swapFiles.push(name);
        else yield [names.read(name), handle];
      }
    },
    forget(path) {
      for (const other of kept.keys()) if (other !== "/" && isInside(other, path)) kept.delete(other);
      for (const other of files.keys()) if (isInside(other, path)) files.delete(other);
    },
  };
}

/** Tells whether an error says that nothing of that name and kind is there; a directory that is gone may answer oddly. */
export function isMissing(error: unknown): boolean {
  return ["NotFoundError", "TypeMismatchError"].includes(nameOf(error));
}

async function hasFile(directory: FileSystemDirectoryHandle, name: string): Promise<boolean> {
  try {
    await directory.getFileHandle(name);
    return true;
  } catch {
    return false;
  }
}
