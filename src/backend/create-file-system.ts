/** Makes a whole file system from what a host can do: checks every argument, derives what is missing. */

import { abortable } from "../base/abort.ts";
import { isInside } from "../base/path.ts";
import { brokenStream, collectStream, openSource, streamFile } from "./file-streams.ts";
import type {
  FileSystem,
  FileSystemParts,
  FsOptions,
  HostFileSystem,
  OptionalFileSystem,
  RequiredFileSystem,
  WalkEntry,
} from "./file-system.ts";
import { absolutePath, asFsError, checkBytes, checkLinkTarget, checkRange } from "./fs-arguments.ts";
import { fsError } from "./fs-error.ts";
import { resolveLinks } from "./resolve-links.ts";
import { globFiles, grepFiles } from "./search-files.ts";

/** Limits of what is derived. */
export interface FileSystemLimits {
  /** The most bytes a derived `writeStream` collects before it writes. Defaults to 256 MiB. */
  maxStreamBytes?: number;
  /** Bytes that a derived `readStream` reads at a time. Defaults to 256 KiB. */
  chunkBytes?: number;
}

/**
 * Makes a file system from its parts.
 *
 * Every path is resolved and checked here, once: relative and empty ones, and those with a NUL, fail with
 * `FS_INVALID_PATH`; the parts see only `/a/b`. A signal that has aborted stops a call before the host is asked. One
 * that aborts later ends a reading call at once; a changing call is left to the host, so that what a caller is told
 * is what happened. An error of the host that is none of the port's becomes `FS_IO`, with the error as its cause.
 * Removing the root, and moving a directory into itself or anything onto itself, never get to the host.
 *
 * @param parts The required methods and whatever else the host does better by itself.
 * @param limits Limits of the derived methods.
 * @example
 * const fs = createFileSystem({ stat, read, write, list, makeDirectory, remove, rename });
 */
export function createFileSystem(parts: FileSystemParts, limits: FileSystemLimits = {}): FileSystem {
  return { ...requiredMethods(parts), ...optionalMethods(parts, limits), ...hostMethods(parts) };
}

function requiredMethods(parts: FileSystemParts): RequiredFileSystem {
  return {
    stat: (path, options) => look(path, options, (at) => parts.stat(at, options)),
    read: (path, options) =>
      look(path, options, (at) => {
        checkRange(options, at);
        return parts.read(at, options);
      }),
    write: (path, bytes, options) =>
      change(path, options, (at) => {
        checkBytes(bytes, at);
        return parts.write(at, bytes, options);
      }),
    list: (path, options) => each(path, options, (at) => parts.list(at, options)),
    makeDirectory: (path, options) => change(path, options, (at) => parts.makeDirectory(at, options)),
    remove: (path, options) =>
      change(path, options, (at) => {
        if (at === "/") throw fsError("FS_INVALID_PATH", at, "the root cannot be removed. Remove what is in it.");
        return parts.remove(at, options);
      }),
    rename: (from, to, options) => change(from, options, (at) => rename(parts, at, absolutePath(to), options)),
  };
}

/** Moves something; what would go into itself, or is there already, is no matter of the host. */
async function rename(parts: FileSystemParts, from: string, to: string, options: FsOptions | undefined): Promise<void> {
  if (isInside(to, from)) {
    const stat = await parts.stat(from, { followSymlinks: false });
    if (stat === undefined) throw fsError("FS_NOT_FOUND", from);
    if (from === to && from !== "/") return;
    // The new place of a symlink is below what it points to.
    if (stat.kind === "directory") throw fsError("FS_INVALID_PATH", from);
  }
  return parts.rename(from, to, options);
}

