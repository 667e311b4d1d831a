/** Collects some lines of a text that arrives in pieces, however long the text and its lines are. */

import { cutText } from "../base/text.ts";
import { MAX_LINE_LENGTH, MAX_READ_LENGTH } from "./limits.ts";

/** Lines on their way into a window. */
export interface LineWindow {
  /** Takes the next piece of text. */
  add(text: string): void;
  /** Takes the end of the text. */
  end(): void;
  /** The numbered lines, as `cat -n` shows them. */
  readonly lines: string[];
  /** How many lines have begun so far; after `end`, how many there are. */
  readonly count: number;
  /** Whether the first line to keep has begun. */
  readonly reached: boolean;
  /** Whether no further line can come into the window. */
  readonly full: boolean;
}

/**
 * Opens a window.
 *
 * Lines end at LF, CRLF and CR; a line end at the very end of the text starts no further line.
 *
 * @param first The first line to keep, from 1.
 * @param limit The most lines to keep.
 */
export function openLineWindow(first: number, limit: number): LineWindow {
  const lines: string[] = [];
  let size = 0;
  let full = false;
  let count = 0;
  /** The line that is under way: as much of it as can be shown, and its whole length. */
  let open = false;
  let start = "";
  let length = 0;
  let afterCr = false;
  const isKept = (): boolean => !full && count >= first;
  const grow = (text: string, from: number, to: number): void => {
    if (!open) {
      open = true;
      count += 1;
      if (count >= first + limit) full = true;
    }
    // One unit more than is shown tells whether the cut would split a character.
    const room = MAX_LINE_LENGTH + 1 - start.length;
    if (room > 0 && isKept()) start += text.slice(from, Math.min(to, from + room));
    length += to - from;
  };
  const close = (): void => {
    if (isKept()) keep();
    open = false;
    start = "";
    length = 0;
  };
  const keep = (): void => {
    const cut = length > MAX_LINE_LENGTH;
    const text = cut ? `${cutText(start, MAX_LINE_LENGTH)}… [line cut: ${length} characters in all]` : start;
    const line = `${String(count).padStart(6)}\t${text}`;
    size += line.length + 1;
    if (size > MAX_READ_LENGTH && lines.length > 0) full = true;
    else lines.push(line);
  };
  return {
    add(text) {
      let from = afterCr && text.startsWith("\n") ? 1 : 0;
      if (text !== "") afterCr = text.endsWith("\r");
      // Most lines of a large file are only counted, so no object is made for their ends.
      let lf = text.indexOf("\n", from);
      let cr = text.indexOf("\r", from);
      while (lf >= 0 || cr >= 0) {
        const isCr = cr >= 0 && (lf < 0 || cr < lf);
        const end = isCr ? cr : lf;
        grow(text, from, end);
        close();
        from = end + (isCr && lf === cr + 1 ? 2 : 1);
        if (lf >= 0 && lf < from) lf = text.indexOf("\n", from);
        if (isCr) cr = text.indexOf("\r", from);
      }
      if (from < text.length) grow(text, from, text.length);
    },
    end() {
      if (open) close();
    },
    lines,
    get count() {
      return count;
    },
    get reached() {
      return count >= first;
    },
    get full() {
      return full;
    },
  };
}
