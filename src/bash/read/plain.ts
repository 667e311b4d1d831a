/** Cuts lines that need no parser: one simple command, all of whose words mean just what they look like. */

import { addArgument, endAt, type Place, startAt } from "../scan.ts";
import type { Scan } from "../state.ts";
import { knownArgument } from "./argument.ts";
import { codeAt } from "./code-at.ts";

/** Longer lines are for the parser; no word that somebody types is. */
const MAX_PLAIN_LENGTH = 1024;

const DASH = 45;
const SPACE = 32;
const SINGLE_QUOTE = 39;
const DOUBLE_QUOTE = 34;
const TILDE = 126;

const WORD = 1;
const GAP = 2;
const EQUALS = 3;
const QUOTE = 4;

/** What a character is, by its code; 0 for whatever means something to a shell, also in the middle of a word. */
const kinds = new Uint8Array(128);
for (const letter of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:@%+,") {
  kinds[letter.charCodeAt(0)] = WORD;
}
kinds[SPACE] = GAP;
kinds["=".charCodeAt(0)] = EQUALS;
kinds[SINGLE_QUOTE] = kinds[DOUBLE_QUOTE] = QUOTE;

/** What means something in double quotes. */
const active = new Uint8Array(128);
for (const letter of '"$`\\') active[letter.charCodeAt(0)] = 1;

/** Words that are no command where one is expected. */
const reserved: ReadonlySet<string> = new Set(
  "if then elif else fi do done case esac for select while until function time coproc in".split(" "),
);

/**
 * Tells whether a text is one simple command of plain words with spaces between them, each bare or one pair of quotes: no
 * expansions, patterns, operators, assignments, comments, reserved words, nor anything beyond ASCII.
 */
export function isPlain(text: string): boolean {
  const { length } = text;
  if (length > MAX_PLAIN_LENGTH || kinds[codeAt(text, 0)] !== WORD) return false;
  let wordAt = 0;
  for (let at = 1; at < length; at += 1) {
    const kind = kinds[codeAt(text, at)];
    if (kind === WORD) continue;
    if (kind === GAP) wordAt = at + 1;
    else if (kind === QUOTE && at === wordAt) {
      at = quoteEnd(text, at, length);
      if (at < 0) return false;
    }
    // In front of it may stand a name, which makes an assignment, unless the word is an option.
    else if (kind !== EQUALS || codeAt(text, wordAt) !== DASH) return false;
  }
  const end = text.indexOf(" ");
  return !reserved.has(end < 0 ? text : text.slice(0, end));
}

/** Finds the quote that ends a word of printable ASCII in which nothing is expanded; -1 where it is not like that. */
function quoteEnd(text: string, start: number, length: number): number {
  const quote = codeAt(text, start);
  for (let at = start + 1; at < length; at += 1) {
    const code = codeAt(text, at);
    if (code < SPACE || code > TILDE) return -1;
    if (code === quote) return at + 1 === length || codeAt(text, at + 1) === SPACE ? at : -1;
    if (quote === DOUBLE_QUOTE && active[code] === 1) return -1;
  }
  return -1;
}

/** Tells whether a word means just what it looks like, wherever it stands. */
export function isPlainWord(text: string): boolean {
  const { length } = text;
  for (let at = 0; at < length; at += 1) if (kinds[codeAt(text, at)] !== WORD) return false;
  return true;
}

/**
 * Adds the words of a plain text to those that are pending.
 *
 * @returns The place of the command.
 */
export function readPlain(scan: Scan, text: string): Place {
  const { length } = text;
  let start = 0;
  let last = 0;
  while (start < length) {
    const first = codeAt(text, start);
    const isQuote = first === SINGLE_QUOTE || first === DOUBLE_QUOTE;
    const found = isQuote ? text.indexOf(first === SINGLE_QUOTE ? "'" : '"', start + 1) + 1 : text.indexOf(" ", start);
    const end = found < 0 ? length : found;
    if (end > start) {
      const word = isQuote ? text.slice(start + 1, end - 1) : text.slice(start, end);
      addArgument(scan, knownArgument(word, startAt(scan, start), endAt(scan, end), isQuote));
      last = end;
    }
    start = end + 1;
  }
  return { pos: 0, end: last };
}
