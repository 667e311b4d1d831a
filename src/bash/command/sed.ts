/** Reads a sed script: whether it only edits text, reads other files, or writes files and runs commands. */

/** What a script does. */
export interface SedScript {
  /** Whether it can be read completely and neither writes a file nor runs a command. */
  readonly harmless: boolean;
  /** Files that it reads. */
  readonly reads: readonly string[];
}

const unsafe: SedScript = { harmless: false, reads: [] };

/** Reads a script, as several `-e` make it: joined by line breaks. */
export function readSedScript(script: string): SedScript {
  const reads: string[] = [];
  let at = 0;
  let depth = 0;
  while (at < script.length) {
    at = skip(script, at, /[\s;]*/y);
    if (at >= script.length) break;
    const addressed = skipAddresses(script, at);
    if (addressed === undefined) return unsafe;
    at = addressed;
    const command = script.charAt(at);
    at += 1;
    const next = skipCommand(script, at, command, reads);
    if (next === undefined) return unsafe;
    if (command === "{") depth += 1;
    if (command === "}") depth -= 1;
    at = next;
  }
  return { harmless: depth === 0, reads };
}

/** Skips what belongs to a command; undefined for one that writes, runs, or is not known. */
function skipCommand(script: string, at: number, command: string, reads: string[]): number | undefined {
  switch (command) {
    case "{":
      return at;
    case "}":
    case "=":
    case "d":
    case "D":
    case "g":
    case "G":
    case "h":
    case "H":
    case "n":
    case "N":
    case "p":
    case "P":
    case "x":
    case "z":
    case "F":
      return endOfCommand(script, at);
    case "l":
    case "L":
    case "q":
    case "Q":
      return endOfCommand(script, skip(script, at, / *\d*/y));
    case "#":
      return skip(script, at, /[^\n]*/y);
    case ":":
    case "b":
    case "t":
    case "T":
      return endOfCommand(script, skip(script, at, / *[\w.-]*/y));
    case "a":
    case "i":
    case "c":
      return skip(script, at, /(?:\\[\s\S]|[^\n\\])*/y);
    case "r":
    case "R": {
      const end = skip(script, at, /[^\n]*/y);
      reads.push(script.slice(at, end).trim());
      return end;
    }
    case "s":
      return skipSubstitution(script, at);
    case "y": {
      const second = skipDelimited(script, at + 1, script.charAt(at));
      const end = second === undefined ? undefined : skipDelimited(script, second, script.charAt(at));
      return end === undefined ? undefined : endOfCommand(script, end);
    }
    default:
      return undefined;
  }
}

function skipSubstitution(script: string, at: number): number | undefined {
  const delimiter = script.charAt(at);
  if (delimiter === "" || delimiter === "\n" || delimiter === "\\") return undefined;
  const second = skipDelimited(script, at + 1, delimiter);
  const flags = second === undefined ? undefined : skipDelimited(script, second, delimiter, false);
  if (flags === undefined) return undefined;
  // Of the flags, `e` runs the line and `w` writes a file.
  return endOfCommand(script, skip(script, flags, /[gpiImM\d]*/y));
}

/** Skips to behind the delimiter; in a pattern a bracket hides it. Undefined when it does not come. */
function skipDelimited(script: string, at: number, delimiter: string, isPattern = true): number | undefined {
  let bracket = -1;
  for (let index = at; index < script.length; index += 1) {
    const character = script.charAt(index);
    if (character === "\\") index += 1;
    else if (character === "\n" && isPattern && delimiter !== "\n") return undefined;
    else if (character === delimiter) {
      // Whether a delimiter inside brackets ends the pattern depends on the sed.
      return bracket >= 0 && isPattern ? undefined : index + 1;
    } else if (character === "[" && bracket < 0) bracket = index + (script.charAt(index + 1) === "^" ? 1 : 0);
    else if (character === "]" && bracket >= 0 && index > bracket + 1) bracket = -1;
  }
  return undefined;
}

function skipAddresses(script: string, start: number): number | undefined {
  let at = start;
  for (let count = 0; count < 2; count += 1) {
    const first = script.charAt(at);
    if (first === "/" || first === "\\") {
      const delimiter = first === "/" ? "/" : script.charAt(at + 1);
      const end = skipDelimited(script, at + (first === "/" ? 1 : 2), delimiter);
      if (end === undefined || delimiter === "") return undefined;
      at = skip(script, end, /[IM]*/y);
    } else at = skip(script, at, count === 0 ? /\d+(~\d+)?|\$/y : /[+~]?\d+|\$/y);
    const comma = skip(script, at, /\s*,\s*/y);
    if (comma === at) break;
    at = comma;
  }
  return skip(script, at, /[\s!]*/y);
}

/** A command ends at a line break, `;`, `}` or a comment; anything else means it was not understood. */
function endOfCommand(script: string, at: number): number | undefined {
  const end = skip(script, at, /[ \t]*/y);
  return end >= script.length || /[\n;}#]/.test(script.charAt(end)) ? end : undefined;
}

function skip(script: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(script)?.[0].length ?? 0);
}
