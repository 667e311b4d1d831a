/** The alternatives of a glob pattern. */

import { HoldallError } from "./errors.ts";

/** The most alternatives that braces may expand to. */
export const MAX_GLOB_ALTERNATIVES = 1024;

/** The longest pattern, in UTF-16 units. */
export const MAX_GLOB_LENGTH = 4096;

/** The most UTF-16 units that all alternatives may have together. */
export const MAX_GLOB_EXPANSION = 65_536;

/** Expands `{a,b}` and `{1..3}` into plain patterns, each once; what has no comma or range stays as it is. */
export function expandBraces(pattern: string): string[] {
  if (pattern.length > MAX_GLOB_LENGTH) throw tooComplex(pattern);
  const done = new Set<string>();
  let pending = new Set([pattern]);
  // Every round reads all pending text; the sum keeps many rounds over much text from taking seconds.
  let work = 0;
  let size = 0;
  while (pending.size > 0) {
    const next = new Set<string>();
    for (const one of pending) {
      work += one.length;
      const brace = findBrace(one);
      if (brace !== undefined)
        for (const choice of brace.choices) next.add(one.slice(0, brace.start) + choice + one.slice(brace.end));
      else if (!done.has(one)) {
        done.add(one);
        size += one.length;
      }
      if (done.size + next.size > MAX_GLOB_ALTERNATIVES || size > MAX_GLOB_EXPANSION || work > 64 * MAX_GLOB_EXPANSION)
        throw tooComplex(pattern);
    }
    pending = next;
  }
  return [...done];
}

function tooComplex(pattern: string): HoldallError {
  return new HoldallError(
    "GLOB_TOO_COMPLEX",
    `the pattern ${JSON.stringify(pattern.slice(0, 80))} has more than ${MAX_GLOB_ALTERNATIVES} alternatives or ${MAX_GLOB_LENGTH} characters. Use a simpler pattern.`,
  );
}

interface Brace {
  start: number;
  end: number;
  choices: string[];
}

/** Finds the leftmost brace that has choices, in one pass: unclosed braces must not make it quadratic. */
function findBrace(pattern: string): Brace | undefined {
  const open: { start: number; from: number; choices: string[] }[] = [];
  let found: Brace | undefined;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    const top = open[open.length - 1];
    if (character === "\\") at += 1;
    else if (character === "{") open.push({ start: at, from: at + 1, choices: [] });
    else if (character === "," && top !== undefined) {
      top.choices.push(pattern.slice(top.from, at));
      top.from = at + 1;
    } else if (character === "}" && top !== undefined) {
      open.pop();
      const last = pattern.slice(top.from, at);
      const choices = top.choices.length > 0 ? [...top.choices, last] : readRange(last);
      if (choices !== undefined && (found === undefined || top.start < found.start))
        found = { start: top.start, end: at + 1, choices };
      if (open.length === 0 && found !== undefined) return found;
    }
  }
  return found;
}

function readRange(body: string): string[] | undefined {
  const match = /^(-?\d{1,9})\.\.(-?\d{1,9})$/.exec(body);
  if (match === null) return undefined;
  const [low, high] = [Number(match[1]), Number(match[2])];
  if (Math.abs(high - low) >= MAX_GLOB_ALTERNATIVES) throw tooComplex(`{${body}}`);
  const step = low <= high ? 1 : -1;
  return Array.from({ length: Math.abs(high - low) + 1 }, (_, index) => String(low + index * step));
}
