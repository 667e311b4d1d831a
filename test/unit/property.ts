/** Property tests: the same random cases in every run; a failure names the seed of its case. */

import type { JsonObject, JsonValue } from "../../src/base/json.ts";
import type { PermissionRule } from "../../src/message/permission-data.ts";

/** A source of random choices; the same seed gives the same choices. */
export interface Random {
  /** Gives a whole number from 0 up to, not including, the limit. */
  below(limit: number): number;
  /** Gives one of the values. */
  pick<const T>(values: readonly [T, ...T[]]): T;
  /** Is true once in so many times. */
  once(times: number): boolean;
}

/** Starts a source. */
export function createRandom(seed: number): Random {
  // Mulberry32: small, and good enough to look random in all bits.
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return {
    below,
    pick: (values) => values[below(values.length)] ?? values[0],
    once: (times) => below(times) === 0,
  };
}

const isNode = Reflect.get(globalThis, "process")?.versions?.node !== undefined;

/** Engines differ in little that a property is about, so Node meets every case, and each other engine every fourth. */
const STRIDE = isNode ? 1 : 4;

/**
 * Checks a property in many random cases.
 *
 * @param cases How many, in Node.
 * @param check Throws where the property does not hold.
 */
export async function forAll(cases: number, check: (random: Random) => void | Promise<void>): Promise<void> {
  for (let seed = 1; seed <= cases; seed += STRIDE) {
    try {
      await check(createRandom(seed));
    } catch (error) {
      throw new Error(`The property does not hold for seed ${seed}.`, { cause: error });
    }
  }
}

/**
 * Deals the cases of a contract out to subjects that are made of the same parts, none of which is the engine's: in Node
 * each subject meets every case, and in each other engine every case meets one subject.
 *
 * @param subject Which of the subjects, from 0.
 * @param subjects How many there are.
 */
export function dealt<T>(cases: readonly T[], subject: number, subjects: number): readonly T[] {
  return isNode ? cases : cases.filter((_, index) => index % subjects === subject);
}

const characters = [
  "a",
  "Z",
  "0",
  " ",
  "\n",
  "\t",
  '"',
  "\\",
  "/",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "é",
  "漢",
  "🦊",
] as const;
const names = ["a", "b", "name", "items", "constructor", "toString", "", "a.b", "0", "ключ", 'q"uote'] as const;

/** Makes a text that is well formed. */
export function randomText(random: Random, longest = 8): string {
  return Array.from({ length: random.below(longest + 1) }, () => random.pick(characters)).join("");
}

/** Makes a JSON value; the deeper it is, the smaller. */
export function randomJson(random: Random, depth = 3): JsonValue {
  const kind = random.below(depth > 0 ? 8 : 6);
  if (kind === 0) return null;
  if (kind === 1) return random.once(2);
  if (kind === 2) return random.below(2000) - 1000;
  if (kind === 3) return (random.below(2000) - 1000) / 7;
  if (kind <= 5) return randomText(random);
  if (kind === 6) return Array.from({ length: random.below(4) }, () => randomJson(random, depth - 1));
  return randomObject(random, depth - 1);
}

/** Makes a JSON object. */
export function randomObject(random: Random, depth = 3): JsonObject {
  const object: JsonObject = {};
  for (let count = random.below(5); count > 0; count -= 1) object[random.pick(names)] = randomJson(random, depth);
  return object;
}

/** Splits into pieces of random length, empty ones included. */
export function split<T extends { length: number; slice(start: number, end?: number): T }>(
  whole: T,
  random: Random,
): T[] {
  const pieces: T[] = [];
  for (let at = 0; at < whole.length; ) {
    const end = at + random.below(7);
    pieces.push(whole.slice(at, end));
    at = end;
  }
  return pieces;
}

/** Makes a permission rule. */
export function randomRule(random: Random): PermissionRule {
  return {
    tool: random.pick(["Bash", "Write"]),
    behavior: random.pick(["allow", "deny", "ask"]),
    ...(random.once(2) ? { content: random.pick(["", "git:*", "/a/**"]) } : {}),
    ...(random.once(2) ? { source: "suggested" } : {}),
  };
}
