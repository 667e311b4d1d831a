/** The newest files, against sorting all of them. */

import { expect, test } from "vitest";
import { type Newest, newestFirst } from "../../../src/backend/newest-first.ts";
import { forAll, type Random } from "../property.ts";

function counting(): { pauses: number; spend(): undefined } {
  return {
    pauses: 0,
    spend() {
      this.pauses += 1;
      return undefined;
    },
  };
}

function slowly(times: Float64Array, limit: number): Newest {
  const places = [...times.keys()]
    .filter((place) => !Number.isNaN(times[place]))
    .sort((one, other) =>
      (times[one] ?? 0) === (times[other] ?? 0) ? one - other : (times[one] ?? 0) < (times[other] ?? 0) ? 1 : -1,
    );
  return { places: places.slice(0, limit), isCut: places.length > limit };
}

const rare = [Number.NaN, 0, -0, -1, 0.5, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as const;

function randomTimes(random: Random, count: number): Float64Array {
  const spread = random.pick([1, 3, 1000, 1e9]);
  return Float64Array.from({ length: count }, () =>
    random.once(8) ? random.pick(rare) : 1.7e12 + random.below(spread),
  );
}

test("gives what sorting all of them gives", () =>
  forAll(300, async (random) => {
    const times = randomTimes(random, random.below(60));
    const limit = 1 + random.below(70);
    expect(await newestFirst(times, limit, counting())).toEqual(slowly(times, limit));
  }));

test("gives the same for very many, with pauses between", () =>
  forAll(5, async (random) => {
    const times = randomTimes(random, 70_000 + random.below(30_000));
    const limit = random.pick([1, 1000, 50_000, 200_000]);
    const breather = counting();
    expect(await newestFirst(times, limit, breather)).toEqual(slowly(times, limit));
    expect(breather.pauses).toBeGreaterThan(5);
  }));
