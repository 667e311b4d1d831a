/** Watches an overlay: its own changes, those of other overlays over its layer, and those of the base that it shows. */

import { type FsChange, type FsOptions, fsError, parentPath } from "holdall";
import { lookAt } from "./base-facts.ts";
import { isDirectory, locate } from "./locate.ts";
import { mergeChanges } from "./merge-changes.ts";
import type { Session } from "./session.ts";
import { descend, isTransparent } from "./tree.ts";
import type { OverlayState } from "./upper.ts";

/** Watches below a directory. */
export async function* watchOverlay(
  session: Session,
  path: string,
  options?: FsOptions,
): AsyncGenerator<FsChange, void, undefined> {
  const state = await session.state();
  const place = await locate(session, state, path, true, options);
  if (!isDirectory(place))
    throw fsError(place.node === undefined && place.stat === undefined ? "FS_NOT_FOUND" : "FS_NOT_DIRECTORY", path);
  const others = [session.followLayer];
  const below = await baseDirectory(session, place.path, options);
  if (below !== undefined) others.push((signal) => shown(session, below, signal));
  const { signal } = options ?? {};
  yield* mergeChanges(place.path, (ending) => session.watch(place.path, ending), others, signal);
}

/** Finds the directory of the base to watch: the nearest that is there, because the base may create what is not. */
async function baseDirectory(
  { base }: Session,
  path: string,
  options: FsOptions | undefined,
): Promise<string | undefined> {
  if (base.watch === undefined) return undefined;
  for (let at = path; ; at = parentPath(at)) {
    try {
      if ((await lookAt(base, at, options))?.kind === "directory") return at;
    } catch {
      // What lies above the part that the base shows is not to be looked at.
      return undefined;
    }
    if (at === "/") return undefined;
  }
}

/** Gives the changes of the base that can be seen through the overlay. */
async function* shown(
  session: Session,
  directory: string,
  signal: AbortSignal,
): AsyncGenerator<FsChange, void, undefined> {
  const changes: AsyncIterable<FsChange> = session.base.watch?.(directory, { signal }) ?? nothing();
  for await (const change of changes) {
    const seen = throughLayer(await session.state(), change);
    if (seen !== undefined) yield seen;
  }
}

function throughLayer({ root }: OverlayState, { path, kind }: FsChange): FsChange | undefined {
  const step = descend(root, path);
  if (step.kind === "stopped" || step.isHidden) return undefined;
  if (step.kind === "beyond") return { path, kind };
  // A directory that the overlay has as well stays, whatever becomes of that of the base.
  return isTransparent(step.entry) ? { path, kind: "written" } : undefined;
}

async function* nothing(): AsyncGenerator<never, void, undefined> {}
