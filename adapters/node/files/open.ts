/** Opens what lies inside the boundary, so that no symlink put in the way meanwhile leads out of it. */

import { type BigIntStats, constants, existsSync, readlinkSync } from "node:fs";
import { type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { sep } from "node:path";
import type { Disk } from "./disk.ts";
import { hostError, isMissing } from "./host-error.ts";

/** Refers to a file without opening it for reading; needs no permission for it, and Node does not name it. */
const PATH_ONLY = process.platform === "linux" ? 0o10000000 : 0;

const OPEN_FILES = "/proc/self/fd";

/** Where a process sees what it has open, by number; then names can be looked up in an open directory. Linux alone has it. */
export const openFilesFolder: string | undefined =
  process.platform === "linux" && existsSync(OPEN_FILES) ? OPEN_FILES : undefined;

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
    if (disk.openFiles === undefined) {
      const facts = await lstat(disk.paths.toHost(real), { bigint: true });
      await checkReal(disk, real, path);
      return facts;
    }
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
  /** Opens a directory that is an entry; a symlink fails as a file does. */
  enter(name: string | Uint8Array): Promise<OpenDirectory>;
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
  const { openFiles } = disk;
  if (openFiles !== undefined) {
    const handle = await openChecked(disk, real, path, PATH_ONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    return openedDirectory(handle, openFiles);
  }
  const host = disk.paths.toHost(real);
  await requireDirectory(host);
  await checkReal(disk, real, path);
  return namedDirectory(host);
}

function openedDirectory(handle: FileHandle, openFiles: string): OpenDirectory {
  const directory = directoryAt(`${openFiles}/${handle.fd}`);
  return {
    ...directory,
    async enter(name) {
      const at = typeof name === "string" ? directory.at(name) : directory.at(name);
      const entered = await open(at, PATH_ONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
      return openedDirectory(entered, openFiles);
    },
    close: () => handle.close(),
  };
}

function namedDirectory(host: string): OpenDirectory {
  const directory = directoryAt(host);
  return {
    ...directory,
    async enter(name) {
      const at = typeof name === "string" ? directory.at(name) : directory.at(name);
      await requireDirectory(at);
      return namedDirectory(at.toString());
    },
    close: async () => {},
  };
}

/** What both kinds have in common. */
function directoryAt(self: string): Pick<OpenDirectory, "at" | "self" | "sync"> {
  function at(name: string): string;
  function at(name: Uint8Array): Buffer;
  function at(name: string | Uint8Array): string | Buffer {
    return typeof name === "string" ? `${self}${sep}${name}` : Buffer.concat([Buffer.from(self + sep), name]);
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
  };
}

/** Fails as the host does on what is no directory. */
async function requireDirectory(host: string | Buffer): Promise<void> {
  if ((await lstat(host)).isDirectory()) return;
  throw Object.assign(new Error(`${host} is not a directory`), { code: "ENOTDIR" });
}

async function openChecked(disk: Disk, real: string, path: string, flags: number): Promise<FileHandle> {
  const handle = await open(disk.paths.toHost(real), flags);
  try {
    if (disk.openFiles !== undefined) disk.boundary.check(readlinkSync(`${disk.openFiles}/${handle.fd}`), path);
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
