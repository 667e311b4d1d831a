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
  const grow = (text: string): void => {
    if (!open) {
      open = true;
      count += 1;
      if (count >= first + limit) full = true;
    }
    // One unit more than is shown tells whether the cut would split a character.
    if (isKept() && start.length <= MAX_LINE_LENGTH) start += text.slice(0, MAX_LINE_LENGTH + 1 - start.length);
    length += text.length;
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
      for (const end of text.matchAll(/\r\n|\n|\r/g)) {
        if (end.index < from) continue;
        grow(text.slice(from, end.index));
        close();
        from = end.index + end[0].length;
      }
      if (from < text.length) grow(text.slice(from));
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
