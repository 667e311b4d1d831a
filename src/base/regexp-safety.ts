/**
 * Judges how long a backtracking engine may take on a regular expression.
 *
 * A running `RegExp` cannot be interrupted, so the judgement comes first. Two variable parts that can pass characters
 * to each other multiply the ways to match: in a row they raise the degree of a polynomial, inside a repetition they
 * make it exponential. Sets of characters are compared exactly in ASCII; all other characters count as one.
 */

import type { Atoms, Characters } from "./regexp-atoms.ts";
import { ALL, type CharacterSets, characterSets, NONE } from "./regexp-characters.ts";
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

/** Pairs of alternatives that are looked at; when there are more, they count as not apart. */
const MAX_PAIRS = 2048;

/** Steps the judgement itself may take, which is some milliseconds; an expression that needs more is refused. */
const MAX_STEPS = 50_000;

/**
 * Judges an expression.
 *
 * @param choices The parsed source.
 * @param atoms Its atoms, under the flags it is compiled with.
 */
export function judgeRegExp(choices: readonly RegExpItem[][], atoms: Atoms): RegExpCost {
  const judge: Judge = { sets: characterSets(atoms), judged: new Set(), steps: 0, rounds: 1 };
  try {
    return { kind: "polynomial", degree: Math.max(1, ...choices.map((items) => searchDegree(judge, items))) };
  } catch (error) {
    if (error instanceof Exponential) return { kind: "exponential", part: printRegExp([[...error.items]]) };
    throw error;
  }
}

/** Leaves the recursion as soon as the answer is known. */
class Exponential extends Error {
  readonly items: readonly RegExpItem[];
  constructor(items: readonly RegExpItem[]) {
    super("exponential");
    this.items = items;
  }
}

/** A variable part met before, that may pass characters to one met later. */
interface Loop {
  characters: Characters;
  last: Characters;
  degree: number;
  /** What stands between the loop and here, the last first; shared with what is open elsewhere. */
  between: Passed | undefined;
}

/** An item that a loop has passed. */
interface Passed {
  item: RegExpItem;
  before: Passed | undefined;
  length: number;
}

/** A variable part that is just met. */
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

/** What is known while one expression is judged. */
interface Judge {
  readonly sets: CharacterSets;
  /** Repetitions whose rounds were judged already. */
  readonly judged: Set<RegExpItem>;
  /** Steps taken so far. */
  steps: number;
  /** How often the part that is visited is repeated by all that surrounds it. */
  rounds: number;
}

/** Gives the degree of searching for a row of items from every position. */
function searchDegree(judge: Judge, items: readonly RegExpItem[]): number {
  let degree = 1;
  const start: Loop = { characters: ALL, last: ALL, degree: 1, between: undefined };
  const loop: Meet["loop"] = (open, met) => {
    const before = open.filter((earlier) => overlap(judge, earlier, met)).map((earlier) => earlier.degree);
    const own = Math.max(0, ...before) + met.weight;
    degree = Math.max(degree, own);
    if (degree > MAX_DEGREE) throw new Exponential(items);
    return { characters: met.characters, last: met.last, degree: own, between: undefined };
  };
  const isAnchored = items[0]?.kind === "edge" && items[0].source === "^";
  visit(judge, withoutTail(items), isAnchored ? [] : [start], { start: [start], loop });
  return degree;
}

/** Walks a row and gives the loops that are open at its end. */
function visit(judge: Judge, items: readonly RegExpItem[], open: readonly Loop[], meet: Meet): Loop[] {
  let loops = [...open];
  for (const item of items) loops = visitItem(judge, item, loops, meet);
  return loops;
}

