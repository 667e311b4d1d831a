/** Chooses the newest of many files and puts them in order. */

import { type Breather, CHECK_UNITS } from "./breather.ts";

/** The newest of some files. */
export interface Newest {
  /** Where they stand among all. */
  places: number[];
  /** Whether there are more. */
  isCut: boolean;
}

/** Times that are sorted, merged or looked for in one go. */
const RUN_LENGTH = 1 << 13;

/**
 * Gives the places of the newest files, newest first, those of one time by place.
 *
 * Numbers are sorted, not files: that takes a tenth of the time.
 *
 * @param times When each file changed; NaN for what is not to be chosen.
 * @param breather Pauses.
 */
export async function newestFirst(times: Float64Array, limit: number, breather: Breather): Promise<Newest> {
  const sorted = await sortTimes(knownOf(times), breather);
  const count = Math.min(limit, sorted.length);
  const newest = sorted.subarray(sorted.length - count).reverse();
  const oldest = newest[count - 1] ?? Number.POSITIVE_INFINITY;
  const places = new Array<number>(count);
  /** How many of one time are placed, kept where the first of them stands. */
  const placed = new Uint32Array(count);
  for (let place = 0; place < times.length; place += 1) {
    const time = times[place] ?? Number.NaN;
    if (time >= oldest) {
      const first = firstOf(newest, time);
      const at = first + (placed[first] ?? 0);
      placed[first] = at - first + 1;
      // Of those of the oldest time there may be more than are wanted.
      if (at < count) places[at] = place;
    }
    if (place % RUN_LENGTH === RUN_LENGTH - 1) await breather.spend(CHECK_UNITS);
  }
  return { places, isCut: sorted.length > limit };
}

/** Leaves out what is NaN: a filter would call a function for each. */
function knownOf(times: Float64Array): Float64Array {
  const known = new Float64Array(times.length);
  let count = 0;
  for (const time of times) {
    if (Number.isNaN(time)) continue;
    known[count] = time;
    count += 1;
  }
  return known.subarray(0, count);
}

/** Gives where a time stands first among times in falling order, one of which it is. */
function firstOf(times: Float64Array, time: number): number {
  let low = 0;
  for (let high = times.length - 1; low < high; ) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) > time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Sorts times in rising order, in runs that are merged, so that nothing else has to wait for it. */
async function sortTimes(times: Float64Array, breather: Breather): Promise<Float64Array> {
  let sorted = times;
  for (let from = 0; from < times.length; from += RUN_LENGTH) {
    times.subarray(from, from + RUN_LENGTH).sort();
    await breather.spend(CHECK_UNITS);
  }
  for (let length = RUN_LENGTH; length < times.length; length *= 2) {
    const merged = new Float64Array(times.length);
    for (let from = 0; from < times.length; from += 2 * length) {
      const [middle, end] = [from + length, from + 2 * length];
      mergeTimes(sorted.subarray(from, middle), sorted.subarray(middle, end), merged.subarray(from, end));
      await breather.spend(CHECK_UNITS);
    }
    sorted = merged;
  }
  return sorted;
}

function mergeTimes(some: Float64Array, others: Float64Array, merged: Float64Array): void {
  let at = 0;
  let other = 0;
  for (let to = 0; to < merged.length; to += 1) {
    const time = some[at] ?? Number.POSITIVE_INFINITY;
    const otherTime = others[other] ?? Number.POSITIVE_INFINITY;
    if (at < some.length && (time <= otherTime || other >= others.length)) {
      merged[to] = time;
      at += 1;
    } else {
      merged[to] = otherTime;
      other += 1;
    }
  }
}
