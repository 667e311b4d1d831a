/** What a tree of mounts can do by itself; `createFileSystem` adds the rest. */

import {
  createFileSystem,
  type DirEntry,
  errorText,
  type FileStat,
  type FileSystemParts,
  type FsOptions,
  fsError,
  globFiles,
  grepFiles,
  HoldallError,
  isInside,
} from "holdall";
import { signalOf } from "./base-facts.ts";
import { type Mover, moveAcross } from "./mount-move.ts";
import { findPlace, type MountPlace } from "./mount-place.ts";
import { type MountTable, toOuter } from "./mount-table.ts";
import { watchMounts } from "./mount-watch.ts";

/** What a directory is that only leads to mounts. */
const LEADING: FileStat = { kind: "directory", size: 0, modifiedAt: 0, version: "mounts" };

/** Makes the parts over a table. */
export function mountParts(table: MountTable): FileSystemParts {
  const place = (path: string, follow: boolean, options?: FsOptions): Promise<MountPlace> =>
    findPlace(table, path, follow, signalOf(options));
  const isPoint = (path: string): boolean => table.mounts.some(({ point }) => isInside(point, path));

  const statAt = async ({ path, mount, inner }: MountPlace, options?: FsOptions): Promise<FileStat | undefined> => {
    const stat = await mount?.fs.stat(inner, { ...signalOf(options), followSymlinks: false });
    return isPoint(path) && stat?.kind !== "directory" ? LEADING : stat;
  };
  const refusePoint = (path: string): void => {
    if (path === "/") throw fsError("FS_INVALID_PATH", path, "the root cannot be removed. Remove what is in it.");
    if (isPoint(path)) throw fsError("FS_INVALID_PATH", path, `${path} is or holds a mount. Leave it where it is.`);
  };
  /** Runs a call on the file system that a path belongs to. */
  const inside = async <T>(
    found: MountPlace,
    asked: string,
    run: (fs: NonNullable<MountPlace["mount"]>["fs"], inner: string) => Promise<T>,
  ): Promise<T> => {
    if (found.mount === undefined) throw fsError("FS_READ_ONLY", asked, `${asked} is in no mount. Use a path in one.`);
    try {
      return await run(found.mount.fs, found.inner);
    } catch (error) {
      throw renamed(error, found.inner, asked);
    }
  };

  const parts: FileSystemParts = {
    stat: async (path, options) => statAt(await place(path, options?.followSymlinks ?? true, options), options),
    read: async (path, options) => {
      const found = await place(path, true, options);
      if (isPoint(found.path)) throw fsError("FS_IS_DIRECTORY", path);
      if (found.mount === undefined) throw fsError("FS_NOT_FOUND", path);
      return inside(found, path, (fs, inner) => fs.read(inner, options));
    },
    write: async (path, bytes, options) => {
      const found = await place(path, true, options);
      if (isPoint(found.path)) throw fsError("FS_IS_DIRECTORY", path);
      return inside(found, path, (fs, inner) => fs.write(inner, bytes, options));
    },
    writeStream: async (path, stream, options) => {
      try {
        const found = await place(path, true, options);
        if (isPoint(found.path)) throw fsError("FS_IS_DIRECTORY", path);
        return await inside(found, path, (fs, inner) => fs.writeStream(inner, stream, options));
      } catch (error) {
        if (!stream.locked) await stream.cancel(error).catch(() => {});
        throw error;
      }
    },
    list: (path, options) => listPlace(table, place, path, signalOf(options)),
    makeDirectory: async (path, options) => {
      const found = await place(path, true, options);
      if (isPoint(found.path)) return;
      // A symlink that leads nowhere is in the way as well.
      if ((await statAt(found)) === undefined && (await statAt(await place(path, false, options))) !== undefined)
        throw fsError("FS_EXISTS", path);
      await inside(found, path, (fs, inner) => fs.makeDirectory(inner, options));
    },
    remove: async (path, options) => {
      const found = await place(path, false, options);
      refusePoint(found.path);
      if (found.mount === undefined) throw fsError("FS_NOT_FOUND", path);
      await inside(found, path, (fs, inner) => fs.remove(inner, options));
    },
    rename: async (from, to, options) => {
      const mover: Mover = { table, place, statAt, refusePoint, isPoint };
      const [source, target] = [await place(from, false, options), await place(to, false, options)];
      if (source.mount === target.mount && source.mount !== undefined && !isPoint(source.path) && !isPoint(target.path))
        return inside(source, from, (fs, inner) => fs.rename(inner, target.inner, options)).catch((error: unknown) => {
          throw renamed(error, target.inner, to);
        });
      await moveAcross(mover, { from, source, to, target }, signalOf(options));
    },
    realpath: async (path, options) => (await place(path, true, options)).path,
  };
  return {
    ...parts,
    ...linkParts(table, place, inside),
    ...searches(table, place, parts),
    ...watchParts(table, place, statAt),
  };
}

/** Changes are told when any mount tells them. */
function watchParts(
  table: MountTable,
  place: Place,
  statAt: (found: MountPlace, options?: FsOptions) => Promise<FileStat | undefined>,
): Pick<FileSystemParts, "watch"> {
  if (!table.mounts.some(({ fs }) => fs.watch !== undefined)) return {};
  return {
    watch: async function* (path, options) {
      const found = await place(path, true, options);
      const stat = await statAt(found, options);
      if (stat?.kind !== "directory") throw fsError(stat === undefined ? "FS_NOT_FOUND" : "FS_NOT_DIRECTORY", path);
      yield* watchMounts(table, found, path, options);
    },
  };
}

