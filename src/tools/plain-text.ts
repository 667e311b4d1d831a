/** Text whose line ends are all LF, as models write it, beside the text of a file, whose line ends may be of any kind. */

import { createLongText, type LongText } from "../base/long-text.ts";
import type { Steps } from "../base/steps.ts";

/** Only a CRLF is longer than its LF, so the places of those are enough to find the way back. */
export interface PlainText {
  real: LongText;
  plain: LongText;
  /** Where in `plain` the LFs of CRLFs stand, rising. */
  pairs: number[];
}

/** UTF-16 units that are made plain in one step. */
const WINDOW = 1 << 16;

/** Makes the LFs of a text another line end. */
export function withBreaks(plain: string, end: string): string {
  return end === "\n" ? plain : plain.replaceAll("\n", () => end);
}

/** Makes the line breaks of a text that a model wrote LFs. A CR by itself is no line break there. */
export function plainBreaks(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** Makes every line end of a file an LF. */
export function* toPlain(real: LongText): Steps<PlainText> {
  if (real.indexOf("\r", 0) === -1) return { real, plain: real, pairs: [] };
  const pieces: string[] = [];
  const pairs: number[] = [];
  for (let base = 0; base < real.length; ) {
    const to = base + WINDOW;
    const part = real.slice(base, isInside(real, to) ? to + 1 : to);
    for (let at = part.indexOf("\r\n"); at >= 0; at = part.indexOf("\r\n", at + 2))
      pairs.push(base + at - pairs.length);
    // Far faster than a pattern where there are many.
    pieces.push(part.includes("\r") ? part.split("\r\n").join("\n").split("\r").join("\n") : part);
    base += part.length;
    yield undefined;
  }
  return { real, plain: createLongText(pieces), pairs };
}

/** Tells whether a CRLF or a surrogate pair stands on both sides of a place. */
function isInside(text: LongText, place: number): boolean {
  const before = text.charCodeAt(place - 1);
  return before === 13 ? text.charCodeAt(place) === 10 : (before & 0xfc00) === 0xd800;
}

/** Gives the place in the real text; a place at a line end is that before its CR. */
export function toReal({ pairs }: PlainText, place: number): number {
  let [low, high] = [0, pairs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pairs[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return place + low;
}

/** Gives the real line end at an LF of the plain text. */
export function endAt(text: PlainText, place: number): string {
  const at = toReal(text, place);
  const end = text.real.slice(at, at + 2);
  return end === "\r\n" ? end : end.charAt(0);
}
