/** Turns the parser's words into arguments: quotes, escapes, braces, globs and expansions. */

import type { DoubleQuotedChild, Word, WordPart } from "unbash";
import { addArgument, endAt, noteAt, type Place, startAt, walkNested } from "../scan.ts";
import type { Argument, Scan } from "../state.ts";
import { knownArgument } from "./argument.ts";
import { expandBraces } from "./braces.ts";
import { codeAt } from "./code-at.ts";
import { type Draft, finish, known, newDraft, startPattern, unknown } from "./draft.ts";
import { addExpansion } from "./expansion.ts";
import { isPlainWord } from "./plain.ts";

/** Spaces that separate nothing: in an unquoted word they only deceive the eye. */
const oddSpace = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/;

/** Reads one word and adds it to those that are pending; braces can make it several, and an empty alternative none. */
export function readWord(scan: Scan, word: Word): void {
  const { text } = word;
  // Most words are of these two kinds, and have no parts to look at.
  const isQuote = isOneQuote(text);
  if (isQuote || isPlainWord(text)) {
    const content = isQuote ? text.slice(1, -1) : text;
    addArgument(scan, knownArgument(content, startAt(scan, word.pos), endAt(scan, word.end), isQuote));
    return;
  }
  const { parts } = word;
  checkWord(scan, word);
  if (parts === undefined) addArgument(scan, readBare(scan, word));
  else if (hasBraces(parts)) readBraces(scan, word, parts);
  else addArgument(scan, readParts(scan, word, parts));
}

/** Tells whether a word is one pair of quotes around text that stands for itself. */
function isOneQuote(text: string): boolean {
  const quote = codeAt(text, 0);
  if (quote === SINGLE_QUOTE) return text.length > 1 && text.indexOf("'", 1) === text.length - 1;
  return quote === DOUBLE_QUOTE && plainQuote.test(text);
}