type Place = (path: string, follow: boolean, options?: FsOptions) => Promise<MountPlace>;

/** Links are there when any mount has them. */
function linkParts(
  table: MountTable,
  place: Place,
  inside: <T>(
    found: MountPlace,
    asked: string,
    run: (fs: NonNullable<MountPlace["mount"]>["fs"], inner: string) => Promise<T>,
  ) => Promise<T>,
): Pick<FileSystemParts, "symlink" | "readLink"> {
  if (!table.mounts.some(({ fs }) => fs.readLink !== undefined)) return {};
  return {
    symlink: async (target, path, options) => {
      const found = await place(path, false, options);
      if (table.mounts.some(({ point }) => isInside(point, found.path))) throw fsError("FS_EXISTS", path);
      await inside(found, path, async (fs, inner) => {
        if (fs.symlink === undefined) throw fsError("FS_UNSUPPORTED", inner);
        await fs.symlink(target, inner, options);
      });
    },
    readLink: async (path, options) => {
      const found = await place(path, false, options);
      const notLink = fsError("FS_INVALID_PATH", path, `${path} is not a symlink. Read it as it is.`);
      if (table.mounts.some(({ point }) => isInside(point, found.path))) throw notLink;
      if (found.mount === undefined) throw fsError("FS_NOT_FOUND", path);
      return inside(found, path, async (fs, inner) => {
        if (fs.readLink !== undefined) return fs.readLink(inner, options);
        throw (await fs.stat(inner)) === undefined ? fsError("FS_NOT_FOUND", inner) : notLink;
      });
    },
  };
}

/** Searches that a file system makes by itself, in one round trip, where no other is mounted below. */
function searches(
  table: MountTable,
  place: Place,
  parts: FileSystemParts,
): Pick<FileSystemParts, "walk" | "glob" | "grep"> {
  const alone = async (path: string, options: FsOptions): Promise<MountPlace | undefined> => {
    if (table.below(path).length > 0) return undefined;
    const found = await place(path, true, options);
    return found.path === path && found.mount !== undefined ? found : undefined;
  };
  return {
    walk: async function* (path, options) {
      const found = await alone(path, signalOf(options));
      if (found?.mount === undefined) {
        yield* createFileSystem({ ...parts }).walk(path, options);
        return;
      }
      const { mount, inner } = found;
      try {
        for await (const entry of mount.fs.walk(inner, options)) yield { ...entry, path: toOuter(mount, entry.path) };
      } catch (error) {
        throw renamed(error, inner, path);
      }
    },
    glob: async (query) => {
      const found = await alone(query.path, signalOf(query));
      // A link may lead out of the mount, and an absolute pattern is one of the tree.
      const { mount, inner } = found ?? {};
      if (
        mount === undefined ||
        inner === undefined ||
        mount.fs.readLink !== undefined ||
        query.pattern.startsWith("/")
      )
        return globFiles(parts, query);
      try {
        const { matches, truncated } = await mount.fs.glob({ ...query, path: inner });
        return { matches: matches.map((match) => ({ ...match, path: toOuter(mount, match.path) })), truncated };
      } catch (error) {
        throw renamed(error, inner, query.path);
      }
    },
    grep: async (query) => {
      const { mount, inner } = (await alone(query.path, signalOf(query))) ?? {};
      if (mount === undefined || inner === undefined) return grepFiles(parts, query);
      try {
        const result = await mount.fs.grep({ ...query, path: inner });
        return { ...result, files: result.files.map((file) => ({ ...file, path: toOuter(mount, file.path) })) };
      } catch (error) {
        throw renamed(error, inner, query.path);
      }
    },
  };
}

async function* listPlace(
  table: MountTable,
  place: Place,
  path: string,
  options: FsOptions,
): AsyncGenerator<DirEntry, void, undefined> {
  const { path: real, mount, inner } = await place(path, true, options);
  const points = table.namesIn(real);
  const isPoint = points.length > 0;
  for (const name of points) yield { name, kind: "directory" };
  if (mount === undefined) {
    if (!isPoint) throw fsError("FS_NOT_FOUND", path);
    return;
  }
  try {
    for await (const entry of mount.fs.list(inner, options)) if (!points.includes(entry.name)) yield entry;
  } catch (error) {
    // The mounts below are there whatever this file system has in their place.
    const isGone = HoldallError.is(error, "FS_NOT_FOUND") || HoldallError.is(error, "FS_NOT_DIRECTORY");
    if (!isPoint || !isGone) throw renamed(error, inner, path);
  }
}

/** Names the path that was asked for in an error of a mounted file system, which knows only its own. */
export function renamed(error: unknown, inner: string, asked: string): unknown {
  if (!HoldallError.is(error) || inner === asked || error.data.path !== inner) return error;
  const text = errorText(error);
  const told = inner === "/" ? text : text.split(inner).join(asked);
  return new HoldallError(error.code, told, {
    data: { ...error.data, path: asked },
    cause: error,
    retryable: error.retryable,
  });
}
