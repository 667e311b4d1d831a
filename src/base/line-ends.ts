/** The line ends of long texts, counted in steps. */

import type { LongText } from "./long-text.ts";
import type { Steps } from "./steps.ts";

/** Which line ends a text has. Lone CRs, by themselves or beside others, are `mixed`. */
export type LineEnds = "none" | "\n" | "\r\n" | "mixed";

/** Units that are looked through in one step. */
const WINDOW = 1 << 16;

/** Tells which line ends a text has. */
export function* lineEndsOf(text: LongText): Steps<LineEnds> {
  const first = text.indexOf("\n", 0);
  if (text.indexOf("\r", 0) === -1) return first === -1 ? "none" : "\n";
  // Most texts that have both kinds show it here.
  if (first <= 0 || text.charCodeAt(first - 1) !== 13) return "mixed";
  const pairs = yield* countEnds(text, "\r\n", 0, text.length);
  if ((yield* countEnds(text, "\n", 0, text.length)) !== pairs) return "mixed";
  return (yield* countEnds(text, "\r", 0, text.length)) === pairs ? "\r\n" : "mixed";
}

/** Counts the line ends of one kind that begin between two places. */
export function* countEnds(text: LongText, end: "\n" | "\r" | "\r\n", from: number, to: number): Steps<number> {
  let count = 0;
  for (let base = from; base < to; base += WINDOW) {
    const part = text.slice(base, Math.min(base + WINDOW, to) + end.length - 1);
    for (let at = part.indexOf(end); at !== -1; at = part.indexOf(end, at + 1)) count += 1;
    if (to - base > WINDOW) yield undefined;
  }
  return count;
}

/** Counts lines that end at LF, CRLF and CR; an end at the very end of the text starts no further line. */
export function* countLines(text: LongText): Steps<number> {
  let ends = yield* countEnds(text, "\n", 0, text.length);
  if (text.indexOf("\r", 0) !== -1) {
    ends += yield* countEnds(text, "\r", 0, text.length);
    ends -= yield* countEnds(text, "\r\n", 0, text.length);
  }
  if (text.length === 0) return 0;
  const last = text.charCodeAt(text.length - 1);
  return last === 10 || last === 13 ? ends : ends + 1;
}
