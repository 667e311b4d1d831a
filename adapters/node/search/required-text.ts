/** Finds a text that every match of a pattern contains, so that most files need not be decoded. */

/**
 * Gives the longest run of ASCII characters that each match must have in it.
 *
 * It reads patterns as `RegExp` does and gives up on what it is not sure about: then every file is searched in full.
 *
 * @param pattern The source of a regular expression in which letter case counts.
 * @returns Undefined when there is none, or none that is certain.
 */
export function requiredText(pattern: string): string | undefined {
  if (isDoubtful.test(pattern)) return undefined;
  const runs: string[] = [""];
  for (let at = 0; at < pattern.length; ) {
    const token = tokenAt(pattern, at);
    // Alternatives outside of groups: nothing is in all of them.
    if (token === undefined || token.text === "|") return undefined;
    at += token.length;
    const repeat = quantifierAt(pattern, at);
    at += repeat.length;
    const needed = repeat.min > 0 ? token.character : undefined;
    if (needed !== undefined) runs[runs.length - 1] += needed;
    if (needed === undefined || repeat.length > 0) runs.push("");
  }
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), "");
  return longest === "" ? undefined : longest;
}

/** Flags, POSIX classes, escapes of other lengths, and what is beyond ASCII. */
const isDoubtful = /^\(\?[a-zA-Z-]+\)|\[[:.=]|\\[^wWdDsSbBtrnfv\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]|[^\x20-\x7e]/;

interface Token {
  text: string;
  length: number;
  /** What it stands for, when that is always the same character. */
  character: string | undefined;
}

function tokenAt(pattern: string, at: number): Token | undefined {
  const text = pattern.charAt(at);
  if (text === "\\") {
    const next = pattern.charAt(at + 1);
    if (next === "") return undefined;
    return { text, length: 2, character: /[A-Za-z]/.test(next) ? undefined : next };
  }
  if (text === "(") return skip(text, at, groupEnd(pattern, at));
  if (text === "[") return skip(text, at, classEnd(pattern, at));
  // A quantifier that stands for nothing, or a parenthesis too many: the pattern is refused elsewhere.
  if (/[)*+?]/.test(text)) return undefined;
  return { text, length: 1, character: /[.^$|]/.test(text) ? undefined : text };
}

function skip(text: string, from: number, end: number | undefined): Token | undefined {
  return end === undefined ? undefined : { text, length: end - from, character: undefined };
}

function groupEnd(pattern: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    if (character === "\\") at += 1;
    else if (character === "[") {
      const end = classEnd(pattern, at);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

function classEnd(pattern: string, from: number): number | undefined {
  for (let at = from + 1; at < pattern.length; at += 1) {
    if (pattern.charAt(at) === "\\") at += 1;
    else if (pattern.charAt(at) === "]") return at + 1;
  }
  return undefined;
}

const quantifier = /(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/y;

function quantifierAt(pattern: string, at: number): { length: number; min: number } {
  quantifier.lastIndex = at;
  const match = quantifier.exec(pattern);
  if (match === null) return { length: 0, min: 1 };
  const [mark, least] = match;
  return { length: mark.length, min: least === undefined ? (mark.startsWith("+") ? 1 : 0) : Number(least) };
}
