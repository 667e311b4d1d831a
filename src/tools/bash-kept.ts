/** Keeps the beginning and the end of a text that may grow without bound. */

import { cutText, cutTextStart } from "../base/text.ts";

/** A text that grows, of which no more than a fixed part is kept. */
export interface KeptText {
  /** Adds to the end; pieces never split a character. */
  push(text: string): void;
  /**
   * Gives what is kept, with a note where something was left out.
   *
   * @param wholeLines Whether an unfinished last line is left for the next time. Defaults to false.
   */
  peek(wholeLines?: boolean): string;
  /** Gives the same and forgets it. */
  take(wholeLines?: boolean): string;
  /** Whether there is nothing to take. */
  readonly isEmpty: boolean;
  /** UTF-16 units that were left out since the last `take`. */
  readonly dropped: number;
}

/**
 * Makes an empty text.
 *
 * @param headMost UTF-16 units that are kept from the beginning.
 * @param tailMost UTF-16 units that are kept from the end.
 */
export function createKept(headMost: number, tailMost: number): KeptText {
  let head = "";
  let isFull = headMost === 0;
  /** At least as much of the end as is kept; one text of so many pieces would be copied again and again. */
  let tail: string[] = [];
  let tailLength = 0;
  let dropped = 0;
  const all = (): string => {
    const text = tail.join("");
    const kept = cutTextStart(text, tailMost);
    dropped += text.length - kept.length;
    tail = [kept];
    tailLength = kept.length;
    return head + (dropped > 0 ? `\n[… ${dropped} characters left out …]\n` : "") + kept;
  };
  const push = (text: string): void => {
    const now = isFull ? "" : cutText(text, Math.max(0, headMost - head.length));
    head += now;
    if (now.length === text.length) return;
    isFull = true;
    tail.push(text.slice(now.length));
    tailLength += text.length - now.length;
    for (let first = tail[0] ?? ""; tail.length > 1 && tailLength - first.length >= tailMost; first = tail[0] ?? "") {
      tail.shift();
      tailLength -= first.length;
      dropped += first.length;
    }
  };
  return {
    push,
    peek: (wholeLines = false) => {
      const whole = all();
      return whole.slice(0, endOf(whole, wholeLines));
    },
    take: (wholeLines = false) => {
      const whole = all();
      const end = endOf(whole, wholeLines);
      head = "";
      isFull = headMost === 0;
      tail = [];
      tailLength = 0;
      dropped = 0;
      // What is left counts like any other text, or a line without an end would grow without bound.
      push(whole.slice(end));
      return whole.slice(0, end);
    },
    get isEmpty() {
      return head === "" && tailLength === 0;
    },
    get dropped() {
      return dropped + Math.max(0, tailLength - tailMost);
    },
  };
}

function endOf(text: string, wholeLines: boolean): number {
  return wholeLines ? text.lastIndexOf("\n") + 1 : text.length;
}