function visitItem(judge: Judge, item: RegExpItem, open: readonly Loop[], meet: Meet): Loop[] {
  step(judge, 1 + open.length, item);
  const passed: Loop[] = [];
  for (const loop of open) {
    if (!judge.sets.passes(item, loop.characters)) continue;
    const { characters, last, degree, between } = loop;
    passed.push({ characters, last, degree, between: { item, before: between, length: lengthOf(between) + 1 } });
  }
  if (item.kind === "edge" || item.kind === "atom") return passed;
  if (item.kind === "back") return [...passed, meet.loop(open, { characters: ALL, first: ALL, last: ALL, weight: 1 })];
  if (item.kind === "group") return [...passed, ...visitGroup(judge, item, open, meet)];
  return [...passed, ...visitRepeat(judge, item, open, meet)];
}

/** Counts steps; fails when there were too many. */
function step(judge: Judge, count: number, item: RegExpItem): void {
  judge.steps += count;
  if (judge.steps > MAX_STEPS) throw new Exponential([item]);
}

function lengthOf(passed: Passed | undefined): number {
  return passed?.length ?? 0;
}

/** Gives the loops that a group adds. */
function visitGroup(judge: Judge, group: RegExpItem & { kind: "group" }, open: readonly Loop[], meet: Meet): Loop[] {
  if (looksAround(group.open)) {
    for (const items of group.choices) visit(judge, items, meet.start, meet);
    return [];
  }
  // What was open before may end in any of the choices, so it goes on once, with the group in between.
  const inner = group.choices.flatMap((items) => added(open, visit(judge, items, open, meet)));
  if (areApart(judge, group.choices, ALL)) return inner;
  return [...inner, meet.loop(open, metOf(judge, group, TWO_WAYS_WEIGHT))];
}

/** Gives the loops that a repetition adds. */
function visitRepeat(judge: Judge, repeat: RegExpItem & { kind: "repeat" }, open: readonly Loop[], meet: Meet): Loop[] {
  const { item, min, max } = repeat;
  const outer = judge.rounds;
  judge.rounds *= Math.max(1, max);
  const isOften = judge.rounds > FEW_ROUNDS;
  if (isOften && item.kind === "group" && !looksAround(item.open) && !judge.judged.has(repeat)) {
    judge.judged.add(repeat);
    judgeRounds(judge, repeat, item.choices);
  }
  let inner: Loop[] = [];
  for (let left = isOften ? 1 : max; left > 0; left -= 1)
    inner = added(open, visitItem(judge, item, [...open, ...inner], meet));
  judge.rounds = outer;
  if (min === max) return inner;
  const isFew = item.kind === "atom" && max - min <= FEW_CHARACTERS;
  const weight = max - min === 1 ? TWO_WAYS_WEIGHT : isFew ? FEW_WEIGHT : 1;
  return [...inner, meet.loop(open, metOf(judge, repeat, weight))];
}

/** Fails when what is repeated can be divided into rounds in more than one way. */
function judgeRounds(judge: Judge, repeat: RegExpItem & { kind: "repeat" }, choices: readonly RegExpItem[][]): void {
  judgeChoices(judge, choices, judge.sets.first([repeat.item], NONE), repeat);
  if (repeat.min <= 1 && isOptional(choices)) return;
  const meet: Meet = {
    start: [],
    loop: (open, met) => {
      if (open.some((earlier) => overlap(judge, earlier, met))) throw new Exponential([repeat]);
      return { characters: met.characters, last: met.last, degree: 1, between: undefined };
    },
  };
  // Twice in a row shows what one round can pass to the next.
  const once = choices.flatMap((items) => visit(judge, items, [], meet));
  for (const items of choices) {
    visit(judge, items, once, meet);
    // A whole round may also take what a loop of the round before could have taken.
    const first = judge.sets.first(items, NONE);
    const isTaken = ({ characters }: Loop): boolean =>
      (first & characters) !== NONE && items.every((item) => judge.sets.passes(item, characters));
    if (once.some(isTaken)) throw new Exponential([repeat]);
  }
}

