/** Joins pieces of base64 into one text. */

/**
 * A base64 text in two parts. Engines join long texts lazily, and copy the whole of them when a character of the joined
 * one is looked at; kept apart, the end can be looked at for free.
 */
export interface OpenBase64 {
  /** Whole groups of four without padding. */
  body: string;
  /** What goes on or may have to be taken apart: an unfinished group, or a padded one. */
  end: string;
}

/**
 * Joins a piece to a text, whether the pieces were encoded one by one or cut out of one text.
 *
 * A padded piece behind a padded piece is joined by bytes; whatever is no base64 is joined as text. The time grows with
 * the piece only.
 *
 * @param open The text so far; nothing at first.
 * @param piece The next piece.
 */
export function joinBase64(open: OpenBase64 | undefined, piece: string): OpenBase64 {
  const { body, end } = open ?? { body: "", end: "" };
  const joined = (end.endsWith("=") && joinBytes(end, piece)) || end + piece;
  const unfinished = joined.length % 4;
  const kept = unfinished === 0 && joined.endsWith("=") ? 4 : unfinished;
  const cut = joined.length - kept;
  return { body: body + joined.slice(0, cut), end: joined.slice(cut) };
}

function joinBytes(end: string, piece: string): string | undefined {
  if (end.length !== 4 || piece.length % 4 !== 0) return undefined;
  try {
    return btoa(atob(end) + atob(piece));
  } catch {
    return undefined;
  }
}
