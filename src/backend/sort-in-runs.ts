/** Sorts many values without keeping everything else waiting. */

import { type Breather, CHECK_UNITS } from "./breather.ts";

/** Values that are sorted, or merged, in one go. */
const RUN_LENGTH = 1024;

/**
 * Sorts stably, in runs that are merged with pauses between.
 *
 * @param values The values; those that fit into one run are sorted in place.
 * @param compare Orders two of them, as for `Array.prototype.sort`.
 * @param breather Pauses.
 * @returns A promise only when there is more than one run.
 */
export function sortInRuns<T>(
  values: T[],
  compare: (one: T, other: T) => number,
  breather: Breather,
): Promise<T[]> | T[] {
  return values.length <= RUN_LENGTH ? values.sort(compare) : sortMany(values, compare, breather);
}

async function sortMany<T>(
  values: readonly T[],
  compare: (one: T, other: T) => number,
  breather: Breather,
): Promise<T[]> {
  let runs: T[][] = [];
  for (let from = 0; from < values.length; from += RUN_LENGTH) {
    runs.push(values.slice(from, from + RUN_LENGTH).sort(compare));
    await breather.spend(CHECK_UNITS);
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare, breather));
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Merges two runs; of equal values those of the first come first. */
async function merge<T>(
  one: readonly T[],
  other: readonly T[],
  compare: (one: T, other: T) => number,
  breather: Breather,
): Promise<T[]> {
  const merged: T[] = [];
  let at = 0;
  for (const value of one) {
    for (let next = other[at]; next !== undefined && compare(next, value) < 0; next = other[at]) {
      at += 1;
      if (merged.push(next) % RUN_LENGTH === 0) await breather.spend(CHECK_UNITS);
    }
    if (merged.push(value) % RUN_LENGTH === 0) await breather.spend(CHECK_UNITS);
  }
  for (; at < other.length; at += 1) {
    const next = other[at];
    if (next !== undefined && merged.push(next) % RUN_LENGTH === 0) await breather.spend(CHECK_UNITS);
  }
  return merged;
}
