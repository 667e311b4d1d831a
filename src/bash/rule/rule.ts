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
  /** What an exact rule stands for, where it is one simple command. */
  readonly signature: string | undefined;
}

let last: { content: string; rule: BashRule } | undefined;

/** Takes a rule apart; a backslash makes `*` and itself literal. */
export function readRule(content: string): BashRule {
  if (last?.content === content) return last.rule;
  const rule = makeRule(content);
  last = { content, rule };
  return rule;
}

function makeRule(content: string): BashRule {
  if (content.endsWith(":*")) {
    const text = content.slice(0, -2).trim();
    return { kind: "prefix", words: readWords(text), text, signature: undefined };
  }
  const star = /(?<!\\)(\\\\)*\*/.exec(content);
  if (star !== null) {
    const front = content.slice(0, star.index);
    // Behind the last space stands only the beginning of a word.
    const words = unescapeStars(front.slice(0, front.lastIndexOf(" ") + 1))
      .split(/\s+/)
      .filter(Boolean);
    return { kind: "wildcard", words, text: content.trim(), signature: undefined };
  }
  const text = unescapeStars(content).trim();
  return { kind: "exact", words: readWords(text), text, signature: signatureOf(text) };
}

function unescapeStars(text: string): string {
  return text.replace(/\\([\\*])/g, "$1");
}

/** Splits as a shell would; text that is no simple command is split at its spaces. */
function readWords(text: string): readonly string[] {
  if (!/["'\\$`]/.test(text)) return text.split(/\s+/).filter(Boolean);
  const unit = onlyUnit(text);
  return unit === undefined ? text.split(/\s+/) : unit.words.map((word) => word.shown);
}

function signatureOf(text: string): string | undefined {
  const unit = onlyUnit(text);
  return unit === undefined ? undefined : signature(unit, 0);
}

function onlyUnit(text: string): Unit | undefined {
  const { units, errors } = analyzeBash(text);
  const [unit] = units;
  return errors.length === 0 && unit?.start === 0 && unit.end >= text.length && unit.words.length > 0
    ? unit
    : undefined;
}
