/** What an overlay shows: its own entries, and those of the base where nothing lies over them. */

import { type DirEntry, type FileStat, type FsOptions, fsError, HoldallError, type ReadResult } from "holdall";
import { lookAt, signalOf } from "./base-facts.ts";
import { isDirectory, type Place } from "./locate.ts";
import type { Session } from "./session.ts";
import type { OverlayNode } from "./tree.ts";
import type { OverlayState } from "./upper.ts";

/** Gives the facts of a place; undefined where there is nothing. */
export async function statPlace(
  session: Session,
  state: OverlayState,
  { path, node, stat, isHidden }: Place,
  options?: FsOptions,
): Promise<FileStat | undefined> {
  if (node === undefined) return stat;
  // A directory that is only on the way to something is as the base has it.
  if (node.kind === "directory" && node.change === 0 && !isHidden) {
    const below = await lookAt(session.base, path, options);
    if (below?.kind === "directory") return below;
  }
  return statNode(state, node);
}

/** Gives the facts of a node. */
export function statNode(state: OverlayState, node: OverlayNode): FileStat {
  return { kind: node.kind, size: sizeOf(node), modifiedAt: node.modifiedAt, version: versionOf(state, node) };
}

/** Gives the version of a node: of files that one change has made, each has its own. */
export function versionOf(state: OverlayState, node: OverlayNode): string {
  return `${state.name}.${node.kind === "file" ? node.content : node.change.toString(36)}`;
}

/** Reads a file, or a part of it. */
export async function readPlace(
  session: Session,
  state: OverlayState,
  place: Place,
  range: { offset?: number; length?: number; signal?: AbortSignal } = {},
): Promise<ReadResult> {
  const { node, path, stat } = place;
  if (isDirectory(place)) throw fsError("FS_IS_DIRECTORY", path);
  if (node?.kind === "file") {
    const { offset, length } = range;
    const bytes = await session.upper.read(node.content, {
      ...(offset !== undefined && { offset }),
      ...(length !== undefined && { length }),
    });
    return { bytes, version: versionOf(state, node) };
  }
  if (stat === undefined) throw fsError("FS_NOT_FOUND", path);
  return session.base.read(path, range);
}

/** Lists a directory. */
export async function* listPlace(
  session: Session,
  place: Place,
  options?: FsOptions,
): AsyncGenerator<DirEntry, void, undefined> {
  const { path, node, stat, isHidden } = place;
  if (node === undefined && stat === undefined) throw fsError("FS_NOT_FOUND", path);
  if (!isDirectory(place)) throw fsError("FS_NOT_DIRECTORY", path);
  if (node?.kind !== "directory") {
    yield* session.base.list(path, signalOf(options));
    return;
  }
  // A copy: the directory may change while its entries are met.
  const entries = [...node.entries];
  for (const [name, entry] of entries) if (entry.node !== undefined) yield entryOf(name, entry.node);
  if (isHidden || node.opaque) return;
  const own = new Set(entries.map(([name]) => name));
  try {
    for await (const entry of session.base.list(path, signalOf(options))) if (!own.has(entry.name)) yield entry;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Tells whether nothing is in a directory. */
export async function isEmpty(session: Session, place: Place): Promise<boolean> {
  for await (const _entry of listPlace(session, place)) return false;
  return true;
}

/** Tells whether an error says that there is no such directory. */
export function isMissing(error: unknown): boolean {
  return HoldallError.is(error, "FS_NOT_FOUND") || HoldallError.is(error, "FS_NOT_DIRECTORY");
}

function entryOf(name: string, node: OverlayNode): DirEntry {
  return { name, kind: node.kind, size: sizeOf(node), modifiedAt: node.modifiedAt };
}

function sizeOf(node: OverlayNode): number {
  return node.kind === "file" ? node.size : 0;
}
