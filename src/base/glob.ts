/** Glob patterns over POSIX paths, matched without backtracking. */

import { createGlobSet } from "./glob-set.ts";

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
 * @throws HoldallError `GLOB_TOO_COMPLEX` when the pattern is longer than 4,096 UTF-16 units or its braces expand to
 * more than 1,024 alternatives or 65,536 units.
 */
export function compileGlob(pattern: string, options: GlobOptions = {}): (path: string) => boolean {
  return compileGlobMatcher(pattern, options).matches;
}

/** Compiles a glob pattern as {@link compileGlob} does, for a walk that wants to know which folders to enter. */
export function compileGlobMatcher(pattern: string, options: GlobOptions = {}): GlobMatcher {
  const fold = (text: string): string => (options.ignoreCase === true ? text.toLowerCase() : text);
  const set = createGlobSet();
  set.add(fold(pattern));
  const inFolder = (folder: string): ((name: string) => boolean) => {
    const { ends } = set.in(fold(folder));
    return (name) => {
      const folded = fold(name);
      // A loop: a walk asks this of every file, and a closure each time would be most of its garbage.
      for (const end of ends) if (end.takes(folded)) return true;
      return false;
    };
  };
  return {
    inFolder,
    matches: (path) => {
      const cut = path.lastIndexOf("/");
      if (cut === path.length - 1) return set.in(fold(path)).isMatched;
      return inFolder(cut === 0 ? "/" : path.slice(0, Math.max(cut, 0)))(path.slice(cut + 1));
    },
    enters: (folder) => set.in(fold(folder)).isEntered,
  };
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
