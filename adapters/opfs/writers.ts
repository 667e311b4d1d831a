/** Puts new contents in place: whole, or not at all. */

import type { Timers } from "holdall";
import { fillByStream } from "./filler.ts";
import { type Leftovers, removeSpare } from "./leftovers.ts";
import { isMovable } from "./movable.ts";
import type { Scratch } from "./scratch.ts";
import type { Source } from "./source.ts";
import { whenUnlocked } from "./timing.ts";

/** Where a content shall be. */
export interface Target {
  /** The directory of the file. */
  folder: FileSystemDirectoryHandle;
  /** The name of its handle. */
  name: string;
  /** The file, where there is one. */
  file: FileSystemFileHandle | undefined;
}

/** A content on its way into a file. */
export interface Pending {
  /** Resolves once its source is no longer needed. */
  ready: Promise<unknown>;
  /** Makes it the content of a file. */
  place(target: Target): Promise<FileSystemFileHandle>;
  /**
   * Makes it the content of a file that was there when it was last looked at, which saves to look again; when that fails,
   * nothing has changed. Absent where a content is moved into place: browsers move it over a directory, too.
   */
  replace?(file: FileSystemFileHandle): Promise<void>;
  /** Gives it up. */
  discard(): Promise<void>;
}

/** Begins to write a content, of which nothing is seen until it is placed. */
export type Writer = (source: Source) => Pending;

/** Writes into files of our own, which are then moved over what was there. */
export function scratchWriter(scratch: () => Promise<Scratch>, timers: Timers): Writer {
  return (source) => {
    const ready = scratch().then((open) => open.put(source));
    // Whoever finds out meanwhile that it is not wanted does not wait for it.
    ready.catch(() => {});
    return {
      ready,
      async place({ folder, name }) {
        const { file } = await ready;
        if (!isMovable(file)) throw new DOMException("Files cannot be moved here.", "NotSupportedError");
        await whenUnlocked(timers, () => file.move(folder, name));
        return file;
      },
      async discard() {
        const staged = await ready.catch(() => undefined);
        await staged?.discard();
      },
    };
  };
}

/**
 * Writes bytes into the files themselves, through the browser's own swap file, which is one step less; but new files, which
 * a browser creates empty, and streams, which last, go through files of our own.
 */
export function swapWriter(scratch: () => Promise<Scratch>, timers: Timers): Writer {
  const aside = scratchWriter(scratch, timers);
  return (source) => {
    if (!(source instanceof Uint8Array)) return aside(source);
    let moved: Pending | undefined;
    const replace = (file: FileSystemFileHandle): Promise<void> =>
      whenUnlocked(timers, () => fillByStream(file, [], source));
    return {
      ready: Promise.resolve(),
      replace,
      async place(target) {
        const { file } = target;
        if (file === undefined) {
          moved ??= aside(source);
          return moved.place(target);
        }
        await replace(file);
        return file;
      },
      discard: async () => moved?.discard(),
    };
  };
}

/** Writes into the files themselves: for folders where nothing else may appear. */
export function directWriter(timers: Timers, leftovers: Leftovers): Writer {
  return (source) => {
    // A blob may lie on the disk, where the browser sees fit.
    const ready = source instanceof Uint8Array ? Promise.resolve(source) : new Response(asBody(source)).blob();
    ready.catch(() => {});
    return {
      ready,
      async place({ folder, name, file }) {
        const content = await ready;
        // The browser has no other way to create a file than empty.
        const target = file ?? (await folder.getFileHandle(name, { create: true }));
        try {
          await whenUnlocked(timers, () =>
            fillByStream(target, [], content instanceof Blob ? content.stream() : content),
          );
          return target;
        } catch (error) {
          if (file === undefined) await leftovers.undo(() => whenUnlocked(timers, () => removeSpare(folder, name)));
          throw error;
        }
      },
      discard: async () => {},
    };
  };
}

/** A body must not be shared memory, which streams of the port could hold. */
function asBody(source: ReadableStream<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return source.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>({
      transform: (part, controller) => controller.enqueue(new Uint8Array(part)),
    }),
  );
}
