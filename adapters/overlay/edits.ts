/** The changes an overlay can make, each prepared as entries to put into the tree. */

import { type FileStat, type FsOptions, fsError, isInside, parentPath, type WriteOptions } from "holdall";
import { lookAt, seenAt, signalOf } from "./base-facts.ts";
import { copyPlace } from "./copy-up.ts";
import { exists, isDirectory, locate, type Place } from "./locate.ts";
import { isEmpty, statNode, versionOf } from "./merged.ts";
import type { Draft, Session } from "./session.ts";
import { descend, directory, type Entry, type FileNode, NOTHING, type OverlayNode, type Seen } from "./tree.ts";
import type { OverlayState } from "./upper.ts";

/** What a change works with. */
export interface EditGround {
  session: Session;
  state: OverlayState;
  draft: Draft;
  options?: FsOptions | undefined;
}

/** Writes a whole file. */
export async function write(
  ground: EditGround,
  path: string,
  bytes: Uint8Array,
  ifVersion: string | null | undefined,
): Promise<FileStat> {
  return writeKept(ground, path, ifVersion, async () => {
    const content = await ground.session.upper.keep(bytes, path);
    ground.draft.made.push(content);
    return { content, size: bytes.length };
  });
}

/**
 * Writes a whole file from a stream. What it gives goes to the layer piece by piece, while other changes are made; the
 * file is there once all of it is. Until then, and when anything fails, the old one is.
 */
export async function writeStream(
  session: Session,
  path: string,
  stream: ReadableStream<Uint8Array>,
  options: WriteOptions = {},
): Promise<FileStat> {
  const { ifVersion } = options;
  const state = await session.state();
  // Found out before anything is read, and once more when the file is put in its place.
  checkFile(state, await locate(session, state, path, true, options), path, ifVersion);
  const { upper } = session;
  const kept = await upper.keepStream(stream, path);
  let { content } = kept;
  try {
    return await session.change(options.signal, (now, draft) =>
      writeKept({ session, state: now, draft, options }, path, ifVersion, async () => {
        content = await upper.renew(content, path);
        return { content, size: kept.size };
      }),
    );
  } catch (error) {
    await session.letGo([content], error);
    throw error;
  } finally {
    upper.release(content);
  }
}

/** Puts a file in its place, once its content is kept. */
async function writeKept(
  ground: EditGround,
  path: string,
  ifVersion: string | null | undefined,
  keep: () => Promise<Pick<FileNode, "content" | "size">>,
): Promise<FileStat> {
  const { session, state, draft, options } = ground;
  const place = await locate(session, state, path, true, options);
  checkFile(state, place, path, ifVersion);
  await makeParents(ground, place.path, path);
  const kept = await keep();
  const origin = place.node?.origin ?? (place.stat && place.path);
  const node: FileNode = { kind: "file", ...kept, ...factsOf(draft, origin) };
  if (place.node !== undefined) draft.replaced.push(place.node);
  await put(ground, place.path, node);
  return statNode(state, node);
}

function checkFile(state: OverlayState, { node, stat }: Place, path: string, ifVersion: string | null | undefined) {
  const kind = (node ?? stat)?.kind;
  if (kind !== undefined && kind !== "file") throw fsError("FS_IS_DIRECTORY", path);
  if (ifVersion === undefined) return;
  const now = node === undefined ? (stat?.version ?? null) : versionOf(state, node);
  if (ifVersion !== now) throw fsError("FS_CONFLICT", path);
}

/** Creates a directory and its parents. */
export async function makeDirectory(ground: EditGround, path: string): Promise<void> {
  const { session, state, options } = ground;
  const place = await locate(session, state, path, true, options);
  if (isDirectory(place)) return;
  // A symlink that leads nowhere is in the way as well.
  if (exists(place) || exists(await locate(session, state, path, false, options))) throw fsError("FS_EXISTS", path);
  await makeParents(ground, `${place.path}/`, path);
}

/** Creates a symlink. */
export async function symlink(ground: EditGround, target: string, path: string): Promise<void> {
  const { session, state, draft, options } = ground;
  const place = await locate(session, state, path, false, options);
  if (exists(place)) throw fsError("FS_EXISTS", path);
  await makeParents(ground, place.path, path);
  await put(ground, place.path, { kind: "symlink", target, ...factsOf(draft, undefined) });
}

