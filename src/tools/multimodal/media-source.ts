/** What a model gave as a medium: a URL, bytes in the text itself, or a path of the workspace. */

import { decodeUtf8, encodeUtf8, fromBase64 } from "../../base/bytes.ts";
import { cutText } from "../../base/text.ts";
import { refusal } from "../answer.ts";
import { MAX_URL } from "./limits.ts";
import { MEDIA_HEAD, mediaTypeOf } from "./media-type.ts";

/** A medium as a model named it. */
export type MediaSource =
  | {
      type: "url";
      /** Normalised, http or https. */
      url: string;
    }
  | {
      type: "inline";
      /** What the text itself says; empty when it does not. */
      mediaType: string;
      /** Decodes the text. */
      bytes(): Uint8Array<ArrayBuffer>;
      /** UTF-16 units of the text; the bytes are fewer. */
      length: number;
    }
  | { type: "path"; path: string };

/** Shorter texts are never taken for bare base64: no medium is that small, but a path may look the same. */
const SHORTEST_BASE64 = 64;

/**
 * Finds out what a text names, without asking anybody.
 *
 * A text is bare base64 only when it begins as a known medium does, so that no path is mistaken for it.
 *
 * @param text The text as the model wrote it.
 * @throws HoldallError for what can be none of them.
 */
export function readSource(text: string): MediaSource {
  const given = text.trim();
  if (given === "") throw refusal("An address is empty. Give a URL, a data: URL or a path.");
  if (/^data:/i.test(given)) return readDataUrl(given);
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(given)) return { type: "url", url: readUrl(given) };
  if (isMediaBase64(given)) {
    return { type: "inline", mediaType: "", length: given.length, bytes: () => decodeBase64(given) };
  }
  return { type: "path", path: given };
}

/**
 * Takes apart the list of media of a call: an array, or one text with several URLs between commas. A comma inside a
 * URL, a data: URL or a path does not separate.
 */
export function splitSources(given: string | readonly string[]): string[] {
  const texts = typeof given === "string" ? given.split(/,\s*(?=https?:\/\/|data:)/i) : given;
  return texts.map((text) => text.trim()).filter((text) => text !== "");
}

/** Shows the beginning of a text that may be very long. */
export function showSource(text: string): string {
  const short = cutText(text.trim(), 80);
  return JSON.stringify(short.length < text.trim().length ? `${short}…` : short);
}

function readUrl(given: string): string {
  const url = given.length <= MAX_URL && URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw refusal(
      `${showSource(given)} is not an http or https URL of at most ${MAX_URL} characters. Give one, a data: URL or a path.`,
    );
  }
  return url.href;
}

function readDataUrl(given: string): MediaSource {
  const comma = given.indexOf(",");
  const head = given.slice("data:".length, comma === -1 ? undefined : comma);
  if (comma === -1) throw refusal(`${showSource(given)} is not a whole data: URL. It has no comma before its data.`);
  const [mediaType = "", ...parameters] = head.split(";").map((part) => part.trim().toLowerCase());
  const isBase64 = parameters.includes("base64");
  return {
    type: "inline",
    mediaType,
    length: given.length,
    bytes: () =>
      isBase64 ? decodeBase64(decodePercent(given.slice(comma + 1))) : percentBytes(given.slice(comma + 1)),
  };
}

function isMediaBase64(given: string): boolean {
  if (given.length < SHORTEST_BASE64 || !/^[A-Za-z0-9+/]{44}/.test(given)) return false;
  const head = fromBase64(given.slice(0, 44));
  return head !== undefined && mediaTypeOf(head.subarray(0, MEDIA_HEAD)) !== undefined;
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64(text.trim());
  if (bytes === undefined) throw refusal("The data given is not valid base64. Give it whole, or give a URL or a path.");
  return bytes;
}

function decodePercent(text: string): string {
  return text.includes("%") ? decodeUtf8(percentBytes(text)) : text;
}

/** Percent-encoded data are bytes, not characters, so they are decoded one by one. */
function percentBytes(text: string): Uint8Array<ArrayBuffer> {
  const source = encodeUtf8(text);
  const bytes = new Uint8Array(source.length);
  let length = 0;
  for (let at = 0; at < source.length; at += 1) {
    const code = source[at] === 0x25 ? hexAt(source, at + 1) : undefined;
    bytes[length] = code ?? source[at] ?? 0;
    length += 1;
    if (code !== undefined) at += 2;
  }
  return bytes.slice(0, length);
}

function hexAt(source: Uint8Array, at: number): number | undefined {
  const digits = String.fromCharCode(source[at] ?? 0, source[at + 1] ?? 0);
  return /^[0-9a-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined;
}
