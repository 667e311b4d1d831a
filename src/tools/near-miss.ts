/** Explains why a text to replace was not found: shows the place that comes nearest, and what differs there. */

import { cutText, plural, splitLines } from "../base/text.ts";
import { plainBreaks, plainLines } from "./edit-text.ts";

/** UTF-16 units of the longest text that is looked through. */
const MAX_TEXT = 4 << 20;

/** Lines of a text to replace, and of a file, that are compared; longer ones are only searched for as a whole. */
const MAX_WANTED_LINES = 500;
const MAX_FILE_LINES = 100_000;

const nothing = "Nothing like it is in the file. Read the file again and copy the text exactly.";

/** Places of one line that are tried. */
const MAX_PLACES = 200;

/** UTF-16 units of two texts whose differences are told apart. */
const MAX_NAMED = 100_000;

/** Lines that are shown, and UTF-16 units of each. */
const MAX_SHOWN = 12;
const MAX_SHOWN_LENGTH = 200;

/**
 * Says where a file comes nearest to a text that is not in it.
 *
 * @param text The file.
 * @param wanted The text that was looked for.
 * @returns Sentences for a model, with the lines of the file as Read shows them.
 */
export function explainMiss(text: string, wanted: string): string {
  if (text.length > MAX_TEXT) return "Use Grep to find the lines, Read them, and copy the text exactly.";
  const plain = plainLines(text);
  const slip = nameSlip(plain, wanted);
  if (slip !== undefined) return slip;
  const lines = plain.split("\n");
  const wantedLines = plainBreaks(wanted).split("\n");
  const place = findFolded(lines, wantedLines);
  if (place !== undefined) {
    const found = lines.slice(place.first, place.last + 1).join("\n");
    const where =
      place.first === place.last
        ? `Line ${place.first + 1} differs`
        : `Lines ${place.first + 1}-${place.last + 1} differ`;
    return `${where} only in ${nameDifferences(found, wantedLines.join("\n").replace(/\n$/, "")).join(", ")}. The file has:\n${show(lines, place.first, place.last)}`;
  }
  return findMostAlike(lines, wantedLines) ?? nothing;
}

/**
 * Shows the lines around a place of a file.
 *
 * @param text The file.
 * @param line The line, from 1.
 */
export function showAround(text: string, line: number): string {
  const lines = splitLines(text);
  return show(lines, Math.max(0, line - 4), Math.min(lines.length - 1, line + 2));
}

/** Recognises what a model copies along although it is not in the file. */
function nameSlip(text: string, wanted: string): string | undefined {
  const numbered = /^\s*\d+\t/gm;
  if (numbered.test(wanted) && text.includes(wanted.replace(numbered, ""))) {
    return "old_string has the line numbers that Read puts before each line. Leave out the number and the tab after it.";
  }
  if (wanted.includes("… [line cut:")) {
    return "old_string has the marker that Read puts where it cuts a line. Use a part of the line before the marker.";
  }
  if (!/\r(?!\n)/.test(wanted)) return undefined;
  return "old_string has a carriage return by itself, which matches nothing. Line ends are kept as they are; write each line break as a line feed.";
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
  return confusions.reduce((folded, confusion) => confusion.fold(folded), text);
}

/** Names the confusions without which the texts would still differ. */
function nameDifferences(found: string, wanted: string): string[] {
  if (found.length + wanted.length > MAX_NAMED) return ["white space or characters that look alike"];
  const folded = foldAll(wanted);
  const needed = confusions.filter((confusion) => {
    const others = confusions.filter((other) => other !== confusion);
    const foldOthers = (text: string): string => others.reduce((all, other) => other.fold(all), text);
    return !foldOthers(found).includes(foldOthers(wanted)) && foldAll(found).includes(folded);
  });
  return needed.length > 0 ? needed.map(({ name }) => name) : ["white space"];
}

/** Finds the first place that is the same once everything confusable is made alike. */
function findFolded(lines: readonly string[], wanted: readonly string[]): Place | undefined {
  const folded = wanted.map(foldAll).join("\n");
  if (folded.trim() === "") return undefined;
  const text = lines.map(foldAll).join("\n");
  const at = text.indexOf(folded);
  if (at < 0) return undefined;
  const first = countBreaks(text, 0, at);
  // A line break at the very end belongs to the line before it.
  return { first, last: first + countBreaks(text, at, at + folded.length - 1) };
}

function countBreaks(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", start); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** Finds where the most lines agree, and shows the first that does not. */
function findMostAlike(lines: readonly string[], wanted: readonly string[]): string | undefined {
  if (wanted.length > MAX_WANTED_LINES || lines.length > MAX_FILE_LINES) return undefined;
  const places = new Map<string, number[]>();
  lines.forEach((line, index) => {
    const folded = foldAll(line);
    const known = places.get(folded);
    if (known === undefined) places.set(folded, [index]);
    else if (known.length < MAX_PLACES) known.push(index);
  });
  const foldedWanted = wanted.map(foldAll);
  const scores = new Map<number, number>();
  foldedWanted.forEach((line, index) => {
    // Short lines, such as a lone bracket, are everywhere and say little.
    for (const place of places.get(line) ?? [])
      scores.set(place - index, (scores.get(place - index) ?? 0) + Math.min(line.length, 20));
  });
  const [best] = [...scores].sort(([one, left], [other, right]) => right - left || one - other);
  if (best === undefined || best[1] < 4) return undefined;
  const start = best[0];
  const different = foldedWanted.findIndex((line, index) => foldAll(lines[start + index] ?? "\n") !== line);
  const agreeing = foldedWanted.filter((line, index) => foldAll(lines[start + index] ?? "\n") === line).length;
  const wantedLine = JSON.stringify(cutText(wanted[different] ?? "", MAX_SHOWN_LENGTH));
  const at = start + different;
  const first = Math.max(0, start);
  return `${agreeing} of ${plural(wanted.length, "line")} of old_string stand in the file from line ${first + 1} on, but line ${at + 1} is not ${wantedLine}. The file has:\n${show(lines, Math.max(first, at - 4), Math.min(start + wanted.length - 1, lines.length - 1))}`;
}

/** Shows lines as Read does. */
function show(lines: readonly string[], first: number, last: number): string {
  const end = Math.min(last + 1, first + MAX_SHOWN);
  const shown = lines
    .slice(first, end)
    .map((line, index) => `${String(first + index + 1).padStart(6)}\t${cutText(line, MAX_SHOWN_LENGTH)}`);
  return shown.join("\n") + (end <= last ? `\n… ${plural(last + 1 - end, "more line")}` : "");
}