const SINGLE_QUOTE = 39;
const DOUBLE_QUOTE = 34;
const plainQuote = /^"[^"$`\\]*"$/;

/** `a[ & b`: some shells look for the end of a subscript beyond the blanks, and take all of it for one word. */
function opensSubscript(text: string): boolean {
  const start = text.search(/\w\[/);
  if (start < 0) return false;
  let depth = 0;
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "[") depth += 1;
    else if (text[at] === "]") depth -= 1;
  }
  return depth > 0;
}

/** `{a<,b}`: some shells look for the end of braces beyond the operator. */
function opensBrace(text: string): boolean {
  let depth = 0;
  for (const character of text.replace(/\\./gs, "")) {
    if (character === "{") depth += 1;
    else if (character === "}" && depth > 0) depth -= 1;
  }
  return depth > 0 && text.length > 1;
}

const operator = /[()<>|&;]/;

/** A cheap look that spares most words the others. */
const questionable = /[()<>|&;[{]|^!#/;

/**
 * Notes what shells and parsers do not read alike in a word: a subscript that is never closed, `!#`, and an operator in
 * plain text, where the parser took for text what a shell would act on, as in `1<(command)`.
 */
export function checkWord(scan: Scan, word: Word): void {
  const { text, parts } = word;
  if (!questionable.test(text)) return;
  if (text.startsWith("!#") || opensSubscript(text) || (parts === undefined && opensBrace(text)))
    noteAt(scan, "injection", "dialect", word);
  const isStray = (source: string): boolean => operator.test(source.replace(/\\./gs, ""));
  const stray =
    parts === undefined ? isStray(text) : parts.some((part) => part.type === "Literal" && isStray(part.text));
  if (stray) noteAt(scan, "errors", "syntax", word);
}

function hasBraces(parts: readonly WordPart[]): boolean {
  for (const part of parts) if (part.type === "BraceExpansion") return true;
  return false;
}

/** Reads one word as a single argument, where braces are not expanded: redirections, assignments, tests. */
export function readSingle(scan: Scan, word: Word): Argument {
  return word.parts === undefined ? readBare(scan, word) : readParts(scan, word, word.parts);
}

/** Reads a here-document: what is expanded in it, and the text that comes out. */
export function readBody(scan: Scan, body: Place, parts: readonly WordPart[]): Argument {
  const draft = newDraft();
  for (const part of parts) addPart(scan, draft, part, true);
  return finish(scan, draft, body);
}

/** Gives the text of one quote with nothing to expand in it, as most quotes are. */
function quotedText(part: WordPart | undefined): string | undefined {
  if (part?.type === "SingleQuoted") return part.value;
  if (part?.type !== "DoubleQuoted" || part.parts.length > 1) return undefined;
  const [inner] = part.parts;
  return inner === undefined ? "" : inner.type === "Literal" ? inner.value : undefined;
}

function readBare(scan: Scan, word: Word): Argument {
  if (scan.oddSpaces && oddSpace.test(word.text)) noteAt(scan, "injection", "look-alike", word);
  const start = startAt(scan, word.pos);
  const end = endAt(scan, word.end);
  if (!scan.hasMarks) return knownArgument(word.text, start, end, false);
  const odd = word.text.includes("\\");
  if (word.text.includes("$")) checkDollar(scan, word.text, word);
  const text = odd ? word.value : word.text;
  return knownArgument(text, start, end, odd);
}

function readParts(scan: Scan, word: Word, parts: readonly WordPart[]): Argument {
  const quoted = parts.length === 1 ? quotedText(parts[0]) : undefined;
  if (quoted !== undefined) return knownArgument(quoted, startAt(scan, word.pos), endAt(scan, word.end), true);
  const draft = newDraft();
  for (const part of parts) addPart(scan, draft, part, false);
  return finish(scan, draft, word);
}

function addPart(scan: Scan, draft: Draft, part: WordPart, quoted: boolean): void {
  switch (part.type) {
    case "Literal":
      if (scan.oddSpaces && !quoted && oddSpace.test(part.text)) noteAt(scan, "injection", "look-alike", part);
      if (!quoted && draft.text === "" && part.text.startsWith("~")) draft.tilde = true;
      draft.odd ||= part.text !== part.value;
      if (!quoted && part.text.includes("$")) checkDollar(scan, part.text, part);
      known(draft, part.value);
      return;
    case "SingleQuoted":
      draft.odd = true;
      known(draft, part.value);
      return;
    case "AnsiCQuoted":
      // To a POSIX sh the quote ends at the first ' whatever stands before it.
      if (part.text.includes("\\'") && scan.settings.dialect !== "bash") noteAt(scan, "injection", "dialect", part);
      draft.odd = true;
      known(draft, part.value);
      return;
    case "DoubleQuoted":
      draft.odd = true;
      addQuoted(scan, draft, part.parts);
      return;
    case "LocaleString":
      noteAt(scan, "injection", "dialect", part);
      addQuoted(scan, draft, part.parts);
      return;
    case "Glob":
      for (const inner of part.parts ?? []) addPart(scan, newDraft(), inner, true);
      // In `[$X]` the content can end the bracket, and the word; quotes in there count for some shells only.
      if (part.parts?.some(({ type }) => type !== "Literal")) {
        unknown(draft, true);
        return;
      }
      startPattern(draft);
      draft.many = true;
      known(draft, part.text, true);
      return;
    case "ExtendedGlob":
      // Qualifiers to zsh, which can run code; a mistake to bash as it starts.
      noteAt(scan, "injection", "zsh", part);
      for (const inner of part.parts ?? []) addPart(scan, newDraft(), inner, true);
      unknown(draft, true);
      return;
    case "BraceExpansion":
      for (const inner of part.parts ?? []) addPart(scan, newDraft(), inner, true);
      unknown(draft, true);
      return;
    case "ProcessSubstitution":
      if (!walkNested(scan, part.script, part).readOnly) noteAt(scan, "injection", "substitution", part);
      known(draft, "/dev/fd/63");
      return;
    default:
      addExpansion(scan, draft, part, quoted);
  }
}

/** A dollar that bash leaves alone turns the content of a variable into a pattern for zsh, which can run code. */
function checkDollar(scan: Scan, text: string, place: Place): void {
  if (/\$[~=^+]/.test(text)) noteAt(scan, "injection", "zsh", place);
  // Arithmetic that has no end for one parser is text for another.
  if (text.includes("$[")) noteAt(scan, "injection", "dialect", place);
}

function addQuoted(scan: Scan, draft: Draft, parts: readonly DoubleQuotedChild[]): void {
  for (const part of parts) {
    if (part.type === "Literal") known(draft, part.value);
    else addExpansion(scan, draft, part, true);
  }
}

function readBraces(scan: Scan, word: Word, parts: readonly WordPart[]): void {
  const words = expandBraces(word.text);
  if (words === undefined) {
    addArgument(scan, readParts(scan, word, parts));
    return;
  }
  if (scan.oddSpaces && oddSpace.test(word.text)) noteAt(scan, "injection", "look-alike", word);
  for (const text of words) {
    if (text === "") continue;
    const draft = newDraft();
    draft.many = /[*?[]/.test(text);
    if (draft.many) startPattern(draft);
    draft.tilde = text.startsWith("~");
    known(draft, text, true);
    addArgument(scan, finish(scan, draft, word, text));
  }
}
