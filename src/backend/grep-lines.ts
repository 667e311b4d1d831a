/** Makes the lines that a grep gives from where its matches are. */

import { cutText, cutTextStart } from "../base/text.ts";
import type { LineHit } from "./grep-scan.ts";
import type { GrepLine } from "./search.ts";

/** How to show matches. */
export interface LineOptions {
  before: number;
  after: number;
  maxLineLength: number;
}

/** Gives the lines of a cut line's length that stand before its match. */
const SHARE_BEFORE = 4;

/**
 * Gives matching lines with the lines around them, in order and each once.
 *
 * @param text The text that was scanned.
 * @param hits The matching lines, in order.
 * @param options How many lines around them, and how long.
 */
export function linesAround(text: string, hits: readonly LineHit[], options: LineOptions): GrepLine[] {
  const lines: GrepLine[] = [];
  const count = lineCounter(text);
  const emit = (hit: LineHit, kind: GrepLine["kind"]): number => {
    const full = text.slice(hit.from, hit.to);
    const shown = cutAround(full, hit.at - hit.from, options.maxLineLength);
    lines.push({ line: count(hit.from), text: shown, kind, cut: shown.length < full.length });
    return lineEnd(text, hit.to) + 1;
  };
  let next = 0;
  let after = 0;
  const emitContext = (to: number, most: number): void => {
    for (let left = most; left > 0 && next < to; left -= 1) next = emit(contextLine(text, next), "context");
  };
  for (const hit of hits) {
    emitContext(hit.from, after);
    let start = hit.from;
    for (let left = options.before; left > 0 && start > next; left -= 1) start = lineStart(text, start - 1);
    if (start > next) next = start;
    emitContext(hit.from, options.before);
    next = emit(hit, "match");
    after = options.after;
  }
  emitContext(text.length, after);
  return lines;
}

/**
 * Cuts a line to a length so that a place in it stays in view, on code points.
 *
 * @param line The line.
 * @param at The place.
 * @param limit The most UTF-16 units.
 */
export function cutAround(line: string, at: number, limit: number): string {
  if (line.length <= limit) return line;
  const start = Math.max(0, Math.min(at - Math.floor(limit / SHARE_BEFORE), line.length - limit));
  return cutText(cutTextStart(line, line.length - start), limit);
}

/** Numbers offsets that only grow, without counting a line twice. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let counted = 0;
  return (offset) => {
    for (let end = text.indexOf("\n", counted); end !== -1 && end < offset; end = text.indexOf("\n", counted)) {
      line += 1;
      counted = end + 1;
    }
    return line;
  };
}

function contextLine(text: string, from: number): LineHit {
  const end = lineEnd(text, from);
  const to = end > from && end < text.length && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
  return { from, to, at: from };
}

function lineStart(text: string, index: number): number {
  return index === 0 ? 0 : text.lastIndexOf("\n", index - 1) + 1;
}

function lineEnd(text: string, index: number): number {
  const end = text.indexOf("\n", index);
  return end === -1 ? text.length : end;
}
