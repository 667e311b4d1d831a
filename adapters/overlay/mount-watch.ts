/** Watches a tree of mounts: each mount tells of its own part. */

import { type FsChange, type FsOptions, fsError, isInside, onAbort } from "holdall";
import { signalOf } from "./base-facts.ts";
import { type ChangeSource, mergeChanges } from "./merge-changes.ts";
import type { MountPlace } from "./mount-place.ts";
import { type Mount, type MountTable, toInner } from "./mount-table.ts";
import { below } from "./tree.ts";

/**
 * Watches below a directory.
 *
 * @param table The mounts; those below the directory that cannot watch are quiet.
 * @param found The directory, which is there.
 * @param asked What it was called.
 */
export async function* watchMounts(
  table: MountTable,
  found: MountPlace,
  asked: string,
  options?: FsOptions,
): AsyncGenerator<FsChange, void, undefined> {
  const { path, mount } = found;
  const inside = table.below(path).filter(({ fs }) => fs.watch !== undefined);
  const others = inside.map(
    (each): ChangeSource =>
      (signal) =>
        watchPart(table, each, each.point, signal),
  );
  // What only leads to mounts is told of by none.
  const main: ChangeSource = (signal) =>
    mount === undefined ? untilAborted(signal) : watchPart(table, mount, path, signal);
  if (mount === undefined ? inside.length === 0 : mount.fs.watch === undefined)
    throw fsError("FS_UNSUPPORTED", asked, `what is mounted at ${asked} cannot be watched. Look at it again instead.`);
  yield* mergeChanges(path, main, others, options?.signal);
}

/** Gives what one mount tells, as far as it can be seen in the tree. */
async function* watchPart(
  table: MountTable,
  mount: Mount,
  directory: string,
  signal: AbortSignal,
): AsyncGenerator<FsChange, void, undefined> {
  const { fs } = mount;
  const inner = toInner(mount, directory);
  // Changes are told by real paths, which the directory that is shown need not have.
  const real = await fs.realpath(inner, signalOf({ signal }));
  for await (const { path, kind } of fs.watch?.(real, { signal }) ?? []) {
    if (!isInside(path, real)) continue;
    const outer = below(directory, path.slice(real === "/" ? 1 : real.length + 1));
    if (table.owner(outer) !== mount) continue;
    // A directory that leads to a mount stays, whatever becomes of what lies under it.
    yield { path: outer, kind: table.below(outer).length > 0 ? "written" : kind };
  }
}

async function* untilAborted(signal: AbortSignal): AsyncGenerator<never, void, undefined> {
  await new Promise<void>((resolve) => void onAbort(signal, () => resolve()));
}
