/** The lines of a file: where they are, what they say, and how some are replaced; all of it in steps. */

import type { LongText } from "../../base/long-text.ts";
import type { Steps } from "../../base/steps.ts";
import { splitLines } from "../../base/text.ts";
import type { Splice } from "../file-text.ts";
import type { LineRange } from "./line-ranges.ts";

/** Lines that end at LF, CRLF and CR; an end at the very end of the text starts no further line. */
export interface FileLines {
  text: LongText;
  count: number;
  /** Where each line starts, and behind those where the text ends. */
  starts: Int32Array;
}

/** Units of text that are looked through in one step. */
const STEP_UNITS = 1 << 16;

/** Lines that are written in one step. */
const STEP_LINES = 2048;

/** Finds the lines of a text. */
export function* findLines(text: LongText): Steps<FileLines> {
  let starts = new Int32Array(1024);
  let count = 0;
  let from = 0;
  const add = (to: number): void => {
    if (count + 1 === starts.length) {
      const larger = new Int32Array(2 * starts.length);
      larger.set(starts);
      starts = larger;
    }
    count += 1;
    starts[count] = to;
    from = to;
  };
  for (let base = 0; base < text.length; ) {
    const to = base + STEP_UNITS;
    // A CRLF is one line end, so it must not be cut.
    const isCut = text.charCodeAt(to - 1) === 13 && text.charCodeAt(to) === 10;
    const part = text.slice(base, isCut ? to + 1 : to);
    let [lf, cr] = [part.indexOf("\n"), part.indexOf("\r")];
    while (lf >= 0 || cr >= 0) {
      const isLf = cr < 0 || (lf >= 0 && lf < cr);
      const end = isLf ? lf + 1 : lf === cr + 1 ? cr + 2 : cr + 1;
      add(base + end);
      if (lf >= 0 && lf < end) lf = part.indexOf("\n", end);
      if (!isLf) cr = part.indexOf("\r", end);
    }
    base += part.length;
    yield undefined;
  }
  if (from < text.length) add(text.length);
  return { text, count, starts };
}

/** Writes lines with their numbers, which count from 1; both lines are included. Joining the parts gives the text. */
export function* numberLines({ text, starts }: FileLines, [first, last]: LineRange): Steps<string[]> {
  const parts: string[] = [];
  let shown: string[] = [];
  let units = 0;
  for (let line = first; line <= last; line += 1) {
    const own = text.slice(starts[line - 1] ?? 0, starts[line] ?? 0);
    shown.push(`${line}: ${withoutEnd(own)}\n`);
    units += own.length;
    if (shown.length < STEP_LINES && units < STEP_UNITS) continue;
    parts.push(shown.join(""));
    shown = [];
    units = 0;
    yield undefined;
  }
  parts.push(shown.join(""));
  return parts;
}

/**
 * Puts new lines in the place of old ones.
 *
 * New lines get the line end of their place, and what follows them begins a line of its own. A text without a line end
 * at its end stays so. A line end at the end of `content` ends its last line; it does not begin another one, and an
 * empty `content` is one empty line.
 *
 * @param lines The lines of the text.
 * @param first The first line to replace, from 1; one more than there are to append.
 * @param count How many lines to replace; 0 to insert.
 * @param content The new lines.
 */
export function spliceOfLines(lines: FileLines, first: number, count: number, content: string): Splice {
  const { starts } = lines;
  if (lines.count === 0) return { start: 0, end: 0, fresh: content };
  const [start, end] = [starts[first - 1] ?? 0, starts[first - 1 + count] ?? 0];
  const [lastEnd, ownEnd] = [endOf(lines, lines.count), endNear(lines, first)];
  const isLast = first - 1 + count === lines.count;
  const fresh = content === "" ? [""] : splitLines(content);
  const lead = first > lines.count ? (lastEnd === "" ? ownEnd : "") : "";
  return { start, end, fresh: lead + fresh.join(ownEnd) + (isLast && lastEnd === "" ? "" : ownEnd) };
}

/** Gives the line end of a line, or of the nearest one before it that has one: only the last one may have none. */
function endNear(lines: FileLines, line: number): string {
  const own = Math.min(line, lines.count);
  return endOf(lines, own) || endOf(lines, own - 1) || "\n";
}

/** Gives the line end of a line; empty when it has none, and for a line that is not there. */
function endOf({ text, starts }: FileLines, line: number): string {
  const end = starts[line] ?? 0;
  return line < 1 ? "" : (/(?:\r\n|\n|\r)$/.exec(text.slice(Math.max(starts[line - 1] ?? 0, end - 2), end))?.[0] ?? "");
}

function withoutEnd(line: string): string {
  if (line.endsWith("\r\n")) return line.slice(0, -2);
  return line.endsWith("\n") || line.endsWith("\r") ? line.slice(0, -1) : line;
}
