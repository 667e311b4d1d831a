/** Which characters the parts of a regular expression can take. */

import { looksAround, type RegExpItem } from "./regexp-syntax.ts";

/** A set of characters: bit n is ASCII character n, bit 128 everything else. */
export type Characters = bigint;

/** No character. */
export const NONE: Characters = 0n;

/** Every character. */
export const ALL: Characters = (1n << 129n) - 1n;

/** Answers about the parts of one expression. */
export interface CharacterSets {
  /** All characters that an item can take. */
  all(item: RegExpItem): Characters;
  /** The characters that a row can begin with; `follow` when it can take nothing. */
  first(items: readonly RegExpItem[], follow: Characters): Characters;
  /** The characters that an item can end with. */
  last(item: RegExpItem): Characters;
  /** Tells whether an item can take nothing, or only characters of a set. */
  passes(item: RegExpItem, set: Characters): boolean;
}

/**
 * Makes the sets of an expression.
 *
 * @param flags The flags it is compiled with.
 */
export function characterSets(flags: string): CharacterSets {
  const known = new Map<string, Characters>();
  const ofAtom = (source: string): Characters => {
    let set = known.get(source);
    if (set === undefined) {
      set = charactersOf(source, flags);
      known.set(source, set);
    }
    return set;
  };
  const all = (item: RegExpItem): Characters => {
    if (item.kind === "atom") return ofAtom(item.source);
    if (item.kind === "edge") return NONE;
    if (item.kind === "back") return ALL;
    if (item.kind === "repeat") return all(item.item);
    return looksAround(item.open) ? NONE : item.choices.flat().reduce((set, one) => set | all(one), NONE);
  };
  const passes = (item: RegExpItem, set: Characters): boolean => {
    if (item.kind === "atom") return (ofAtom(item.source) & set) !== NONE;
    if (item.kind === "repeat") return item.min === 0 || passes(item.item, set);
    return (
      item.kind !== "group" ||
      looksAround(item.open) ||
      item.choices.some((items) => items.every((one) => passes(one, set)))
    );
  };
  const row = (items: readonly RegExpItem[], follow: Characters): Characters => {
    let set = NONE;
    for (const item of items) {
      set |= edgeOf(item, (choice) => row(choice, NONE));
      if (!passes(item, NONE)) return set;
    }
    return set | follow;
  };
  const edgeOf = (item: RegExpItem, ofRow: (items: readonly RegExpItem[]) => Characters): Characters => {
    if (item.kind === "repeat") return edgeOf(item.item, ofRow);
    return item.kind === "group" && !looksAround(item.open)
      ? item.choices.reduce((set, items) => set | ofRow(items), NONE)
      : all(item);
  };
  const last = (item: RegExpItem): Characters => edgeOf(item, (choice) => lastOfRow(choice));
  const lastOfRow = (items: readonly RegExpItem[]): Characters => {
    let set = NONE;
    for (const item of [...items].reverse()) {
      set |= last(item);
      if (!passes(item, NONE)) break;
    }
    return set;
  };
  return { all, first: row, last, passes };
}

/** Asks the engine itself which characters an atom takes. */
function charactersOf(atom: string, flags: string): Characters {
  const whole = new RegExp(`^(?:${atom})$`, flags.replace(/[gym]/g, ""));
  let set = NONE;
  for (let code = 0; code < 128; code += 1) if (whole.test(String.fromCharCode(code))) set |= 1n << BigInt(code);
  // A few samples settle classes like \W; what is spelled out beyond ASCII is taken to overlap with the rest of it.
  const other =
    ["é", "Ω", "中", "\u00a0", "\u2028", "\ufeff"].some((sample) => whole.test(sample)) ||
    /[^\0-\x7f]|\\[uxpPc]/.test(atom);
  return other ? set | (1n << 128n) : set;
}
