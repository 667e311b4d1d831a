/** Cuts lines that need no parser: one simple command, all of whose words mean just what they look like. */

import { addArgument, type Place } from "../scan.ts";
import type { Scan } from "../state.ts";
import { knownArgument } from "./argument.ts";

/** Longer lines are for the parser; no word that somebody types is. */
const MAX_PLAIN_LENGTH = 1024;

const DASH = 45;
const SPACE = 32;

const WORD = 1;
const GAP = 2;
const EQUALS = 3;

/** What a character is, by its code; 0 for whatever means something to a shell, also in the middle of a word. */
const kinds = new Uint8Array(128);
for (const letter of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:@%+,") {
  kinds[letter.charCodeAt(0)] = WORD;
}
kinds[SPACE] = GAP;
kinds["=".charCodeAt(0)] = EQUALS;

/** Words that are no command where one is expected. */
const reserved: ReadonlySet<string> = new Set(
  "if then elif else fi do done case esac for select while until function time coproc in".split(" "),
);

/**
 * Tells whether a text is one simple command of plain words with spaces between them: no quotes, expansions, patterns,
 * operators, assignments, comments, reserved words, nor anything beyond ASCII.
 */
export function isPlain(text: string): boolean {
  const { length } = text;
  if (length > MAX_PLAIN_LENGTH || kinds[text.charCodeAt(0)] !== WORD) return false;
  let wordAt = 0;
  for (let at = 1; at < length; at += 1) {
    const kind = kinds[text.charCodeAt(at)];
    if (kind === WORD) continue;
    if (kind === GAP) wordAt = at + 1;
    // In front of it may stand a name, which makes an assignment, unless the word is an option.
    else if (kind !== EQUALS || text.charCodeAt(wordAt) !== DASH) return false;
  }
  const end = text.indexOf(" ");
  return !reserved.has(end < 0 ? text : text.slice(0, end));
}

/** Tells whether a word means just what it looks like, wherever it stands. */
export function isPlainWord(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (kinds[text.charCodeAt(at)] !== WORD) return false;
  return true;
}

/**
 * Adds the words of a plain text to those that are pending.
 *
 * @returns The place of the command.
 */
export function readPlain(scan: Scan, text: string): Place {
  const { fixed, shift } = scan;
  let start = 0;
  let last = 0;
  while (start < text.length) {
    const gap = text.indexOf(" ", start);
    const end = gap < 0 ? text.length : gap;
    if (end > start) {
      const word = text.slice(start, end);
      addArgument(scan, knownArgument(word, fixed?.[0] ?? start + shift, fixed?.[1] ?? end + shift, false));
      last = end;
    }
    start = end + 1;
  }
  return { pos: 0, end: last };
}
