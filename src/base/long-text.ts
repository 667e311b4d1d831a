/** Texts of many pieces: to make one string of them would hold up everything else. */

/** What searching takes of a text. A string is one, too. */
export interface LongText {
  /** UTF-16 units. */
  readonly length: number;
  /** Gives a part; both places are from 0. */
  slice(from: number, to: number): string;
  /** Gives where a unit stands first, from a place on; -1 when it does not. */
  indexOf(unit: string, from: number): number;
  /** Gives where a unit stands last, up to a place; -1 when it does not. */
  lastIndexOf(unit: string, from: number): number;
  charCodeAt(at: number): number;
  codePointAt(at: number): number | undefined;
}

/**
 * Makes a text of its pieces, none of which is copied.
 *
 * @param pieces No surrogate pair stands in two of them.
 */
export function createLongText(pieces: readonly string[]): LongText {
  const starts: number[] = [];
  let length = 0;
  for (const piece of pieces) {
    starts.push(length);
    length += piece.length;
  }
  let index = 0;
  let piece = pieces[0] ?? "";
  let start = 0;
  /** Goes to the piece with a place, or to the one that is nearest to it; what is asked for next is mostly nearby. */
  const seek = (at: number): void => {
    if (at >= start && at < start + piece.length) return;
    while (at < start && index > 0) start = starts[--index] ?? 0;
    while (index < pieces.length - 1 && at >= (starts[index + 1] ?? 0)) start = starts[++index] ?? 0;
    piece = pieces[index] ?? "";
  };
  return {
    length,
    slice(from, to) {
      seek(from);
      if (to <= start + piece.length) return piece.slice(from - start, to - start);
      const parts = [piece.slice(from - start)];
      for (let next = index + 1; next < pieces.length && (starts[next] ?? 0) < to; next += 1)
        parts.push((pieces[next] ?? "").slice(0, to - (starts[next] ?? 0)));
      return parts.join("");
    },
    indexOf(unit, from) {
      for (seek(from); ; seek(start + piece.length)) {
        const found = piece.indexOf(unit, Math.max(0, from - start));
        if (found !== -1) return start + found;
        if (index >= pieces.length - 1) return -1;
      }
    },
    lastIndexOf(unit, from) {
      for (seek(from); ; seek(start - 1)) {
        const found = piece.lastIndexOf(unit, from - start);
        if (found !== -1) return start + found;
        if (start === 0) return -1;
      }
    },
    charCodeAt(at) {
      seek(at);
      return piece.charCodeAt(at - start);
    },
    codePointAt(at) {
      seek(at);
      return piece.codePointAt(at - start);
    },
  };
}
