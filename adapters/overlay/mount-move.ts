/** Moves files and trees from one mounted file system to another: copied whole, then removed. */

import {
  childPath,
  type FileKind,
  type FileStat,
  type FileSystem,
  type FsOptions,
  fsError,
  HoldallError,
  isInside,
} from "holdall";
import type { MountPlace } from "./mount-place.ts";
import type { MountTable } from "./mount-table.ts";

/** What a move works with. */
export interface Mover {
  table: MountTable;
  place(path: string, follow: boolean, options?: FsOptions): Promise<MountPlace>;
  statAt(place: MountPlace, options?: FsOptions): Promise<FileStat | undefined>;
  refusePoint(path: string): void;
  isPoint(path: string): boolean;
}

/** What moves where: the paths as they were asked for, and the places they lead to. */
export interface Move {
  from: string;
  source: MountPlace;
  to: string;
  target: MountPlace;
}

/** Where something is: a file system and a path in it. */
interface Side {
  fs: FileSystem;
  path: string;
}

/**
 * Moves across mounts.
 *
 * The copy is made whole before anything is removed; when it fails, what was made of it is taken away. When the
 * original cannot be removed afterwards, or is a file that has changed meanwhile, the copy is taken away and the old file
 * comes back.
 */
export async function moveAcross(mover: Mover, move: Move, options: FsOptions): Promise<void> {
  const { from, source, to, target } = move;
  const [stat, there] = [await mover.statAt(source, options), await mover.statAt(target, options)];
  if (stat === undefined) throw fsError("FS_NOT_FOUND", from);
  if (source.path === target.path && source.path !== "/") return;
  if (there?.kind === "directory" && source.path !== "/" && !isInside(target.path, source.path))
    throw fsError("FS_EXISTS", to);
  mover.refusePoint(source.path);
  if (there !== undefined && (there.kind === "directory" || stat.kind === "directory")) throw fsError("FS_EXISTS", to);
  if (stat.kind === "directory" && isInside(target.path, source.path)) throw fsError("FS_INVALID_PATH", from);
  if (source.mount === undefined || target.mount === undefined) throw fsError("FS_READ_ONLY", to);
  const old: Side = { fs: source.mount.fs, path: source.inner };
  const fresh: Side = { fs: target.mount.fs, path: target.inner };
  const undo = await replace(old, fresh, stat.kind, there, options);
  try {
    const now = stat.kind === "file" ? await mover.statAt(source) : undefined;
    // What was written into it meanwhile is not in the copy. In a tree of many files that is not looked for.
    if (now !== undefined && now.version !== stat.version) throw fsError("FS_CONFLICT", from);
    await old.fs.remove(old.path, { recursive: true });
  } catch (error) {
    await undo();
    throw error;
  }
}

/** Puts a copy in a place; gives what takes it back. */
async function replace(
  old: Side,
  fresh: Side,
  kind: FileKind,
  there: FileStat | undefined,
  options: FsOptions,
): Promise<() => Promise<void>> {
  const created = await firstMissing(fresh);
  const replaced = there?.kind === "file" ? (await fresh.fs.read(fresh.path, options)).bytes : undefined;
  const link = there?.kind === "symlink" ? await fresh.fs.readLink?.(fresh.path, options) : undefined;
  const undo = async (): Promise<void> => {
    if (replaced !== undefined) await fresh.fs.write(fresh.path, replaced).catch(() => {});
    else await fresh.fs.remove(link === undefined ? created : fresh.path, { recursive: true }).catch(() => {});
    if (link !== undefined) await fresh.fs.symlink?.(link, fresh.path).catch(() => {});
  };
  try {
    if (link !== undefined || (replaced !== undefined && kind === "symlink")) await fresh.fs.remove(fresh.path);
    await copy(old, fresh, kind, options);
  } catch (error) {
    await undo();
    throw error;
  }
  return undo;
}

async function copy(old: Side, fresh: Side, kind: FileKind, options: FsOptions): Promise<void> {
  options.signal?.throwIfAborted();
  if (kind === "file") {
    await fresh.fs.writeStream(fresh.path, old.fs.readStream(old.path, options));
  } else if (kind === "symlink") {
    const target = await old.fs.readLink?.(old.path, options);
    if (target === undefined || fresh.fs.symlink === undefined) throw fsError("FS_UNSUPPORTED", fresh.path);
    await fresh.fs.symlink(target, fresh.path);
  } else if (kind === "directory") {
    await fresh.fs.makeDirectory(fresh.path);
    const entries: { name: string; kind: FileKind }[] = [];
    for await (const entry of old.fs.list(old.path, options)) entries.push(entry);
    for (const entry of entries) await copy(inside(old, entry.name), inside(fresh, entry.name), entry.kind, options);
  } else throw fsError("FS_UNSUPPORTED", old.path);
}

/** Gives the uppermost path that does not exist yet, which is what a failed copy would leave behind. */
async function firstMissing({ fs, path }: Side): Promise<string> {
  let missing = path;
  for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const stat = await fs.stat(at, { followSymlinks: false }).catch((error: unknown) => {
      if (HoldallError.is(error, "FS_OUTSIDE_ROOT")) return "outside" as const;
      throw error;
    });
    if (stat !== undefined) return missing;
    missing = at;
  }
  return missing;
}

function inside({ fs, path }: Side, name: string): Side {
  return { fs, path: childPath(path, name) };
}
