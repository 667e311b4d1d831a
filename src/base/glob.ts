/** Glob patterns over POSIX paths, matched without backtracking. */

import { expandBraces } from "./glob-braces.ts";
import { compileSegment, type Segment } from "./glob-segment.ts";

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

function splitSegments(path: string): string[] {
  return path.split("/").filter((segment, index) => segment !== "" || index === 0);
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
