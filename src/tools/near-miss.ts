/** Explains why a text to replace was not found: shows the place that comes nearest, and what differs there. */

import { findPlaces } from "../base/find-text.ts";
import { countEnds } from "../base/line-ends.ts";
import { createLongText, type LongText } from "../base/long-text.ts";
import type { Steps } from "../base/steps.ts";
import { cutText, plural } from "../base/text.ts";
import { plainBreaks, toPlain } from "./plain-text.ts";

/** UTF-16 units of the longest text that is looked through. */
const MAX_TEXT = 4 << 20;

/** Lines of a text to replace, and of a file, that are compared; longer ones are only searched for as a whole. */
const MAX_WANTED_LINES = 500;
const MAX_FILE_LINES = 100_000;

const nothing = "Nothing like it is in the file. Read the file again and copy the text exactly.";

/** Places of one line that are tried. */
const MAX_PLACES = 200;

/** UTF-16 units of two texts whose differences are told apart. */
const MAX_NAMED = 20_000;

/** Lines that are shown, and UTF-16 units of each. */
const MAX_SHOWN = 12;
const MAX_SHOWN_LENGTH = 200;

/** UTF-16 units of the longest line that is compared other than as it is. */
const MAX_FOLDED = 1 << 16;

/** UTF-16 units, and lines, that are dealt with in one step. */
const STEP_UNITS = 1 << 15;
const STEP_LINES = 4096;

/**
 * Says where a file comes nearest to a text that is not in it.
 *
 * @param text The file.
 * @param wanted The text that was looked for.
 * @returns Sentences for a model, with the lines of the file as Read shows them.
 */
export function* explainMiss(text: LongText, wanted: string): Steps<string> {
  if (Math.max(text.length, wanted.length) > MAX_TEXT)
    return "Use Grep to find the lines, Read them, and copy the text exactly.";
  const { plain } = yield* toPlain(text);
  const slip = yield* nameSlip(plain, wanted);
  if (slip !== undefined) return slip;
  const file = yield* foldLines(yield* linesOf(plain));
  const searched = yield* foldLines(yield* linesOf(plainBreaks(wanted)));
  const place = yield* findFolded(file, searched);
  if (place === undefined) return (yield* findMostAlike(file, searched)) ?? nothing;
  const { first, last } = place;
  const found = file.lines.slice(first, last + 1).join("\n");
  const where = first === last ? `Line ${first + 1} differs` : `Lines ${first + 1}-${last + 1} differ`;
  const differences = yield* nameDifferences(found, searched.lines.join("\n").replace(/\n$/, ""));
  return `${where} only in ${differences.join(", ")}. The file has:\n${show(file.lines, first, last)}`;
}

/**
 * Shows the lines around a place of a file.
 *
 * @param plain The file, its line ends LFs.
 * @param place The place, in UTF-16 units.
 * @param line The line of the place, from 1.
 */
export function showAround(plain: LongText, place: number, line: number): string {
  const lines: string[] = [];
  let first = line;
  let start = lineStart(plain, place);
  for (; first > 1 && line - first < 3; first -= 1) start = lineStart(plain, start - 1);
  for (let at = start; at < plain.length && first + lines.length <= line + 3; ) {
    const next = plain.indexOf("\n", at);
    const end = next < 0 ? plain.length : next;
    lines.push(plain.slice(at, Math.min(end, at + MAX_SHOWN_LENGTH + 1)));
    at = end + 1;
  }
  return show(lines, 0, lines.length - 1, first);
}

function lineStart(text: LongText, place: number): number {
  return place === 0 ? 0 : text.lastIndexOf("\n", place - 1) + 1;
}

/** Lines, and what they are when everything confusable is made alike. */
interface FoldedLines {
  lines: readonly string[];
  folded: readonly string[];
}

function* linesOf(text: LongText): Steps<string[]> {
  const lines: string[] = [];
  for (let from = 0; from <= text.length; ) {
    const end = text.indexOf("\n", from);
    const to = end < 0 ? text.length : end;
    if (lines.push(text.slice(from, to)) % STEP_LINES === 0) yield undefined;
    from = to + 1;
  }
  return lines;
}

function* foldLines(lines: readonly string[]): Steps<FoldedLines> {
  const folded: string[] = [];
  let units = 0;
  for (const line of lines) {
    folded.push(foldAll(line));
    units += line.length + 64;
    if (units < STEP_UNITS) continue;
    units = 0;
    yield undefined;
  }
  return { lines, folded };
}

/** Recognises what a model copies along although it is not in the file. */
function* nameSlip(text: LongText, wanted: string): Steps<string | undefined> {
  const numbered = /^[\t ]*\d+\t/gm;
  if (numbered.test(wanted) && (yield* holds(text, wanted.replace(numbered, "")))) {
    return "old_string has the line numbers that Read puts before each line. Leave out the number and the tab after it.";
  }
  if (wanted.includes("… [line cut:")) {
    return "old_string has the marker that Read puts where it cuts a line. Use a part of the line before the marker.";
  }
  if (!/\r(?!\n)/.test(wanted)) return undefined;
  return "old_string has a carriage return by itself, which matches nothing. Line ends are kept as they are; write each line break as a line feed.";
}

function* holds(text: LongText, wanted: string): Steps<boolean> {
  return wanted === "" || (yield* findPlaces(text, { wanted, overlapping: true, most: 1 })).length > 0;
}

interface Place {
  first: number;
  last: number;
}

