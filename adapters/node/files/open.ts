/** Opens what lies inside the boundary, so that no symlink put in the way meanwhile leads out of it. */

import { type BigIntStats, constants, existsSync, readlinkSync } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { fsError } from "holdall";
import type { Disk } from "./disk.ts";
import { hostError, isMissing } from "./host-error.ts";

/** Refers to a file without opening it for reading; needs no permission for it, and Node does not name it. */
const PATH_ONLY = process.platform === "linux" ? 0o10000000 : 0;

/** Where a process sees what it has open; then names can be looked up in an open directory. */
const OPEN_FILES = "/proc/self/fd";

const seesOpenFiles = process.platform === "linux" && existsSync(OPEN_FILES);

/** The folder of what this process has open, by number; undefined where the host has none. */
export const openFilesFolder: string | undefined = seesOpenFiles ? OPEN_FILES : undefined;

/** Never follow a symlink at the end, never wait for the other end of a pipe, never take a terminal. */
export const CAREFULLY: number = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Opens a real path to read, and makes sure that what was opened is inside.
 *
 * @param real The real path, checked already.
 * @param path The path as the caller gave it, for errors.
 */
export async function openToRead(disk: Disk, real: string, path: string): Promise<FileHandle> {
  return openChecked(disk, real, path, constants.O_RDONLY | CAREFULLY);
}

/** Gives the facts of a real path, which is not a symlink; undefined when it is gone. */
export async function lookAt(disk: Disk, real: string, path: string): Promise<BigIntStats | undefined> {
  try {
    if (!seesOpenFiles) return await stat(disk.paths.toHost(real), { bigint: true });
    const handle = await openChecked(disk, real, path, PATH_ONLY | CAREFULLY);
    try {
      return await handle.stat({ bigint: true });
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw hostError(error, path);
  }
}

/** A directory that stays the same one while its entries are worked on, wherever it is moved. */
export interface OpenDirectory {
  /** Gives the host's path of an entry; bytes for a name that is no text. */
  at(name: string): string;
  at(name: Uint8Array): Buffer;
  /** The host's path of the directory itself. */
  readonly self: string;
  /** Puts what its entries are on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a directory by its real path, and makes sure that it is inside.
 *
 * On Linux its entries are then looked up in the open directory itself; elsewhere by its path, so that there a
 * directory replaced by a symlink in the very moment between is not noticed.
 */
export async function openDirectory(disk: Disk, real: string, path: string): Promise<OpenDirectory> {
  return directoryOf(await openHandle(disk, real, path), disk.paths.toHost(real));
}

/** Opens a directory that is an entry of an open one; a symlink fails with `ENOTDIR`. */
export async function openEntry(directory: OpenDirectory, name: string | Uint8Array): Promise<OpenDirectory> {
  const at = typeof name === "string" ? directory.at(name) : directory.at(name);
  const flags = PATH_ONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const handle = seesOpenFiles ? await open(at, flags) : undefined;
  return directoryOf(handle, at.toString());
}

async function openHandle(disk: Disk, real: string, path: string): Promise<FileHandle | undefined> {
  if (seesOpenFiles) return openChecked(disk, real, path, PATH_ONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const facts = await stat(disk.paths.toHost(real));
  if (!facts.isDirectory()) throw fsError("FS_NOT_DIRECTORY", path);
  await checkReal(disk, real, path);
  return undefined;
}

function directoryOf(handle: FileHandle | undefined, hostPath: string): OpenDirectory {
  const self = handle === undefined ? hostPath : `${OPEN_FILES}/${handle.fd}`;
  function at(name: string): string;
  function at(name: Uint8Array): Buffer;
  function at(name: string | Uint8Array): string | Buffer {
    return typeof name === "string" ? `${self}/${name}` : Buffer.concat([Buffer.from(`${self}/`), name]);
  }
  return {
    at,
    self,
    async sync() {
      // A directory cannot be opened everywhere; where it cannot, the host keeps its entries safe by itself.
      const opened = await open(self, constants.O_RDONLY).catch(() => undefined);
      await opened?.sync().catch(() => {});
      await opened?.close();
    },
    close: async () => handle?.close(),
  };
}

async function openChecked(disk: Disk, real: string, path: string, flags: number): Promise<FileHandle> {
  const handle = await open(disk.paths.toHost(real), flags);
  try {
    if (seesOpenFiles) disk.boundary.check(readlinkSync(`${OPEN_FILES}/${handle.fd}`), path);
    else await checkReal(disk, real, path);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function checkReal({ paths, boundary }: Disk, real: string, path: string): Promise<void> {
  boundary.check(paths.fromHost(await realpath(paths.toHost(real))), path);
}
