/** Text as it stands in files: encoding, byte order mark and line ends, there and back without loss. */

import { PIECE_BYTES, pieceEnd, SNIFFED_BYTES } from "../backend/text-file.ts";
import { concatBytes, decodeUtf8Strict, encodeUtf8 } from "../base/bytes.ts";
import type { Steps } from "../base/steps.ts";
import { countOf, cutText } from "../base/text.ts";

/** How the bytes of a file stand for text. */
export interface TextForm {
  encoding: "utf-8" | "utf-16le" | "utf-16be";
  /** Bytes of the byte order mark; 0 when there is none. UTF-16 is only known by its mark. */
  markLength: 0 | 2 | 3;
}

/** A file read as text. */
export interface TextFile extends TextForm {
  /** Without the byte order mark; line ends as they are. */
  text: string;
}

const plainForm: TextForm = { encoding: "utf-8", markLength: 0 };

/** Tells from the first bytes of a file how it stands for text; without a byte order mark it counts as UTF-8. */
export function detectForm(head: Uint8Array): TextForm {
  const [first, second, third] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf) return { encoding: "utf-8", markLength: 3 };
  if (first === 0xff && second === 0xfe) return { encoding: "utf-16le", markLength: 2 };
  if (first === 0xfe && second === 0xff) return { encoding: "utf-16be", markLength: 2 };
  return plainForm;
}

/** Tells whether the first {@link SNIFFED_BYTES} bytes have a NUL that UTF-16 does not explain. */
export function isBinary(head: Uint8Array): boolean {
  return detectForm(head).encoding === "utf-8" && head.subarray(0, SNIFFED_BYTES).includes(0);
}

/** Decodes a whole file, or gives undefined when a byte of it is not text: encoding it again gives the same bytes. */
export function decodeText(bytes: Uint8Array): TextFile | undefined {
  const form = detectForm(bytes);
  const body = bytes.subarray(form.markLength);
  const text = form.encoding === "utf-8" ? decodeUtf8Strict(body) : decodeUtf16(body, form.encoding);
  return text === undefined ? undefined : { ...form, text };
}

/** Decodes as {@link decodeText} does, in steps where the file is large. */
export function* decodeTextSteps(bytes: Uint8Array): Steps<TextFile | undefined> {
  const form = detectForm(bytes);
  if (form.encoding !== "utf-8" || bytes.length <= PIECE_BYTES) return decodeText(bytes);
  const pieces: string[] = [];
  for (let from: number = form.markLength; from < bytes.length; ) {
    const to = pieceEnd(bytes, from + PIECE_BYTES, form.encoding);
    const piece = decodeUtf8Strict(bytes.subarray(from, to));
    if (piece === undefined) return undefined;
    pieces.push(piece);
    from = to;
    yield undefined;
  }
  const text = pieces.join("");
  // To join takes as long as some pieces did.
  yield undefined;
  return { ...form, text };
}

/** Encodes as {@link encodeText} does, in steps where the text is long. */
export function* encodeTextSteps(text: string, form: TextForm): Steps<Uint8Array> {
  if (form.encoding !== "utf-8" || text.length <= PIECE_BYTES) return encodeText(text, form);
  const pieces = [encodeText("", form)];
  for (let from = 0; from < text.length; ) {
    const piece = cutText(text.slice(from, from + PIECE_BYTES + 1), PIECE_BYTES);
    pieces.push(encodeUtf8(piece));
    from += piece.length;
    yield undefined;
  }
  const bytes = concatBytes(pieces);
  yield undefined;
  return bytes;
}

/** Encodes text in a form, byte order mark included. */
export function encodeText(text: string, form: TextForm): Uint8Array {
  if (form.encoding === "utf-8") {
    return form.markLength === 0 ? encodeUtf8(text) : concatBytes([Uint8Array.of(0xef, 0xbb, 0xbf), encodeUtf8(text)]);
  }
  const bytes = new Uint8Array(2 + 2 * text.length);
  const view = new DataView(bytes.buffer);
  const little = form.encoding === "utf-16le";
  view.setUint16(0, 0xfeff, little);
  for (let at = 0; at < text.length; at += 1) view.setUint16(2 + 2 * at, text.charCodeAt(at), little);
  return bytes;
}

/** Tells whether a text has line ends, and all of them are CRLF. */
export function hasOnlyCrlf(text: string): boolean {
  const first = text.indexOf("\n");
  if (first === -1) return false;
  for (let at = first; at !== -1; at = text.indexOf("\n", at + 1)) if (text.charAt(at - 1) !== "\r") return false;
  return countOf(text, "\r") === countOf(text, "\n");
}

/** Decodes pieces of a file in order; what is not text becomes U+FFFD. The byte order mark must have been cut off. */
export function createDecoder(form: TextForm): (piece: Uint8Array, last: boolean) => string {
  const big = form.encoding === "utf-16be";
  const decoder = new TextDecoder(form.encoding === "utf-8" ? "utf-8" : "utf-16le", { ignoreBOM: true });
  let carry = new Uint8Array();
  return (piece, last) => {
    if (!big) return decoder.decode(piece, { stream: !last });
    // Not every host has a decoder for big-endian text, so the bytes are swapped, pair by pair.
    const whole = concatBytes([carry, piece]);
    const even = whole.length - (whole.length % 2);
    carry = last ? new Uint8Array() : whole.slice(even);
    return decoder.decode(swapPairs(last ? whole : whole.subarray(0, even)), { stream: !last });
  };
}

function decodeUtf16(bytes: Uint8Array, encoding: "utf-16le" | "utf-16be"): string | undefined {
  try {
    const decoder = new TextDecoder("utf-16le", { fatal: true, ignoreBOM: true });
    return decoder.decode(encoding === "utf-16be" ? swapPairs(bytes) : bytes);
  } catch {
    return undefined;
  }
}

function swapPairs(bytes: Uint8Array): Uint8Array {
  const swapped = bytes.slice();
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    swapped[at] = bytes[at + 1] ?? 0;
    swapped[at + 1] = bytes[at] ?? 0;
  }
  return swapped;
}
