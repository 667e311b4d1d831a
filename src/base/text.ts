/** Cutting text without breaking characters, lines and bytes. */

/** Half a surrogate pair. */
const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const allLone = /* @__PURE__ */ new RegExp(lone, "g");

/** Tells whether a text has no half of a surrogate pair. */
export function isWellFormed(text: string): boolean {
  const own: string & { isWellFormed?(): boolean } = text;
  return own.isWellFormed?.() ?? !lone.test(text);
}

/** Makes lone surrogates into U+FFFD, so that the text survives JSON and UTF-8. */
export function wellFormed(text: string): string {
  // Newer engines do it themselves, many times faster; it runs over every piece of every result.
  const own: string & { toWellFormed?(): string } = text;
  return own.toWellFormed?.() ?? text.replace(allLone, "\ufffd");
}

/**
 * Cuts text to at most `limit` UTF-16 units without splitting a surrogate pair.
 *
 * @param text The text to cut.
 * @param limit The most units to keep.
 */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = Math.max(0, limit);
  const code = end > 0 ? text.charCodeAt(end - 1) : 0;
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? end - 1 : end);
}

/** Keeps the last `limit` UTF-16 units without splitting a surrogate pair. */
export function cutTextStart(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const start = text.length - Math.max(0, limit);
  const code = text.charCodeAt(start);
  return text.slice(code >= 0xdc00 && code <= 0xdfff ? start + 1 : start);
}

/** Counts the bytes a text takes in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) bytes += 1;
    if (code > 0x7ff && (code < 0xd800 || code > 0xdfff)) bytes += 1;
    if (code >= 0xd800 && code <= 0xdfff) bytes += isPair(text, at) ? 0 : 1;
  }
  return bytes;
}

function isPair(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code <= 0xdbff) return (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
  return at > 0 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}

/** Splits text at LF, CRLF and CR; a terminator at the very end does not start another line. */
export function splitLines(text: string): string[] {
  if (text === "") return [];
  const lines = text.split(/\r\n|\n|\r/);
  if (lines[lines.length - 1] === "") lines.pop();
  return lines;
}

/** Writes a count with its noun: `1 file`, `2 files`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
