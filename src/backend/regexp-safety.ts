/**
 * Judges how long a backtracking engine may take on a regular expression.
 *
 * A running `RegExp` cannot be interrupted, so the judgement comes first. Two variable parts that can pass characters
 * to each other multiply the ways to match: in a row they raise the degree of a polynomial, inside a repetition they
 * make it exponential. Sets of characters are compared exactly in ASCII; all other characters count as one.
 */

import { looksAround, printRegExp, type RegExpItem } from "./regexp-syntax.ts";

/** What was found about an expression. */
export type RegExpCost =
  /** At most about n to the power of `degree` steps on a line of n characters. */
  | { kind: "polynomial"; degree: number }
  /** The steps may double with every character, because of this part. */
  | { kind: "exponential"; part: string };

/** Degrees above this one are as bad as exponential. */
export const MAX_DEGREE = 5;

/** Repetitions up to this often are seen as a constant factor. */
const FEW_ROUNDS = 8;

/** What a part that takes from a few to a few more characters adds to the degree: many in a row are not harmless. */
const FEW_WEIGHT = 0.5;

/** Variable parts of at most this many characters more or less count as few. */
const FEW_CHARACTERS = 4;

/** What a choice between two ways adds to the degree. */
const TWO_WAYS_WEIGHT = 0.25;

/** Alternatives of one repetition that are compared with each other. */
const MAX_CHOICES = 256;

/** Steps the judgement itself may take; an expression that needs more is refused. */
const MAX_STEPS = 50_000;

/**
 * Judges an expression.
 *
 * @param choices The parsed source.
 * @param flags The flags it is compiled with.
 */
export function judgeRegExp(choices: readonly RegExpItem[][], flags: string): RegExpCost {
  const judge = createJudge(flags);
  try {
    return { kind: "polynomial", degree: Math.max(1, ...choices.map((items) => judge.searchDegree(items))) };
  } catch (error) {
    if (error instanceof Exponential) return { kind: "exponential", part: error.part };
    throw error;
  }
}

/** Leaves the recursion as soon as the answer is known. */
class Exponential extends Error {
  readonly part: string;
  constructor(part: string) {
    super(part);
    this.part = part;
  }
}

/** A set of characters: bit n is ASCII character n, bit 128 everything else. */
type Characters = bigint;
const NONE: Characters = 0n;
const ALL: Characters = (1n << 129n) - 1n;

/** A variable part met before, that may pass characters to one met later. */
interface Loop {
  characters: Characters;
  last: Characters;
  degree: number;
  /** What stands between the loop and here. */
  between: RegExpItem[];
}

interface Judge {
  /** Gives the degree of searching for a row of items from every position. */
  searchDegree(items: readonly RegExpItem[]): number;
}

