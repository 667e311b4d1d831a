/** Puts new contents in place: whole, or not at all. */

import type { Timers } from "holdall";
import { fillByStream, type Source } from "./filler.ts";
import { isMovable } from "./movable.ts";
import type { Scratch } from "./scratch.ts";
import { whenUnlocked } from "./timing.ts";

/** A content on its way into a file. */
export interface Pending {
  /**
   * Makes it the content of a file.
   *
   * @param folder The directory of the file.
   * @param name The name of its handle.
   * @param isNew Whether there is no such file yet.
   */
  place(folder: FileSystemDirectoryHandle, name: string, isNew: boolean): Promise<FileSystemFileHandle>;
  /** Gives it up. */
  discard(): Promise<void>;
}

/** Begins to write a content, of which nothing is seen until it is placed. */
export type Writer = (source: Source) => Pending;

/** Writes into files of our own, which are then moved over what was there. */
export function scratchWriter(scratch: () => Promise<Scratch>, timers: Timers): Writer {
  return (source) => {
    const staging = scratch().then((open) => open.put(source));
    // Whoever finds out meanwhile that it is not wanted does not wait for it.
    staging.catch(() => {});
    return {
      async place(folder, name) {
        const { file } = await staging;
        if (!isMovable(file)) throw new DOMException("Files cannot be moved here.", "NotSupportedError");
        await whenUnlocked(timers, () => file.move(folder, name));
        return file;
      },
      async discard() {
        const staged = await staging.catch(() => undefined);
        await staged?.discard();
      },
    };
  };
}

/** Writes into the files themselves, through the browser's own swap file: for folders where nothing else may appear. */
export function directWriter(timers: Timers): Writer {
  return (source) => ({
    async place(folder, name, isNew) {
      // The browser has no other way to create a file than empty.
      const file = await folder.getFileHandle(name, { create: true });
      try {
        await whenUnlocked(timers, () => fillByStream(file, [], source));
        return file;
      } catch (error) {
        if (isNew) await folder.removeEntry(name).catch(() => {});
        throw error;
      }
    },
    discard: async () => {},
  });
}