/** Fails when two of the alternatives, here or in groups in them, can take the same text. */
function judgeChoices(judge: Judge, choices: readonly RegExpItem[][], follow: Characters, repeat: RegExpItem): void {
  if (choices.length > MAX_CHOICES || !areApart(judge, choices, follow)) throw new Exponential([repeat]);
  for (const items of choices) {
    for (const [position, item] of items.entries()) {
      const group = item.kind === "repeat" && item.max <= FEW_ROUNDS ? item.item : item;
      if (group.kind !== "group" || looksAround(group.open)) continue;
      judgeChoices(judge, group.choices, judge.sets.first(items.slice(position + 1), follow), repeat);
    }
  }
}

/**
 * Tells whether no text can be taken by two of the rows: at some item, all before which are atoms, they must differ.
 *
 * Rows that begin in the same way are looked at together, so that a thousand words take no million comparisons.
 */
function areApart(judge: Judge, rows: readonly RegExpItem[][], follow: Characters, from = 0): boolean {
  const { sets } = judge;
  const groups = new Map<Characters, RegExpItem[][]>();
  let isCrossing = false;
  let seen = NONE;
  for (const row of rows) {
    const first = sets.first(row, follow, from);
    const group = groups.get(first);
    if (group !== undefined) group.push(row);
    else {
      groups.set(first, [row]);
      if ((seen & first) !== NONE) isCrossing = true;
      seen |= first;
    }
  }
  if (!isCrossing) {
    return [...groups].every(([first, group]) => {
      if (group.length === 1) return true;
      if (first === NONE) return group.filter((row) => row[from] === undefined).length < 2;
      return group.every((row) => row[from]?.kind === "atom") && areApart(judge, group, follow, from + 1);
    });
  }
  if (rows.length ** 2 > 2 * MAX_PAIRS) return false;
  return rows.every((one, index) => rows.slice(index + 1).every((other) => apart(sets, one, other, follow, from)));
}

function apart(
  sets: CharacterSets,
  one: readonly RegExpItem[],
  other: readonly RegExpItem[],
  follow: Characters,
  from: number,
): boolean {
  for (let at = from; ; at += 1) {
    const [mine, yours] = [one[at], other[at]];
    if (mine === undefined && yours === undefined) return false;
    if ((sets.first(one, follow, at) & sets.first(other, follow, at)) === NONE) return true;
    if (mine?.kind !== "atom" || yours?.kind !== "atom") return false;
  }
}

/** Tells whether characters can pass from an earlier variable part to a later one. */
function overlap(judge: Judge, earlier: Loop, later: Met): boolean {
  const { sets } = judge;
  const shared = earlier.characters & later.characters;
  if (shared === NONE || (later.first & earlier.characters) === NONE || (earlier.last & later.characters) === NONE)
    return false;
  for (let passed = earlier.between; passed !== undefined; passed = passed.before) {
    step(judge, 1, passed.item);
    if (!sets.passes(passed.item, shared)) return false;
  }
  return true;
}

function metOf({ sets }: Judge, item: RegExpItem, weight: number): Met {
  return { characters: sets.all(item), first: sets.first([item], NONE), last: sets.last(item), weight };
}

/** Gives the loops after a row that were not open before it. */
function added(open: readonly Loop[], after: readonly Loop[]): Loop[] {
  return after.filter((loop) => !open.some((earlier) => continues(loop, earlier)));
}

/** Tells whether a loop is an earlier one, some items later. */
function continues(loop: Loop, earlier: Loop): boolean {
  const length = lengthOf(earlier.between);
  if (lengthOf(loop.between) <= length || loop.characters !== earlier.characters) return false;
  let mine = loop.between;
  while (mine !== undefined && mine.length > length) mine = mine.before;
  // What both have passed together is the same from there on.
  let theirs = earlier.between;
  while (mine !== theirs) {
    if (mine?.item !== theirs?.item) return false;
    mine = mine?.before;
    theirs = theirs?.before;
  }
  return true;
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