/** What people and models confuse, each with its name and the way to make it alike. */
const confusions: readonly { name: string; fold(text: string): string }[] = [
  {
    name: "invisible characters",
    fold: (text) => text.replace(/[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]/g, ""),
  },
  { name: "the form of accented characters (Unicode NFC or NFD)", fold: (text) => text.normalize("NFC") },
  { name: "typographic quotes or dashes", fold: (text) => straighten(text) },
  { name: "kinds of space (such as no-break spaces)", fold: (text) => text.replace(/[^\S\t\n\r ]/g, " ") },
  { name: "tabs or spaces", fold: (text) => text.replace(/(?<=\S)[\t ]+(?=\S)/g, " ") },
  { name: "white space at line ends", fold: (text) => text.replace(/(?<![\t ])[\t ]+$/gm, "") },
  { name: "indentation", fold: (text) => text.replace(/^[\t ]+/gm, "") },
  { name: "upper and lower case", fold: (text) => text.toLowerCase() },
];

function straighten(text: string): string {
  return text
    .replace(/[\u2018\u2019\u201a\u201b\u2032\u00b4`]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/\u2026/g, "...");
}

function foldAll(text: string): string {
  if (text.length > MAX_FOLDED) return text;
  return confusions.reduce((folded, confusion) => confusion.fold(folded), text);
}

/** Names the confusions without which the texts would still differ. */
function* nameDifferences(found: string, wanted: string): Steps<string[]> {
  if (found.length + wanted.length > MAX_NAMED) return ["white space or characters that look alike"];
  const isLike = foldAll(found).includes(foldAll(wanted));
  const needed: string[] = [];
  for (const confusion of isLike ? confusions : []) {
    const others = confusions.filter((other) => other !== confusion);
    const foldOthers = (text: string): string => others.reduce((all, other) => other.fold(all), text);
    if (!foldOthers(found).includes(foldOthers(wanted))) needed.push(confusion.name);
    yield undefined;
  }
  return needed.length > 0 ? needed : ["white space"];
}

/** Finds the first place that is the same once everything confusable is made alike. */
function* findFolded(file: FoldedLines, wanted: FoldedLines): Steps<Place | undefined> {
  const folded = wanted.folded.join("\n");
  if (folded.trim() === "") return undefined;
  const text = yield* joinLines(file.folded);
  const [at] = yield* findPlaces(text, { wanted: folded, overlapping: true, most: 1 });
  if (at === undefined) return undefined;
  const first = yield* countEnds(text, "\n", 0, at);
  // A line break at the very end belongs to the line before it.
  return { first, last: first + (yield* countEnds(text, "\n", at, at + folded.length - 1)) };
}

function* joinLines(lines: readonly string[]): Steps<LongText> {
  const pieces: string[] = [];
  for (let from = 0; from < lines.length; from += STEP_LINES) {
    const to = from + STEP_LINES;
    pieces.push(lines.slice(from, to).join("\n") + (to < lines.length ? "\n" : ""));
    yield undefined;
  }
  return createLongText(pieces);
}

/** Finds where the most lines agree, and shows the first that does not. */
function* findMostAlike({ lines, folded }: FoldedLines, wanted: FoldedLines): Steps<string | undefined> {
  const count = wanted.lines.length;
  if (count > MAX_WANTED_LINES || lines.length > MAX_FILE_LINES) return undefined;
  const places = new Map<string, number[]>(wanted.folded.map((line) => [line, []]));
  for (const [index, line] of folded.entries()) {
    const known = places.get(line);
    if (known !== undefined && known.length < MAX_PLACES) known.push(index);
    if (index % STEP_LINES === 0) yield undefined;
  }
  const start = bestStart(places, wanted.folded);
  if (start === undefined) return undefined;
  const agrees = wanted.folded.map((line, index) => folded[start + index] === line);
  const different = agrees.indexOf(false);
  const wantedLine = JSON.stringify(cutText(wanted.lines[different] ?? "", MAX_SHOWN_LENGTH));
  const at = start + different;
  const first = Math.max(0, start);
  const agreeing = agrees.filter((agreed) => agreed).length;
  return `${agreeing} of ${plural(count, "line")} of old_string stand in the file from line ${first + 1} on, but line ${at + 1} is not ${wantedLine}. The file has:\n${show(lines, Math.max(first, at - 4), Math.min(start + count - 1, lines.length - 1))}`;
}

/** Gives the line at which most of the wanted lines stand in their places; the first of several. */
function bestStart(places: ReadonlyMap<string, readonly number[]>, wanted: readonly string[]): number | undefined {
  const scores = new Map<number, number>();
  wanted.forEach((line, index) => {
    // Short lines, such as a lone bracket, are everywhere and say little.
    for (const place of places.get(line) ?? [])
      scores.set(place - index, (scores.get(place - index) ?? 0) + Math.min(line.length, 20));
  });
  let best: { start: number; score: number } | undefined;
  for (const [start, score] of scores)
    if (best === undefined || score > best.score || (score === best.score && start < best.start))
      best = { start, score };
  return best === undefined || best.score < 4 ? undefined : best.start;
}

/** Shows lines as Read does. */
function show(lines: readonly string[], first: number, last: number, number = first + 1): string {
  const end = Math.min(last + 1, first + MAX_SHOWN);
  const shown = lines
    .slice(first, end)
    .map((line, index) => `${String(number + index).padStart(6)}\t${cutText(line, MAX_SHOWN_LENGTH)}`);
  return shown.join("\n") + (end <= last ? `\n… ${plural(last + 1 - end, "more line")}` : "");
}
