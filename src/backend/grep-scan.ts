/** Finds the lines of a text that match, in steps short enough to pause between them. */

import type { LongText } from "../base/long-text.ts";
import type { Automaton, AutomatonMatch } from "../base/regexp-automaton.ts";
import type { GrepPattern } from "./grep-pattern.ts";

/** A matching line. */
export interface LineHit {
  /** Where the line starts in the text. */
  from: number;
  /** Where it ends, before its terminator. */
  to: number;
  /** Where its match starts. */
  at: number;
}

/** Executions, and so about lines found, of one step. */
const STEP_EXECUTIONS = 1024;

/**
 * Scans a text, one step for each window of the pattern.
 *
 * @param text The text; a CR before a line feed belongs to the terminator.
 * @param pattern The pattern.
 * @returns For each step the lines found, in order, each line once over all steps.
 */
export function* scanText(text: LongText, pattern: GrepPattern): Generator<LineHit[], void, undefined> {
  let next: number;
  let reported = 0;
  for (let from = 0; from < text.length; from = next) {
    const window = windowAt(text, from, pattern);
    const hits: LineHit[] = [];
    if (window.isCut && pattern.automaton !== undefined) {
      const scan = pattern.multiline ? stepAcrossLines : stepLine;
      next = yield* scan(text, from, pattern, pattern.automaton, hits, reported);
    } else if (pattern.multiline) next = yield* scanAcrossLines(text, window, pattern, hits, reported);
    else next = scanLines(text, window, pattern, hits);
    const last = hits[hits.length - 1];
    if (last !== undefined) reported = last.to + 1;
    yield hits;
  }
}

/** Scans one line that is too long for an execution; gives where the next one starts. */
function* stepLine(
  text: LongText,
  from: number,
  _: GrepPattern,
  automaton: Automaton,
  hits: LineHit[],
): Generator<LineHit[], number, undefined> {
  const end = nextLine(text, from);
  const match = yield* pausing(automaton.find(text, from, end - 1));
  const line = match && lineAt(text, match.start);
  // Between CR and LF there is no line.
  if (line !== undefined && match !== undefined && match.start <= line.to) hits.push(line);
  return end;
}

/** Finds the next match that may span lines; gives where to go on. */
function* stepAcrossLines(
  text: LongText,
  from: number,
  { regexp, reach }: GrepPattern,
  automaton: Automaton,
  hits: LineHit[],
  reported: number,
): Generator<LineHit[], number, undefined> {
  const match = yield* pausing(automaton.find(text, from, text.length));
  if (match === undefined) return text.length;
  const base = Math.max(0, match.start - 1);
  // Where the match really ends is for the engine to say, as far as it may look.
  regexp.lastIndex = match.start - base;
  const found = regexp.exec(text.slice(base, match.start + reach));
  const end = found === null || base + found.index !== match.start ? match.end : match.start + found[0].length;
  yield* addLines(text, match.start, Math.max(end, match.end), hits, reported);
  return Math.max(end, match.end, match.start + 1);
}

/** Makes empty steps of those of an automaton. */
function* pausing(
  steps: Generator<undefined, AutomatonMatch | undefined, undefined>,
): Generator<LineHit[], AutomatonMatch | undefined, undefined> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    yield [];
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
function scanLines(text: LongText, window: Window, pattern: GrepPattern, hits: LineHit[]): number {
  const { regexp } = pattern;
  let left = STEP_EXECUTIONS;
  for (let at = window.start; at <= window.text.length; ) {
    regexp.lastIndex = at;
    const match = regexp.exec(window.text);
    if (match === null) break;
    const index = window.base + match.index;
    if (index >= window.bound || isUncertain(match, window, pattern)) break;
    const line = lineAt(text, index);
    if (line === undefined) break;
    // Between CR and LF an engine sees an empty line; it is none.
    if (index <= line.to) hits.push(line);
    const next = nextLine(text, index);
    left -= 1;
    if (window.isCut || left === 0) return next;
    at = next - window.base;
  }
  return Math.min(window.bound, text.length);
}

function* scanAcrossLines(
  text: LongText,
  window: Window,
  pattern: GrepPattern,
  hits: LineHit[],
  reported: number,
): Generator<LineHit[], number, undefined> {
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
    yield* addLines(text, index, end, hits, reported);
    at = match[0] === "" ? stepOver(window.text, match.index, regexp.unicode) : match.index + match[0].length;
    left -= 1;
    if (left === 0) return window.base + at;
  }
  return Math.min(Math.max(window.bound, end), text.length);
}

/** Adds the lines that a match spans and that are not there yet; gives some away before there are too many of them. */
function* addLines(
  text: LongText,
  from: number,
  to: number,
  hits: LineHit[],
  reported: number,
): Generator<LineHit[], void, undefined> {
  const last = Math.max(from, to - 1);
  const after = hits[hits.length - 1]?.to ?? reported - 1;
  // Many matches of one long line must not look for its ends again and again.
  for (let index = Math.max(from, after + 1); index <= last; index = nextLine(text, index)) {
    const line = lineAt(text, index);
    if (line === undefined) return;
    if (line.from > after && index <= line.to && hits.push(line) > STEP_EXECUTIONS)
      yield hits.splice(0, STEP_EXECUTIONS);
  }
}

/** Tells whether a match at the cut end of a window may be none, or the wrong one, in the whole text. */
function isUncertain(match: RegExpExecArray, window: Window, pattern: GrepPattern): boolean {
  return window.isCut && pattern.looksAround && match.index + match[0].length === window.text.length;
}

/** Gives the line around an index; none after the last line feed. */
function lineAt(text: LongText, index: number): LineHit | undefined {
  const from = index === 0 ? 0 : text.lastIndexOf("\n", index - 1) + 1;
  if (from === text.length) return undefined;
  const end = nextLine(text, index) - 1;
  const to = end > from && text.charCodeAt(end - 1) === 13 && end < text.length ? end - 1 : end;
  return { from, to, at: index };
}

function nextLine(text: LongText, index: number): number {
  const end = text.indexOf("\n", index);
  return end === -1 ? text.length + 1 : end + 1;
}

function stepOver(text: string, index: number, isUnicode: boolean): number {
  const code = isUnicode ? (text.codePointAt(index) ?? 0) : 0;
  return index + (code > 0xffff ? 2 : 1);
}
