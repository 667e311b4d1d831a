/** The three forms of a rule about command lines. */

import { analyzeBash } from "../analyze.ts";
import type { Unit } from "../types.ts";
import { signature } from "./signature.ts";

/** A rule, taken apart. */
export interface BashRule {
  /** `prefix`: `npm run:*`. `wildcard`: `git * main`. `exact`: anything else. */
  readonly kind: "prefix" | "wildcard" | "exact";
  /** The words of a prefix or an exact rule, and those in front of the first wildcard. */
  readonly words: readonly string[];
  /** The text of an exact rule, or the pattern of a wildcard one. */
  readonly text: string;
  /** What stands between the wildcards of a wildcard rule. */
  readonly pieces: readonly string[];
  /** What an exact rule stands for, where it is one simple command. */
  readonly signature: string | undefined;
  /** Whether an exact rule is one simple command with no other inside. */
  readonly single: boolean;
}

/** The most rules that are kept taken apart, and the longest of them. */
const MAX_RULES = 256;
const MAX_LENGTH = 1000;
const known = new Map<string, BashRule>();

/** Takes a rule apart; a backslash makes `*` and itself literal. The same rules are asked about again and again. */
export function readRule(content: string): BashRule {
  const before = known.get(content);
  if (before !== undefined) return before;
  const rule = makeRule(content);
  if (content.length > MAX_LENGTH) return rule;
  if (known.size >= MAX_RULES) known.clear();
  known.set(content, rule);
  return rule;
}

function makeRule(content: string): BashRule {
  if (content.endsWith(":*")) {
    const text = content.slice(0, -2).trim();
    return { kind: "prefix", words: readWords(text), text, pieces: [], signature: undefined, single: false };
  }
  const star = /(?<!\\)(\\\\)*\*/.exec(content);
  if (star !== null) {
    const front = content.slice(0, star.index);
    // Behind the last space stands only the beginning of a word.
    const words = unescapeStars(front.slice(0, front.lastIndexOf(" ") + 1))
      .split(/\s+/)
      .filter(Boolean);
    const text = content.trim();
    return { kind: "wildcard", words, text, pieces: splitAtStars(text), signature: undefined, single: false };
  }
  const text = unescapeStars(content).trim();
  const { unit, single } = onlyUnit(text);
  const words = unit === undefined || !special.test(text) ? split(text) : shownWords(unit);
  return {
    kind: "exact",
    words,
    text,
    pieces: [],
    signature: unit === undefined ? undefined : signature(unit, 0),
    single,
  };
}

function unescapeStars(text: string): string {
  return text.replace(/\\([\\*])/g, "$1");
}

/** Splits a pattern at its `*`, in which a backslash makes the next star or backslash literal. */
function splitAtStars(pattern: string): string[] {
  const parts = pattern.split(/(?<!\\)((?:\\\\)*)\*/).map((part) => part.replace(/\\([\\*])/g, "$1"));
  // The split keeps the escaped backslashes in front of each star as parts of their own.
  const pieces: string[] = [];
  for (let index = 0; index < parts.length; index += 2) pieces.push((parts[index] ?? "") + (parts[index + 1] ?? ""));
  return pieces;
}

const special = /["'\\$`]/;

/** Splits as a shell would; text that is no simple command is split at its spaces. */
function readWords(text: string): readonly string[] {
  const { unit } = special.test(text) ? onlyUnit(text) : { unit: undefined };
  return unit === undefined ? split(text) : shownWords(unit);
}

function split(text: string): readonly string[] {
  return text.split(/\s+/).filter(Boolean);
}

function shownWords({ words }: Unit): readonly string[] {
  return words.map((word) => word.shown);
}

/** Gives the simple command that a text is. */
function onlyUnit(text: string): { unit: Unit | undefined; single: boolean } {
  const { units, errors } = analyzeBash(text);
  const [unit] = units;
  const isWhole = errors.length === 0 && unit?.start === 0 && unit.end >= text.length && unit.words.length > 0;
  return { unit: isWhole ? unit : undefined, single: isWhole && units.length === 1 };
}
