/** Lists a directory in steps, and keeps its entries in columns: an object for each would keep the collector busy. */

import { type Breather, ENTRY_UNITS } from "./breather.ts";
import type { DirEntry, FileKind } from "./file-system.ts";
import { sortInRuns } from "./sort-in-runs.ts";
import type { Listing } from "./walk.ts";

/** Takes all entries of a directory, and puts them in the order of their names. */
export async function collectListing(
  entries: AsyncIterable<DirEntry> | Iterable<DirEntry>,
  breather: Breather,
  signal: AbortSignal | undefined,
): Promise<Listing> {
  const columns = createColumns();
  const add = (entry: DirEntry): Promise<void> | undefined => {
    columns.add(entry);
    return breather.spend(ENTRY_UNITS)?.then(() => signal?.throwIfAborted());
  };
  // Waiting for each entry takes longer than listing it.
  if (Symbol.iterator in entries) {
    for (const entry of entries) {
      const pause = add(entry);
      if (pause !== undefined) await pause;
    }
  } else {
    for await (const entry of entries) {
      const pause = add(entry);
      if (pause !== undefined) await pause;
    }
  }
  const { names, kinds, entryAt } = columns;
  const byName = (one: number, other: number): number => ((names[one] ?? "") < (names[other] ?? "") ? -1 : 1);
  const order = await sortInRuns([...names.keys()], byName, breather);
  let next = 0;
  return {
    next() {
      const at = order[next];
      next += 1;
      return at === undefined ? undefined : entryAt(at);
    },
    kindOf: (name) => kinds[names.indexOf(name)],
  };
}

/** Entries in columns. */
interface Columns {
  names: readonly string[];
  kinds: readonly FileKind[];
  add(entry: DirEntry): void;
  /** Makes the entry at a place again. */
  entryAt(at: number): DirEntry;
}

function createColumns(): Columns {
  const names: string[] = [];
  const kinds: FileKind[] = [];
  /** NaN where it is not known. */
  const sizes: number[] = [];
  const times: number[] = [];
  return {
    names,
    kinds,
    add({ name, kind, size = Number.NaN, modifiedAt = Number.NaN }) {
      names.push(name);
      kinds.push(kind);
      sizes.push(size);
      times.push(modifiedAt);
    },
    entryAt(at) {
      const entry: DirEntry = { name: names[at] ?? "", kind: kinds[at] ?? "other" };
      const [size = Number.NaN, time = Number.NaN] = [sizes[at], times[at]];
      if (!Number.isNaN(size)) entry.size = size;
      if (!Number.isNaN(time)) entry.modifiedAt = time;
      return entry;
    },
  };
}
