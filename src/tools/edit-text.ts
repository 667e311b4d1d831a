/** Replaces text by text: literally, with every untouched character and line end kept. */

import type { Steps } from "../base/steps.ts";
import { refusal } from "./answer.ts";
import { MAX_REPLACED } from "./limits.ts";
import { hasOnlyCrlf } from "./text-file.ts";

/** One replacement; all its text is literal. */
export interface Replacement {
  old_string: string;
  new_string: string;
  /** Whether all occurrences are replaced. Defaults to false: then there must be exactly one. */
  replace_all?: boolean | undefined;
}

/** What a replacement came to. */
export type Replaced =
  | {
      ok: true;
      text: string;
      /** How many occurrences were replaced. */
      count: number;
    }
  | {
      ok: false;
      /** Where `old_string` stands, lines from 1; empty when nowhere. Each overlapping place counts. */
      lines: number[];
    };

/**
 * A text whose line ends are all LF, beside the real one. Only a CRLF is longer than its LF, so the places of those are
 * enough to find the way back.
 */
interface PlainText {
  real: string;
  plain: string;
  /** Where in `plain` the LFs of CRLFs stand, rising. */
  pairs: number[];
  /** The last search for a line end: places rise, so the next one mostly has the same answer. */
  ahead: { from: number; at: number };
  /** Where the last LF stands; -1 when there is none. */
  last: number;
  /** The line end where there is none to go by. */
  usual: string;
}

/** UTF-16 units of the longest text that a replacement may make: 64 Mi. */
export const MAX_TEXT_LENGTH: number = 64 << 20;

/** Places, or pieces of text, that are dealt with in one step. */
const STEP_PLACES = 8192;

/** The most places of an ambiguous `old_string` that are looked for. */
const MAX_PLACES = 10_000;

/**
 * Replaces `old_string` by `new_string`, in steps.
 *
 * A line break in `old_string`, LF or CRLF, matches any kind of line end; a CR by itself matches none. The line breaks of `new_string` become those that the
 * replaced lines have, one by one; further ones those of their surroundings.
 *
 * @param text The text; line ends may be mixed.
 * @param replacement What to replace; `old_string` must not be empty.
 * @param usual The line end of new lines where the text has none. Defaults to LF.
 * @throws HoldallError when the text would get longer than {@link MAX_TEXT_LENGTH}, or for more than
 * {@link MAX_REPLACED} occurrences.
 */
export function* replaceText(text: string, replacement: Replacement, usual = "\n"): Steps<Replaced> {
  const end = onlyLineEnd(text, usual);
  return yield* end === undefined ? replaceMixed(text, replacement, usual) : replaceUniform(text, replacement, end);
}

/** Replaces where all line ends are the same: the text itself is searched, which costs no second copy of it. */
function* replaceUniform(text: string, replacement: Replacement, end: string): Steps<Replaced> {
  const plain = plainBreaks(replacement.old_string);
  // A CR by itself would match the half of a line end.
  if (plain.includes("\r")) return { ok: false, lines: [] };
  const wanted = withBreaks(plain, end);
  const starts = yield* findPlaces(text, wanted, replacement);
  if (!fits(starts, replacement)) return { ok: false, lines: lineNumbers(text, starts) };
  const fresh = withBreaks(plainBreaks(replacement.new_string), end);
  checkGrowth(text, starts, fresh);
  const pieces: string[] = [];
  let from = 0;
  for (const start of starts) {
    pieces.push(text.slice(from, start), fresh);
    from = start + wanted.length;
  }
  pieces.push(text.slice(from));
  return { ok: true, text: yield* joined(pieces), count: starts.length };
}

function* replaceMixed(text: string, replacement: Replacement, usual: string): Steps<Replaced> {
  const source = toPlain(text, usual);
  const wanted = plainBreaks(replacement.old_string);
  yield undefined;
  const starts = yield* findPlaces(source.plain, wanted, replacement);
  if (!fits(starts, replacement)) return { ok: false, lines: lineNumbers(source.plain, starts) };
  checkGrowth(text, starts, replacement.new_string);
  const lines = plainBreaks(replacement.new_string).split("\n");
  const pieces: string[] = [];
  let from = 0;
  for (const [index, start] of starts.entries()) {
    if (index % STEP_PLACES === STEP_PLACES - 1) yield undefined;
    const end = start + wanted.length;
    pieces.push(text.slice(from, toReal(source, start)), withLineEnds(source, start, end, lines));
    from = toReal(source, end);
  }
  pieces.push(text.slice(from));
  return { ok: true, text: yield* joined(pieces), count: starts.length };
}

