/** Text as it stands in files: encoding, byte order mark and line ends, there and back without loss. */

import { PIECE_BYTES, pieceEnd, SNIFFED_BYTES } from "../backend/text-file.ts";
import { concatBytes, decodeUtf8Strict, encodeUtf8 } from "../base/bytes.ts";
import type { Steps } from "../base/steps.ts";
import { cutText } from "../base/text.ts";
import { createFileText, type FileText, type TextPiece } from "./file-text.ts";

/** How the bytes of a file stand for text. */
export interface TextForm {
  encoding: "utf-8" | "utf-16le" | "utf-16be";
  /** Bytes of the byte order mark; 0 when there is none. UTF-16 is only known by its mark. */
  markLength: 0 | 2 | 3;
}

/** A file read as text. */
export interface TextFile<Text = string> extends TextForm {
  /** Without the byte order mark; line ends as they are. */
  text: Text;
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
  const text = decodeStrict(bytes.subarray(form.markLength), form);
  return text === undefined ? undefined : { ...form, text };
}

/** Decodes as {@link decodeText} does, in steps; the text has pieces of {@link PIECE_BYTES}. */
export function* decodeTextSteps(bytes: Uint8Array): Steps<TextFile<FileText> | undefined> {
  const form = detectForm(bytes);
  const pieces: TextPiece[] = [];
  for (let from: number = form.markLength; from < bytes.length; ) {
    const to = pieceEnd(bytes, from + PIECE_BYTES, form.encoding);
    const piece = bytes.subarray(from, to);
    const text = decodeStrict(piece, form);
    if (text === undefined) return undefined;
    pieces.push({ text, bytes: piece });
    from = to;
    yield undefined;
  }
  return { ...form, text: createFileText(pieces) };
}

/** Makes new text one of a file, with pieces as those of {@link decodeTextSteps}; nothing is copied. */
export function toFileText(text: string): FileText {
  const pieces: TextPiece[] = [];
  for (let from = 0; from < text.length; ) {
    const piece = cutText(text.slice(from, from + PIECE_BYTES + 1), PIECE_BYTES);
    pieces.push({ text: piece });
    from += piece.length;
  }
  return createFileText(pieces);
}

/** Encodes text in a form, byte order mark included. */
export function encodeText(text: string, form: TextForm): Uint8Array {
  const bytes = encode(text, form);
  return form.markLength === 0 ? bytes : concatBytes([markOf(form), bytes]);
}

/** Encodes as {@link encodeText} does, in steps; what still has the bytes of the file is not encoded again. */
export function* encodeTextSteps(text: FileText, form: TextForm): Steps<Uint8Array> {
  const parts = [markOf(form)];
  for (const piece of text.pieces) {
    parts.push(piece.bytes ?? encode(piece.text, form));
    if (piece.bytes === undefined) yield undefined;
  }
  const bytes = concatBytes(parts);
  yield undefined;
  return bytes;
}

function markOf({ encoding, markLength }: TextForm): Uint8Array {
  return markLength === 0 ? new Uint8Array() : encode("\ufeff", { encoding });
}

function encode(text: string, { encoding }: Pick<TextForm, "encoding">): Uint8Array {
  if (encoding === "utf-8") return encodeUtf8(text);
  const bytes = new Uint8Array(2 * text.length);
  const view = new DataView(bytes.buffer);
  const little = encoding === "utf-16le";
  for (let at = 0; at < text.length; at += 1) view.setUint16(2 * at, text.charCodeAt(at), little);
  return bytes;
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

function decodeStrict(bytes: Uint8Array, { encoding }: TextForm): string | undefined {
  if (encoding === "utf-8") return decodeUtf8Strict(bytes);
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
