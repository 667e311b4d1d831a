/** Glob patterns over POSIX paths, matched without backtracking. */

import { HoldallError } from "./errors.ts";

/** How a pattern is read. */
export interface GlobOptions {
  /** Whether letters match in either case. Defaults to false. */
  ignoreCase?: boolean;
}

/** A compiled pattern; each question takes at most pattern length × path length. */
export interface GlobMatcher {
  /** Tells whether a whole path matches. */
  matches(path: string): boolean;
  /** Tells which names in a folder make a path that matches; the empty folder stands for where relative paths start. */
  inFolder(folder: string): (name: string) => boolean;
  /** Tells whether a path below the folder could match; the empty folder stands for where relative paths start. */
  enters(folder: string): boolean;
}

/** The most alternatives that braces may expand to. */
export const MAX_GLOB_ALTERNATIVES = 1024;

/** The longest pattern, in UTF-16 units. */
export const MAX_GLOB_LENGTH = 4096;

/** The most UTF-16 units that all alternatives may have together. */
export const MAX_GLOB_EXPANSION = 65_536;

/**
 * Compiles a glob pattern.
 *
 * `*` and `?` stay within one segment, `**` as a whole segment crosses them (also zero of them), `[a-z]` and `[!a]`
 * are classes, `{a,b}` and `{1..9}` are alternatives, and a backslash makes the next character literal. A dot at the
 * start of a name needs no special treatment. An unclosed bracket or brace is literal, and so is a leading `!`.
 * `?` and classes take one code point; names are compared as they are written, without Unicode normalisation.
 *
 * @param pattern The pattern; runs of slashes count as one.
 * @returns A function that tells whether a whole path matches.
 * @throws HoldallError `GLOB_TOO_COMPLEX` when the pattern is longer than {@link MAX_GLOB_LENGTH} or its braces expand
 * to more than {@link MAX_GLOB_ALTERNATIVES} or {@link MAX_GLOB_EXPANSION}.
 */
export function compileGlob(pattern: string, options: GlobOptions = {}): (path: string) => boolean {
  return compileGlobMatcher(pattern, options).matches;
}

/** Compiles a glob pattern as {@link compileGlob} does, for a walk that wants to know which folders to enter. */
export function compileGlobMatcher(pattern: string, options: GlobOptions = {}): GlobMatcher {
  const fold = (text: string): string => (options.ignoreCase === true ? text.toLowerCase() : text);
  const alternatives = expandBraces(fold(pattern)).map((one) => compileAlternative(splitSegments(one)));
  let recent: { folder: string; reached: readonly Reached[] } | undefined;
  /** Kept, because a walk asks about a folder, and then about one of its entries after the other. */
  const reachedIn = (folder: string): readonly Reached[] => {
    if (recent?.folder !== folder) {
      const names = folder === "" ? [] : splitSegments(fold(folder));
      recent = { folder, reached: alternatives.map((each) => ({ ...each, row: reach(each.segments, names) })) };
    }
    return recent.reached;
  };
  const inFolder = (folder: string): ((name: string) => boolean) => {
    const reached = reachedIn(folder);
    return (name) => {
      const folded = fold(name);
      // A loop: a walk asks this of every file, and a closure each time would be most of its garbage.
      for (const each of reached) if (isEnd(each, folded)) return true;
      return false;
    };
  };
  return {
    inFolder,
    matches: (path) => {
      const cut = path.lastIndexOf("/");
      if (cut === path.length - 1) return reachedIn(path).some(({ segments, row }) => row?.[segments.length] === 1);
      return inFolder(cut === 0 ? "/" : path.slice(0, Math.max(cut, 0)))(path.slice(cut + 1));
    },
    enters: (folder) => reachedIn(folder).some(({ row }) => row?.subarray(0, -1).includes(1)),
  };
}

/** One of the patterns that braces stand for. */
interface Alternative {
  segments: readonly Segment[];
  /** Whether what comes from a position on may stand for nothing. */
  mayEnd: readonly boolean[];
}

/** What of it can be reached in a folder: a row of 0 and 1, by position; undefined for nothing. */
interface Reached extends Alternative {
  row: Uint8Array | undefined;
}

function compileAlternative(parts: readonly string[]): Alternative {
  const segments = parts.map(compileSegment);
  const mayEnd = segments.map((_, position) => segments.slice(position).every((segment) => segment === "**"));
  return { segments, mayEnd: [...mayEnd, true] };
}

/** Tells whether a name ends a match of which a row was reached before it. */
function isEnd({ segments, mayEnd, row }: Reached, name: string): boolean {
  for (let position = 0; position < segments.length; position += 1) {
    const segment = segments[position];
    if (row?.[position] !== 1 || segment === undefined) continue;
    if (segment === "**" ? mayEnd[position] : mayEnd[position + 1] && segment(name)) return true;
  }
  return false;
}

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

