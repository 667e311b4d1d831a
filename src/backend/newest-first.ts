/** Chooses the newest of many files and sorts them. */

import { type Breather, CHECK_UNITS } from "./breather.ts";
import { sortInRuns } from "./sort-in-runs.ts";

/** The newest of some files. */
export interface Newest {
  /** Where they stand among all. */
  places: number[];
  /** Whether there are more. */
  isCut: boolean;
}

/**
 * Gives the places of the newest files, newest first, those of one time by place; only these are sorted, in runs that are
 * merged, so that nothing else has to wait for it.
 *
 * @param times When each file changed; NaN for what is not to be chosen.
 */
export async function newestFirst(times: Float64Array, limit: number, breather: Breather): Promise<Newest> {
  const known = times.filter((time) => !Number.isNaN(time));
  const chosen = await chooseNewest(times, known, limit, breather);
  const newer = (one: number, other: number): number => (times[other] ?? 0) - (times[one] ?? 0);
  return { places: await sortInRuns(chosen, newer, breather), isCut: known.length > limit };
}

async function chooseNewest(
  times: Float64Array,
  known: Float64Array,
  limit: number,
  breather: Breather,
): Promise<number[]> {
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
  const chosen: number[] = [];
  times.forEach((time, place) => {
    if (time === oldest) ties -= 1;
    if (time > oldest || (time === oldest && ties >= 0)) chosen.push(place);
  });
  await breather.spend(CHECK_UNITS);
  return chosen;
}
