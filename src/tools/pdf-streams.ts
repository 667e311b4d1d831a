/** Finds streams of a PDF document that expand to more than is let in, before anything expands them in one go. */

import { nextTurn } from "../backend/breather.ts";
import { MAX_PDF_STREAM_BYTES } from "./limits.ts";

/** No deflated byte expands to more than this. */
const MAX_RATIO = 1032;

/** Bytes looked through at a time. */
const PIECE = 1 << 20;

/** Bytes before a stream in which what it says of itself begins. */
const MAX_DICTIONARY = 8192;

/**
 * Bytes expanded at a time: a stream ends with an error where something else follows it, and what was expanded together
 * with its end is then lost.
 */
const SIP = 2048;

const KEYWORD = "stream";

/**
 * Tells whether a stream of a document expands to more than {@link MAX_PDF_STREAM_BYTES}, or may do so because it is packed
 * several times. What the document says of lengths is not believed: whatever can be expanded is.
 */
export async function hasHugeStream(bytes: Uint8Array, signal: AbortSignal): Promise<boolean> {
  for (const start of streamStarts(bytes)) {
    if (mayBePackedTwice(bytes, start)) return true;
    // Else, even from here to the end it would not be too much.
    const mayBeHuge = (bytes.length - start) * MAX_RATIO > MAX_PDF_STREAM_BYTES;
    if (mayBeHuge && startsDeflated(bytes, start) && (await expandsTooMuch(bytes.subarray(start), signal))) return true;
  }
  return false;
}

/** Gives where the data of each stream starts. */
function* streamStarts(bytes: Uint8Array): Generator<number, void, undefined> {
  const decoder = new TextDecoder("latin1");
  for (let from = 0; from < bytes.length; from += PIECE) {
    // A keyword that begins in this piece ends, with its line end, at most this much behind it.
    const text = decoder.decode(bytes.subarray(from, from + PIECE + KEYWORD.length + 2));
    for (let at = text.indexOf(KEYWORD); at >= 0 && at < PIECE; at = text.indexOf(KEYWORD, at + 1)) {
      const end = at + KEYWORD.length;
      yield from + end + (text.startsWith("\r\n", end) ? 2 : /[\r\n]/.test(text.charAt(end)) ? 1 : 0);
    }
  }
}

/** Reads the filters before a stream, also where names are written with escapes; those that stand elsewhere may be any. */
function mayBePackedTwice(bytes: Uint8Array, start: number): boolean {
  const before = new TextDecoder("latin1").decode(bytes.subarray(Math.max(0, start - MAX_DICTIONARY), start));
  const dictionary = before
    .slice(before.lastIndexOf("obj") + 1)
    .replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const filters = /\/Filter\s*(\[[^\]]*\]|\d+\s+\d+\s+R)/.exec(dictionary)?.[1];
  if (filters === undefined) return false;
  const packings = filters.match(/\/(?:FlateDecode|LZWDecode|RunLengthDecode|Fl|LZW|RL)\b/g) ?? [];
  return !filters.startsWith("[") || packings.length > 1;
}

function startsDeflated(bytes: Uint8Array, at: number): boolean {
  const [first = 0, second = 0] = bytes.subarray(at, at + 2);
  return (first & 15) === 8 && first >> 4 <= 7 && ((first << 8) | second) % 31 === 0;
}

async function expandsTooMuch(bytes: Uint8Array, signal: AbortSignal): Promise<boolean> {
  const { readable, writable } = new DecompressionStream("deflate");
  const writer = writable.getWriter();
  const reader = readable.getReader();
  const read = (): Promise<number | undefined> => {
    const length = reader.read().then(({ value }) => value?.length);
    length.catch(() => {});
    return length;
  };
  let size = 0;
  try {
    let next = read();
    for (let at = 0; at < bytes.length && size <= MAX_PDF_STREAM_BYTES; at += SIP) {
      const written = writer.write(bytes.slice(at, at + SIP)).then(nextTurn);
      // All that came of it is counted before the next, because an error throws it away.
      for (let length = await Promise.race([next, written]); length !== undefined; ) {
        size += length;
        next = read();
        length = await Promise.race([next, written]);
      }
      signal.throwIfAborted();
    }
  } catch {
    // What follows the stream in the file is not deflated, and neither is what only looked as if it were.
    signal.throwIfAborted();
  }
  writer.abort().catch(() => {});
  reader.cancel().catch(() => {});
  return size > MAX_PDF_STREAM_BYTES;
}