/** Gives the longest folder that a pattern cannot leave, without a slash at its end; empty when there is none. */
export function globBase(pattern: string): string {
  const literal: string[] = [];
  for (const segment of pattern.split("/")) {
    if (/[*?[\]{}\\]/.test(segment)) return literal.join("/");
    literal.push(segment);
  }
  literal.pop();
  return literal.join("/");
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

function splitSegments(path: string): string[] {
  return path.split("/").filter((segment, index) => segment !== "" || index === 0);
}

type Token =
  | { kind: "text"; text: string }
  | { kind: "one" }
  | { kind: "many" }
  | { kind: "class"; test(character: string): boolean };
type Segment = "**" | ((name: string) => boolean);

function compileSegment(segment: string): Segment {
  if (segment === "**") return "**";
  const tokens: Token[] = [];
  const characters = [...segment];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? "";
    if (character === "*") {
      if (tokens[tokens.length - 1]?.kind !== "many") tokens.push({ kind: "many" });
    } else if (character === "?") tokens.push({ kind: "one" });
    else if (character === "[") {
      const read = readClass(characters, at);
      tokens.push(read.token);
      at = read.end;
    } else {
      if (character === "\\" && at + 1 < characters.length) at += 1;
      tokens.push({ kind: "text", text: characters[at] ?? "" });
    }
  }
  return matcherOf(tokens);
}

/** Most names are matched with text and a star at one end of it, which needs no tokens. */
function matcherOf(tokens: readonly Token[]): (name: string) => boolean {
  const [first] = tokens;
  const last = tokens[tokens.length - 1];
  const isText = (token: Token): token is Token & { kind: "text" } => token.kind === "text";
  const texts = tokens.filter(isText);
  const text = texts.map((token) => token.text).join("");
  if (texts.length === tokens.length) return (name) => name === text;
  if (texts.length === tokens.length - 1 && first?.kind === "many") return (name) => name.endsWith(text);
  if (texts.length === tokens.length - 1 && last?.kind === "many") return (name) => name.startsWith(text);
  return (name) => matchName(tokens, name);
}

function readClass(characters: readonly string[], start: number): { token: Token; end: number } {
  let at = start + 1;
  const negated = characters[at] === "!" || characters[at] === "^";
  if (negated) at += 1;
  const ranges: [number, number][] = [];
  const literal = (): number => {
    if (characters[at] === "\\" && at + 1 < characters.length) at += 1;
    const code = characters[at]?.codePointAt(0) ?? 0;
    at += 1;
    return code;
  };
  for (let first = true; at < characters.length; first = false) {
    if (characters[at] === "]" && !first) {
      const test = (character: string): boolean => inRanges(ranges, character.codePointAt(0) ?? 0) !== negated;
      return { token: { kind: "class", test }, end: at };
    }
    const low = literal();
    const isRange = characters[at] === "-" && at + 1 < characters.length && characters[at + 1] !== "]";
    if (isRange) at += 1;
    ranges.push([low, isRange ? literal() : low]);
  }
  return { token: { kind: "text", text: "[" }, end: start };
}

function inRanges(ranges: readonly [number, number][], code: number): boolean {
  return ranges.some(([low, high]) => low <= code && code <= high);
}

/**
 * Which pattern positions can be reached after all names, as a row of 0 and 1: a set instead of a recursion, so time
 * stays bounded.
 */
function reach(segments: readonly Segment[], names: readonly string[]): Uint8Array | undefined {
  let reached = new Uint8Array(segments.length + 1);
  reached[0] = 1;
  closeOver(segments, reached);
  for (const name of names) {
    const next = new Uint8Array(segments.length + 1);
    let isAlive = false;
    for (let position = 0; position < segments.length; position += 1) {
      const segment = segments[position];
      if (reached[position] === 0 || segment === undefined) continue;
      const to = segment === "**" ? position : segment(name) ? position + 1 : -1;
      if (to < 0) continue;
      next[to] = 1;
      isAlive = true;
    }
    if (!isAlive) return undefined;
    closeOver(segments, next);
    reached = next;
  }
  return reached;
}

/** Lets `**` stand for no segment at all. */
function closeOver(segments: readonly Segment[], reached: Uint8Array): void {
  for (let position = 0; position < segments.length; position += 1) {
    if (reached[position] === 1 && segments[position] === "**") reached[position + 1] = 1;
  }
}

/** Matches one name; a failure goes back to the last `*` only, which is enough because earlier ones took the least. */
function matchName(tokens: readonly Token[], name: string): boolean {
  let token = 0;
  let at = 0;
  let star = -1;
  let mark = 0;
  while (at < name.length) {
    const current = tokens[token];
    const character = characterAt(name, at);
    if (current?.kind === "many") {
      star = token;
      mark = at;
      token += 1;
    } else if (current !== undefined && matchOne(current, character)) {
      token += 1;
      at += character.length;
    } else if (star >= 0) {
      token = star + 1;
      mark += characterAt(name, mark).length;
      at = mark;
    } else return false;
  }
  while (tokens[token]?.kind === "many") token += 1;
  return token === tokens.length;
}

/** Gives the code point at an index as text: a surrogate pair is one character. */
function characterAt(text: string, at: number): string {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff ? String.fromCodePoint(text.codePointAt(at) ?? code) : text.charAt(at);
}

function matchOne(token: Token, character: string): boolean {
  if (token.kind === "text") return token.text === character;
  return token.kind === "one" || (token.kind === "class" && token.test(character));
}