function createJudge(flags: string): Judge {
  const sets = characterSets(flags);
  const judged = new Set<RegExpItem>();
  let steps = 0;
  let rounds = 1;

  /** Walks a row and gives the loops that are open at its end; `meet` hears of every loop that can take from another. */
  function visit(items: readonly RegExpItem[], open: readonly Loop[], meet: Meet): Loop[] {
    let loops = [...open];
    for (const item of items) loops = visitItem(item, loops, meet);
    return loops;
  }

  function visitItem(item: RegExpItem, open: readonly Loop[], meet: Meet): Loop[] {
    steps += 1 + open.length;
    if (steps > MAX_STEPS) throw new Exponential(printRegExp([[item]]));
    const passed = pass(open, item);
    if (item.kind === "edge" || item.kind === "atom") return passed;
    if (item.kind === "back") return [...passed, meet.loop(open, { characters: ALL, first: ALL, last: ALL, weight: 1 })];
    if (item.kind === "group") return visitGroup(item, open, passed, meet);
    return visitRepeat(item, open, passed, meet);
  }

  function visitGroup(group: RegExpItem & { kind: "group" }, open: readonly Loop[], passed: Loop[], meet: Meet): Loop[] {
    if (looksAround(group.open)) {
      for (const items of group.choices) visit(items, meet.start, meet);
      return passed;
    }
    // What was open before may end in any of the choices, so it goes on once, with the group in between.
    const inner = group.choices.flatMap((items) => visit(items, open, meet).filter((loop) => !continues(open, loop)));
    if (group.choices.every((items, index) => group.choices.slice(index + 1).every((other) => apart(items, other, ALL)))) return [...passed, ...inner];
    return [...passed, ...inner, meet.loop(open, metOf(group, TWO_WAYS_WEIGHT))];
  }

  function visitRepeat(repeat: RegExpItem & { kind: "repeat" }, open: readonly Loop[], passed: Loop[], meet: Meet): Loop[] {
    const outer = rounds;
    rounds *= Math.max(1, repeat.max);
    if (rounds > FEW_ROUNDS) judgeRounds(repeat);
    let inner: Loop[] = [];
    for (let left = rounds <= FEW_ROUNDS ? repeat.max : 1; left > 0; left -= 1) {
      inner = visitItem(repeat.item, [...open, ...inner], meet).filter((loop) => !continues(open, loop));
    }
    rounds = outer;
    if (repeat.min === repeat.max) return [...passed, ...inner];
    const isFew = repeat.item.kind === "atom" && repeat.max - repeat.min <= FEW_CHARACTERS;
    const weight = repeat.max - repeat.min === 1 ? TWO_WAYS_WEIGHT : isFew ? FEW_WEIGHT : 1;
    return [...passed, ...inner, meet.loop(open, metOf(repeat, weight))];
  }

  function metOf(item: RegExpItem, weight: number): Met {
    return { characters: sets.all(item), first: sets.first([item], NONE), last: sets.last(item), weight };
  }

  /** Fails when what is repeated can be divided into rounds in more than one way. */
  function judgeRounds(repeat: RegExpItem & { kind: "repeat" }): void {
    if (repeat.item.kind !== "group" || looksAround(repeat.item.open) || judged.has(repeat)) return;
    judged.add(repeat);
    const { choices } = repeat.item;
    judgeChoices(choices, sets.first([repeat.item], NONE), repeat);
    if (repeat.min <= 1 && isOptional(choices)) return;
    const meet: Meet = {
      start: [],
      loop: (open, loop) => {
        if (open.some((earlier) => overlap(earlier, loop))) throw new Exponential(printRegExp([[repeat]]));
        return { characters: loop.characters, last: loop.last, degree: 1, between: [] };
      },
    };
    // Twice in a row shows what one round can pass to the next.
    const once = choices.flatMap((items) => visit(items, [], meet));
    for (const items of choices) {
      visit(items, once, meet);
      // A whole round may also take what a loop of the round before could have taken.
      const first = sets.first(items, NONE);
      const isTaken = (loop: Loop): boolean => (first & loop.characters) !== NONE && items.every((item) => sets.passes(item, loop.characters));
      if (once.some(isTaken)) throw new Exponential(printRegExp([[repeat]]));
    }
  }

  function judgeChoices(choices: readonly RegExpItem[][], follow: Characters, repeat: RegExpItem): void {
    const fail = (): never => {
      throw new Exponential(printRegExp([[repeat]]));
    };
    if (choices.length > MAX_CHOICES) fail();
    choices.forEach((items, index) => {
      for (const other of choices.slice(index + 1)) if (!apart(items, other, follow)) fail();
      items.forEach((item, position) => {
        const group = item.kind === "repeat" && item.max <= FEW_ROUNDS ? item.item : item;
        if (group.kind !== "group" || looksAround(group.open)) return;
        judgeChoices(group.choices, sets.first(items.slice(position + 1), follow), repeat);
      });
    });
  }

  /** Tells whether no text can be taken by both rows: at some character they must differ. */
  function apart(one: readonly RegExpItem[], other: readonly RegExpItem[], follow: Characters): boolean {
    for (let at = 0; ; at += 1) {
      const [mine, yours] = [one[at], other[at]];
      if (mine === undefined && yours === undefined) return false;
      if ((sets.first(one.slice(at), follow) & sets.first(other.slice(at), follow)) === NONE) return true;
      if (mine?.kind !== "atom" || yours?.kind !== "atom") return false;
    }
  }

  function overlap(earlier: Loop, later: Met): boolean {
    const shared = earlier.characters & later.characters;
    if (shared === NONE || (later.first & earlier.characters) === NONE || (earlier.last & later.characters) === NONE) return false;
    return earlier.between.every((item) => sets.passes(item, shared));
  }

  function pass(open: readonly Loop[], item: RegExpItem): Loop[] {
    return open.filter((loop) => sets.passes(item, loop.characters)).map((loop) => ({ ...loop, between: [...loop.between, item] }));
  }

  return {
    searchDegree(items) {
      let degree = 1;
      const start: Loop = { characters: ALL, last: ALL, degree: 1, between: [] };
      const loop: Meet["loop"] = (open, met) => {
        const before = open.filter((earlier) => overlap(earlier, met)).map((earlier) => earlier.degree);
        const own = Math.max(0, ...before) + met.weight;
        degree = Math.max(degree, own);
        if (degree > MAX_DEGREE) throw new Exponential(printRegExp([[...items]]));
        return { characters: met.characters, last: met.last, degree: own, between: [] };
      };
      const isAnchored = items[0]?.kind === "edge" && items[0].source === "^";
      visit(withoutTail(items), isAnchored ? [] : [start], { start: [start], loop });
      return degree;
    },
  };
}

