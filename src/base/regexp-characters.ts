/** Which characters the parts of a regular expression can take. */

import type { Atoms, Characters } from "./regexp-atoms.ts";
import { looksAround, type RegExpItem } from "./regexp-syntax.ts";

/** No character. */
export const NONE: Characters = 0n;

/** Every character. */
export const ALL: Characters = (1n << 129n) - 1n;

/** Answers about the parts of one expression; about each part it thinks once. */
export interface CharacterSets {
  /** All characters that an item can take. */
  all(item: RegExpItem): Characters;
  /** The characters that a row, from one of its items on, can begin with; `follow` when it can take nothing. */
  first(items: readonly RegExpItem[], follow: Characters, from?: number): Characters;
  /** The characters that an item can end with. */
  last(item: RegExpItem): Characters;
  /** Tells whether an item can take nothing, or only characters of a set. */
  passes(item: RegExpItem, set: Characters): boolean;
}

/**
 * Makes the sets of an expression.
 *
 * @param atoms The atoms under the flags it is compiled with.
 */
export function characterSets(atoms: Atoms): CharacterSets {
  const all = keeping((item): Characters => {
    if (item.kind === "atom") return atoms.of(item.source).characters;
    if (item.kind === "edge") return NONE;
    if (item.kind === "back") return ALL;
    if (item.kind === "repeat") return all(item.item);
    if (looksAround(item.open)) return NONE;
    return item.choices.reduce((set, items) => items.reduce((more, one) => more | all(one), set), NONE);
  });
  const passing = new Map<Characters, (item: RegExpItem) => boolean>();
  const passes = (item: RegExpItem, set: Characters): boolean => {
    if (item.kind === "atom") return (atoms.of(item.source).characters & set) !== NONE;
    if (item.kind === "repeat") return item.min === 0 || passes(item.item, set);
    if (item.kind !== "group" || looksAround(item.open)) return true;
    let known = passing.get(set);
    if (known === undefined) {
      known = keeping(
        (group) => group.kind === "group" && group.choices.some((row) => row.every((one) => passes(one, set))),
      );
      passing.set(set, known);
    }
    return known(item);
  };
  const edge = (item: RegExpItem, ofRow: (items: readonly RegExpItem[]) => Characters): Characters =>
    item.kind === "group" && !looksAround(item.open)
      ? item.choices.reduce((set, items) => set | ofRow(items), NONE)
      : all(item);
  const firstOf = keeping(
    (item): Characters => (item.kind === "repeat" ? firstOf(item.item) : edge(item, (items) => first(items, NONE))),
  );
  const first = (items: readonly RegExpItem[], follow: Characters, from = 0): Characters => {
    let set = NONE;
    for (let at = from; at < items.length; at += 1) {
      const item = items[at];
      if (item === undefined) break;
      set |= firstOf(item);
      if (!passes(item, NONE)) return set;
    }
    return set | follow;
  };
  const last = keeping((item): Characters => (item.kind === "repeat" ? last(item.item) : edge(item, lastOfRow)));
  const lastOfRow = (items: readonly RegExpItem[]): Characters => {
    let set = NONE;
    for (let at = items.length - 1; at >= 0; at -= 1) {
      const item = items[at];
      if (item === undefined) break;
      set |= last(item);
      if (!passes(item, NONE)) break;
    }
    return set;
  };
  return { all, first, last, passes };
}

/** Lets a question about items be answered once for each: they nest, and so do the questions. */
function keeping<T>(answer: (item: RegExpItem) => T): (item: RegExpItem) => T {
  const known = new Map<RegExpItem, T>();
  return (item) => {
    const before = known.get(item);
    if (before !== undefined) return before;
    const found = answer(item);
    known.set(item, found);
    return found;
  };
}
