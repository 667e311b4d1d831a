/** Files to look at, whichever thread comes to them first: what is known of them lies in memory that threads share. */

import { lstatSync } from "node:fs";

/** Some files and what was seen of them. It may be sent to another thread, which then works on the same one. */
export interface FactsBatch {
  /** The host's paths with a NUL between them, which no path contains: one text is sent quicker than many. */
  readonly paths: string;
  /** Whether nobody looked at them yet, somebody does, or did. */
  readonly state: Int32Array;
  /** The size and the time of change of one file after the other; both are NaN for what is no plain file. */
  readonly facts: Float64Array;
}

const FREE = 0;
const TAKEN = 1;
const DONE = 2;

/** Makes a batch that nobody looked at. */
export function createFactsBatch(paths: readonly string[]): FactsBatch {
  const size = Float64Array.BYTES_PER_ELEMENT;
  const memory = new SharedArrayBuffer(size + 2 * size * paths.length);
  return { paths: paths.join("\0"), state: new Int32Array(memory, 0, 1), facts: new Float64Array(memory, size) };
}

/** Looks at the files unless another thread has begun to. */
export function takeBatch(batch: FactsBatch): void {
  if (Atomics.compareExchange(batch.state, 0, FREE, TAKEN) === FREE) lookAtBatch(batch);
}

/** Looks at the files, whoever else does or has died of it: the same is written twice. */
export function lookAtBatch({ paths, state, facts }: FactsBatch): void {
  paths.split("\0").forEach((path, index) => {
    const seen = look(path);
    facts[2 * index] = seen?.size ?? Number.NaN;
    facts[2 * index + 1] = seen?.mtimeMs ?? Number.NaN;
  });
  Atomics.store(state, 0, DONE);
}

/** Keeps threads from looking at files that nobody asks about any more. */
export function giveUpBatch({ state }: FactsBatch): void {
  Atomics.compareExchange(state, 0, FREE, DONE);
}

/** Tells whether all files were looked at. */
export function isDone({ state }: FactsBatch): boolean {
  return Atomics.load(state, 0) === DONE;
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
