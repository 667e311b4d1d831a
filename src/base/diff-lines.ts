/** Finds which lines changed between two lists of them. */

import type { Steps } from "./steps.ts";
import type { LineNumbers } from "./text-lines.ts";

/** A run of lines that was replaced; positions count lines from 0, ends are exclusive. */
export interface LineChange {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

/** Single-line edits that are searched for exactly; blocks that need more are cut at lines both sides have once. */
const MAX_EDITS = 256;

/** Steps of exact search in one diff; afterwards blocks are replaced as a whole. */
const MAX_STEPS = 4_000_000;

/** Rounds of the exact search in one step. */
const STEP_EDITS = 16;

/** Lines that are looked at in one step. */
const STEP_LINES = 2048;

/** Lines whose numbers are looked at in one step. */
const SPAN_LINES = 1 << 14;

/** How often blocks are cut into smaller ones. */
const MAX_DEPTH = 8;

/**
 * Finds what changed between two lists of lines. The answer is exact for small changes; its work is bounded, so a
 * change all over a large file may come out coarser than it could be, never wrong.
 *
 * @returns The changes in order; between two of them there is at least one equal line.
 */
export function* diffLines({ count, ...lines }: LineNumbers): Steps<LineChange[]> {
  const placesOf = (): Int32Array => new Int32Array(count);
  const search: Search = { ...lines, changes: [], steps: MAX_STEPS, oldPlaces: placesOf(), newPlaces: placesOf() };
  yield* compare(search, { oldStart: 0, oldEnd: lines.old.length, newStart: 0, newEnd: lines.new.length }, 0);
  return search.changes;
}

interface Search {
  old: Int32Array;
  new: Int32Array;
  changes: LineChange[];
  /** Steps that are left. */
  steps: number;
  /** By number of line, used by one block at a time: 0 where there is none, the place from 1, or -1 where there are more. */
  oldPlaces: Int32Array;
  newPlaces: Int32Array;
}

function* compare(search: Search, whole: LineChange, depth: number): Steps<void> {
  const block = trimEqual(search, whole);
  const { oldStart, oldEnd, newStart, newEnd } = block;
  if (oldStart === oldEnd || newStart === newEnd) {
    addChange(search, block);
    return;
  }
  const exact = yield* shortestChanges(search, block);
  if (exact !== undefined) {
    for (const change of exact) addChange(search, change);
    return;
  }
  let from = { old: oldStart, new: newStart };
  for (const anchor of depth < MAX_DEPTH ? yield* commonAnchors(search, block) : []) {
    yield* compare(
      search,
      { oldStart: from.old, oldEnd: anchor.old, newStart: from.new, newEnd: anchor.new },
      depth + 1,
    );
    from = { old: anchor.old + 1, new: anchor.new + 1 };
  }
  const rest = { oldStart: from.old, oldEnd, newStart: from.new, newEnd };
  if (from.old === oldStart && from.new === newStart) addChange(search, rest);
  else yield* compare(search, rest, depth + 1);
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
function* shortestChanges(search: Search, block: LineChange): Steps<LineChange[] | undefined> {
  const width = block.oldEnd - block.oldStart;
  const height = block.newEnd - block.newStart;
  const most = Math.min(width + height, MAX_EDITS);
  const reach = new Int32Array(2 * most + 3);
  const at = (diagonal: number): number => reach[diagonal + most + 1] ?? 0;
  const history: Int32Array[] = [];
  for (let edits = 0; edits <= most && search.steps > 0; edits += 1) {
    history.push(reach.slice());
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
      const start = down ? at(diagonal + 1) : at(diagonal - 1) + 1;
      const x = start + equalLines(search, block, start, start - diagonal);
      search.steps -= x - start + 1;
      reach[diagonal + most + 1] = x;
      if (x >= width && x - diagonal >= height) return retrace(history, edits, most, block);
    }
    if (edits % STEP_EDITS === STEP_EDITS - 1) yield undefined;
  }
  return undefined;
}

/** Counts the equal lines of a block from a place in either side on. */
function equalLines(search: Search, block: LineChange, x: number, y: number): number {
  const [old, fresh] = [block.oldStart + x, block.newStart + y];
  const most = Math.min(block.oldEnd - old, block.newEnd - fresh);
  let count = 0;
  while (count < most && search.old[old + count] === search.new[fresh + count]) count += 1;
  return Math.max(0, count);
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
function* commonAnchors(search: Search, block: LineChange): Steps<Anchor[]> {
  const { oldPlaces, newPlaces } = search;
  const { oldStart, oldEnd, newStart, newEnd } = block;
  yield* inSpans(oldStart, oldEnd, (from, to) => notePlaces(oldPlaces, search.old, from, to));
  yield* inSpans(newStart, newEnd, (from, to) => notePlaces(newPlaces, search.new, from, to));
  const pairs: Anchor[] = [];
  yield* inSpans(oldStart, oldEnd, (from, to) => addAnchors(pairs, search, from, to));
  yield* inSpans(oldStart, oldEnd, (from, to) => forgetPlaces(oldPlaces, search.old, from, to));
  yield* inSpans(newStart, newEnd, (from, to) => forgetPlaces(newPlaces, search.new, from, to));
  return yield* longestRise(pairs);
}

/** Looks at a run of lines, so many in each step. */
function* inSpans(start: number, end: number, look: (from: number, to: number) => void): Steps<void> {
  for (let from = start; from < end; from += SPAN_LINES) {
    look(from, Math.min(from + SPAN_LINES, end));
    yield undefined;
  }
}

function notePlaces(places: Int32Array, lines: Int32Array, from: number, to: number): void {
  for (let at = from; at < to; at += 1) {
    const line = lines[at] ?? 0;
    places[line] = places[line] === 0 ? at + 1 : -1;
  }
}

function addAnchors(pairs: Anchor[], { old, oldPlaces, newPlaces }: Search, from: number, to: number): void {
  for (let at = from; at < to; at += 1) {
    const line = old[at] ?? 0;
    const other = newPlaces[line] ?? 0;
    if (oldPlaces[line] === at + 1 && other > 0) pairs.push({ old: at, new: other - 1 });
  }
}

function forgetPlaces(places: Int32Array, lines: Int32Array, from: number, to: number): void {
  for (let at = from; at < to; at += 1) places[lines[at] ?? 0] = 0;
}

/** Picks the longest run of pairs whose new positions rise; the old ones rise already. */
function* longestRise(pairs: readonly Anchor[]): Steps<Anchor[]> {
  const ends: number[] = [];
  const before: number[] = [];
  for (const [index, pair] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.new ?? 0) < pair.new) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? (ends[low - 1] ?? -1) : -1;
    ends[low] = index;
    if (index % STEP_LINES === STEP_LINES - 1) yield undefined;
  }
  const picked: Anchor[] = [];
  for (let index = ends[ends.length - 1] ?? -1; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index];
    if (pair !== undefined) picked.push(pair);
  }
  return picked.reverse();
}
