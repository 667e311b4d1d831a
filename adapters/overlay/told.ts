/** Finds out what those who watch an overlay are told of when its tree changes. */

import type { FileSystem, FsChange } from "holdall";
import { lookAt } from "./base-facts.ts";
import { below, descend, type Entry, type OverlayNode, type Put } from "./tree.ts";
import type { OverlayState } from "./upper.ts";

/** A change of what an overlay shows; `uncovered`: what is there now is up to the base. */
interface Turn {
  path: string;
  kind: FsChange["kind"] | "uncovered";
  /** Whether there was something. */
  wasThere: boolean;
}

/** Makes of turns what watchers are told, by a look at what the base has where it shows through again. */
export async function told(base: FileSystem, turns: readonly Turn[]): Promise<FsChange[]> {
  const changes: FsChange[] = [];
  for (const { path, kind, wasThere } of turns) {
    const isThere = kind === "uncovered" && (await lookAt(base, path).catch(() => undefined)) !== undefined;
    if (kind !== "uncovered") changes.push({ path, kind });
    else if (isThere || wasThere) changes.push({ path, kind: isThere ? "written" : "removed" });
  }
  return changes;
}

/** Gives what changes when entries are put into a tree; to be asked before they are. */
export function turnsOfPuts({ root }: OverlayState, puts: readonly Put[]): Turn[] {
  return puts.flatMap(([path, entry]) => {
    const step = descend(root, path);
    const old = step.kind === "entry" ? step.entry : undefined;
    return [...turnsBetween(old, entry, path, step.kind !== "stopped" && step.isHidden)];
  });
}

/** Gives what is different between two trees. */
export function turnsOfTrees(old: OverlayNode, now: OverlayNode): Turn[] {
  return [...turnsBetween({ node: old }, { node: now }, "/", false)];
}

function* turnsBetween(
  old: Entry | undefined,
  now: Entry | undefined,
  path: string,
  isHidden: boolean,
): Generator<Turn, void, undefined> {
  const [before, after] = [old?.node, now?.node];
  // A checkpoint shares what has not changed since.
  if (before !== undefined && before === after) return;
  const wasThere = before !== undefined;
  if (now === undefined) {
    if (old !== undefined) yield* uncovered(old, path, isHidden);
  } else if (after === undefined) {
    if (old === undefined || wasThere) yield { path, kind: "removed", wasThere };
  } else {
    if (!isSame(before, after)) yield { path, kind: "written", wasThere };
    if (after.kind !== "directory") return;
    const earlier: ReadonlyMap<string, Entry> = before?.kind === "directory" ? before.entries : new Map();
    for (const name of new Set([...earlier.keys(), ...after.entries.keys()])) {
      const [one, other] = [earlier.get(name), after.entries.get(name)];
      yield* turnsBetween(one, other, below(path, name), isHidden || after.opaque);
    }
  }
}

/** Tells whether nothing has become of a node; of a directory, what is in it aside. */
function isSame(before: OverlayNode | undefined, after: OverlayNode): boolean {
  // One that is only on the way to something shows the directory of the base.
  if (after.kind === "directory")
    return before?.kind === "directory" ? before.opaque === after.opaque : before === undefined && after.change === 0;
  if (before?.kind !== after.kind || before.change !== after.change) return false;
  return before.kind !== "file" || after.kind !== "file" || before.content === after.content;
}

/** Meets everything that lay over the base, whiteouts too, or that was in a directory which hides it. */
function* uncovered(entry: Entry, path: string, isHidden: boolean): Generator<Turn, void, undefined> {
  const { node } = entry;
  if (isHidden) yield { path, kind: "removed", wasThere: true };
  else yield { path, kind: "uncovered", wasThere: node !== undefined };
  if (isHidden || node?.kind !== "directory") return;
  for (const [name, child] of node.entries) yield* uncovered(child, below(path, name), false);
}
