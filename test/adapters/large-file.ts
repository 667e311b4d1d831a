/** A file larger than what anything may hold at once: how it is written, read by range, and what is counted meanwhile. */

import type { FileSystem } from "holdall";
import { expect } from "vitest";
import { pattern, streamOf } from "./storage-support.ts";

/** What lies between a file system and where the bytes really go. */
export interface Ledger {
  /** Bytes that have got there since the last reset. */
  written(): number | Promise<number>;
  /** Bytes that were asked for since the last reset. */
  read(): number;
  reset(): void;
}

const MEBIBYTE = 1 << 20;

/** Bytes that a reading call may look at beside its range: whole chunks, and the samples of a version. */
const BESIDE: number = 3 * MEBIBYTE;

/**
 * Writes a file as a stream, reads ranges of it, and shows that it is never held whole.
 *
 * @param fs Where to.
 * @param mebibytes How large.
 * @param ledger Counts on the other side of the file system.
 * @param mostHeld Bytes that may have been taken from the source and not got there yet.
 */
export async function checkLargeFile(
  fs: FileSystem,
  mebibytes: number,
  ledger: Ledger,
  mostHeld: number,
): Promise<void> {
  ledger.reset();
  let held = 0;
  const source = streamOf(
    mebibytes,
    (index) => pattern(MEBIBYTE, index),
    async (index) => {
      held = Math.max(held, index * MEBIBYTE - (await ledger.written()));
    },
  );
  const { size, version } = await fs.writeStream("/big", source);
  expect([size, await ledger.written()]).toEqual([mebibytes * MEBIBYTE, mebibytes * MEBIBYTE]);
  expect(held).toBeLessThanOrEqual(mostHeld);

  // The first look may sample the file for its version.
  await fs.read("/big", { length: 1 });
  for (const [offset, length] of rangesOf(size)) {
    ledger.reset();
    const part = await fs.read("/big", { offset, length });
    expect([part.version, part.bytes.length]).toEqual([version, Math.min(length, size - offset)]);
    expect(firstWrong(part.bytes, offset)).toBe(-1);
    expect(ledger.read()).toBeLessThanOrEqual(length + BESIDE);
  }
  ledger.reset();
  await expectStream(fs.readStream("/big", { offset: size / 2, length: 5 * MEBIBYTE }), size / 2, 5 * MEBIBYTE);
  // Where times are coarse (WebKit), a file that has just been written is sampled anew for each piece.
  expect(ledger.read()).toBeLessThanOrEqual(2 * 5 * MEBIBYTE + BESIDE);
  await fs.remove("/big");
}

/** The beginning, the middle across chunks, the end and what would go beyond it. */
function rangesOf(size: number): [offset: number, length: number][] {
  return [
    [0, 1000],
    [size / 2 - 700_000, 1_400_000],
    [size - 1000, 1000],
    [size - 10, MEBIBYTE],
  ];
}

/** Gives where bytes are not those of the file from an offset on, or -1: a deep comparison takes seconds for so many. */
function firstWrong(bytes: Uint8Array, offset: number): number {
  for (let at = 0; at < bytes.length; ) {
    const index = Math.floor((offset + at) / MEBIBYTE);
    const piece = pattern(MEBIBYTE, index).subarray(offset + at - index * MEBIBYTE);
    const wrong = bytes.subarray(at, at + piece.length).findIndex((byte, place) => byte !== piece[place]);
    if (wrong >= 0) return at + wrong;
    at += piece.length;
  }
  return -1;
}

async function expectStream(stream: ReadableStream<Uint8Array>, offset: number, length: number): Promise<void> {
  const reader = stream.getReader();
  let at = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    expect(firstWrong(next.value, offset + at)).toBe(-1);
    at += next.value.length;
  }
  expect(at).toBe(length);
}
