/** Finds the places of the elements of an array in JSON text, so that one can be changed and all else stays as it is. */

/** Where a value stands; the end is exclusive. */
export interface JsonPlace {
  start: number;
  end: number;
}

/** An array in JSON text, and its elements. */
export interface JsonArrayPlace extends JsonPlace {
  elements: JsonPlace[];
}

/**
 * Finds the array that is the value of a key of the outermost object.
 *
 * @param text JSON text that has been parsed without a fault.
 * @param key The key; where it stands twice, the last one counts, as in parsing.
 * @returns Undefined when the text is no object, or has no such key with an array.
 */
export function findArray(text: string, key: string): JsonArrayPlace | undefined {
  const open = skipSpace(text, 0);
  if (text[open] !== "{") return undefined;
  let found: JsonArrayPlace | undefined;
  for (let at = skipSpace(text, open + 1); text[at] === '"'; at = next(text, at)) {
    const keyEnd = skipString(text, at);
    const name: unknown = JSON.parse(text.slice(at, keyEnd));
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    if (name === key) found = text[start] === "[" ? placeArray(text, start) : undefined;
    at = skipValue(text, start);
  }
  return found;
}

function placeArray(text: string, start: number): JsonArrayPlace {
  const elements: JsonPlace[] = [];
  let at = skipSpace(text, start + 1);
  while (at < text.length && text[at] !== "]") {
    const end = skipValue(text, at);
    elements.push({ start: at, end });
    at = next(text, end);
  }
  return { start, end: at + 1, elements };
}

/** Goes behind the comma that follows a value, if there is one. */
function next(text: string, end: number): number {
  const at = skipSpace(text, end);
  return text[at] === "," ? skipSpace(text, at + 1) : at;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (/[\t\n\r \ufeff]/.test(text.charAt(at)) && at < text.length) at += 1;
  return at;
}

function skipValue(text: string, start: number): number {
  const first = text.charAt(start);
  if (first === '"') return skipString(text, start);
  if (first !== "{" && first !== "[") {
    let at = start;
    while (at < text.length && !/[\s,\]}]/.test(text.charAt(at))) at += 1;
    return at;
  }
  // Not by recursion: how deep it goes is for the text to say.
  const marks = /["{}[\]]/g;
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const [found] = mark;
    if (found === '"') marks.lastIndex = skipString(text, mark.index);
    else depth += found === "{" || found === "[" ? 1 : -1;
    if (depth === 0) return mark.index + 1;
  }
  return text.length;
}

/** Gives the place behind a string; a quote with an odd number of backslashes in front does not end it. */
function skipString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return text.length;
}