function optionalMethods(parts: FileSystemParts, limits: FileSystemLimits): OptionalFileSystem {
  return {
    walk: (path, options) =>
      each(path, options, (at) => {
        if (parts.walk !== undefined) return parts.walk(at, options);
        const skip = new Set(options?.skip);
        const enters = ({ name }: WalkEntry): boolean => !skip.has(name);
        // Loaded when it is first needed, as the search is.
        return import("./walk.ts").then(({ walkTree }) => walkTree(parts, at, { ...signalOf(options), enters }));
      }),
    readStream: (path, options) => {
      try {
        const at = absolutePath(path);
        checkRange(options, at);
        options?.signal?.throwIfAborted();
        return parts.readStream?.(at, options) ?? streamFile(parts, at, options, limits.chunkBytes);
      } catch (error) {
        return brokenStream(error);
      }
    },
    writeStream: async (path, stream, options) => {
      const { writeStream } = parts;
      if (writeStream !== undefined) {
        const source = openSource(stream, path, options?.signal);
        try {
          return await change(path, options, (at) => writeStream.call(parts, at, source.stream, options));
        } catch (error) {
          source.leave(error);
          throw source.failure === undefined ? error : source.failure.error;
        }
      }
      // What the source of the stream throws is not the host's failure, so it is collected outside of `change`.
      const bytes = await collectStream(stream, path, options?.signal, limits.maxStreamBytes);
      return change(path, options, (at) => parts.write(at, bytes, options));
    },
    realpath: (path, options) =>
      look(path, options, (at) => parts.realpath?.(at, options) ?? resolveLinks(parts, at, options)),
    glob: (query) =>
      look(query.path, query, (path) => parts.glob?.({ ...query, path }) ?? globFiles(parts, { ...query, path })),
    grep: (query) =>
      look(query.path, query, (path) => parts.grep?.({ ...query, path }) ?? grepFiles(parts, { ...query, path })),
  };
}

function hostMethods(parts: FileSystemParts): HostFileSystem {
  const { symlink, readLink, watch } = parts;
  return {
    ...(symlink && {
      symlink: (target, path, options) =>
        change(path, options, (at) => {
          checkLinkTarget(target, at);
          return symlink.call(parts, target, at, options);
        }),
    }),
    ...(readLink && { readLink: (path, options) => look(path, options, (at) => readLink.call(parts, at, options)) }),
    ...(watch && { watch: (path, options) => each(path, options, (at) => watch.call(parts, at, options), true) }),
  };
}

/** Runs a call that changes nothing: it may be left alone when the signal aborts. */
function look<T>(path: string, options: FsOptions | undefined, run: (path: string) => Promise<T>): Promise<T> {
  return change(path, options, (at) => abortable(run(at), options?.signal));
}

/** Runs a call whose outcome the caller must learn, whatever the signal does meanwhile. */
async function change<T>(path: string, options: FsOptions | undefined, run: (path: string) => Promise<T>): Promise<T> {
  const at = absolutePath(path);
  options?.signal?.throwIfAborted();
  try {
    return await run(at);
  } catch (error) {
    throw asFsError(error, at, options?.signal);
  }
}

/** Gives what a host iterates over; an abort ends it at once, with the reason unless ending is what it is for. */
async function* each<T>(
  path: string,
  options: FsOptions | undefined,
  open: (path: string) => AsyncIterable<T> | Iterable<T> | Promise<AsyncIterable<T>>,
  endsOnAbort = false,
): AsyncGenerator<T, void, undefined> {
  const at = absolutePath(path);
  const signal = options?.signal;
  signal?.throwIfAborted();
  let leave = (): void => {};
  try {
    const opening = open(at);
    // Watching begins with the call, not a turn later.
    const items = opening instanceof Promise ? await opening : opening;
    if (Symbol.iterator in items) {
      for (const item of items) {
        yield item;
        signal?.throwIfAborted();
      }
      return;
    }
    const iterator = items[Symbol.asyncIterator]();
    // Not awaited: an iterator that waits for its host would keep the caller.
    leave = () => void iterator.return?.().catch(() => {});
    for (;;) {
      const next = await abortable(iterator.next(), signal);
      if (next.done === true) break;
      yield next.value;
      signal?.throwIfAborted();
    }
    leave = () => {};
  } catch (error) {
    if (!endsOnAbort || signal?.aborted !== true) throw asFsError(error, at, signal);
  } finally {
    leave();
  }
}

function signalOf(options: FsOptions | undefined): FsOptions {
  return options?.signal === undefined ? {} : { signal: options.signal };
}
