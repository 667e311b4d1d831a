/** Reads the files of a search without waiting, long ones with a turn for others now and then. */

import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ReadResult } from "holdall";
import { hostError } from "../files/host-error.ts";
import { CAREFULLY } from "../files/open.ts";
import type { SearchGround } from "./search-ground.ts";

/** What to read. */
export interface FileToRead {
  /** The path, for errors. */
  path: string;
  /** The same without symlinks. */
  real: string;
  /** The most bytes. */
  length: number;
  /** A text without which the file is taken for an empty one. */
  required: string | undefined;
}

/** Bytes that are read at first. */
const FIRST_BYTES = 128 << 10;

/** Bytes that are read in one step; most files have less. */
const STEP_BYTES = 2 << 20;

/** Bytes that are looked at to tell text from binary, as the portable search does. */
const SNIFFED_BYTES = 8192;

/** Makes what reads files one by one; it lends the bytes until the next one. */
export function createSyncReader(
  ground: SearchGround,
): (file: FileToRead, signal: AbortSignal | undefined) => ReadResult | Promise<ReadResult> {
  const buffer = { bytes: Buffer.allocUnsafeSlow(FIRST_BYTES) };
  return (file, signal) => {
    const steps = readSteps(ground, file, buffer);
    const step = steps.next();
    return step.done === true ? { bytes: step.value, version: "" } : readOn(steps, signal);
  };
}

type ReadSteps = Generator<undefined, Buffer, undefined>;

async function readOn(steps: ReadSteps, signal: AbortSignal | undefined): Promise<ReadResult> {
  try {
    for (;;) {
      await nextTurn();
      signal?.throwIfAborted();
      const step = steps.next();
      if (step.done === true) return { bytes: step.value, version: "" };
    }
  } finally {
    // Closes the file, unless it is through.
    steps.return(Buffer.alloc(0));
  }
}

function* readSteps(
  { paths, boundary, openFiles }: SearchGround,
  { path, real, length, required }: FileToRead,
  buffer: { bytes: Buffer },
): ReadSteps {
  let file: number | undefined;
  try {
    file = openSync(paths.toHost(real), constants.O_RDONLY | CAREFULLY);
    const bytes = yield* readWhole(file, buffer, length);
    if (bytes.length > STEP_BYTES) yield undefined;
    // One that goes on is too large to be searched, and is told of as such.
    if (required !== undefined && bytes.length < length && !mayContain(bytes, required)) return bytes.subarray(0, 0);
    // Only now: what is not told of need not be asked about.
    const opened =
      openFiles === undefined
        ? paths.fromHost(realpathSync.native(paths.toHost(real)))
        : readlinkSync(`${openFiles}/${file}`);
    boundary.check(opened, path);
    return bytes;
  } catch (error) {
    throw hostError(error, path);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function* readWhole(file: number, buffer: { bytes: Buffer }, length: number): ReadSteps {
  for (let size = 0; ; ) {
    const room = Math.min(buffer.bytes.length - size, length - size, STEP_BYTES);
    const got = readSync(file, buffer.bytes, size, room, size);
    size += got;
    // Files give as much as is asked for, until they end.
    if (got < room || size >= length) return buffer.bytes.subarray(0, size);
    if (size >= STEP_BYTES) yield undefined;
    if (size < buffer.bytes.length) continue;
    const known = fstatSync(file).size + 1;
    const larger = Buffer.allocUnsafeSlow(Math.min(length, Math.max(known, 2 * buffer.bytes.length)));
    buffer.bytes.copy(larger, 0, 0, size);
    buffer.bytes = larger;
  }
}

/** Tells whether the bytes have to be looked at as text. What is no plain UTF-8 always has. */
function mayContain(bytes: Buffer, required: string): boolean {
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  if (mark === 0xfffe || mark === 0xfeff) return true;
  return bytes.includes(required, 0, "latin1") || bytes.subarray(0, SNIFFED_BYTES).includes(0);
}
