/** Lists directories. */

import { readdir } from "node:fs/promises";
import { type DirEntry, fsError } from "holdall";
import type { Disk } from "./disk.ts";
import { isDraftName } from "./draft-name.ts";
import { kindOf } from "./facts.ts";
import { hostError } from "./host-error.ts";
import { openDirectory } from "./open.ts";
import { findReal } from "./real-path.ts";

/**
 * Lists a directory; see the port. Names that are no UTF-8 are left out: no path of the port means them, and the closest
 * one may mean another file. So are drafts that are being written.
 */
export async function listDirectory(disk: Disk, path: string): Promise<DirEntry[]> {
  const { path: real, exists } = await findReal(disk, path);
  if (!exists) throw fsError("FS_NOT_FOUND", path);
  return readEntries(disk, real, path);
}

async function readEntries(disk: Disk, real: string, path: string): Promise<DirEntry[]> {
  try {
    const directory = await openDirectory(disk, real, path);
    try {
      return await readNames(directory.self);
    } finally {
      await directory.close();
    }
  } catch (error) {
    throw hostError(error, path);
  }
}

async function readNames(hostPath: string): Promise<DirEntry[]> {
  const found = await readdir(hostPath, { withFileTypes: true });
  if (!found.some(({ name }) => isDoubtful(name)))
    return found.flatMap((entry) => (isDraftName(entry.name) ? [] : [{ name: entry.name, kind: kindOf(entry) }]));
  const exact = await readdir(hostPath, { withFileTypes: true, encoding: "buffer" });
  return exact.flatMap((entry) => {
    const name = textName(entry.name);
    return name === undefined || isDraftName(name) ? [] : [{ name, kind: kindOf(entry) }];
  });
}

/** Tells whether a name may stand for bytes that are no text. */
export function isDoubtful(name: string): boolean {
  return /[\ud800-\udfff\ufffd]/.test(name);
}

/** Decodes a name; gives undefined when it is no text. */
export function textName(bytes: Uint8Array): string | undefined {
  const name = Buffer.from(bytes).toString("utf8");
  return Buffer.from(name).equals(bytes) ? name : undefined;
}
