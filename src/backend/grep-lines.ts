/** Makes the lines that a grep gives from where its matches are. */

import type { LongText } from "../base/long-text.ts";
import { cutText, cutTextStart } from "../base/text.ts";
import type { LineHit } from "./line-hits.ts";
import type { GrepLine } from "./search.ts";

/** How to show matches. */
export interface LineOptions {
  before: number;
  after: number;
  maxLineLength: number;
}

/** Gives the lines of a cut line's length that stand before its match. */
const SHARE_BEFORE = 4;

/** Lines that are counted in one step. */
const STEP_LINES = 1 << 16;

/**
 * Gives matching lines with the lines around them, in order and each once.
 *
 * @param text The text that was scanned.
 * @param hits The matching lines, in order.
 * @param options How many lines around them, and how long.
 * @returns The lines; undefined now and then, where counting them takes long and a pause may be made.
 */
export function* linesAround(
  text: LongText,
  hits: readonly LineHit[],
  options: LineOptions,
): Generator<GrepLine | undefined, void, undefined> {
  const counter = createCounter(text);
  let next = 0;
  let after = 0;
  const show = function* (hit: LineHit, kind: GrepLine["kind"]): Generator<GrepLine | undefined, void, undefined> {
    while (!counter.countTo(hit.from)) yield undefined;
    const full = text.slice(hit.from, hit.to);
    const shown = cutAround(full, hit.at - hit.from, options.maxLineLength);
    next = lineEnd(text, hit.to) + 1;
    yield { line: counter.line, text: shown, kind, cut: shown.length < full.length };
  };
  const context = function* (to: number, most: number): Generator<GrepLine | undefined, void, undefined> {
    for (let left = most; left > 0 && next < to; left -= 1) yield* show(contextLine(text, next), "context");
  };
  for (const hit of hits) {
    yield* context(hit.from, after);
    let start = hit.from;
    for (let left = options.before; left > 0 && start > next; left -= 1) start = lineStart(text, start - 1);
    if (start > next) next = start;
    yield* context(hit.from, options.before);
    yield* show(hit, "match");
    after = options.after;
  }
  yield* context(text.length, after);
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
interface LineCounter {
  /** The number of the line that was counted to last. */
  readonly line: number;
  /** Counts on to an offset; false when it is not there yet. */
  countTo(offset: number): boolean;
}

function createCounter(text: LongText): LineCounter {
  let line = 1;
  let counted = 0;
  return {
    get line() {
      return line;
    },
    countTo(offset) {
      for (let left = STEP_LINES; left > 0; left -= 1) {
        const end = text.indexOf("\n", counted);
        if (end === -1 || end >= offset) return true;
        line += 1;
        counted = end + 1;
      }
      return false;
    },
  };
}

function contextLine(text: LongText, from: number): LineHit {
  const end = lineEnd(text, from);
  const to = end > from && end < text.length && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
  return { from, to, at: from };
}

function lineStart(text: LongText, index: number): number {
  return index === 0 ? 0 : text.lastIndexOf("\n", index - 1) + 1;
}

function lineEnd(text: LongText, index: number): number {
  const end = text.indexOf("\n", index);
  return end === -1 ? text.length : end;
}
