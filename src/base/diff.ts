/** What changed between two texts, as a unified diff. */

import { diffLines, type LineChange } from "./diff-lines.ts";
import { countEnds } from "./line-ends.ts";
import type { LongText } from "./long-text.ts";
import { type Steps, takeAll } from "./steps.ts";
import { countOf, createLineHash, lineAt, numberLines, readLines, type TextLines } from "./text-lines.ts";

/** How a diff is written. */
export interface UnifiedDiffOptions {
  /** Unchanged lines around a change. Defaults to 3. */
  context?: number;
  /** The most UTF-16 units of text; hunks beyond them are left out. Defaults to {@link MAX_DIFF_LENGTH}. */
  maxLength?: number;
}

/** A diff and its size. */
export interface UnifiedDiff {
  /** The diff; empty when the texts are equal. */
  text: string;
  /** Lines that are new, of the whole change. */
  added: number;
  /** Lines that are gone, of the whole change. */
  removed: number;
  /** Whether hunks were left out. */
  truncated: boolean;
}

/** UTF-16 units of a diff when nothing else is said. */
export const MAX_DIFF_LENGTH = 100_000;

/** Splits text into lines that keep their LF, so that joining them gives the text back. */
export function linesWithEnds(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

/**
 * Writes what changed between two texts as a unified diff.
 *
 * @param before The old text; undefined when there was no file.
 * @param after The new text.
 * @param path The path to name in the header.
 */
export function unifiedDiff(
  before: LongText | undefined,
  after: LongText,
  path: string,
  options: UnifiedDiffOptions = {},
): UnifiedDiff {
  return takeAll(unifiedDiffSteps(before, after, path, options));
}

/** Writes what {@link unifiedDiff} writes, in steps. */
export function* unifiedDiffSteps(
  before: LongText | undefined,
  after: LongText,
  path: string,
  options: UnifiedDiffOptions = {},
): Steps<UnifiedDiff> {
  const { context = 3, maxLength = MAX_DIFF_LENGTH } = options;
  const sides = yield* changedPart(before ?? "", after, context);
  const changes = yield* diffLines(yield* numberLines(sides.old, sides.new));
  const name = path.replace(/^\//, "");
  let text = `--- ${before === undefined ? "/dev/null" : `a/${name}`}\n+++ b/${name}\n`;
  let truncated = false;
  for (const group of groupChanges(changes, context)) {
    const hunk = writeHunk(sides, group, context, maxLength - text.length);
    if (hunk === undefined) {
      truncated = true;
      break;
    }
    text += hunk;
  }
  return {
    text: changes.length === 0 ? "" : text,
    added: changes.reduce((sum, change) => sum + change.newEnd - change.newStart, 0),
    removed: changes.reduce((sum, change) => sum + change.oldEnd - change.oldStart, 0),
    truncated,
  };
}

interface Sides {
  old: TextLines;
  new: TextLines;
  /** Lines in front of both, which are equal. */
  skipped: number;
}

/** Splits no more into lines than what is between the equal beginning and the equal end, with the lines around. */
function* changedPart(before: LongText, after: LongText, context: number): Steps<Sides> {
  let start = lineStart(before, yield* commonStart(before, after));
  const least = Math.min(before.length, after.length) - start;
  const common = yield* commonEnd(before, after, least);
  // The first line of the equal end may only be the end of one.
  const lineEnd = before.indexOf("\n", before.length - common);
  let end = lineEnd < 0 ? 0 : before.length - lineEnd - 1;
  for (let line = 0; line < context && start > 0; line += 1) start = lineStart(before, start - 1);
  for (let line = 0; line < context && end > 0; line += 1) {
    const next = before.indexOf("\n", before.length - end);
    end = next < 0 ? 0 : before.length - next - 1;
  }
  const hash = createLineHash();
  return {
    old: yield* readLines(before, start, before.length - end, hash),
    new: yield* readLines(after, start, after.length - end, hash),
    skipped: yield* countEnds(before, "\n", 0, start),
  };
}

/** Gives where the line of a place starts. */
function lineStart(text: LongText, place: number): number {
  return place === 0 ? 0 : text.lastIndexOf("\n", place - 1) + 1;
}

/** Units that are compared at once: engines compare long texts much faster than unit by unit. */
const BLOCK = 4096;

/** Blocks that are compared in one step. */
const STEP_BLOCKS = 512;

function* commonStart(one: LongText, other: LongText): Steps<number> {
  const most = Math.min(one.length, other.length);
  let at = 0;
  for (; at + BLOCK <= most && one.slice(at, at + BLOCK) === other.slice(at, at + BLOCK); at += BLOCK)
    if (at % (STEP_BLOCKS * BLOCK) === 0) yield undefined;
  while (at < most && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

function* commonEnd(one: LongText, other: LongText, most: number): Steps<number> {
  const [last, otherLast] = [one.length, other.length];
  const blockOf = (text: LongText, end: number): string => text.slice(end - BLOCK, end);
  let at = 0;
  for (; at + BLOCK <= most && blockOf(one, last - at) === blockOf(other, otherLast - at); at += BLOCK)
    if (at % (STEP_BLOCKS * BLOCK) === 0) yield undefined;
  while (at < most && one.charCodeAt(last - at - 1) === other.charCodeAt(otherLast - at - 1)) at += 1;
  return at;
}

/** Puts changes together whose context would touch. */
function* groupChanges(changes: readonly LineChange[], context: number): Generator<LineChange[], void, undefined> {
  let group: LineChange[] = [];
  for (const change of changes) {
    const last = group[group.length - 1];
    if (last !== undefined && change.oldStart - last.oldEnd > 2 * context) {
      yield group;
      group = [];
    }
    group.push(change);
  }
  if (group.length > 0) yield group;
}

/** Writes one hunk, or gives undefined when it is longer than there is room. */
function writeHunk(sides: Sides, group: readonly LineChange[], context: number, room: number): string | undefined {
  const first = group[0] ?? { oldStart: 0, oldEnd: 0, newStart: 0, newEnd: 0 };
  const last = group[group.length - 1] ?? first;
  const lead = Math.min(context, first.oldStart);
  const trail = Math.min(context, countOf(sides.old) - last.oldEnd);
  const { skipped } = sides;
  const oldRange = range(skipped + first.oldStart - lead, skipped + last.oldEnd + trail);
  const newRange = range(skipped + first.newStart - lead, skipped + last.newEnd + trail);
  let text = `@@ -${oldRange} +${newRange} @@\n`;
  const put = (sign: string, lines: TextLines, start: number, end: number): void => {
    // A hunk of huge lines is given up early, so that it is never built whole.
    for (let at = start; at < end && text.length <= room; at += 1) {
      const line = lineAt(lines, at);
      text += line.endsWith("\n") ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`;
    }
  };
  let from = first.oldStart - lead;
  for (const change of group) {
    put(" ", sides.old, from, change.oldStart);
    put("-", sides.old, change.oldStart, change.oldEnd);
    put("+", sides.new, change.newStart, change.newEnd);
    from = change.oldEnd;
  }
  put(" ", sides.old, from, from + trail);
  return text.length <= room ? text : undefined;
}

/** Lines from 1, with their count; an empty range names the line before it. */
function range(start: number, end: number): string {
  return `${end > start ? start + 1 : start},${end - start}`;
}
