/** Copies what the base has into the overlay, so that it can be moved, and brings what it has itself along. */

import { fsError } from "holdall";
import { lookAt, signalOf } from "./base-facts.ts";
import type { EditGround } from "./edits.ts";
import { locate, type Place } from "./locate.ts";
import { listPlace } from "./merged.ts";
import { below, type DirectoryNode, directory, type OverlayNode } from "./tree.ts";

/**
 * Gives what is at a place as a node that stands for itself: a directory of it hides the base and has no whiteouts.
 *
 * @param ground What the change works with; contents that are copied are noted in its draft.
 * @param place Where something is.
 */
export async function copyPlace(ground: EditGround, place: Place): Promise<OverlayNode> {
  const { node, stat, path } = place;
  if (node?.kind === "directory" || stat?.kind === "directory") return copyDirectory(ground, place);
  if (node !== undefined) return node;
  return copyFromBase(ground, path);
}

/** Gives what the base has at a path as a node that stands for itself. */
export async function copyFromBase(ground: EditGround, path: string): Promise<OverlayNode> {
  const { session, state, draft, options } = ground;
  options?.signal?.throwIfAborted();
  const stat = await lookAt(session.base, path, options);
  if (stat === undefined) throw fsError("FS_NOT_FOUND", path);
  const facts = { modifiedAt: stat.modifiedAt, change: draft.change, origin: path };
  if (stat.kind === "symlink" && session.base.readLink !== undefined)
    return { kind: "symlink", target: await session.base.readLink(path, options), ...facts };
  if (stat.kind === "directory") {
    const copy = directory(state.epoch, facts, true);
    for await (const { name } of session.base.list(path, signalOf(options)))
      copy.entries.set(name, { node: await copyFromBase(ground, below(path, name)) });
    return copy;
  }
  if (stat.kind !== "file") throw fsError("FS_UNSUPPORTED", path);
  const { content, size } = await session.upper.keepStream(session.base.readStream(path, options), path);
  draft.made.push(content);
  return { kind: "file", content, size, ...facts };
}

async function copyDirectory(ground: EditGround, place: Place): Promise<DirectoryNode> {
  const { session, state, draft, options } = ground;
  const { node, path, stat, isHidden } = place;
  const isOfBase = !isHidden && (stat !== undefined || (await lookAt(session.base, path, options)) !== undefined);
  const origin = node?.origin ?? (isOfBase ? path : undefined);
  const facts = { modifiedAt: node?.modifiedAt ?? stat?.modifiedAt ?? draft.time, change: draft.change };
  const copy = directory(state.epoch, { ...facts, ...(origin !== undefined && { origin }) }, true);
  const names: string[] = [];
  for await (const { name } of listPlace(session, place, options)) names.push(name);
  for (const name of names) {
    const child = await locate(session, state, below(path, name), false, options);
    copy.entries.set(name, { node: await copyPlace(ground, child) });
  }
  return copy;
}
