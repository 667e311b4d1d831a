/** Keeps the validator from comparing each item of a long list with each other one. */

import type { JsonObject } from "../base/json.ts";

/** Guards `uniqueItems` of one schema. */
export interface UniqueGuard {
  /** Takes `uniqueItems` of a part over. */
  take(part: JsonObject): void;
  /**
   * Checks a value; until that has ended, `uniqueItems` reads as false where the value has no list with equal items, which
   * takes time in proportion to its size to find out.
   *
   * @throws RangeError when the validator would be needed to find equal items, and would take too long.
   */
  during<T>(value: unknown, work: () => T): T;
}

/** Items that the validator may compare with each other, with what is in them: some ten milliseconds. */
const MAX_COMPARED = 1 << 21;

/** Makes the guard of a schema. */
export function createUniqueGuard(): UniqueGuard {
  let mustCompare: (() => boolean) | undefined;
  return {
    take(part) {
      if (part.uniqueItems)
        Object.defineProperty(part, "uniqueItems", { get: () => mustCompare?.() ?? true, enumerable: true });
    },
    during(value, work) {
      let known: boolean | undefined;
      mustCompare = () => {
        known ??= hasEqualItems(value);
        return known;
      };
      try {
        return work();
      } finally {
        mustCompare = undefined;
      }
    },
  };
}

function hasEqualItems(root: unknown): boolean {
  const numbers = new Map<string, number>();
  let hasEqual = false;
  let compared = 0;
  let size = 0;
  /** Gives equal values the same number. */
  const numberOf = (value: unknown): number => {
    size += 1;
    const key = keyOf(value);
    const known = numbers.get(key) ?? numbers.size;
    numbers.set(key, known);
    return known;
  };
  const keyOf = (value: unknown): string => {
    if (typeof value !== "object" || value === null) return `${typeof value} ${value}`;
    if (!Array.isArray(value)) {
      const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
      return `{${entries.map(([name, child]) => `${JSON.stringify(name)}:${numberOf(child)}`).join()}`;
    }
    const before = size;
    const items = value.map(numberOf);
    compared += items.length * (size - before);
    if (new Set(items).size < items.length) hasEqual = true;
    return `[${items.join()}`;
  };
  numberOf(root);
  if (hasEqual && compared > MAX_COMPARED) throw new RangeError("too many items to compare");
  return hasEqual;
}
