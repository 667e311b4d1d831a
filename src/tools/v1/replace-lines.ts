/** Replaces whole lines of a text, and keeps the line ends there are. */

import { splitLines } from "../../base/text.ts";

/** Splits a text into lines that keep their ends; joining them gives the text back. */
export function linesWithTheirEnds(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
}

/**
 * Puts new lines in the place of old ones.
 *
 * New lines get the line end of their place, and what follows them begins a line of its own. A text without a line end
 * at its end stays so. A line end at the end of `content` ends its last line; it does not begin another one, and an
 * empty `content` is one empty line.
 *
 * @param text The text.
 * @param first The first line to replace, from 1; one more than there are to append.
 * @param count How many lines to replace; 0 to insert.
 * @param content The new lines.
 */
export function replaceLines(text: string, first: number, count: number, content: string): string {
  const lines = linesWithTheirEnds(text);
  if (lines.length === 0) return content;
  const before = lines.slice(0, first - 1);
  const after = lines.slice(first - 1 + count);
  const end = lineEndAt(lines, first - 1);
  const fresh = content === "" ? [""] : splitLines(content);
  const last = before.pop();
  if (last !== undefined) before.push(hasEnd(last) ? last : last + end);
  const endsWithLine = after.length > 0 || hasEnd(text);
  const middle = fresh.map((line, index) => (index < fresh.length - 1 || endsWithLine ? line + end : line));
  return [...before, ...middle, ...after].join("");
}

/** Gives the line end of a line, or of the nearest one before it that has one. */
function lineEndAt(lines: readonly string[], index: number): string {
  for (let at = Math.min(index, lines.length - 1); at >= 0; at -= 1) {
    const [end] = /(?:\r\n|\n|\r)$/.exec(lines[at] ?? "") ?? [];
    if (end !== undefined) return end;
  }
  return "\n";
}

function hasEnd(line: string): boolean {
  return /[\r\n]$/.test(line);
}