interface Met {
  characters: Characters;
  first: Characters;
  last: Characters;
  /** What it adds to the degree when it can take from an earlier one. */
  weight: number;
}

/** What a walk through an expression reports to. */
interface Meet {
  /** What is open where a look around begins. */
  start: readonly Loop[];
  /** Hears of a variable part and gives the loop it opens. */
  loop(open: readonly Loop[], met: Met): Loop;
}

/** Tells whether a loop after a row is one that was open before it. */
function continues(open: readonly Loop[], loop: Loop): boolean {
  return open.some((earlier) => loop.between.length > earlier.between.length && earlier.between.every((item, index) => loop.between[index] === item) && earlier.characters === loop.characters);
}

/** Tells of `(a?)`: one character or nothing, and as empty rounds end a repetition, the rounds are certain. */
function isOptional(choices: readonly RegExpItem[][]): boolean {
  const item = choices.length === 1 && choices[0]?.length === 1 ? choices[0][0] : undefined;
  return item?.kind === "repeat" && item.max <= 1 && item.item.kind === "atom";
}

/** Leaves out the variable end of a row: nothing after it can fail, so nothing is tried again. */
function withoutTail(items: readonly RegExpItem[]): RegExpItem[] {
  const rest = [...items];
  for (let last = rest.pop(); last !== undefined; last = rest.pop()) {
    if (last.kind !== "repeat" || last.item.kind !== "atom") return [...rest, last];
    if (last.min > 0) return [...rest, last.item];
  }
  return rest;
}

interface CharacterSets {
  /** All characters that an item can take. */
  all(item: RegExpItem): Characters;
  /** The characters that a row can begin with; `follow` when it can take nothing. */
  first(items: readonly RegExpItem[], follow: Characters): Characters;
  /** The characters that an item can end with. */
  last(item: RegExpItem): Characters;
  /** Tells whether an item can take nothing, or only characters of a set. */
  passes(item: RegExpItem, set: Characters): boolean;
}

function characterSets(flags: string): CharacterSets {
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
    return item.kind !== "group" || looksAround(item.open) || item.choices.some((items) => items.every((one) => passes(one, set)));
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
    return item.kind === "group" && !looksAround(item.open) ? item.choices.reduce((set, items) => set | ofRow(items), NONE) : all(item);
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
  const other = ["é", "Ω", "中", "\u00a0", "\u2028", "\ufeff"].some((sample) => whole.test(sample)) || /[^\0-\x7f]|\\[uxpPc]/.test(atom);
  return other ? set | (1n << 128n) : set;
}
