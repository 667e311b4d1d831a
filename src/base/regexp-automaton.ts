/** Searches for a regular expression in time that grows with the text only, however many ways to match there are. */

import type { LongText } from "./long-text.ts";
import type { Atoms } from "./regexp-atoms.ts";
import type { RegExpItem } from "./regexp-syntax.ts";
import type { Steps } from "./steps.ts";

/** An expression as a set of states; it takes about 20 times as long as the engine on texts that are no trouble. */
export interface Automaton {
  /**
   * Looks for the match that starts first.
   *
   * @param text The text; what stands around the part that is searched counts for edges.
   * @param from Where to search from.
   * @param to Where the part ends.
   * @returns Steps to pause between; at the end where the match starts and the first place where it may end, or undefined.
   */
  find(text: LongText, from: number, to: number): Steps<AutomatonMatch | undefined>;
}

/** Where a match is. */
export interface AutomatonMatch {
  start: number;
  /** The first place where a match from there ends. */
  end: number;
}

/** States that an automaton has at most. */
const MAX_STATES = 5000;

/** States looked at in one step. */
const STEP = 1 << 13;

/** What an automaton waits for in one state. */
type State =
  | { kind: "take"; takes: (code: number) => boolean; next: number }
  | { kind: "split"; next: number; other: number }
  | { kind: "edge"; holds: (text: LongText, at: number) => boolean; next: number }
  | { kind: "end" };

/**
 * Makes an automaton.
 *
 * @param choices The parsed source.
 * @param atoms Its atoms, under the flags it is compiled with.
 * @returns Undefined for what it cannot do: references to groups, looking around, and more than {@link MAX_STATES}.
 */
export function compileAutomaton(choices: readonly RegExpItem[][], atoms: Atoms): Automaton | undefined {
  const builder = createBuilder(atoms);
  const first = builder.choices(choices, builder.add({ kind: "end" }));
  if (first === undefined || builder.isTooLarge()) return undefined;
  const isUnicode = atoms.flags.includes("u");
  return { find: (text, from, to) => run(builder.states, first, isUnicode, { text, from, to }) };
}

interface Builder {
  readonly states: State[];
  add(state: State): number;
  isTooLarge(): boolean;
  /** Gives the state where alternatives begin that go on with another; undefined for what cannot be done. */
  choices(choices: readonly RegExpItem[][], next: number): number | undefined;
}

/** Builds from the end to the beginning, so that each state knows what comes next. */
function createBuilder(atoms: Atoms): Builder {
  const states: State[] = [];
  const add = (state: State): number => states.push(state) - 1;
  const isTooLarge = (): boolean => states.length > MAX_STATES;
  const row = (items: readonly RegExpItem[], next: number): number | undefined =>
    items.reduceRight<number | undefined>((then, each) => (then === undefined ? undefined : item(each, then)), next);
  const choices: Builder["choices"] = (all, next) => {
    let first: number | undefined;
    for (const items of [...all].reverse()) {
      const begin = row(items, next);
      if (begin === undefined) return undefined;
      first = first === undefined ? begin : add({ kind: "split", next: begin, other: first });
    }
    return first;
  };
  const item = (each: RegExpItem, next: number): number | undefined => {
    if (isTooLarge() || each.kind === "back") return undefined;
    if (each.kind === "atom") return add({ kind: "take", takes: atoms.of(each.source).takes, next });
    if (each.kind === "edge") return add({ kind: "edge", holds: edgeOf(each.source, atoms), next });
    if (each.kind === "repeat") return repeat(each, next);
    return /^\((?:\?:|\?<[^=!]*>)?$/.test(each.open) ? choices(each.choices, next) : undefined;
  };
  const repeat = (each: RegExpItem & { kind: "repeat" }, next: number): number | undefined => {
    let begin: number | undefined = next;
    if (each.max === Number.POSITIVE_INFINITY) {
      const loop: State & { kind: "split" } = { kind: "split", next, other: next };
      begin = add(loop);
      const body = item(each.item, begin);
      if (body === undefined) return undefined;
      loop.next = body;
    } else {
      for (let left = each.max - each.min; left > 0 && begin !== undefined; left -= 1) {
        const body = item(each.item, begin);
        begin = body === undefined ? undefined : add({ kind: "split", next: body, other: next });
      }
    }
    for (let left = each.min; left > 0 && begin !== undefined; left -= 1) begin = item(each.item, begin);
    return begin;
  };
  return { states, add, isTooLarge, choices };
}

function edgeOf(source: string, atoms: Atoms): (text: LongText, at: number) => boolean {
  const isByLine = atoms.flags.includes("m");
  if (source === "^") return (text, at) => at === 0 || (isByLine && isLineEnd(text.charCodeAt(at - 1)));
  if (source === "$") return (text, at) => at === text.length || (isByLine && isLineEnd(text.charCodeAt(at)));
  const isWord = atoms.of("\\w").takes;
  const isWordAt = (text: LongText, at: number): boolean => at >= 0 && at < text.length && isWord(text.charCodeAt(at));
  const isBoundary = source === "\\b";
  return (text, at) => (isWordAt(text, at - 1) !== isWordAt(text, at)) === isBoundary;
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13 || code === 0x2028 || code === 0x2029;
}

interface Part {
  text: LongText;
  from: number;
  to: number;
}

/** The states that are reached at one place, in the order of where their matches start. */
interface Reached {
  states: Int32Array;
  starts: Int32Array;
  count: number;
}

function* run(
  states: readonly State[],
  first: number,
  isUnicode: boolean,
  { text, from, to }: Part,
): Steps<AutomatonMatch | undefined> {
  const make = (): Reached => ({
    states: new Int32Array(states.length),
    starts: new Int32Array(states.length),
    count: 0,
  });
  let now = make();
  let next = make();
  const seen = new Int32Array(states.length).fill(-1);
  const pending: number[] = [];
  let found: AutomatonMatch | undefined;
  let work = 0;
  /** Follows what takes no character; the first to come to a state has the earliest start. */
  const reach = (into: Reached, state: number, start: number, at: number): void => {
    pending.push(state);
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      work += 1;
      if (seen[index] === at) continue;
      seen[index] = at;
      const each = states[index];
      if (each === undefined) continue;
      if (each.kind === "split") pending.push(each.other, each.next);
      else if (each.kind === "edge") {
        if (each.holds(text, at)) pending.push(each.next);
      } else if (each.kind === "end") {
        if (found === undefined || start < found.start) found = { start, end: at };
      } else {
        into.states[into.count] = index;
        into.starts[into.count] = start;
        into.count += 1;
      }
    }
  };
  reach(now, first, from, from);
  for (let at = from; at < to; ) {
    if (now.count === 0 && found !== undefined) break;
    const code = (isUnicode ? text.codePointAt(at) : text.charCodeAt(at)) ?? 0;
    const after = at + (code > 0xffff ? 2 : 1);
    next.count = 0;
    for (let index = 0; index < now.count; index += 1) {
      const start = now.starts[index] ?? 0;
      if (found !== undefined && start >= found.start) break;
      const state = states[now.states[index] ?? 0];
      if (state?.kind === "take" && state.takes(code)) reach(next, state.next, start, after);
    }
    work += now.count + 1;
    at = after;
    if (found === undefined) reach(next, first, at, at);
    [now, next] = [next, now];
    if (work < STEP) continue;
    work = 0;
    yield undefined;
  }
  return found;
}
