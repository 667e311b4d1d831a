/** Keeps the text of files that were searched: decoding them again would take most of the time of a search. */

/** Gives the text of bytes that never change, from memory or by decoding them. */
export type TextCache = (bytes: Uint8Array, decode: (bytes: Uint8Array) => string | undefined) => string | undefined;

/** UTF-16 units of text that are kept; over it, all are forgotten. */
const MAX_TEXT = 64 << 20;

/** Makes a cache; the text of bytes that nobody holds any more goes with them. */
export function createTextCache(limit: number = MAX_TEXT): TextCache {
  let texts = new WeakMap<Uint8Array, string>();
  let size = 0;
  return (bytes, decode) => {
    const known = texts.get(bytes);
    if (known !== undefined) return known;
    const text = decode(bytes);
    if (text === undefined) return undefined;
    if (size + text.length > limit) {
      texts = new WeakMap();
      size = 0;
    }
    size += text.length;
    texts.set(bytes, text);
    return text;
  };
}
