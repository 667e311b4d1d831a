/** Random numbers from a fixed start, so that a failing case can be had again. */

/** A source of random choices. */
export interface Random {
  /** Gives a whole number from 0 up to, not including, the limit. */
  below(limit: number): number;
  /** Gives one of the values. */
  pick<T>(values: readonly T[]): T;
}

/** Starts a source; the same seed gives the same choices. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return {
    below,
    pick(values) {
      const value = values[below(values.length)];
      if (value === undefined) throw new Error("nothing to pick from");
      return value;
    },
  };
}
