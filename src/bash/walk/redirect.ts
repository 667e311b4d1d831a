/** Redirections: which files they read, create or change, and what reaches standard input. */

import type { HereDoc, HereString, Redirect, Redirection } from "unbash";
import { isHarmlessDevice } from "../path/protected.ts";
import { usePath } from "../path/use.ts";
import { isSteering, noteAssigned } from "../read/variables.ts";
import { checkWord, readBody, readSingle } from "../read/word.ts";
import { note, noteAt } from "../scan.ts";
import type { Argument, Scan } from "../state.ts";
import type { UnitRedirect } from "../types.ts";

/** Shells agree on the end of a here-document, and on whether things are expanded in it, where it is named simply. */
const plainDelimiter = /^(\\?[\w.+:,@%/!^=-]+|'[^'\\\n$`]+'|"[^"\\\n$`]+")$/;

/**
 * Reads redirections.
 *
 * @param unit The index of the unit they belong to.
 */
export function walkRedirects(scan: Scan, redirects: readonly Redirection[], unit: number): UnitRedirect[] {
  const seen: UnitRedirect[] = [];
  for (const redirect of redirects) {
    if (redirect.descriptor?.type === "FileDescriptorVariable") {
      const { name } = redirect.descriptor;
      noteAssigned(scan, name.replace(/\[.*/s, ""), undefined);
      if (name.includes("[") || isSteering(name)) noteAt(scan, "injection", "hidden-subscript", redirect.descriptor);
    }
    if (redirect.type === "HereDoc") seen.push(walkHereDoc(scan, redirect));
    else if (redirect.type === "Redirect") seen.push(walkFile(scan, redirect, unit));
    else {
      seen.push(walkHereString(scan, redirect));
    }
  }
  return seen;
}

function walkHereString(scan: Scan, { operator, target }: HereString): UnitRedirect {
  if (target !== undefined) checkWord(scan, target);
  const word = target === undefined ? undefined : readSingle(scan, target);
  feed(scan, word);
  return { operator, target: word?.text, writes: false };
}

/** Gives text to standard input. */
function feed(scan: Scan, word: Argument | undefined): void {
  scan.input = { names: false, text: word?.text, connected: true };
  if (word?.secret !== undefined) note(scan, "dangers", "secret", word, word.secret);
}

function walkHereDoc(scan: Scan, document: HereDoc): UnitRedirect {
  const { body, delimiter, operator } = document;
  if (delimiter === undefined) noteAt(scan, "errors", "syntax", document);
  else if (!plainDelimiter.test(scan.text.slice(delimiter.pos, delimiter.end))) {
    noteAt(scan, "injection", "dialect", delimiter);
  }
  const expands = delimiter?.quoted === false && body.parts !== undefined;
  if (expands && body.parts !== undefined) feed(scan, readBody(scan, body, body.parts));
  else scan.input = { names: false, text: body.text, connected: true };
  if (operator === "<<-") scan.input.text = scan.input.text?.replace(/^\t+/gm, "");
  return { operator, target: undefined, writes: false };
}

function walkFile(scan: Scan, redirect: Redirect, unit: number): UnitRedirect {
  const { operator } = redirect;
  if (redirect.target === undefined) return { operator, target: undefined, writes: true };
  const process = redirect.target.parts?.[0];
  const { output } = scan;
  if (process?.type === "ProcessSubstitution") scan.output = { names: true, digits: true };
  checkWord(scan, redirect.target);
  const target = readSingle(scan, redirect.target);
  const isDescriptor = operator.endsWith("&") && /^(\d+-?|-)$/.test(target.text ?? "");
  if (isDescriptor) return { operator, target: target.text, writes: false };
  if (target.prefix.startsWith("/dev/") && /^\/dev\/(tcp|udp)(\/|$)/.test(target.prefix))
    note(scan, "injection", "network", target);
  if (operator === "<" || operator === "<&") {
    // What a process substitution prints can be paths of the workspace, as with a pipe.
    scan.input = {
      names: process?.type === "ProcessSubstitution" && scan.output.names,
      text: undefined,
      connected: true,
    };
    if (process?.type === "ProcessSubstitution") scan.output = output;
    else usePath(scan, target, "read", unit);
    return { operator, target: target.text, writes: false };
  }
  if (process?.type === "ProcessSubstitution") scan.output = output;
  const harmless = target.text !== undefined && isHarmlessDevice(target.text);
  if (harmless) return { operator, target: target.text, writes: false };
  usePath(scan, target, "write", unit);
  return { operator, target: target.text, writes: true };
}
