/** Takes back what a change that fails has begun: at once, or where the permission has ended, as soon as it is given again. */

import { isForbidden } from "./opfs-error.ts";

/** What is still to be taken back in one tree. */
export interface Leftovers {
  /** Whether there is nothing. */
  readonly isEmpty: boolean;
  /**
   * Takes something back, now or with {@link Leftovers.settle}; a failure for another reason than the permission leaves it.
   *
   * @param work May be done again from its start.
   */
  undo(work: () => Promise<void>): Promise<void>;
  /** Takes back what is left, oldest first, as far as it is allowed; to be called while nobody else changes the tree. */
  settle(): Promise<void>;
}

/** Works that are kept; one comes with each change that is under way when a permission ends. */
const MAX_KEPT = 1000;

/** Makes the leftovers of one tree. */
export function createLeftovers(): Leftovers {
  const kept: (() => Promise<void>)[] = [];
  return {
    get isEmpty() {
      return kept.length === 0;
    },
    async undo(work) {
      if (kept.length < MAX_KEPT && !(await isDone(work))) kept.push(work);
    },
    async settle() {
      for (let work = kept[0]; work !== undefined && (await isDone(work)); work = kept[0]) kept.shift();
    },
  };
}

/** Does something unless it is not allowed; what cannot be done for another reason will not be done later either. */
async function isDone(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    return !isForbidden(error);
  }
}

/** Does something that may fail, unless it fails for want of the permission. */
export async function unlessForbidden(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isForbidden(error)) throw error;
  }
}

/**
 * Removes a file that was created for a content which did not come to be: only while nothing is in it that is not in its
 * original as well, for others may have written into it since.
 */
export async function removeSpare(
  folder: FileSystemDirectoryHandle,
  name: string,
  original?: FileSystemFileHandle,
): Promise<void> {
  const file = await (await folder.getFileHandle(name)).getFile();
  if (file.size > 0 && (original === undefined || !(await isSame(file, await original.getFile())))) return;
  await folder.removeEntry(name);
}

/** Bytes of two files that are compared at a time. */
const PART = 1 << 20;

async function isSame(one: Blob, other: Blob): Promise<boolean> {
  if (one.size !== other.size) return false;
  for (let at = 0; at < one.size; at += PART) {
    const [left, right] = await Promise.all([one, other].map(async (each) => bytesOf(each.slice(at, at + PART))));
    if (left === undefined || right === undefined || left.some((byte, index) => byte !== right[index])) return false;
  }
  return true;
}

async function bytesOf(blob: Blob): Promise<Uint8Array> {
  return new Uint8Array(await blob.arrayBuffer());
}
