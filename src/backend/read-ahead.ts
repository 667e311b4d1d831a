/** Reads files in order while the ones before them are worked on. */

import type { ReadOptions, ReadResult } from "./file-system.ts";

/** A host that reads; one in memory need not wait, and may give its own bytes, because they are only looked at. */
export interface ReadingHost {
  /** Files that it reads while another one is worked on. Defaults to {@link FILES_AT_ONCE}. */
  readsAhead?: number;
  read(path: string, options?: ReadOptions): Promise<ReadResult> | ReadResult;
}

/** Takes files to read and hands them on in the same order. */
export interface ReadAhead {
  /**
   * Starts to read a file.
   *
   * @param path The file.
   * @param size Its bytes, where the listing told them.
   * @returns A promise to wait for when enough is being read; else undefined.
   */
  add(path: string, size: number | undefined): Promise<void> | undefined;
  /** Waits until all files are handed on. */
  finish(): Promise<void>;
}

/** How to read and where to hand on. */
export interface ReadAheadOptions {
  /** The most bytes to read of each file. */
  length: number;
  /** Given to the host. */
  signal: AbortSignal;
  /** Takes a file; `bytes` is undefined when the host could not read it. A promise is waited for. */
  take(path: string, bytes: Uint8Array | undefined): Promise<void> | undefined;
}

/** Files that are read at the same time when nothing else is said. */
const FILES_AT_ONCE = 8;

/** Bytes that may be read at the same time, as far as sizes are known. */
const BYTES_AT_ONCE = 16 << 20;

/** What a file of unknown size is taken for. */
const USUAL_BYTES = 64 << 10;

/** Makes a queue of files to read. */
export function createReadAhead(host: ReadingHost, { length, signal, take }: ReadAheadOptions): ReadAhead {
  const reading: { path: string; size: number; bytes: Promise<Uint8Array | undefined> | Uint8Array | undefined }[] = [];
  let size = 0;
  const takeFirst = async (): Promise<void> => {
    const first = reading.shift();
    if (first === undefined) return;
    size -= first.size;
    await take(first.path, await first.bytes);
  };
  const makeRoom = async (): Promise<void> => {
    do await takeFirst();
    while (size > BYTES_AT_ONCE && reading.length > 1);
  };
  return {
    add(path, bytes = USUAL_BYTES) {
      const read = startRead(host, path, { length, signal });
      if (!(read instanceof Promise) && reading.length === 0) return take(path, read);
      reading.push({ path, size: bytes, bytes: read });
      size += bytes;
      return reading.length > (host.readsAhead ?? FILES_AT_ONCE) || (size > BYTES_AT_ONCE && reading.length > 1)
        ? makeRoom()
        : undefined;
    },
    async finish() {
      while (reading.length > 0) await takeFirst();
    },
  };
}

/** Never fails: a result may be left behind when the search ends early. */
function startRead(
  host: ReadingHost,
  path: string,
  options: ReadOptions,
): Promise<Uint8Array | undefined> | Uint8Array | undefined {
  try {
    const read = host.read(path, options);
    if (!("then" in read)) return read.bytes;
    return read.then(
      ({ bytes }) => bytes,
      () => undefined,
    );
  } catch {
    return undefined;
  }
}
