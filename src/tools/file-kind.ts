/** Names what a file holds by its first bytes, for files that are not text. */

import { extension } from "../base/path.ts";

/** Media types of images that models commonly take. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** Tells the type of an image by its first bytes, whatever the file is called. */
export function imageType(head: Uint8Array): ImageType | undefined {
  if (startsWith(head, "\x89PNG\r\n\x1a\n")) return "image/png";
  if (startsWith(head, "\xff\xd8\xff")) return "image/jpeg";
  if (startsWith(head, "GIF87a") || startsWith(head, "GIF89a")) return "image/gif";
  return startsWith(head, "RIFF") && startsWith(head.subarray(8), "WEBP") ? "image/webp" : undefined;
}

/** Bytes in which the mark of a PDF document may stand, after what mail programs put before it. */
const PDF_MARK_BYTES = 1024;

/** Tells a PDF document by its first bytes; where its name says so as well, also behind some others. */
export function isPdf(path: string, head: Uint8Array): boolean {
  if (startsWith(head, "%PDF-")) return true;
  if (extension(path) !== ".pdf") return false;
  return String.fromCharCode(...head.subarray(0, PDF_MARK_BYTES)).includes("%PDF-");
}

const kinds: readonly (readonly [magic: string, kind: string])[] = [
  ["PK\x03\x04", "a ZIP archive (or an office document, which is one)"],
  ["\x1f\x8b", "gzip-compressed data"],
  ["\x7fELF", "a program"],
  ["\0asm", "a WebAssembly module"],
  ["SQLite format 3\0", "an SQLite database"],
];

/** Names the kind of a file that is not text for a model; undefined when the first bytes do not tell. */
export function fileKind(head: Uint8Array): string | undefined {
  return kinds.find(([magic]) => startsWith(head, magic))?.[1];
}

function startsWith(head: Uint8Array, magic: string): boolean {
  for (let at = 0; at < magic.length; at += 1) if (head[at] !== magic.charCodeAt(at)) return false;
  return true;
}
