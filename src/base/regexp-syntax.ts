/** Reads the source of a JavaScript regular expression into a tree, as far as searching needs to know it. */

/** A part of a regular expression. */
export type RegExpItem =
  /** Takes exactly one character: a literal, an escape, a class or the dot. */
  | { kind: "atom"; source: string }
  /** Takes nothing: `^`, `$`, `\b`, `\B`. */
  | { kind: "edge"; source: string }
  /** Takes what a group took. */
  | { kind: "back"; source: string }
  /** Alternatives in parentheses; `open` is everything up to the first of them. */
  | { kind: "group"; open: string; choices: RegExpItem[][] }
  /** A part some times over; `mark` is the quantifier as written. */
  | { kind: "repeat"; item: RegExpItem; min: number; max: number; mark: string };

/** The deepest nesting of groups that is read. */
export const MAX_GROUP_DEPTH = 100;

/**
 * Reads a source that `RegExp` accepts.
 *
 * @param source The source, without the `v` flag.
 * @returns The alternatives; undefined when groups nest deeper than {@link MAX_GROUP_DEPTH}.
 */
export function parseRegExp(source: string): RegExpItem[][] | undefined {
  const reader: Reader = { source, at: 0 };
  return readChoices(reader, 0);
}

/** Writes alternatives as source again, each atom as `write` gives it. */
export function printRegExp(
  choices: readonly RegExpItem[][],
  write: (atom: string) => string = (atom) => atom,
): string {
  return choices.map((items) => items.map((item) => printItem(item, write)).join("")).join("|");
}

/** Tells whether a group takes nothing: it looks ahead or behind. */
export function looksAround(open: string): boolean {
  return /^\(\?<?[=!]$/.test(open);
}

function printItem(item: RegExpItem, write: (atom: string) => string): string {
  switch (item.kind) {
    case "atom":
      return write(item.source);
    case "edge":
    case "back":
      return item.source;
    case "group":
      return `${item.open}${printRegExp(item.choices, write)})`;
    case "repeat":
      return printItem(item.item, write) + item.mark;
  }
}

interface Reader {
  readonly source: string;
  at: number;
}

const groupOpen = /\((?:\?(?:[:=!]|<[=!]|<[^>]*>|[a-z]*(?:-[a-z]*)?:))?/y;
const quantifier = /(?:[*+?]|\{(\d+)(,(\d*))?\})\??/y;
const escapeSequence =
  /\\(?:k<[^>]*>|x[\da-fA-F]{2}|u\{[^}]*\}|u[\da-fA-F]{4}|c[A-Za-z]|[pP]\{[^}]*\}|0[0-7]{0,2}|[1-9]\d*|[\s\S])/uy;
const characterClass = /\[(?:\\[\s\S]|[^\]\\])*\]/uy;
const character = /[\s\S]/uy;

function take(reader: Reader, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = reader.at;
  const match = pattern.exec(reader.source);
  if (match === null) return undefined;
  reader.at += match[0].length;
  return match;
}

function readChoices(reader: Reader, depth: number): RegExpItem[][] | undefined {
  if (depth > MAX_GROUP_DEPTH) return undefined;
  let items: RegExpItem[] = [];
  const choices = [items];
  while (reader.at < reader.source.length && reader.source[reader.at] !== ")") {
    if (reader.source[reader.at] === "|") {
      reader.at += 1;
      items = [];
      choices.push(items);
      continue;
    }
    const item = readItem(reader, depth);
    if (item === undefined) return undefined;
    items.push(readRepeat(reader, item));
  }
  return choices;
}

function readItem(reader: Reader, depth: number): RegExpItem | undefined {
  const open = take(reader, groupOpen)?.[0];
  if (open !== undefined) {
    const choices = readChoices(reader, depth + 1);
    reader.at += 1;
    return choices && { kind: "group", open, choices };
  }
  const escaped = take(reader, escapeSequence)?.[0];
  if (escaped !== undefined) {
    if (escaped === "\\b" || escaped === "\\B") return { kind: "edge", source: escaped };
    return { kind: /^\\[1-9k]/.test(escaped) ? "back" : "atom", source: escaped };
  }
  const source = take(reader, characterClass)?.[0] ?? take(reader, character)?.[0] ?? "";
  return { kind: source === "^" || source === "$" ? "edge" : "atom", source };
}

function readRepeat(reader: Reader, item: RegExpItem): RegExpItem {
  const match = take(reader, quantifier);
  if (match === undefined) return item;
  const [mark, low, range, high] = match;
  if (low !== undefined) {
    const min = Number(low);
    const max = range === undefined ? min : high === "" || high === undefined ? Number.POSITIVE_INFINITY : Number(high);
    return { kind: "repeat", item, min, max, mark };
  }
  return {
    kind: "repeat",
    item,
    min: mark.startsWith("+") ? 1 : 0,
    max: mark.startsWith("?") ? 1 : Number.POSITIVE_INFINITY,
    mark,
  };
}
