/**
 * The lines of long texts, found and numbered in steps. What is kept of a line are numbers: hundreds of thousands of small
 * texts, kept for a while, would stop everything as often as the collector comes across them.
 */

import { countEnds } from "./line-ends.ts";
import type { LongText } from "./long-text.ts";
import type { Steps } from "./steps.ts";

/** Lines of a text, each with its LF. */
export interface TextLines {
  text: LongText;
  /** Where each line starts, and where the last one ends. */
  starts: Int32Array;
  /** Equal lines have equal ones; others mostly not. */
  hashes: Int32Array;
}

/** Lines of two texts by numbers from 0: equal lines have equal ones. */
export interface LineNumbers {
  old: Int32Array;
  new: Int32Array;
  /** How many numbers there are. */
  count: number;
}

/** Makes hashes that whoever writes a text cannot know, so that no text can be made to have many equal ones. */
export interface LineHash {
  start: number;
  /** Odd, or what stands in front would get lost. */
  factor: number;
}

/** Units of text, and lines, that are dealt with in one step. */
const STEP_UNITS = 1 << 16;
const STEP_LINES = 2048;

/** Starts a kind of hashes. */
export function createLineHash(): LineHash {
  const randomBits = (): number => Math.floor(Math.random() * 2 ** 32);
  return { start: randomBits(), factor: randomBits() | 1 };
}

/** Finds the lines between two places. */
export function* readLines(text: LongText, from: number, to: number, { start, factor }: LineHash): Steps<TextLines> {
  const ends = yield* countEnds(text, "\n", from, to);
  const count = ends + (to > from && text.charCodeAt(to - 1) !== 10 ? 1 : 0);
  const starts = new Int32Array(count + 1).fill(from, 0, 1);
  const hashes = new Int32Array(count);
  let line = 0;
  let hash = start;
  for (let base = from; base < to; base += STEP_UNITS) {
    const part = text.slice(base, Math.min(base + STEP_UNITS, to));
    for (let at = 0; at < part.length; at += 1) {
      const unit = part.charCodeAt(at);
      hash = Math.imul(hash ^ unit, factor);
      if (unit !== 10) continue;
      hashes[line] = hash;
      hash = start;
      line += 1;
      starts[line] = base + at + 1;
    }
    yield undefined;
  }
  if (line < count) {
    hashes[line] = hash;
    starts[count] = to;
  }
  return { text, starts, hashes };
}

/** Tells how many lines there are. */
export function countOf({ hashes }: TextLines): number {
  return hashes.length;
}

/** Gives a line, with its LF. */
export function lineAt({ text, starts }: TextLines, index: number): string {
  return text.slice(starts[index] ?? 0, starts[index + 1] ?? 0);
}

/** Numbers the lines of two texts, whose hashes must be of one kind. */
export function* numberLines(old: TextLines, fresh: TextLines): Steps<LineNumbers> {
  const total = countOf(old) + countOf(fresh);
  const bits = Math.max(4, 33 - Math.clz32(total));
  const table: NumberTable = {
    slots: new Int32Array(2 ** bits),
    shift: 32 - bits,
    firsts: new Int32Array(total),
    count: 0,
  };
  const numbers = { old: new Int32Array(countOf(old)), new: new Int32Array(countOf(fresh)) };
  let units = 0;
  for (const [lines, own] of [
    [old, numbers.old],
    [fresh, numbers.new],
  ] as const) {
    for (let index = 0; index < own.length; index += 1) {
      own[index] = numberOf(table, old, fresh, lines, index);
      units += STEP_UNITS / STEP_LINES + (lines.starts[index + 1] ?? 0) - (lines.starts[index] ?? 0);
      if (units < STEP_UNITS) continue;
      units = 0;
      yield undefined;
    }
  }
  return { ...numbers, count: table.count };
}

/** Finds numbers by hash, in the nearest slot that is free. */
interface NumberTable {
  /** The number in each, from 1; 0 where there is none. */
  slots: Int32Array;
  /** What takes the slot out of a hash. */
  shift: number;
  /** Where each number stands first; lines of the new text come behind those of the old one. */
  firsts: Int32Array;
  count: number;
}

function numberOf(table: NumberTable, old: TextLines, fresh: TextLines, lines: TextLines, index: number): number {
  const { slots, shift, firsts } = table;
  const hash = lines.hashes[index] ?? 0;
  const offset = countOf(old);
  let slot = Math.imul(hash, 0x9e3779b1) >>> shift;
  for (let known = slots[slot] ?? 0; known !== 0; known = slots[slot] ?? 0) {
    const first = firsts[known - 1] ?? 0;
    const [others, place] = first < offset ? [old, first] : [fresh, first - offset];
    if (others.hashes[place] === hash && lineAt(others, place) === lineAt(lines, index)) return known - 1;
    slot = (slot + 1) & (slots.length - 1);
  }
  firsts[table.count] = lines === old ? index : offset + index;
  table.count += 1;
  slots[slot] = table.count;
  return table.count - 1;
}
