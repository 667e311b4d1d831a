/** Chooses the newest of many files and sorts them. */

import { type Breather, CHECK_UNITS } from "./breather.ts";

/** The newest of some files. */
export interface Newest {
  /** Where they stand among all. */
  places: Uint32Array;
  /** Whether there are more. */
  isCut: boolean;
}

/** Files that are sorted in one go. */
const RUN_LENGTH = 4096;

/**
 * Gives the places of the newest files, newest first, those of one time by place; only these are sorted, in runs that are
 * merged, so that nothing else has to wait for it.
 *
 * @param times When each file changed; NaN for what is not to be chosen.
 */
export async function newestFirst(times: Float64Array, limit: number, breather: Breather): Promise<Newest> {
  const known = times.filter((time) => !Number.isNaN(time));
  const chosen = await chooseNewest(times, known, limit, breather);
  return { places: await sortNewest(chosen, times, breather), isCut: known.length > limit };
}

async function chooseNewest(
  times: Float64Array,
  known: Float64Array,
  limit: number,
  breather: Breather,
): Promise<Uint32Array> {
  let oldest = Number.NEGATIVE_INFINITY;
  let ties = 0;
  if (known.length > limit) {
    await breather.spend(CHECK_UNITS);
    known.sort();
    oldest = known[known.length - limit] ?? Number.POSITIVE_INFINITY;
    await breather.spend(CHECK_UNITS);
    // Those of the oldest time that are still wanted.
    ties = limit - known.reduce((count, time) => (time > oldest ? count + 1 : count), 0);
  }
  const chosen = new Uint32Array(Math.min(known.length, limit));
  let count = 0;
  times.forEach((time, place) => {
    if (time === oldest) ties -= 1;
    if (!(time > oldest || (time === oldest && ties >= 0))) return;
    chosen[count] = place;
    count += 1;
  });
  await breather.spend(CHECK_UNITS);
  return chosen;
}

async function sortNewest(places: Uint32Array, times: Float64Array, breather: Breather): Promise<Uint32Array> {
  const timeOf = (place: number): number => times[place] ?? 0;
  for (let from = 0; from < places.length; from += RUN_LENGTH) {
    places.subarray(from, from + RUN_LENGTH).sort((one, other) => timeOf(other) - timeOf(one) || one - other);
    await breather.spend(CHECK_UNITS);
  }
  let [from, to]: [Uint32Array, Uint32Array] = [places, new Uint32Array(places.length)];
  for (let length = RUN_LENGTH; length < places.length; length *= 2) {
    for (let start = 0; start < places.length; start += 2 * length) {
      const middle = start + length;
      await mergeNewest(
        from.subarray(start, middle),
        from.subarray(middle, middle + length),
        to.subarray(start),
        timeOf,
        breather,
      );
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Merges two runs, of which the first has the earlier places. */
async function mergeNewest(
  one: Uint32Array,
  other: Uint32Array,
  merged: Uint32Array,
  timeOf: (place: number) => number,
  breather: Breather,
): Promise<void> {
  let at = 0;
  let next = 0;
  for (let index = 0; index < one.length + other.length; index += 1) {
    const [mine, theirs] = [one[at], other[next]];
    if (theirs === undefined || (mine !== undefined && timeOf(mine) >= timeOf(theirs))) {
      merged[index] = mine ?? 0;
      at += 1;
    } else {
      merged[index] = theirs;
      next += 1;
    }
    if (index % RUN_LENGTH === 0) await breather.spend(CHECK_UNITS);
  }
}
