/** Finds the place of a path in an overlay: symlinks of both layers are resolved in the tree that the overlay shows. */

import {
  type FileStat,
  type FileSystem,
  type FsOptions,
  fsError,
  HoldallError,
  parentPath,
  resolvePath,
} from "holdall";
import { lookAt, signalOf } from "./base-facts.ts";
import type { Session } from "./session.ts";
import { below, descend, type OverlayNode } from "./tree.ts";
import type { OverlayState } from "./upper.ts";

/** Where a path leads. */
export interface Place {
  /** The path without symlinks, as far as it exists. */
  readonly path: string;
  /** What the overlay holds there itself. */
  readonly node?: OverlayNode;
  /** What the base has there, where the overlay holds nothing. */
  readonly stat?: FileStat;
  /** Whether the base is hidden there. */
  readonly isHidden: boolean;
}

/** The most symlinks that one path may lead through. */
const MAX_SYMLINKS = 40;

/**
 * Finds the place of a path.
 *
 * @param session The overlay.
 * @param state What it knows now.
 * @param path The absolute, resolved path.
 * @param follow Whether a symlink at its end is looked through.
 */
export async function locate(
  session: Session,
  state: OverlayState,
  path: string,
  follow: boolean,
  options?: FsOptions,
): Promise<Place> {
  let at = path;
  for (let links = 0; links <= MAX_SYMLINKS; links += 1) {
    const step = descend(state.root, at);
    if (step.kind === "stopped") {
      const { node } = step.entry;
      if (node?.kind !== "symlink") return { path: at, isHidden: true };
      at = throughLink(step.path, node.target, step.rest);
    } else if (step.kind === "entry") {
      const { node } = step.entry;
      if (node === undefined) return { path: at, isHidden: true };
      if (node.kind !== "symlink" || !follow) return { path: at, node, isHidden: step.isHidden };
      at = throughLink(at, node.target, "");
    } else if (step.isHidden) return { path: at, isHidden: true };
    else {
      const found = await lookInBase(session.base, at, follow, options);
      if (found.link === undefined) return { path: at, isHidden: false, ...(found.stat && { stat: found.stat }) };
      at = found.link;
    }
  }
  throw fsError("FS_LOOP", path);
}

/** Tells whether a place is a directory. */
export function isDirectory({ node, stat }: Place): boolean {
  return (node ?? stat)?.kind === "directory";
}

/** Tells whether there is anything at a place. */
export function exists({ node, stat }: Place): boolean {
  return node !== undefined || stat !== undefined;
}

/** Looks at a path of the base, or gives where its first symlink leads. */
async function lookInBase(
  base: FileSystem,
  path: string,
  follow: boolean,
  options: FsOptions | undefined,
): Promise<{ stat?: FileStat | undefined; link?: string }> {
  const { readLink } = base;
  if (readLink === undefined) return { stat: await lookAt(base, path, options) };
  const readAt = (link: string): Promise<string> => readLink.call(base, link, signalOf(options));
  const folder = parentPath(path);
  if (!(await isReal(base, folder, options))) {
    // The base would follow the link among its own files, and miss what the overlay has instead of them.
    for (const [at, rest] of prefixes(path)) {
      const kind = (await lookLeniently(base, at, options))?.kind;
      if (kind === "symlink") return { link: throughLink(at, await readAt(at), rest) };
      if (kind === undefined) break;
    }
  }
  const stat = await lookAt(base, path, options);
  if (stat?.kind !== "symlink" || !follow) return { stat };
  return { link: throughLink(path, await readAt(path), "") };
}

async function isReal(base: FileSystem, path: string, options: FsOptions | undefined): Promise<boolean> {
  try {
    return (await base.realpath(path, signalOf(options))) === path;
  } catch (error) {
    options?.signal?.throwIfAborted();
    // A circle, or a link out of the workspace: which one it is is found step by step.
    if (HoldallError.is(error)) return false;
    throw error;
  }
}

/** Looks at a directory on the way to the workspace, which the base may not show. */
async function lookLeniently(
  base: FileSystem,
  path: string,
  options: FsOptions | undefined,
): Promise<{ kind: string } | undefined> {
  try {
    return await lookAt(base, path, options);
  } catch (error) {
    if (HoldallError.is(error, "FS_OUTSIDE_ROOT")) return { kind: "directory" };
    throw error;
  }
}

/** Gives every directory above a path, the uppermost first, with what comes after it. */
function* prefixes(path: string): Generator<[at: string, rest: string], void, undefined> {
  for (let cut = path.indexOf("/", 1); cut > 0; cut = path.indexOf("/", cut + 1)) {
    yield [path.slice(0, cut), path.slice(cut + 1)];
  }
}

function throughLink(link: string, target: string, rest: string): string {
  return below(resolvePath(target, parentPath(link)), rest);
}
