/** The files below one directory handle: what is needed to look at them and to change them in turn. */

import { type FileSystem, fsError, type Timers, type Watchers } from "holdall";
import type { Handles } from "./handles.ts";
import type { Leftovers } from "./leftovers.ts";
import { fromHandle, isStale, nameOf } from "./opfs-error.ts";
import type { Scratch } from "./scratch.ts";
import type { TakeTurn, WantedLock } from "./turns.ts";
import type { Versions } from "./versions.ts";
import type { Writer } from "./writers.ts";

/** Everything that one backend knows. */
export interface Tree {
  /** Finishes what an earlier visit has left, and creates what shall be there from the start; waited for by every call. */
  ready(): Promise<void>;
  readonly handles: Handles;
  readonly versions: Versions;
  /** Does something in turn. */
  readonly inTurn: TakeTurn;
  readonly writer: Writer;
  readonly leftovers: Leftovers;
  readonly watchers: Watchers;
  readonly timers: Timers;
  /** The folder for what is not finished; undefined where nothing of ours may appear. */
  readonly scratch: (() => Promise<Scratch>) | undefined;
  readonly isReadOnly: boolean;
  isClosed: boolean;
  /** A move of a directory that is under way: until it is done, the tree is in two places. */
  moving: Promise<unknown> | undefined;
}

/** What is passed on of the options of a call. */
export type Signal = NonNullable<Parameters<FileSystem["stat"]>[1]>["signal"];

/** Times that a file which keeps changing is looked at. */
const ATTEMPTS = 10;

/** Runs a look at the tree, after a move that is under way. */
export async function look<T>(tree: Tree, path: string, work: () => Promise<T>): Promise<T> {
  if (tree.isClosed) throw fsError("FS_CLOSED", path);
  try {
    await tree.ready();
    await settleLeftovers(tree);
    await tree.moving?.catch(() => {});
    return await work();
  } catch (error) {
    throw fromHandle(error, path);
  }
}

/** The lock of a whole tree: shared by those who change one file, alone for those who change more. */
const TREE = "tree";

/** Changes one path, beside changes of other paths. */
export function changeOne<T>(tree: Tree, path: string, signal: Signal, work: () => Promise<T>): Promise<T> {
  const wanted: WantedLock[] = [
    { name: TREE, mode: "shared" },
    { name: path, mode: "exclusive" },
  ];
  return change(tree, path, signal, wanted, work);
}

/** Changes the tree while nobody else does. */
export function changeAlone<T>(tree: Tree, path: string, signal: Signal, work: () => Promise<T>): Promise<T> {
  return change(tree, path, signal, ALONE, work);
}

/** The locks of those who change the whole tree. */
export const ALONE: readonly WantedLock[] = [{ name: TREE, mode: "exclusive" }];

async function change<T>(
  tree: Tree,
  path: string,
  signal: Signal,
  wanted: readonly WantedLock[],
  work: () => Promise<T>,
): Promise<T> {
  if (tree.isClosed) throw fsError("FS_CLOSED", path);
  if (tree.isReadOnly) throw fsError("FS_READ_ONLY", path);
  let hasBegun = false;
  try {
    await tree.ready();
    await settleLeftovers(tree, signal);
    return await tree.inTurn(wanted, signal, () => {
      signal?.throwIfAborted();
      if (tree.isClosed) throw fsError("FS_CLOSED", path);
      hasBegun = true;
      return work();
    });
  } catch (error) {
    // Some browsers reject with an error of their own instead of the signal's reason.
    if (!hasBegun && signal?.aborted === true) throw signal.reason;
    throw fromHandle(error, path);
  }
}

/** Takes back what earlier changes could not, before anybody sees it. */
async function settleLeftovers({ leftovers, inTurn }: Tree, signal?: Signal): Promise<void> {
  if (!leftovers.isEmpty) await inTurn(ALONE, signal, () => leftovers.settle());
}

/** Does something once more, with nothing known of the tree, when another tab has taken away what was known of it. */
export async function withoutStale<T>({ handles }: Tree, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isStale(error)) throw error;
    handles.forget("/");
    return work();
  }
}

/**
 * Looks into a file at one moment: when it changes meanwhile, `use` is called again on what it is then.
 *
 * @param use Gives undefined when what it read does not fit the file's size.
 */
export async function observe<T>(tree: Tree, path: string, use: (file: File) => Promise<T | undefined>): Promise<T> {
  let cause: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const found = await tree.handles.find(path);
    if (found.kind === "missing") throw fsError("FS_NOT_FOUND", path);
    if (found.kind === "directory") throw fsError("FS_IS_DIRECTORY", path);
    try {
      const file = await found.handle.getFile();
      const result = await use(file);
      if (result !== undefined && (await isUnchanged(found.handle, file))) return result;
    } catch (error) {
      if (!isChange(error)) throw error;
      cause = error;
    }
  }
  throw fsError("FS_IO", path, `${path} keeps changing, or cannot be read. Try again.`, cause);
}

/** WebKit lets an old look at a file read its new content; it is also the one whose times are whole seconds. */
async function isUnchanged(handle: FileSystemFileHandle, { size, lastModified }: File): Promise<boolean> {
  if (lastModified % 1000 !== 0) return true;
  const now = await handle.getFile();
  return now.size === size && now.lastModified === lastModified;
}

/** Tells whether an error says that a file was replaced while it was read. */
function isChange(error: unknown): boolean {
  return ["NotReadableError", "AbortError", "NotFoundError", "InvalidStateError"].includes(nameOf(error));
}
