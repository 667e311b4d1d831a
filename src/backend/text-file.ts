/** Reads the bytes of a file as text, as far as they are text. */

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
export function* decodeSteps(bytes: Uint8Array): Generator<undefined, string | undefined, undefined> {
  const encoding = encodingOf(bytes);
  if (encoding === "utf-8" && bytes.subarray(0, SNIFFED_BYTES).includes(0)) return undefined;
  const decoder = new TextDecoder(encoding);
  let text = "";
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    text += decoder.decode(bytes.subarray(from, from + PIECE_BYTES), { stream: true });
    yield undefined;
  }
  return text + decoder.decode();
}

function encodingOf(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  return mark === 0xfffe ? "utf-16le" : mark === 0xfeff ? "utf-16be" : "utf-8";
}
