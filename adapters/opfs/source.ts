/** What files are filled from, and by what. */

/** What a file is filled from. */
export type Source = Uint8Array | ReadableStream<Uint8Array>;

/** Fills files. */
export interface Filler {
  /**
   * Replaces all that is in a file.
   *
   * @param file The file.
   * @param place Where it lies, from the root of the private file system: handles cannot be sent to a worker everywhere.
   * @param source What it shall hold.
   */
  fill(file: FileSystemFileHandle, place: readonly string[], source: Source): Promise<void>;
  /** Whether it is by streams, which pages have: then the file itself can be filled, too. */
  readonly byStream: boolean;
  /** Lets go of what it holds. */
  close(): void;
}

/** Gives a source part by part. */
export async function* partsOf(source: Source): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  if (source instanceof Uint8Array) {
    yield asPlain(source);
    return;
  }
  const reader = source.getReader();
  for (let next = await reader.read(); next.done !== true; next = await reader.read()) yield asPlain(next.value);
}

/** Handles take no shared memory, and WebKit writes the whole buffer that a part is a view of. */
function asPlain(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return isPlain(bytes) && bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

function isPlain(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer;
}
