/** Whether rules cover a command line: allow rules must cover all of it, deny and ask rules catch any part. */

import { analyzeBash } from "../analyze.ts";
import type { Finding } from "../findings.ts";
import type { BashAnalysis, BashOptions, Unit, UnitWord } from "../types.ts";
import { type BashRule, readRule } from "./rule.ts";
import { signature } from "./signature.ts";

/** What a rule does. */
export type BashRuleBehavior = "allow" | "deny" | "ask";

/**
 * Tells whether a rule matches a command line.
 *
 * `npm run:*` matches by the first words, `git * main` by wildcards over the words of one simple command, anything
 * else exactly. `deny` and `ask` match when any simple command does, also behind `sudo`, in `sh -c`, under another
 * path or quoting, and a rule without wildcard also where its words stand somewhere inside. `allow` matches only when
 * it covers every simple command that is not harmless anyway, and never what cannot be read.
 *
 * @param content What the rule says.
 * @param command The command line, or its reading.
 * @param behavior What the rule does.
 * @param options The place where it would run; only used when the line is not read yet.
 */
export function matchBashRule(
  content: string,
  command: string | BashAnalysis,
  behavior: BashRuleBehavior,
  options?: BashOptions,
): boolean {
  const analysis = typeof command === "string" ? analyzeBash(command, options) : command;
  const rule = readRule(content);
  if (behavior === "allow") return isUnread(analysis) ? false : allows(rule, analysis);
  if (analysis.units.some((unit) => catches(rule, unit, analysis.command))) return true;
  return analysis.errors.length > 0 && catchesText(rule, analysis.command);
}

/**
 * Finds the simple commands that a rule matches, also where it takes more for the whole line to match.
 *
 * @returns Indexes in `analysis.units`.
 */
export function locateBashRule(content: string, analysis: BashAnalysis, behavior: BashRuleBehavior): number[] {
  const rule = readRule(content);
  const indexes: number[] = [];
  for (const [index, unit] of analysis.units.entries()) {
    const matches = behavior === "allow" ? covers(rule, unit) : catches(rule, unit, analysis.command);
    if (matches) indexes.push(index);
  }
  return indexes;
}

/**
 * Finds the simple commands that no allow rule covers, among several rules.
 *
 * @param contents What the allow rules say.
 * @param analysis The reading of the command line.
 * @returns The units that still need an answer; empty means that the rules together allow the line, unless
 * something about it must be asked anyway.
 */
export function uncoveredUnits(contents: readonly string[], analysis: BashAnalysis): Unit[] {
  const rules = contents.map(readRule);
  if (isUnread(analysis)) return [...analysis.units];
  if (rules.some((rule) => isWhole(rule, analysis))) return [];
  return needyUnits(analysis).filter((unit) => !rules.some((rule) => covers(rule, unit)));
}

function allows(rule: BashRule, analysis: BashAnalysis): boolean {
  if (isWhole(rule, analysis)) return true;
  const needy = needyUnits(analysis);
  if (needy.length === 0) return analysis.readOnly && analysis.units.some((unit) => covers(rule, unit));
  return needy.every((unit) => covers(rule, unit));
}

function isUnread({ errors, injection }: BashAnalysis): boolean {
  return errors.length > 0 || injection.length > 0;
}

function isWhole(rule: BashRule, { command }: BashAnalysis): boolean {
  return rule.kind === "exact" && rule.text !== "" && rule.text === command.trim();
}

/** Gives the units that need a rule: they change something, or look outside of the workspace. */
export function needyUnits({ units, outside }: BashAnalysis): Unit[] {
  const looksOutside = createSearch(outside);
  return units.filter((unit) => !unit.readOnly || (!unit.calls && looksOutside(unit)));
}

