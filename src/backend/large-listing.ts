/** A directory of very many entries, in columns: an object for each would keep the collector busy. */

import { type Breather, CHECK_UNITS } from "./breather.ts";
import type { DirEntry, FileKind } from "./file-system.ts";
import { sortInRuns } from "./sort-in-runs.ts";

/** Takes the entries of one directory, then gives them in order. */
export interface LargeListing {
  add(entry: DirEntry): void;
  /**
   * Sorts what was added by name.
   *
   * @returns What gives one entry after the other; undefined at the end.
   */
  sort(breather: Breather): Promise<() => DirEntry | undefined>;
  /** Tells what has a name; undefined where there is nothing. */
  kindOf(name: string): FileKind | undefined;
}

/** Makes an empty one. */
export function createLargeListing(): LargeListing {
  const names: string[] = [];
  const kinds: FileKind[] = [];
  /** NaN where it is not known. */
  const sizes: number[] = [];
  const times: number[] = [];
  const entryAt = (at: number): DirEntry => {
    const entry: DirEntry = { name: names[at] ?? "", kind: kinds[at] ?? "other" };
    const [size = Number.NaN, time = Number.NaN] = [sizes[at], times[at]];
    if (!Number.isNaN(size)) entry.size = size;
    if (!Number.isNaN(time)) entry.modifiedAt = time;
    return entry;
  };
  return {
    add({ name, kind, size = Number.NaN, modifiedAt = Number.NaN }) {
      names.push(name);
      kinds.push(kind);
      sizes.push(size);
      times.push(modifiedAt);
    },
    async sort(breather) {
      const byName = (one: number, other: number): number => ((names[one] ?? "") < (names[other] ?? "") ? -1 : 1);
      const order = await sortInRuns([...names.keys()], byName, breather);
      await breather.spend(CHECK_UNITS);
      let next = 0;
      return () => {
        const at = order[next];
        next += 1;
        return at === undefined ? undefined : entryAt(at);
      };
    },
    kindOf: (name) => kinds[names.indexOf(name)],
  };
}