/** Joins pieces, so many at a time. */
function* joined(pieces: readonly string[]): Steps<string> {
  const parts: string[] = [];
  for (let from = 0; from < pieces.length; from += STEP_PLACES) {
    yield undefined;
    parts.push(pieces.slice(from, from + STEP_PLACES).join(""));
  }
  if (parts.length > 1) yield undefined;
  const text = parts.join("");
  yield undefined;
  return text;
}

/** Gives the line end of a text that has one kind only, `usual` where it has none; undefined where they are mixed. */
function onlyLineEnd(text: string, usual: string): string | undefined {
  if (!text.includes("\r")) return text.includes("\n") ? "\n" : usual;
  return hasOnlyCrlf(text) ? "\r\n" : undefined;
}

function findPlaces(text: string, wanted: string, { replace_all }: Replacement): Steps<number[]> {
  return replace_all === true
    ? findAll(text, wanted, wanted.length, MAX_REPLACED + 1)
    : findAll(text, wanted, 1, MAX_PLACES);
}

function fits(starts: readonly number[], { replace_all }: Replacement): boolean {
  return starts.length === 1 || (starts.length > 1 && replace_all === true);
}

function checkGrowth(text: string, { length }: readonly number[], fresh: string): void {
  if (length > MAX_REPLACED)
    throw refusal(
      `old_string stands more than ${MAX_REPLACED} times in the file; nothing was written. Use a program that replaces so many.`,
    );
  if (text.length + length * fresh.length > MAX_TEXT_LENGTH)
    throw refusal(`${length} replacements would make the file too large; nothing was written. Replace less at once.`);
}

/** Makes the LFs of a text another line end. */
export function withBreaks(plain: string, end: string): string {
  return end === "\n" ? plain : plain.replaceAll("\n", () => end);
}

/** Makes the line breaks of a text that a model wrote LFs. A CR by itself is no line break there. */
export function plainBreaks(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** Makes every line end of a file an LF. */
export function plainLines(text: string): string {
  // Far faster than a pattern where there are many.
  return text.includes("\r") ? text.split("\r\n").join("\n").split("\r").join("\n") : text;
}

function toPlain(real: string, usual: string): PlainText {
  const pairs: number[] = [];
  for (let at = real.indexOf("\r\n"); at >= 0; at = real.indexOf("\r\n", at + 2)) pairs.push(at - pairs.length);
  const plain = plainLines(real);
  return {
    real,
    plain,
    pairs,
    ahead: { from: Number.POSITIVE_INFINITY, at: -1 },
    last: plain.lastIndexOf("\n"),
    usual,
  };
}

/** Finds where a text stands; the next search starts `step` after each place. */
function* findAll(text: string, wanted: string, step: number, most: number): Steps<number[]> {
  const starts: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0 && starts.length < most; at = text.indexOf(wanted, at + step))
    if (starts.push(at) % STEP_PLACES === 0) yield undefined;
  return starts;
}

function lineNumbers(text: string, places: readonly number[]): number[] {
  let line = 1;
  let from = 0;
  return places.map((place) => {
    for (let at = text.indexOf("\n", from); at >= 0 && at < place; at = text.indexOf("\n", at + 1)) line += 1;
    from = place;
    return line;
  });
}

/** Gives the place in the real text; a place at a line end is that before its CR. */
function toReal(source: PlainText, place: number): number {
  const { pairs } = source;
  let [low, high] = [0, pairs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pairs[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return place + low;
}

/** Joins new lines with the line ends of the place they come to. */
function withLineEnds(source: PlainText, start: number, end: number, lines: readonly string[]): string {
  const ends: string[] = [];
  let next = lines.length > 1 ? nextEnd(source, start) : -1;
  for (; next >= 0 && next < end && ends.length < lines.length; next = nextEnd(source, next + 1))
    ends.push(endAt(source, next));
  const near = next >= 0 ? next : source.last;
  const rest = ends[ends.length - 1] ?? (near >= 0 ? endAt(source, near) : source.usual);
  return lines.map((line, index) => (index === lines.length - 1 ? line : line + (ends[index] ?? rest))).join("");
}

/** Finds the next line end from a place on; -1 when there is none. */
function nextEnd(source: PlainText, from: number): number {
  const { ahead } = source;
  if (from < ahead.from || (ahead.at >= 0 && ahead.at < from))
    source.ahead = { from, at: source.plain.indexOf("\n", from) };
  return source.ahead.at;
}

/** Gives the real line end at an LF of the plain text. */
function endAt(source: PlainText, place: number): string {
  const at = toReal(source, place);
  return source.real.startsWith("\r\n", at) ? "\r\n" : source.real.charAt(at);
}
