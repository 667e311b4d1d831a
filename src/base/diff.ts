/** Line diffs: what changed between two texts, as ranges and as a unified diff. */

/** A run of lines that was replaced; positions count lines from 0, ends are exclusive. */
export interface LineChange {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

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

/** Single-line edits that are searched for exactly; blocks that need more are cut at lines both sides have once. */
const MAX_EDITS = 256;

/** Steps of exact search in one diff; afterwards blocks are replaced as a whole. */
const MAX_STEPS = 4_000_000;

/** How often blocks are cut into smaller ones. */
const MAX_DEPTH = 8;

/** Splits text into lines that keep their LF, so that joining them gives the text back. */
export function linesWithEnds(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/**
 * Finds what changed between two lists of lines. The answer is exact for small changes; its work is bounded, so a
 * change all over a large file may come out coarser than it could be, never wrong.
 *
 * @param before The old lines.
 * @param after The new lines.
 * @returns The changes in order; between two of them there is at least one equal line.
 */
export function diffLines(before: readonly string[], after: readonly string[]): LineChange[] {
  const ids = new Map<string, number>();
  const number = (line: string): number => {
    const known = ids.get(line) ?? ids.size;
    ids.set(line, known);
    return known;
  };
  const search: Search = { old: before.map(number), new: after.map(number), changes: [], steps: MAX_STEPS };
  compare(search, { oldStart: 0, oldEnd: before.length, newStart: 0, newEnd: after.length }, 0);
  return search.changes;
}

/**
 * Writes what changed between two texts as a unified diff.
 *
 * @param before The old text; undefined when there was no file.
 * @param after The new text.
 * @param path The path to name in the header.
 */
export function unifiedDiff(
  before: string | undefined,
  after: string,
  path: string,
  options: UnifiedDiffOptions = {},
): UnifiedDiff {
  const { context = 3, maxLength = MAX_DIFF_LENGTH } = options;
  const sides = changedPart(before ?? "", after, context);
  const changes = diffLines(sides.old, sides.new);
  const name = path.replace(/^\//, "");
  let text = `--- ${before === undefined ? "/dev/null" : `a/${name}`}\n+++ b/${name}\n`;
  let truncated = false;
  for (const group of groupChanges(changes, context)) {
    const hunk = truncated ? undefined : writeHunk(sides, group, context, maxLength - text.length);
    if (hunk === undefined) truncated = true;
    else text += hunk;
  }
  return {
    text: changes.length === 0 ? "" : text,
    added: changes.reduce((sum, change) => sum + change.newEnd - change.newStart, 0),
    removed: changes.reduce((sum, change) => sum + change.oldEnd - change.oldStart, 0),
    truncated,
  };
}

interface Sides {
  old: readonly string[];
  new: readonly string[];
  /** Lines in front of both, which are equal. */
  skipped: number;
}

/** Splits no more into lines than what is between the equal beginning and the equal end, with the lines around. */
function changedPart(before: string, after: string, context: number): Sides {
  let start = lineStart(before, commonStart(before, after));
  const least = Math.min(before.length, after.length) - start;
  const common = commonEnd(before, after, least);
  // The first line of the equal end may only be the end of one.
  const lineEnd = before.indexOf("\n", before.length - common);
  let end = lineEnd < 0 ? 0 : before.length - lineEnd - 1;
  for (let line = 0; line < context && start > 0; line += 1) start = lineStart(before, start - 1);
  for (let line = 0; line < context && end > 0; line += 1) {
    const next = before.indexOf("\n", before.length - end);
    end = next < 0 ? 0 : before.length - next - 1;
  }
  return {
    old: linesWithEnds(before.slice(start, before.length - end)),
    new: linesWithEnds(after.slice(start, after.length - end)),
    skipped: countBreaks(before, start),
  };
}

/** Gives where the line of a place starts. */
function lineStart(text: string, place: number): number {
  return place === 0 ? 0 : text.lastIndexOf("\n", place - 1) + 1;
}

/** Units that are compared at once: engines compare long texts much faster than unit by unit. */
const BLOCK = 4096;

function commonStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at + BLOCK <= most && one.slice(at, at + BLOCK) === other.slice(at, at + BLOCK)) at += BLOCK;
  while (at < most && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

function commonEnd(one: string, other: string, most: number): number {
  const [last, otherLast] = [one.length, other.length];
  let at = 0;
  const isEqual = (length: number): boolean =>
    one.slice(last - at - length, last - at) === other.slice(otherLast - at - length, otherLast - at);
  while (at + BLOCK <= most && isEqual(BLOCK)) at += BLOCK;
  while (at < most && isEqual(1)) at += 1;
  return at;
}

function countBreaks(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

interface Search {
  old: readonly number[];
  new: readonly number[];
  changes: LineChange[];
  /** Steps that are left. */
  steps: number;
}

function compare(search: Search, whole: LineChange, depth: number): void {
  const block = trimEqual(search, whole);
  const { oldStart, oldEnd, newStart, newEnd } = block;
  if (oldStart === oldEnd || newStart === newEnd) {
    addChange(search, block);
    return;
  }
  const exact = shortestChanges(search, block);
  if (exact !== undefined) {
    for (const change of exact) addChange(search, change);
    return;
  }
  let from = { old: oldStart, new: newStart };
  for (const anchor of depth < MAX_DEPTH ? commonAnchors(search, block) : []) {
    compare(search, { oldStart: from.old, oldEnd: anchor.old, newStart: from.new, newEnd: anchor.new }, depth + 1);
    from = { old: anchor.old + 1, new: anchor.new + 1 };
  }
  const rest = { oldStart: from.old, oldEnd, newStart: from.new, newEnd };
  if (from.old === oldStart && from.new === newStart) addChange(search, rest);
  else compare(search, rest, depth + 1);
}

function trimEqual(search: Search, block: LineChange): LineChange {
  let { oldStart, oldEnd, newStart, newEnd } = block;
  while (oldStart < oldEnd && newStart < newEnd && search.old[oldStart] === search.new[newStart]) {
    oldStart += 1;
    newStart += 1;
  }
  while (oldStart < oldEnd && newStart < newEnd && search.old[oldEnd - 1] === search.new[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  return { oldStart, oldEnd, newStart, newEnd };
}

/** Changes come in order; one that touches the last one joins it. */
function addChange(search: Search, change: LineChange): void {
  const last = search.changes[search.changes.length - 1];
  if (change.oldStart === change.oldEnd && change.newStart === change.newEnd) return;
  if (last === undefined || last.oldEnd !== change.oldStart || last.newEnd !== change.newStart) {
    search.changes.push({ ...change });
  } else {
    last.oldEnd = change.oldEnd;
    last.newEnd = change.newEnd;
  }
}

/**
 * Myers' greedy search: after `d` edits, `reach` holds for each diagonal how many old lines are behind. Gives undefined
 * when that takes too many edits or steps.
 */
function shortestChanges(search: Search, block: LineChange): LineChange[] | undefined {
  const { oldStart, newStart } = block;
  const width = block.oldEnd - oldStart;
  const height = block.newEnd - newStart;
  const most = Math.min(width + height, MAX_EDITS);
  const reach = new Int32Array(2 * most + 3);
  const at = (diagonal: number): number => reach[diagonal + most + 1] ?? 0;
  const history: Int32Array[] = [];
  for (let edits = 0; edits <= most && search.steps > 0; edits += 1) {
    history.push(reach.slice());
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
      const start = down ? at(diagonal + 1) : at(diagonal - 1) + 1;
      let x = start;
      while (x < width && x - diagonal < height && search.old[oldStart + x] === search.new[newStart + x - diagonal]) {
        x += 1;
      }
      search.steps -= x - start + 1;
      reach[diagonal + most + 1] = x;
      if (x >= width && x - diagonal >= height) return retrace(history, edits, most, block);
    }
  }
  return undefined;
}

/** Walks back from the end through the states of the search; every step down or right is one edit. */
function retrace(history: readonly Int32Array[], edits: number, most: number, block: LineChange): LineChange[] {
  const changes: LineChange[] = [];
  let x = block.oldEnd - block.oldStart;
  let y = block.newEnd - block.newStart;
  for (let edit = edits; edit > 0; edit -= 1) {
    const reach = history[edit];
    const at = (diagonal: number): number => reach?.[diagonal + most + 1] ?? 0;
    const diagonal = x - y;
    const down = diagonal === -edit || (diagonal !== edit && at(diagonal - 1) < at(diagonal + 1));
    x = at(down ? diagonal + 1 : diagonal - 1);
    y = x - (down ? diagonal + 1 : diagonal - 1);
    const [oldStart, newStart] = [block.oldStart + x, block.newStart + y];
    changes.push({ oldStart, oldEnd: oldStart + (down ? 0 : 1), newStart, newEnd: newStart + (down ? 1 : 0) });
  }
  return changes.reverse();
}

interface Anchor {
  old: number;
  new: number;
}

/** Pairs the lines that both sides of a block have exactly once, and keeps the most pairs that are in order. */
function commonAnchors(search: Search, block: LineChange): Anchor[] {
  const inOld = singleLines(search.old, block.oldStart, block.oldEnd);
  const inNew = singleLines(search.new, block.newStart, block.newEnd);
  const pairs: Anchor[] = [];
  for (const [line, position] of inOld) {
    const other = inNew.get(line) ?? -1;
    if (position >= 0 && other >= 0) pairs.push({ old: position, new: other });
  }
  return longestRise(pairs);
}

/** Gives the position of each line, or -1 for one that stands there more than once; in order of first appearance. */
function singleLines(lines: readonly number[], start: number, end: number): Map<number, number> {
  const positions = new Map<number, number>();
  for (let at = start; at < end; at += 1) {
    const line = lines[at] ?? -1;
    positions.set(line, positions.has(line) ? -1 : at);
  }
  return positions;
}

/** Picks the longest run of pairs whose new positions rise; the old ones rise already. */
function longestRise(pairs: readonly Anchor[]): Anchor[] {
  const ends: number[] = [];
  const before: number[] = [];
  pairs.forEach((pair, index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.new ?? 0) < pair.new) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? (ends[low - 1] ?? -1) : -1;
    ends[low] = index;
  });
  const picked: Anchor[] = [];
  for (let index = ends[ends.length - 1] ?? -1; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index];
    if (pair !== undefined) picked.push(pair);
  }
  return picked.reverse();
}

/** Puts changes together whose context would touch. */
function groupChanges(changes: readonly LineChange[], context: number): LineChange[][] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const group = groups[groups.length - 1];
    const last = group?.[group.length - 1];
    if (group !== undefined && last !== undefined && change.oldStart - last.oldEnd <= 2 * context) group.push(change);
    else groups.push([change]);
  }
  return groups;
}

/** Writes one hunk, or gives undefined when it is longer than there is room. */
function writeHunk(sides: Sides, group: readonly LineChange[], context: number, room: number): string | undefined {
  const first = group[0] ?? { oldStart: 0, oldEnd: 0, newStart: 0, newEnd: 0 };
  const last = group[group.length - 1] ?? first;
  const lead = Math.min(context, first.oldStart);
  const trail = Math.min(context, sides.old.length - last.oldEnd);
  const { skipped } = sides;
  const oldRange = range(skipped + first.oldStart - lead, skipped + last.oldEnd + trail);
  const newRange = range(skipped + first.newStart - lead, skipped + last.newEnd + trail);
  let text = `@@ -${oldRange} +${newRange} @@\n`;
  const put = (sign: string, lines: readonly string[], start: number, end: number): void => {
    // A hunk of huge lines is given up early, so that it is never built whole.
    for (let at = start; at < end && text.length <= room; at += 1) {
      const line = lines[at] ?? "";
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
