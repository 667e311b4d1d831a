/** What the editor shows of a file: text with its line ends kept, a picture, or only its facts. */
import { extension } from "holdall";

/** The content of an open file. */
export type Content =
  | { kind: "text"; text: string /** What ends a line when the text is written back. */; lineBreak: "\n" | "\r\n" }
  | { kind: "image"; bytes: Uint8Array; mediaType: string }
  | { kind: "binary"; bytes: Uint8Array }
  | { kind: "missing" };

/** A text to edit. */
export interface EditedText {
  path: string;
  text: string;
  lineBreak: "\n" | "\r\n";
}

/** A file as it was last read or written. */
export interface OpenDocument {
  path: string;
  content: Content;
  /** The text as it was last read; the same object until it is read again, whatever the person types meanwhile. */
  loaded: EditedText | undefined;
  /** The version the content is from; null when there is no file. */
  version: string | null;
}

const imageTypes: Readonly<Record<string, string>> = {
  ".avif": "image/avif",
  ".gif": "image/gif",
  ".ico": "image/x-icon",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".png": "image/png",
  ".webp": "image/webp",
};

/** Reads bytes as what they are. Text that is not UTF-8 counts as binary: written back, it would be another file. */
export function toContent(path: string, bytes: Uint8Array): Content {
  const mediaType = imageTypes[extension(path)];
  if (mediaType !== undefined) return { kind: "image", bytes, mediaType };
  const text = decodeText(bytes);
  if (text === undefined) return { kind: "binary", bytes };
  // A file whose lines end in both ways is split at LF alone, so that each CR stays where it is.
  const isWindows = text.includes("\r\n") && !/(?<!\r)\n|\r(?!\n)/.test(text);
  return { kind: "text", text, lineBreak: isWindows ? "\r\n" : "\n" };
}

/** Decodes UTF-8, a byte order mark included; undefined for anything else. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
