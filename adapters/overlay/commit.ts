/** Brings the changes of an overlay into its base: all checked before anything is changed, and undone when one fails. */

import { type FsOptions, fsError, HoldallError, isInside, parentPath } from "holdall";
import { lookAt, markOf, relativeTo, signalOf } from "./base-facts.ts";
import { plainPaths } from "./changes.ts";
import { applySteps, type FailedSteps, type Step } from "./commit-steps.ts";
import { compareRegion, type Difference, isChosen, type Region, regionsOf } from "./differences.ts";
import type { EditGround } from "./edits.ts";

/** What to commit. */
export interface CommitOptions extends FsOptions {
  /** Absolute paths as `changes` lists them; what is there or below is committed. Defaults to everything. */
  paths?: readonly string[];
  /** Whether what has changed in the base meanwhile is overwritten. Defaults to false: the commit fails. */
  overwrite?: boolean;
}

/** What was committed. */
export interface CommitResult {
  /** Paths that were written or created in the base. */
  written: string[];
  /** Paths that were removed from the base. */
  removed: string[];
}

/** How a commit came out: what went wrong is passed on once the overlay knows what the base is like now. */
export type CommitOutcome = { result: CommitResult } | { error: unknown };

/** Commits the changes of a draft's state and prepares the tree without them. */
export async function commit(ground: EditGround, options: CommitOptions): Promise<CommitOutcome> {
  const { session, state, draft } = ground;
  const chosen = plainPaths(options);
  const compared: { region: Region; differences: Difference[] }[] = [];
  for (const region of regionsOf(state.root, chosen)) {
    compared.push({ region, differences: await compareRegion(session, region, chosen, signalOf(options)) });
  }
  const all = compared.flatMap(({ differences }) => differences);
  const conflicts = all.filter(({ isConflict }) => isConflict).map(({ path }) => path);
  if (conflicts.length > 0 && options.overwrite !== true) throw conflictError(conflicts);
  const steps = stepsFor(all.filter(({ isEqual }) => !isEqual));
  if (session.base.symlink === undefined) {
    const link = steps.find(({ after }) => after?.kind === "symlink");
    if (link !== undefined) throw fsError("FS_UNSUPPORTED", link.path);
  }
  const failed = await applySteps(session, steps, options);
  if (failed !== undefined) {
    // What was to be overwritten stays a conflict.
    if (options.overwrite !== true) for (const { region } of compared) noteRestored(ground, region, failed.restored);
    return { error: failed.error };
  }
  for (const { region, differences } of compared) await settle(ground, region, differences, chosen, signalOf(options));
  // What a checkpoint shows of the base is no longer there.
  if (draft.puts.length > 0) draft.also = { forget: true };
  const paths = (isThere: boolean): string[] =>
    steps.filter(({ after }) => (after !== undefined) === isThere).map(({ path }) => path);
  return { result: { written: paths(true), removed: paths(false).sort() } };
}

/**
 * Puts the steps in order: first what is in the way of something of another kind goes, the deepest first; then
 * directories, files and links come, the uppermost first; at last the rest goes, the deepest first.
 */
function stepsFor(differences: readonly Difference[]): Step[] {
  const coming = differences.filter(({ after }) => after !== undefined);
  const replaced = new Set(coming.filter(isOfOtherKind).map(({ path }) => path));
  const isInTheWay = ({ path }: Difference): boolean => {
    for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) if (replaced.has(at)) return true;
    return false;
  };
  const going = differences.filter(({ after }) => after === undefined);
  const byPath = (one: { path: string }, other: { path: string }): number => (one.path < other.path ? -1 : 1);
  const first = [...going.filter(isInTheWay), ...coming.filter(isOfOtherKind)].sort(byPath).reverse();
  const last = going
    .filter((each) => !isInTheWay(each))
    .sort(byPath)
    .reverse();
  return [
    ...first.map(({ path, before }): Step => ({ path, phase: "clear", before, after: undefined })),
    ...coming.sort(byPath).map(
      (each): Step => ({
        path: each.path,
        phase: "write",
        before: isOfOtherKind(each) ? undefined : each.before,
        after: each.after,
      }),
    ),
    ...last.map(({ path, before }): Step => ({ path, phase: "remove", before, after: undefined })),
  ];
}

/** Links cannot be written over, only made anew. */
function isOfOtherKind({ before, after }: Difference): boolean {
  return before !== undefined && after !== undefined && (before.kind !== after.kind || after.kind === "symlink");
}

/** Takes a committed region out of the tree; where a part of it stays, notes what the base has there now. */
async function settle(
  { session, draft }: EditGround,
  { path, entry, seen }: Region,
  differences: readonly Difference[],
  chosen: readonly string[] | undefined,
  options: FsOptions,
): Promise<void> {
  if (isChosen(path, chosen)) {
    draft.puts.push([path, undefined]);
    return;
  }
  if (differences.length === 0) return;
  const changed = new Set<string>();
  for (const difference of differences) {
    for (let at = difference.path; isInside(at, path); at = parentPath(at)) changed.add(at);
  }
  const marks = new Map(seen);
  for (const at of changed) {
    const mark = markOf(await lookAt(session.base, at, options));
    if (mark === undefined) marks.delete(relativeTo(path, at));
    else marks.set(relativeTo(path, at), mark);
  }
  draft.puts.push([path, { ...entry, seen: marks }]);
}

/** What was written anew after a failure is what was seen before, under another version. */
function noteRestored({ draft }: EditGround, region: Region, restored: FailedSteps["restored"]): void {
  const marks = new Map(region.seen);
  let isChanged = false;
  for (const [path, stat] of restored) {
    const relative = relativeTo(region.path, path);
    if (!isInside(path, region.path) || !marks.has(relative)) continue;
    marks.set(relative, markOf(stat) ?? "");
    isChanged = true;
  }
  if (isChanged) draft.puts.push([region.path, { ...region.entry, seen: marks }]);
}

function conflictError(conflicts: readonly string[]): HoldallError {
  const shown = conflicts.slice(0, 10).join(", ") + (conflicts.length > 10 ? ", …" : "");
  return new HoldallError(
    "FS_CONFLICT",
    `the base has changed since the overlay saw it: ${shown}; nothing was committed. Look at the changes again, then discard them there, or commit with overwrite.`,
    { data: { path: conflicts[0], conflicts } },
  );
}
