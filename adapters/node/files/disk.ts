/** Everything that one file system on a disk knows. */

import type { HostPaths } from "../paths/host-paths.ts";
import type { Boundary } from "./boundary.ts";
import type { KeyedLock } from "./keyed-lock.ts";

/** Seams and state of a file system on a disk. */
export interface Disk {
  readonly paths: HostPaths;
  readonly boundary: Boundary;
  readonly locks: KeyedLock;
  /** Where this process sees what it has open; undefined where the host does not show it. */
  readonly openFiles: string | undefined;
  /** Whether what is written is on the disk, not only in its cache, before a call returns. */
  readonly durable: boolean;
  /** The most bytes of one read. */
  readonly maxReadBytes: number;
  /** The path of ripgrep, where it may help. */
  readonly ripgrep: string | undefined;
  /** Gives a time in seconds for what is written now; no two in a row are the same. */
  readonly stamp: () => number;
  /** Aborts, with `FS_CLOSED`, when the file system is closed. */
  readonly closing: AbortSignal;
}

/**
 * Makes the clock of writes: the time of the host, with microseconds that count up. The clock of a disk ticks only every
 * few milliseconds, within which two files of the same size would look the same.
 *
 * @param clock Gives milliseconds since 1970.
 */
export function createStamps(clock: () => number): () => number {
  let count = Math.floor(Math.random() * MICROSECONDS);
  return () => {
    count = (count + 1) % MICROSECONDS;
    return Math.floor(clock()) / 1000 + count / 1e6;
  };
}

/** Below 1000, so that rounding never reaches the next millisecond. */
const MICROSECONDS = 990;
