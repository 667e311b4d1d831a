/** Replaces text by text: literally, with every untouched character and line end kept. */

import { findPlaces } from "../base/find-text.ts";
import { countEnds, lineEndsOf } from "../base/line-ends.ts";
import type { LongText } from "../base/long-text.ts";
import type { Steps } from "../base/steps.ts";
import { refusal } from "./answer.ts";
import { type FileText, type Splice, spliceText } from "./file-text.ts";
import { MAX_REPLACED } from "./limits.ts";
import { endAt, type PlainText, plainBreaks, toPlain, toReal, withBreaks } from "./plain-text.ts";

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
      text: FileText;
      /** How many occurrences were replaced. */
      count: number;
    }
  | {
      ok: false;
      /** Where `old_string` stands, lines from 1; empty when nowhere. Each overlapping place counts. */
      lines: number[];
    };

/** UTF-16 units of the longest text that a replacement may make: 64 Mi. */
export const MAX_TEXT_LENGTH: number = 64 << 20;

/** The most places of an ambiguous `old_string` that are looked for. */
const MAX_PLACES = 10_000;

/**
 * Replaces `old_string` by `new_string`, in steps.
 *
 * A line break in `old_string`, LF or CRLF, matches any kind of line end; a CR by itself matches none. The line breaks
 * of `new_string` become those that the replaced lines have, one by one; further ones those of their surroundings.
 *
 * @param text The text; line ends may be mixed.
 * @param replacement What to replace; `old_string` must not be empty.
 * @param usual The line end of new lines where the text has none. Defaults to LF.
 * @throws HoldallError when the text would get longer than {@link MAX_TEXT_LENGTH}, or for more than
 * {@link MAX_REPLACED} occurrences.
 */
export function* replaceText(text: FileText, replacement: Replacement, usual = "\n"): Steps<Replaced> {
  const ends = yield* lineEndsOf(text);
  return yield* ends === "mixed"
    ? replaceMixed(text, replacement, usual)
    : replaceUniform(text, replacement, ends === "none" ? usual : ends);
}

/** Replaces where all line ends are the same: the text itself is searched, which costs no second copy of it. */
function* replaceUniform(text: FileText, replacement: Replacement, end: string): Steps<Replaced> {
  const plain = plainBreaks(replacement.old_string);
  // A CR by itself would match the half of a line end.
  if (plain.includes("\r")) return { ok: false, lines: [] };
  const wanted = withBreaks(plain, end);
  const starts = yield* searchFor(text, wanted, replacement);
  if (!fits(starts, replacement)) return { ok: false, lines: yield* lineNumbers(text, starts) };
  const fresh = withBreaks(plainBreaks(replacement.new_string), end);
  checkGrowth(text, starts, fresh);
  const splices = {
    *[Symbol.iterator]() {
      for (const start of starts) yield { start, end: start + wanted.length, fresh };
    },
  };
  return { ok: true, text: yield* spliceText(text, splices), count: starts.length };
}

function* replaceMixed(text: FileText, replacement: Replacement, usual: string): Steps<Replaced> {
  const source = yield* toPlain(text);
  const wanted = plainBreaks(replacement.old_string);
  const starts = yield* searchFor(source.plain, wanted, replacement);
  if (!fits(starts, replacement)) return { ok: false, lines: yield* lineNumbers(source.plain, starts) };
  checkGrowth(text, starts, replacement.new_string);
  const lines = plainBreaks(replacement.new_string).split("\n");
  return {
    ok: true,
    text: yield* spliceText(text, mixedSplices(source, starts, wanted.length, lines, usual)),
    count: starts.length,
  };
}

function searchFor(text: LongText, wanted: string, { replace_all }: Replacement): Steps<number[]> {
  return replace_all === true
    ? findPlaces(text, { wanted, overlapping: false, most: MAX_REPLACED + 1 })
    : findPlaces(text, { wanted, overlapping: true, most: MAX_PLACES });
}

function fits(starts: readonly number[], { replace_all }: Replacement): boolean {
  return starts.length === 1 || (starts.length > 1 && replace_all === true);
}

function checkGrowth(text: LongText, { length }: readonly number[], fresh: string): void {
  if (length > MAX_REPLACED)
    throw refusal(
      `old_string stands more than ${MAX_REPLACED} times in the file; nothing was written. Use a program that replaces so many.`,
    );
  if (text.length + length * fresh.length > MAX_TEXT_LENGTH)
    throw refusal(`${length} replacements would make the file too large; nothing was written. Replace less at once.`);
}

function* lineNumbers(text: LongText, places: readonly number[]): Steps<number[]> {
  const lines: number[] = [];
  let line = 1;
  let from = 0;
  for (const place of places) {
    line += yield* countEnds(text, "\n", from, place);
    from = place;
    lines.push(line);
  }
  return lines;
}

/** Gives new lines the line ends of the places they come to. */
function* mixedSplices(
  source: PlainText,
  starts: readonly number[],
  length: number,
  lines: readonly string[],
  usual: string,
): Generator<Splice, void, undefined> {
  const ends = startEnds(source, usual);
  for (const start of starts) {
    const end = start + length;
    const fresh = lines.length === 1 ? (lines[0] ?? "") : withLineEnds(ends, start, end, lines);
    yield { start: toReal(source, start), end: toReal(source, end), fresh };
  }
}

/** The line ends of a text, asked for at places that rise. */
interface Ends {
  /** Finds the next one from a place on; -1 when there is none. */
  next(from: number): number;
  /** Gives what stands at one, or what is usual for -1. */
  at(place: number): string;
  /** Where the last one stands; -1 when there is none. */
  last: number;
}

function startEnds(source: PlainText, usual: string): Ends {
  const { plain } = source;
  // Places rise, so the next one mostly has the same answer.
  let ahead = { from: Number.POSITIVE_INFINITY, at: -1 };
  return {
    next(from) {
      if (from < ahead.from || (ahead.at >= 0 && ahead.at < from)) ahead = { from, at: plain.indexOf("\n", from) };
      return ahead.at;
    },
    at: (place) => (place < 0 ? usual : endAt(source, place)),
    last: plain.lastIndexOf("\n", plain.length),
  };
}

/** Joins new lines with the line ends of the place they come to. */
function withLineEnds(all: Ends, start: number, end: number, lines: readonly string[]): string {
  const ends: string[] = [];
  let next = all.next(start);
  for (; next >= 0 && next < end && ends.length < lines.length; next = all.next(next + 1)) ends.push(all.at(next));
  const rest = ends[ends.length - 1] ?? all.at(next >= 0 ? next : all.last);
  return lines.map((line, index) => (index === lines.length - 1 ? line : line + (ends[index] ?? rest))).join("");
}
