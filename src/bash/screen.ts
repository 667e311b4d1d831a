/** The look at the bare text before it is parsed: size, effort, and characters that deceive. */

import { MAX_COMMAND_LENGTH } from "./findings.ts";
import { codeAt } from "./read/code-at.ts";
import { note } from "./scan.ts";
import type { Scan } from "./state.ts";

/** Characters that are invisible, reorder text, or break lines in a reader but not in a shell. */
const deceiving = /(?![\t\n\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/u;
/** What a joiner may stand behind: then it makes one picture of several. */
const picture = /(?:\p{Extended_Pictographic}|\ufe0f|\p{Emoji_Modifier})$/u;
const oddSpaces = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/;

const MARK = 1;
const UNUSUAL = 2;

/** Which characters are unusual in a line, and which mean something in a bare word. */
const traits = new Uint8Array(128).fill(UNUSUAL, 0, 32);
traits[127] = UNUSUAL;
for (const letter of "\t\n") traits[letter.charCodeAt(0)] = 0;
// Without a backslash none of them can come up in text that is read as a script later.
for (const letter of "$[\\") traits[letter.charCodeAt(0)] = MARK;

/** A line that goes on inside of an operator: readers disagree about what that makes. */
const tornOperator = /[$`<>&|;({[]\\\n/;

/** What opens a part that the parser may have to read again from there. */
const opening = /\$[({]|[<>]\(|`|<</g;

/** How many characters may be read again in all. */
const MAX_REREADING = 4_000_000;

/** Looks at the text; false where it is not worth parsing. */
export function screen(scan: Scan): boolean {
  const { root } = scan;
  const whole = { start: 0, end: root.length };
  if (root.length > MAX_COMMAND_LENGTH) note(scan, "errors", "too-long", whole);
  else if (root.length > 1024 && countOpenings(root) * root.length > MAX_REREADING) {
    note(scan, "errors", "too-complex", whole);
  }
  if (scan.result.errors.length > 0) return false;
  const seen = survey(root);
  scan.hasMarks = (seen & MARK) !== 0;
  const torn = scan.hasMarks && root.includes("\\\n") ? tornOperator.exec(root) : null;
  if (torn !== null) note(scan, "injection", "dialect", { start: torn.index, end: torn.index + torn[0].length });
  if ((seen & UNUSUAL) === 0) return true;
  const found = deceiving.exec(root) ?? findJoiner(root);
  if (found?.index !== undefined) {
    note(scan, "injection", "control-character", { start: found.index, end: found.index + found[0].length });
  }
  scan.oddSpaces = oddSpaces.test(root);
  return true;
}

/** Tells what kinds of characters stand in a text. */
function survey(text: string): number {
  const { length } = text;
  let seen = 0;
  for (let at = 0; at < length; at += 1) seen |= traits[codeAt(text, at)] ?? UNUSUAL;
  return seen;
}

/** Finds a zero-width joiner that joins no pictures. (Some engines read look-behinds over such characters wrongly.) */
function findJoiner(text: string): RegExpMatchArray | null {
  for (const joiner of text.matchAll(/\u200d/g)) {
    if (!picture.test(text.slice(Math.max(0, joiner.index - 2), joiner.index))) return joiner;
  }
  return null;
}

function countOpenings(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(opening)) count += 1;
  return count;
}
