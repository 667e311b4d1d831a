/** Bytes on their way: which may be given away, and which must be copied first. */

/** Tells whether a value is a `Uint8Array`, of this realm or another. */
export function isBytes(value: unknown): value is Uint8Array {
  return Object.prototype.toString.call(value) === "[object Uint8Array]";
}

/** Copies bytes, so that the copy can be given away; not by `slice`, because that of Node's Buffer shares memory. */
export function copyBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

/**
 * Makes bytes that can be given away of bytes that are owned: the same when they fill their buffer, which then goes with
 * them, a copy when they are a view on something larger.
 */
export function releasable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength !== byteLength) return copyBytes(bytes);
  // A subclass such as Node's Buffer would not stay one.
  return bytes.constructor === Uint8Array ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(buffer);
}