/** Removes a file, a symlink or a directory. */
export async function remove(ground: EditGround, path: string, recursive: boolean): Promise<void> {
  const { session, state, draft, options } = ground;
  const place = await locate(session, state, path, false, options);
  if (!exists(place)) throw fsError("FS_NOT_FOUND", path);
  if (isDirectory(place) && !recursive && !(await isEmpty(session, place))) throw fsError("FS_NOT_EMPTY", path);
  draft.puts.push([place.path, await hide(ground, place.path)]);
  if (place.node !== undefined) draft.replaced.push(place.node);
}

/** Moves a file, a symlink or a tree. */
export async function rename(ground: EditGround, from: string, to: string): Promise<void> {
  const { session, state, draft, options } = ground;
  const source = await locate(session, state, from, false, options);
  const target = await locate(session, state, to, false, options);
  if (!exists(source)) throw fsError("FS_NOT_FOUND", from);
  if (source.path === target.path && source.path !== "/") return;
  if (source.path === "/" || (isDirectory(source) && isInside(target.path, source.path)))
    throw fsError("FS_INVALID_PATH", from);
  if (isDirectory(target) || (exists(target) && isDirectory(source))) throw fsError("FS_EXISTS", to);
  await makeParents(ground, target.path, to);
  const node = await copyPlace(ground, source);
  draft.puts.push([source.path, await hide(ground, source.path)]);
  if (target.node !== undefined) draft.replaced.push(target.node);
  await put(ground, target.path, node);
}

/** Prepares the missing directories above a path; fails with `FS_NOT_DIRECTORY` when a file is in their place. */
export async function makeParents(ground: EditGround, path: string, asked: string): Promise<void> {
  const { session, state, draft, options } = ground;
  const missing: { path: string; seen: Seen | undefined; isOpaque: boolean }[] = [];
  for (let at = path.slice(0, path.lastIndexOf("/")); at !== ""; at = at === "" ? "" : parentOf(at)) {
    const step = descend(state.root, at);
    if (step.kind === "stopped") throw fsError("FS_NOT_DIRECTORY", asked);
    if (step.kind === "entry") {
      const { node, seen } = step.entry;
      if (node?.kind === "directory") break;
      if (node !== undefined) throw fsError("FS_NOT_DIRECTORY", asked);
      missing.push({ path: at, seen, isOpaque: true });
      continue;
    }
    if (step.isHidden) {
      missing.push({ path: at, seen: undefined, isOpaque: false });
      continue;
    }
    const stat = await lookAt(session.base, at, options);
    if (stat?.kind === "directory") break;
    if (stat !== undefined) throw fsError("FS_NOT_DIRECTORY", asked);
    missing.push({ path: at, seen: NOTHING, isOpaque: false });
  }
  for (const { path: at, seen, isOpaque } of missing.reverse()) {
    draft.puts.push([at, entryOf(directory(state.epoch, factsOf(draft, undefined), isOpaque), seen)]);
  }
}

/** Prepares a node to be put at a path, with what the base is like there. */
export async function put(
  { session, state, draft, options }: EditGround,
  path: string,
  node: OverlayNode,
): Promise<void> {
  draft.puts.push([path, entryOf(node, await seenAt(session.base, state, path, options))]);
}

/** Gives the entry that makes a path be empty: a whiteout where the base has something, else none. */
export async function hide({ session, state, options }: EditGround, path: string): Promise<Entry | undefined> {
  const seen = await seenAt(session.base, state, path, options);
  if (seen === undefined) return undefined;
  if (seen.size === 0 && (await lookAt(session.base, path, signalOf(options))) === undefined) return undefined;
  return { node: undefined, seen };
}

function factsOf({ time, change }: Draft, origin: string | undefined) {
  return { modifiedAt: time, change, ...(origin !== undefined && { origin }) };
}

function entryOf(node: OverlayNode, seen: Seen | undefined): Entry {
  return seen === undefined ? { node } : { node, seen };
}

function parentOf(path: string): string {
  const parent = parentPath(path);
  return parent === "/" ? "" : parent;
}
