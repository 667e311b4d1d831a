/** Keeps the text of files that were searched: decoding them again would take most of the time of a search. */

import type { LongText } from "holdall";

/** The text of bytes that never change. */
export interface TextCache {
  get(bytes: Uint8Array): LongText | undefined;
  set(bytes: Uint8Array, text: LongText): void;
}

/** UTF-16 units of text that are kept; over it, all are forgotten. */
const MAX_TEXT = 64 << 20;

/** Makes a cache; the text of bytes that nobody holds any more goes with them. */
export function createTextCache(limit: number = MAX_TEXT): TextCache {
  let texts = new WeakMap<Uint8Array, LongText>();
  let size = 0;
  return {
    get: (bytes) => texts.get(bytes),
    set(bytes, text) {
      if (size + text.length > limit) {
        texts = new WeakMap();
        size = 0;
      }
      size += text.length;
      texts.set(bytes, text);
    },
  };
}
