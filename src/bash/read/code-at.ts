/** The codes of characters, for loops over texts. */

/**
 * Gives the code of a character. An engine that has met many kinds of strings in one place looks up their methods anew
 * each time there; it need not where they are named in full, which makes loops over texts several times faster.
 */
export function codeAt(text: string, at: number): number {
  return String.prototype.charCodeAt.call(text, at);
}