/** Finds out whether one of many spans lies in another, in less than a look at each of them. */
function createSearch(found: readonly Finding[]): (span: { start: number; end: number }) => boolean {
  if (found.length === 0) return () => false;
  const spans = [...found].sort((one, other) => one.start - other.start);
  // The first end among all spans that start there or later.
  const ends: number[] = [];
  for (let at = spans.length - 1, end = Number.POSITIVE_INFINITY; at >= 0; at -= 1) {
    end = Math.min(end, spans[at]?.end ?? end);
    ends[spans.length - 1 - at] = end;
  }
  return ({ start, end }) => {
    let [low, high] = [0, spans.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((spans[middle]?.start ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    return (ends[spans.length - 1 - low] ?? Number.POSITIVE_INFINITY) <= end;
  };
}

/** Tells whether an allow rule covers a unit. */
export function covers(rule: BashRule, unit: Unit): boolean {
  for (const start of [0, ...unit.peeled]) {
    if (start > unit.open) break;
    if (rule.kind === "exact") {
      const same = rule.signature !== undefined && rule.signature === signature(unit, start);
      if (same && (start === 0 || unit.spelling <= unit.words.length)) return true;
    } else if (unit.words[start]?.text !== undefined && rule.words.length > 0) {
      // What makes it more than the ordinary use of its name has to be spelled out.
      const behind = unit.peeled[unit.peeled.length - 1] ?? -1;
      const spelled = start + rule.words.length >= Math.max(unit.spelling, behind + 1);
      if (spelled && coversWords(rule, unit, start)) return true;
    }
  }
  return false;
}

/** A program in a folder of the system is the one that is meant by its name. */
const systemFolder = /^(\/usr)?\/s?bin\/(?=[^/]+$)/;

function coversWords({ kind, words, pieces }: BashRule, unit: Unit, start: number): boolean {
  const head = unit.words[start]?.shown.replace(systemFolder, "") ?? "";
  if (kind === "prefix") return beginsWith(words, head, unit.words, start + 1);
  return matchWildcard(pieces, [head, ...shownFrom(unit, start + 1)].join(" "));
}

function shownFrom({ words }: Unit, start: number): string[] {
  return words.slice(start).map((word) => word.shown);
}

/** Tells whether words begin with those of a rule: `head`, and what stands from an index on. */
function beginsWith(front: readonly string[], head: string, words: readonly UnitWord[], from: number): boolean {
  if (front[0] !== head) return false;
  for (let at = 1; at < front.length; at += 1) if (words[from + at - 1]?.shown !== front[at]) return false;
  return true;
}

/** Tells whether a deny or ask rule catches a unit in any of its forms. */
function catches(rule: BashRule, unit: Unit, command: string): boolean {
  if (rule.kind === "prefix") return rule.words.length === 0 || catchesFront(rule.words, unit);
  const shown = shownFrom(unit, 0);
  for (const start of [0, ...unit.peeled]) {
    const words = shown.slice(start);
    const [head = ""] = words;
    words[0] = head.slice(head.lastIndexOf("/") + 1);
    if (catchesWords(rule, words) || catchesWords(rule, [head, ...words.slice(1)])) return true;
    const { globals } = unit;
    const isInnermost = start === (unit.peeled[unit.peeled.length - 1] ?? 0);
    if (globals > 0 && isInnermost && catchesWords(rule, [words[0], ...words.slice(1 + globals)])) return true;
  }
  const raw = command.slice(unit.start, unit.end);
  return rule.kind === "wildcard" && matchWildcard(rule.pieces, raw);
}

/** Tells whether a unit begins with words, also behind wrappers, under another path, or with options in between. */
function catchesFront(front: readonly string[], { words, peeled, globals }: Unit): boolean {
  const innermost = peeled[peeled.length - 1] ?? 0;
  for (let at = -1; at < peeled.length; at += 1) {
    const start = at < 0 ? 0 : (peeled[at] ?? 0);
    const head = words[start]?.shown;
    if (head === undefined) continue;
    const name = head.slice(head.lastIndexOf("/") + 1);
    if (beginsWith(front, name, words, start + 1) || beginsWith(front, head, words, start + 1)) return true;
    if (globals > 0 && start === innermost && beginsWith(front, name, words, start + 1 + globals)) return true;
  }
  return false;
}

function catchesWords(rule: BashRule, words: readonly string[]): boolean {
  if (rule.kind === "prefix") return startsWith(words, rule.words, 0);
  if (rule.kind === "wildcard") return matchWildcard(rule.pieces, words.join(" "));
  if (rule.words.length === 0) return false;
  for (let at = 0; at + rule.words.length <= words.length; at += 1) if (startsWith(words, rule.words, at)) return true;
  return false;
}

/** Where the line could not be read, its pieces are compared as bare text. */
function catchesText(rule: BashRule, command: string): boolean {
  const pieces = command.slice(0, 65_536).split(/[\n;&|(){}`]+/);
  return pieces.some((piece) => catchesWords(rule, piece.trim().split(/\s+/)));
}

function startsWith(words: readonly string[], front: readonly string[], from: number): boolean {
  return words.length - from >= front.length && front.every((word, index) => words[from + index] === word);
}

/** Matches what stands between the wildcards of a rule; a ` *` at its end also for nothing. Takes linear time. */
function matchWildcard([first = "", ...rest]: readonly string[], text: string): boolean {
  const final = rest.pop();
  if (final === undefined) return text === first;
  if (rest.length === 0 && final === "" && text === first.trimEnd()) return true;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - final.length >= at && text.endsWith(final);
}
