/** Files to look at, whichever thread comes to them first: what is known of them lies in memory that threads share. */

import { lstatSync } from "node:fs";

/** Some files and what was seen of them. It may be sent to another thread, which then works on the same one. */
export interface FactsBatch {
  /** The host's paths with a NUL between them, which no path contains: one text is sent quicker than many. */
  readonly paths: string;
  /** How many files threads have begun with, and how many they are through with. */
  readonly progress: Int32Array;
  /** The size and the time of change of one file after the other; both are NaN for what is no plain file. */
  readonly facts: Float64Array;
}

/** Places in the progress. */
const BEGUN = 0;
const THROUGH = 1;

/** Files that a thread takes at a time: so few that the last one is not waited for. */
const SOME = 32;

/** Makes a batch that nobody looked at. */
export function createFactsBatch(paths: readonly string[]): FactsBatch {
  const size = Float64Array.BYTES_PER_ELEMENT;
  const memory = new SharedArrayBuffer(size + 2 * size * paths.length);
  return { paths: paths.join("\0"), progress: new Int32Array(memory, 0, 2), facts: new Float64Array(memory, size) };
}

/** Looks at the files that no other thread has begun with, some at a time, and tells how many these were. */
export function* lookAtBatch({ paths, progress, facts }: FactsBatch): Generator<number, void, undefined> {
  const count = facts.length / 2;
  if (Atomics.load(progress, BEGUN) >= count) return;
  const all = paths.split("\0");
  for (let from = begin(progress); from < count; from = begin(progress)) {
    const some = Math.min(SOME, count - from);
    lookAtSome(all, from, from + some, facts);
    Atomics.add(progress, THROUGH, some);
    yield some;
  }
}

function begin(progress: Int32Array): number {
  return Atomics.add(progress, BEGUN, SOME);
}

/** Looks at all files, whoever else does or has died of it: the same is written twice. */
export function lookAtAll({ paths, facts }: FactsBatch): void {
  lookAtSome(paths.split("\0"), 0, facts.length / 2, facts);
}

/** Keeps threads from looking at files that nobody asks about any more. */
export function giveUpBatch({ progress, facts }: FactsBatch): void {
  Atomics.store(progress, BEGUN, facts.length / 2);
}

/** Tells whether all files were looked at. */
export function isDone({ progress, facts }: FactsBatch): boolean {
  return Atomics.load(progress, THROUGH) === facts.length / 2;
}

function lookAtSome(paths: readonly string[], from: number, to: number, facts: Float64Array): void {
  for (let at = from; at < to; at += 1) {
    const seen = look(paths[at] ?? "");
    facts[2 * at] = seen?.size ?? Number.NaN;
    facts[2 * at + 1] = seen?.mtimeMs ?? Number.NaN;
  }
}

const quietly = { throwIfNoEntry: false } as const;

function look(path: string): { size: number; mtimeMs: number } | undefined {
  try {
    const facts = lstatSync(path, quietly);
    return facts?.isFile() === true ? facts : undefined;
  } catch {
    // Whoever asks for it alone is told what is wrong.
    return undefined;
  }
}
