/** Reads the bytes of a file as text, as far as they are text. */

import { createLongText, type LongText } from "../base/long-text.ts";
import type { Steps } from "../base/steps.ts";

/** How many bytes are looked at to tell text from binary: 8 KiB. */
export const SNIFFED_BYTES = 8192;

// Kept, because making one takes longer than decoding a small file; none of them keeps state between files.
const decoders = new Map<string, TextDecoder>();

/**
 * Decodes UTF-8, or UTF-16 that starts with a byte order mark; the mark is left out, and U+FFFD stands for bytes that
 * are no text.
 *
 * @param bytes The whole file.
 * @returns The text; undefined when there is a NUL in the first {@link SNIFFED_BYTES}.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const encoding = encodingOf(bytes);
  const isLarge = bytes.length > SNIFFED_BYTES;
  if (isLarge && encoding === "utf-8" && bytes.subarray(0, SNIFFED_BYTES).includes(0)) return undefined;
  let decoder = decoders.get(encoding);
  if (decoder === undefined) {
    decoder = new TextDecoder(encoding);
    decoders.set(encoding, decoder);
  }
  const text = decoder.decode(bytes);
  // In a small file it is quicker to look for the NUL in the text.
  return !isLarge && encoding === "utf-8" && text.includes("\0") ? undefined : text;
}

/** Bytes that are decoded in one step: 1 MiB. */
export const PIECE_BYTES: number = 1 << 20;

/**
 * Decodes as {@link decodeText} does, in steps short enough to pause between them.
 *
 * @param bytes The whole file, larger than {@link SNIFFED_BYTES}; it must not change meanwhile.
 */
export function* decodeSteps(bytes: Uint8Array): Steps<LongText | undefined> {
  const encoding = encodingOf(bytes);
  if (encoding === "utf-8" && bytes.subarray(0, SNIFFED_BYTES).includes(0)) return undefined;
  const pieces: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    const to = pieceEnd(bytes, from + PIECE_BYTES, encoding);
    // A mark is left out where the file starts, and only there.
    const decoder = new TextDecoder(encoding, { ignoreBOM: from > 0 });
    pieces.push(decoder.decode(bytes.subarray(from, to)));
    from = to;
    yield undefined;
  }
  return createLongText(pieces);
}

/**
 * Gives a place at or before an offset where no character is cut, so that decoding what is on both sides of it gives what
 * decoding all gives: engines decode a stream into texts of twice the size, and more slowly.
 */
export function pieceEnd(bytes: Uint8Array, offset: number, encoding: Encoding): number {
  if (offset >= bytes.length) return bytes.length;
  if (encoding !== "utf-8") {
    // The high byte of the unit before, which begins a pair.
    const high = bytes[encoding === "utf-16be" ? offset - 2 : offset - 1] ?? 0;
    return high >= 0xd8 && high <= 0xdb ? offset - 2 : offset;
  }
  // A character has at most three bytes after its first; more of them belong to none.
  for (let back = 0; back < 4; back += 1) if (((bytes[offset - back] ?? 0) & 0xc0) !== 0x80) return offset - back;
  return offset;
}

type Encoding = "utf-8" | "utf-16le" | "utf-16be";

function encodingOf(bytes: Uint8Array): Encoding {
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  return mark === 0xfffe ? "utf-16le" : mark === 0xfeff ? "utf-16be" : "utf-8";
}
