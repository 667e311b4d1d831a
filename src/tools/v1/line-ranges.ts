/** Ranges of lines as the text file tools write and count them. */

import { refusal } from "../answer.ts";

/** First and last line, both included; what they count from is for the user of the range. */
export type LineRange = readonly [start: number, end: number];

/**
 * Reads a range: `[2,5]` or `2,5`, with spaces and signs.
 *
 * @returns Undefined when it is none.
 */
export function parseRange(text: string): LineRange | undefined {
  const [, start, end] = /^\s*\[?\s*([+-]?\d{1,9})\s*,\s*([+-]?\d{1,9})\s*\]?\s*$/.exec(text) ?? [];
  return start === undefined || end === undefined ? undefined : [Number(start), Number(end)];
}

/**
 * Reads the range of a call; none and a blank one mean the whole file.
 *
 * @throws HoldallError for anything else that is no range.
 */
export function requireRange(text: string | undefined): LineRange | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const range = parseRange(text);
  if (range !== undefined) return range;
  throw refusal(`Invalid range format. Expected '[start,end]' or 'start,end', but got ${text}.`);
}

/** Makes indexes that count from the end, where -1 is the last line, count from the start. */
export function fromStart(index: number, total: number): number {
  return index < 0 ? total + index + 1 : index;
}

/**
 * Finds the lines to show for a range: negative indexes count from the end, and what reaches out of the file is cut.
 *
 * @throws HoldallError when nothing is left.
 */
export function linesToShow([first, last]: LineRange, total: number): LineRange {
  const start = Math.max(1, fromStart(first, total));
  const end = Math.min(total, fromStart(last, total));
  if (start <= end) return [start, end];
  throw refusal(`Invalid range: start line ${start} is greater than end line ${end}.`);
}

/**
 * Finds the lines to show around a change.
 *
 * @param before Lines of the file before.
 * @param after Lines of the file now.
 * @param changed The lines that were changed, as they were counted before.
 * @param extra Lines to show on both sides.
 */
export function linesAround(before: number, after: number, [start, end]: LineRange, extra: number): LineRange {
  return [Math.max(1, start - extra), Math.min(after, start + (after - before) + (end - start) + extra)];
}
