/**
 * The text of a file in pieces, each with the bytes it stands for: what an edit leaves alone is neither joined with the
 * rest nor encoded again, which in a large file would take longer than everything else.
 */

import { createLongText, type LongText } from "../base/long-text.ts";
import type { Steps } from "../base/steps.ts";

/** A piece of a file. */
export interface TextPiece {
  readonly text: string;
  /** How it stands in the file; left out where the text is new. */
  readonly bytes?: Uint8Array;
}

/** A text in pieces. A line end may stand in two of them, a surrogate pair does not. */
export interface FileText extends LongText {
  readonly pieces: readonly TextPiece[];
}

/** A part of a text that is replaced. */
export interface Splice {
  start: number;
  /** Exclusive. */
  end: number;
  fresh: string;
}

/** UTF-16 units up to which new text and what is left around it are joined to one piece. */
const MAX_JOINED = 1 << 16;

/** Splices that are made in one step. */
const STEP_SPLICES = 8192;

/** Makes a text of its pieces. */
export function createFileText(pieces: readonly TextPiece[]): FileText {
  return { ...createLongText(pieces.map(({ text }) => text)), pieces };
}

/**
 * Replaces parts of a text.
 *
 * @param splices In order; they do not overlap.
 */
export function* spliceText(text: FileText, splices: Iterable<Splice>): Steps<FileText> {
  const copy = startCopy(text);
  let count = 0;
  for (const { start, end, fresh } of splices) {
    copy.upTo(start);
    copy.add(fresh);
    copy.skipTo(end);
    count += 1;
    if (count % STEP_SPLICES === 0) yield undefined;
  }
  copy.upTo(text.length);
  return createFileText(copy.end());
}

/** A copy of a text with changes, from its start to its end. */
interface Copy {
  /** Takes over what stands up to a place. */
  upTo(place: number): void;
  /** Leaves out what stands up to a place. */
  skipTo(place: number): void;
  add(text: string): void;
  end(): TextPiece[];
}

function startCopy({ pieces: old }: FileText): Copy {
  const pieces: TextPiece[] = [];
  let loose: string[] = [];
  let looseLength = 0;
  let index = 0;
  let start = 0;
  let from = 0;
  const flush = (): void => {
    if (looseLength > 0) pieces.push({ text: loose.join("") });
    loose = [];
    looseLength = 0;
  };
  const add = (text: string): void => {
    loose.push(text);
    looseLength += text.length;
    if (looseLength >= MAX_JOINED) flush();
  };
  const advance = (place: number, take: (piece: TextPiece, first: number, last: number) => void): void => {
    for (let piece = old[index]; piece !== undefined && from < place; piece = old[index]) {
      const end = start + piece.text.length;
      const to = Math.min(place, end);
      take(piece, from - start, to - start);
      from = to;
      if (to < end) return;
      index += 1;
      start = end;
    }
  };
  const take = (piece: TextPiece, first: number, last: number): void => {
    if (last - first === piece.text.length) {
      flush();
      pieces.push(piece);
    } else if (last - first >= MAX_JOINED) {
      flush();
      pieces.push({ text: piece.text.slice(first, last) });
    } else add(piece.text.slice(first, last));
  };
  return {
    upTo: (place) => advance(place, take),
    skipTo: (place) => advance(place, () => {}),
    add,
    end() {
      flush();
      return pieces;
    },
  };
}
