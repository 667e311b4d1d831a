/** Writes files: all of it or nothing, under a condition that holds until the very end. */

import { type BigIntStats, constants } from "node:fs";
import { access, type FileHandle, link, lstat, open, rename, unlink } from "node:fs/promises";
import { baseName, type FileStat, fsError, parentPath, type WriteOptions } from "holdall";
import type { Disk } from "./disk.ts";
import { newDraftName } from "./draft-name.ts";
import { kindOf, statOf, versionOf } from "./facts.ts";
import { errorNumber, hostError, isMissing } from "./host-error.ts";
import { CAREFULLY, lookAt, type OpenDirectory } from "./open.ts";
import { openMade } from "./parents.ts";
import { refuseOthers } from "./read-file.ts";
import { findReal } from "./real-path.ts";

/** Writes a whole file; see the port. */
export function writeFile(disk: Disk, path: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<FileStat> {
  return replaceFile(disk, path, options, (handle) => handle.writeFile(bytes));
}

/**
 * Writes a draft beside a file and lets it take the file's place in one step. Permissions and owner stay; other names
 * of the same file (hard links) keep the old content.
 *
 * @param fill Writes the content.
 */
export async function replaceFile(
  disk: Disk,
  path: string,
  options: WriteOptions,
  fill: (handle: FileHandle) => Promise<void>,
): Promise<FileStat> {
  const { path: real } = await findReal(disk, path);
  if (disk.boundary.isRoot(real)) throw fsError("FS_IS_DIRECTORY", path);
  // Looked at before anything is made; once more when the draft takes its place.
  const before = await lookAt(disk, real, path);
  checkCondition(before, path, options);
  const parent = await openMade(disk, parentPath(real), path);
  try {
    const target = { disk, directory: parent.directory, name: baseName(real), key: disk.paths.key(real), path };
    return await writeDraft(target, before, options, fill);
  } catch (error) {
    await parent.undo();
    throw hostError(error, path);
  } finally {
    await parent.close();
  }
}

interface Target {
  disk: Disk;
  directory: OpenDirectory;
  name: string;
  /** What the lock of the file is called. */
  key: string;
  path: string;
}

async function writeDraft(
  target: Target,
  before: BigIntStats | undefined,
  options: WriteOptions,
  fill: (handle: FileHandle) => Promise<void>,
): Promise<FileStat> {
  const { disk, directory, key } = target;
  const draft = directory.at(newDraftName());
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | CAREFULLY;
  // Nobody else may read what takes the place of a private file.
  const handle = await open(draft, flags, before === undefined ? 0o666 : 0o600);
  let isPlaced = false;
  try {
    await fill(handle);
    if (before !== undefined) await keepOwner(handle, before);
    return await disk.locks.run([key], async () => {
      const time = disk.stamp();
      await handle.utimes(time, time);
      if (disk.durable) await handle.sync();
      await checkPlace(target, options);
      // Failing later would tell that nothing was changed.
      options.signal?.throwIfAborted();
      await place(target, draft, options);
      isPlaced = true;
      const facts = await handle.stat({ bigint: true });
      if (disk.durable) await directory.sync();
      return statOf(facts);
    });
  } finally {
    await handle.close();
    if (!isPlaced) await unlink(draft).catch(() => {});
  }
}

/** Fails unless the condition holds and the place may be taken. */
async function checkPlace({ directory, name, path }: Target, options: WriteOptions): Promise<void> {
  const at = directory.at(name);
  const now = await lstat(at, { bigint: true }).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  // It was none when its path was resolved.
  if (now?.isSymbolicLink()) throw fsError("FS_CONFLICT", path);
  checkCondition(now, path, options);
  // The host would let a protected file be replaced by anybody who may write to its directory.
  if (now !== undefined) await access(at, constants.W_OK);
}

function checkCondition(now: BigIntStats | undefined, path: string, { ifVersion }: WriteOptions): void {
  if (now !== undefined) refuseOthers(kindOf(now), path);
  if (ifVersion === undefined) return;
  if (ifVersion !== (now === undefined ? null : versionOf(now))) throw fsError("FS_CONFLICT", path);
}

async function place({ directory, name, path }: Target, draft: string, { ifVersion }: WriteOptions): Promise<void> {
  const at = directory.at(name);
  if (ifVersion === null && (await linkNew(draft, at, path))) await unlink(draft);
  else await rename(draft, at);
}

/** Takes a place that must be free, against other processes too; gives false where the host cannot do that. */
async function linkNew(draft: string, at: string, path: string): Promise<boolean> {
  try {
    await link(draft, at);
    return true;
  } catch (error) {
    const number = errorNumber(error);
    if (number === "EEXIST") throw fsError("FS_CONFLICT", path, undefined, error);
    if (["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EACCES"].includes(number)) return false;
    throw error;
  }
}

/** Gives a draft the owner and the permissions of the file it replaces, as far as this process may. */
async function keepOwner(handle: FileHandle, { uid, gid, mode }: BigIntStats): Promise<void> {
  const own = await handle.stat({ bigint: true });
  let kept = Number(mode) & 0o7777;
  if (own.uid !== uid || own.gid !== gid) {
    await handle.chown(Number(uid), Number(gid)).catch(() => {
      // A file of somebody else must not lend its rights to a file of this process.
      kept &= 0o777;
    });
  }
  await handle.chmod(kept);
}
