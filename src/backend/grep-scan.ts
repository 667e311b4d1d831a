/** Finds the lines of a text that match, in steps short enough to pause between them. */

import type { LongText } from "../base/long-text.ts";
import type { Automaton, AutomatonMatch } from "../base/regexp-automaton.ts";
import type { GrepPattern } from "./grep-pattern.ts";
import { createLineHits, type LineHits } from "./line-hits.ts";

/** Executions, or lines found, of one step. */
const STEP_EXECUTIONS = 1024;

/**
 * Scans a text, one step for each window of the pattern.
 *
 * @param text The text; a CR before a line feed belongs to the terminator.
 * @param pattern The pattern.
 * @returns For each step the lines found, in order, each line once over all steps; they are gone with the next step.
 */
export function* scanText(text: LongText, pattern: GrepPattern): Steps<void> {
  const hits = createLineHits();
  let next: number;
  for (let from = 0; from < text.length; from = next) {
    const window = windowAt(text, from, pattern);
    if (window.isCut && pattern.automaton !== undefined) {
      const scan = pattern.multiline ? stepAcrossLines : stepLine;
      next = yield* scan(text, from, pattern, pattern.automaton, hits);
    } else if (pattern.multiline) next = yield* scanAcrossLines(text, window, pattern, hits);
    else next = scanLines(text, window, pattern, hits);
    yield* give(hits);
  }
}

type Steps<Result> = Generator<LineHits, Result, undefined>;

/** Ends a step. */
function* give(hits: LineHits): Steps<void> {
  yield hits;
  hits.clear();
}

/** Scans one line that is too long for an execution; gives where the next one starts. */
function* stepLine(text: LongText, from: number, _: GrepPattern, automaton: Automaton, hits: LineHits): Steps<number> {
  const end = nextLine(text, from);
  const match = yield* pausing(automaton.find(text, from, end - 1), hits);
  if (match !== undefined) addLine(text, match.start, hits);
  return end;
}

/** Finds the next match that may span lines; gives where to go on. */
function* stepAcrossLines(
  text: LongText,
  from: number,
  { regexp, reach }: GrepPattern,
  automaton: Automaton,
  hits: LineHits,
): Steps<number> {
  const match = yield* pausing(automaton.find(text, from, text.length), hits);
  if (match === undefined) return text.length;
  const base = Math.max(0, match.start - 1);
  // Where the match really ends is for the engine to say, as far as it may look.
  regexp.lastIndex = match.start - base;
  const found = regexp.exec(text.slice(base, match.start + reach));
  const end = found === null || base + found.index !== match.start ? match.end : match.start + found[0].length;
  yield* addLines(text, match.start, Math.max(end, match.end), hits);
  return Math.max(end, match.end, match.start + 1);
}

/** Makes empty steps of those of an automaton. */
function* pausing(
  steps: Generator<undefined, AutomatonMatch | undefined, undefined>,
  hits: LineHits,
): Steps<AutomatonMatch | undefined> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    yield* give(hits);
  }
}

interface Window {
  /** What the expression is given; one unit before it comes along, so that it knows where lines start. */
  text: string;
  /** Where `text` starts in the whole. */
  base: number;
  /** Where to search from, in `text`. */
  start: number;
  /** Matches that start here or later, in the whole, are left to the next window. */
  bound: number;
  /** Whether the window ends within a line, or a match may go on after it. */
  isCut: boolean;
}

function windowAt(text: LongText, from: number, { window: size, multiline }: GrepPattern): Window {
  const start = from > 0 ? 1 : 0;
  const make = (to: number, bound: number, isCut: boolean): Window => ({
    text: text.slice(from - start, to),
    base: from - start,
    start,
    bound,
    isCut,
  });
  if (from + size >= text.length) return make(text.length, Number.POSITIVE_INFINITY, false);
  // Looked for in the window only: backwards through all of a long line, again and again, would take for ever.
  const lineEnd = multiline ? 0 : text.slice(from, from + size).lastIndexOf("\n") + 1;
  if (lineEnd > 0) return make(from + lineEnd, from + lineEnd, false);
  return make(from + size, from + (size >> 1), true);
}

/** Scans whole lines, or a piece of a long one; gives where the next window starts. */
function scanLines(text: LongText, window: Window, pattern: GrepPattern, hits: LineHits): number {
  const { regexp } = pattern;
  let left = STEP_EXECUTIONS;
  for (let at = window.start; at <= window.text.length; ) {
    regexp.lastIndex = at;
    const match = regexp.exec(window.text);
    if (match === null) break;
    const index = window.base + match.index;
    if (index >= window.bound || isUncertain(match, window, pattern)) break;
    if (isAfterLast(text, index)) break;
    const next = addLine(text, index, hits);
    left -= 1;
    if (window.isCut || left === 0) return next;
    at = next - window.base;
  }
  return Math.min(window.bound, text.length);
}

function* scanAcrossLines(text: LongText, window: Window, pattern: GrepPattern, hits: LineHits): Steps<number> {
  const { regexp } = pattern;
  let end = 0;
  let left = STEP_EXECUTIONS;
  for (let at = window.start; at <= window.text.length; ) {
    regexp.lastIndex = at;
    const match = regexp.exec(window.text);
    if (match === null) break;
    const index = window.base + match.index;
    if (index >= window.bound || isUncertain(match, window, pattern)) break;
    end = index + match[0].length;
    yield* addLines(text, index, end, hits);
    at = match[0] === "" ? stepOver(window.text, match.index, regexp.unicode) : match.index + match[0].length;
    left -= 1;
    if (left === 0) return window.base + at;
  }
  return Math.min(Math.max(window.bound, end), text.length);
}

/** Adds the lines that a match spans and that are not there yet; gives some away before there are too many of them. */
function* addLines(text: LongText, from: number, to: number, hits: LineHits): Steps<void> {
  const last = Math.max(from, to - 1);
  // Many matches of one long line must not look for its ends again and again.
  for (let index = Math.max(from, hits.end + 1); index <= last && !isAfterLast(text, index); ) {
    index = addLine(text, index, hits);
    if (hits.count >= STEP_EXECUTIONS) yield* give(hits);
  }
}

/** Tells whether a match at the cut end of a window may be none, or the wrong one, in the whole text. */
function isUncertain(match: RegExpExecArray, window: Window, pattern: GrepPattern): boolean {
  return window.isCut && pattern.looksAround && match.index + match[0].length === window.text.length;
}

/** Adds the line around an index if it is not there yet; gives where the next one starts. */
function addLine(text: LongText, index: number, hits: LineHits): number {
  const from = index === 0 ? 0 : text.lastIndexOf("\n", index - 1) + 1;
  const next = nextLine(text, index);
  const end = next - 1;
  const to = end > from && text.charCodeAt(end - 1) === 13 && end < text.length ? end - 1 : end;
  // Between CR and LF an engine sees an empty line; it is none.
  if (from > hits.end && index <= to) hits.add(from, to, index);
  return next;
}

/** Tells whether an index is behind the last line feed, where there is no line. */
function isAfterLast(text: LongText, index: number): boolean {
  return index === text.length && (index === 0 || text.charCodeAt(index - 1) === 10);
}

function nextLine(text: LongText, index: number): number {
  const end = text.indexOf("\n", index);
  return end === -1 ? text.length + 1 : end + 1;
}

function stepOver(text: string, index: number, isUnicode: boolean): number {
  const code = isUnicode ? (text.codePointAt(index) ?? 0) : 0;
  return index + (code > 0xffff ? 2 : 1);
}
