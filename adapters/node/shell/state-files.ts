/** The files through which shells hand over what their sessions became. */

import { rmSync } from "node:fs";
import { mkdtemp, open, rm, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atExit } from "./leftovers.ts";
import { MAX_SNAPSHOT } from "./program.ts";

/** Makes names for files and reads them once. */
export interface StateFiles {
  /** Gives the path of a new file; undefined when the host has no room for temporary files. */
  next(): Promise<string | undefined>;
  /** Reads a file as far as it is of use, and removes it; undefined when nothing was written. */
  take(path: string): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Makes the files of one shell, in a folder that only this user can look into. */
export function createStateFiles(): StateFiles {
  let folder: Promise<string | undefined> | undefined;
  let count = 0;
  let forget = (): void => {};
  const make = async (): Promise<string | undefined> => {
    const path = await mkdtemp(join(tmpdir(), "holdall-shell-")).catch(() => undefined);
    if (path !== undefined) forget = atExit(() => rmSync(path, { recursive: true, force: true }));
    return path;
  };
  return {
    async next() {
      folder ??= make();
      const path = await folder;
      // Tried again next time: there may be room then.
      if (path === undefined) folder = undefined;
      count += 1;
      return path && join(path, String(count));
    },
    async take(path) {
      try {
        return await readStart(path, 2 * MAX_SNAPSHOT);
      } catch {
        return undefined;
      } finally {
        await unlink(path).catch(() => {});
      }
    },
    async close() {
      const path = await folder;
      folder = undefined;
      forget();
      if (path !== undefined) await rm(path, { recursive: true, force: true });
    },
  };
}

async function readStart(path: string, limit: number): Promise<string> {
  const handle = await open(path);
  try {
    const size = Math.min((await handle.stat()).size, limit);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size), 0, size, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}
