/** Takes away what overlays that are gone have left in a layer, and nothing that one which is alive may still name. */

import type { FileSystem } from "holdall";

/** What a sweep goes by. */
export interface Sweep {
  fs: FileSystem;
  /** The directory of the contents. */
  folder: string;
  clock: () => number;
  /** Tells whether a content was made by this overlay. */
  isOwn(content: string): boolean;
  /** Tells whether a tree names a content. */
  isNeeded(content: string): boolean;
  /**
   * Changes the head, on condition that it is as it was read: whoever has made a content before, and names it only
   * afterwards, then finds that it was overtaken, and makes the content anew.
   */
  announce(): Promise<void>;
}

/** Milliseconds after which a content that no tree names was probably left behind. */
const ORPHAN_AGE = 60 * 60 * 1000;

/** The names that overlays give; whatever else lies there, such as the temporary file of a stream, is not theirs. */
const CONTENT_NAME = /^[0-9a-f]{16}-[0-9a-z]+$/;

const holders = new WeakMap<FileSystem, Set<string>>();

/**
 * Gives the paths of contents that an overlay of this process makes, or has made and not yet put into a tree. No clock
 * can make them look abandoned.
 */
export function heldIn(fs: FileSystem): Set<string> {
  const held = holders.get(fs) ?? new Set();
  holders.set(fs, held);
  return held;
}

/** Takes away the contents that no tree needs: at once those of this overlay, after an hour those of others. */
export async function sweepOrphans(sweep: Sweep): Promise<void> {
  const { fs, folder, announce } = sweep;
  if ((await fs.stat(folder)) === undefined) return;
  const { own, others } = await findOrphans(sweep);
  // A clock that has jumped makes everything look old. What an overlay of another process has just made is safe all the
  // same: it cannot be named any more once this is known to all.
  const isKnown =
    others.length > 0 &&
    (await announce().then(
      () => true,
      () => false,
    ));
  for (const content of isKnown ? [...own, ...others] : own) await fs.remove(`${folder}/${content}`).catch(() => {});
}

async function findOrphans({
  fs,
  folder,
  clock,
  isOwn,
  isNeeded,
}: Sweep): Promise<{ own: string[]; others: string[] }> {
  const held = heldIn(fs);
  const own: string[] = [];
  const others: string[] = [];
  for await (const { name, modifiedAt } of fs.list(folder)) {
    const path = `${folder}/${name}`;
    if (!CONTENT_NAME.test(name) || isNeeded(name) || held.has(path)) continue;
    if (isOwn(name)) own.push(name);
    else {
      const madeAt = modifiedAt ?? (await fs.stat(path))?.modifiedAt;
      if (madeAt !== undefined && clock() - madeAt > ORPHAN_AGE) others.push(name);
    }
  }
  return { own, others };
}
