/** Keeps a pattern that could hold a backtracking engine for ever from it: its texts are matched by an automaton. */

import { isRecord, type JsonObject } from "../base/json.ts";
import { type Atoms, createAtoms } from "../base/regexp-atoms.ts";
import { compileAutomaton } from "../base/regexp-automaton.ts";
import { judgeRegExp } from "../base/regexp-safety.ts";
import { parseRegExp, printRegExp, type RegExpItem } from "../base/regexp-syntax.ts";

/** Guards the patterns of one schema. */
export interface PatternGuard {
  /** Takes over what is dangerous in a part. Dangerous patterns of property names are left out: nothing is checked by them. */
  take(part: JsonObject): void;
  /**
   * Checks a value; until that has ended, a pattern that was taken over reads as one that is harmless and matches the same
   * texts of this value, but for those that take too long to match: it refuses them.
   */
  during<T>(value: unknown, work: () => T): T;
}

/** What may still be done in one check. */
interface Budget {
  /** Steps of an engine, or states of an automaton that are looked at. */
  left: number;
}

/** Tells whether a text matches; undefined when that cannot be found out within the budget. */
type Matches = (text: string, budget: Budget) => boolean | undefined;

/** Patterns of a degree below this one are left to the engine, whatever the text. */
const HARMLESS_DEGREE = 1.5;

/** Steps that an engine may take on one text: some ten milliseconds. What may take more goes to an automaton. */
const STEPS_PER_TEXT = 1 << 24;

/** Steps that all guarded patterns may take in one check: less than a second. */
const STEPS_PER_CHECK = 1 << 26;

/** States that an automaton looks at before it lets others run. */
const STATES_PER_STEP = 1 << 13;

/** The longest pattern that is looked into, in UTF-16 units. */
const MAX_PATTERN = 4096;

/** Makes the guard of a schema. */
export function createPatternGuard(): PatternGuard {
  let readAs: ((matches: Matches) => string) | undefined;
  return {
    take(part) {
      const { pattern, patternProperties } = part;
      const matches = typeof pattern === "string" ? guardedMatch(pattern) : undefined;
      if (typeof pattern === "string" && matches !== undefined)
        Object.defineProperty(part, "pattern", { get: () => readAs?.(matches) ?? pattern, enumerable: true });
      if (!isRecord(patternProperties)) return;
      for (const name of Object.keys(patternProperties))
        if (guardedMatch(name) !== undefined) delete patternProperties[name];
    },
    during(value, work) {
      readAs = replacements(value);
      try {
        return work();
      } finally {
        readAs = undefined;
      }
    },
  };
}

/** Makes what gives patterns that take the same texts of a value as others; the short texts come first. */
function replacements(value: unknown): (matches: Matches) => string {
  const budget = { left: STEPS_PER_CHECK };
  const known = new Map<Matches, string>();
  let texts: readonly string[] | undefined;
  return (matches) => {
    texts ??= textsIn(value).sort((one, other) => one.length - other.length);
    const pattern = known.get(matches) ?? alternatives(texts.filter((text) => matches(text, budget) === true));
    known.set(matches, pattern);
    return pattern;
  };
}

/** Makes what matches texts in place of the engine; undefined for a pattern that is no danger. */
function guardedMatch(source: string): Matches | undefined {
  const atoms = createAtoms("u");
  const choices = source.length > MAX_PATTERN ? undefined : parseRegExp(source);
  const cost = choices && judgeRegExp(choices, atoms);
  if (cost?.kind === "polynomial" && cost.degree < HARMLESS_DEGREE) return undefined;
  const stepsOn = ({ length }: string): number => (cost?.kind === "polynomial" ? length ** cost.degree : 2 ** length);
  const regexp = new RegExp(source, "u");
  let slowly: Matches | undefined;
  return (text, budget) => {
    const steps = stepsOn(text);
    if (steps <= Math.min(STEPS_PER_TEXT, budget.left)) {
      budget.left -= steps;
      return regexp.test(text);
    }
    slowly ??= choices === undefined ? unknown : (automatonMatch(choices, atoms) ?? matchOfEach(choices));
    return slowly(text, budget);
  };
}

function unknown(): undefined {}

function automatonMatch(choices: readonly RegExpItem[][], atoms: Atoms): Matches | undefined {
  const automaton = compileAutomaton(choices, atoms);
  if (automaton === undefined) return undefined;
  return (text, budget) => {
    const steps = automaton.find(text, 0, text.length);
    for (; budget.left > 0; budget.left -= STATES_PER_STEP) {
      const step = steps.next();
      if (step.done === true) return step.value !== undefined;
    }
    return undefined;
  };
}

/** Matches what a pattern begins with by looking ahead, and the rest of it, one by one. */
function matchOfEach(choices: readonly RegExpItem[][]): Matches {
  const [items = []] = choices;
  const [start] = items;
  const rest = items.findIndex((item, index) => index > 0 && !(item.kind === "group" && /^\(\?[=!]$/.test(item.open)));
  if (choices.length !== 1 || start?.kind !== "edge" || start.source !== "^" || rest < 2) return unknown;
  const demands = items.slice(1, rest).flatMap((item) => (item.kind === "group" ? [item] : []));
  const all = [
    ...demands.map(({ open, choices: inner }) => ({ wanted: open === "(?=", source: `^(?:${printRegExp(inner)})` })),
    { wanted: true, source: `^${printRegExp([items.slice(rest)])}` },
  ].map(({ wanted, source }) => ({ wanted, matches: guardedMatch(source) ?? plainMatch(source) }));
  return (text, budget) => {
    for (const { wanted, matches } of all) {
      const matched = matches(text, budget);
      if (matched !== wanted) return matched === undefined ? undefined : false;
    }
    return true;
  };
}

function plainMatch(source: string): Matches {
  const regexp = new RegExp(source, "u");
  return (text) => regexp.test(text);
}

/** Writes a pattern that takes some texts and nothing else. */
function alternatives(texts: readonly string[]): string {
  if (texts.length === 0) return "[]";
  return `^(?:${texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|")})$`;
}

/** Collects all texts of a value, names of properties too, each once. */
function textsIn(value: unknown): string[] {
  const texts = new Set<string>();
  const met = new Set<unknown>();
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string") texts.add(next);
    // What a program made may lead in a circle.
    if (typeof next !== "object" || met.has(next)) continue;
    met.add(next);
    if (Array.isArray(next)) for (const item of next) open.push(item);
    else if (isRecord(next)) {
      for (const [name, child] of Object.entries(next)) {
        texts.add(name);
        open.push(child);
      }
    }
  }
  return [...texts];
}
