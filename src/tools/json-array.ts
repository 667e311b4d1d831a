/** Finds the places of the elements of an array in JSON text, so that one can be changed and all else stays as it is. */

import type { Steps } from "../base/steps.ts";

/** Where a value stands; the end is exclusive. */
export interface JsonPlace {
  start: number;
  end: number;
}

/** An array in JSON text, and its elements. */
export interface JsonArrayPlace extends JsonPlace {
  elements: JsonPlace[];
}

/** Marks, and elements, that are looked at in one step. */
const STEP_MARKS = 4096;
const STEP_ELEMENTS = 256;

/**
 * Finds the array that is the value of a key of the outermost object, in steps.
 *
 * @param text JSON text. Of any other text the answer says nothing.
 * @param key The key; where it stands twice, the last one counts, as in parsing.
 * @returns Undefined when the text is no object, or has no such key with an array.
 */
export function* findArray(text: string, key: string): Steps<JsonArrayPlace | undefined> {
  const open = skipSpace(text, 0);
  if (text[open] !== "{") return undefined;
  let found: JsonArrayPlace | undefined;
  for (let at = skipSpace(text, open + 1); text[at] === '"'; at = next(text, at)) {
    const keyEnd = yield* skipString(text, at);
    const name = parseJson(text.slice(at, keyEnd));
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    if (name === key) found = text[start] === "[" ? yield* placeArray(text, start) : undefined;
    at = name === key && found !== undefined ? found.end : yield* skipValue(text, start);
  }
  return found;
}

function* placeArray(text: string, start: number): Steps<JsonArrayPlace> {
  const elements: JsonPlace[] = [];
  let at = skipSpace(text, start + 1);
  while (at < text.length && text[at] !== "]") {
    const end = yield* skipValue(text, at);
    if (elements.push({ start: at, end }) % STEP_ELEMENTS === 0) yield undefined;
    at = Math.max(next(text, end), at + 1);
  }
  return { start, end: at + 1, elements };
}

/** Parses JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Goes behind the comma that follows a value, if there is one. */
function next(text: string, end: number): number {
  const at = skipSpace(text, end);
  return text[at] === "," ? skipSpace(text, at + 1) : at;
}

function skipSpace(text: string, from: number): number {
  return findFrom(text, /[^\t\n\r ]/g, from);
}

function* skipValue(text: string, start: number): Steps<number> {
  const first = text.charAt(start);
  if (first === '"') return yield* skipString(text, start);
  if (first !== "{" && first !== "[") return findFrom(text, /[\s,\]}]/g, start);
  // Not by recursion: how deep it goes is for the text to say.
  const marks = /["{}[\]]/g;
  marks.lastIndex = start;
  let depth = 0;
  let count = 0;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    count += 1;
    if (count % STEP_MARKS === 0) yield undefined;
    const [found] = mark;
    if (found === '"') marks.lastIndex = yield* skipString(text, mark.index);
    else depth += found === "{" || found === "[" ? 1 : -1;
    if (depth === 0) return mark.index + 1;
  }
  return text.length;
}

/** Gives where an expression with the flag `g` matches first; the end of the text when it does not. */
function findFrom(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

/** Gives the place behind a string; a quote with an odd number of backslashes in front does not end it. */
function* skipString(text: string, start: number): Steps<number> {
  let count = 0;
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
    count += 1;
    if (count % STEP_MARKS === 0) yield undefined;
  }
  return text.length;
}
