/** The search port: what to look for and what was found, as plain JSON, so that one search is one round trip. */

import type { FsOptions } from "./file-system.ts";

/** Which files to list. All but the signal is plain JSON. */
export interface GlobQuery extends FsOptions {
  /**
   * The pattern of `compileGlob`, relative to `path` or absolute; a leading `./` means nothing. What lies outside
   * `path` never matches.
   */
  pattern: string;
  /** The directory to look in, absolute. */
  path: string;
  /** The most matches to give. Defaults to {@link DEFAULT_GLOB_LIMIT}. */
  limit?: number;
  /**
   * Patterns of what is left out: with a slash relative to `path`, without one for names at any depth. A directory
   * that matches is not entered.
   */
  ignore?: readonly string[];
  /**
   * Whether files that `.gitignore` leaves out are looked at too. Defaults to false: the `.gitignore` files in `path`,
   * below it and above it up to the repository (a directory with `.git`) or the root count as in git, letter case
   * included. What `path` itself names is looked at in any case. Other files of rules (`.ignore`, `.git/info/exclude`,
   * those of the user) do not count.
   */
  includeIgnored?: boolean;
}

/** A file that a glob met. */
export interface GlobMatch {
  /** Absolute. */
  path: string;
  /** Bytes. */
  size: number;
  /** Milliseconds since 1970; 0 when the host does not know. */
  modifiedAt: number;
}

/** What a glob found. */
export interface GlobResult {
  /** Newest first; those of one time by path, segment by segment. */
  matches: GlobMatch[];
  /** Whether there are more than were given. */
  truncated: boolean;
}

/** What a grep gives: lines, file names or counts of lines. */
export type GrepMode = "content" | "files_with_matches" | "count";

/** What to search for. All but the signal is plain JSON. */
export interface GrepQuery extends FsOptions {
  /**
   * The source of a JavaScript regular expression. Flags at its very start, as in `(?i)foo`, `(?P<name>…)` and POSIX
   * classes such as `[[:alpha:]]` are understood too. Without `multiline` each line is searched by itself.
   *
   * A pattern that could take exponential time is refused. No text keeps a search from pausing in time: what a hostile text
   * could stop is searched with an automaton, which takes longer but finds the same. Only patterns with a reference to a
   * group, a look around or more than 5,000 parts have none: they search long lines (with `multiline`, texts) in pieces,
   * so that of theirs only matches of up to 1,000 characters with one `.*`, 80 with two, 32 with three are always found,
   * and up to 32 Ki of any pattern that has no `.*` in it.
   */
  pattern: string;
  /** The directory or file to search, absolute. A file is searched whatever `glob` and `type` say. */
  path: string;
  /**
   * Patterns of files to search: with a slash relative to `path`, without one for names at any depth. A leading `!`
   * leaves files out. Together with `type`, both must hold. A pattern does not bring back what `.gitignore` leaves out.
   */
  glob?: string | readonly string[];
  /** A name of {@link fileTypes}, such as `ts`. */
  type?: string;
  /** Whether files that `.gitignore` leaves out are searched too, as in {@link GlobQuery}. Defaults to false. */
  includeIgnored?: boolean;
  /** Whether letters match in either case. Defaults to false. */
  ignoreCase?: boolean;
  /** Whether matches may span lines; `.` then matches line ends, and `\n` also CRLF. Defaults to false. */
  multiline?: boolean;
  /** Lines to give before each match, at most {@link MAX_GREP_CONTEXT}. Defaults to 0. */
  before?: number;
  /** Lines to give after each match, at most {@link MAX_GREP_CONTEXT}. Defaults to 0. */
  after?: number;
  /** Defaults to `content`. */
  mode?: GrepMode;
  /** The most matching lines (`content`) or files (the other modes) to give. Defaults to {@link DEFAULT_GREP_LIMIT}. */
  limit?: number;
  /** How many of them to pass over first. Defaults to 0. */
  offset?: number;
  /** The longest line to give, in UTF-16 units; longer ones are cut around the match. Defaults to {@link DEFAULT_LINE_LENGTH}. */
  maxLineLength?: number;
  /** Milliseconds until the search ends with what it has. Defaults to {@link DEFAULT_GREP_DEADLINE}. */
  deadlineMs?: number;
}

/** One line of a file that was searched. */
export interface GrepLine {
  /** From 1. */
  line: number;
  /** The line without its terminator. */
  text: string;
  /** Whether the line matches or stands near one that does. */
  kind: "match" | "context";
  /** Whether the line is longer than `text`. */
  cut: boolean;
}

/** A file with matches. */
export interface GrepFile {
  /** Absolute. */
  path: string;
  /** In line order, each line once; empty unless the mode is `content`. Lines may be missing between two of them. */
  matches: GrepLine[];
  /** Matching lines: all of the file in mode `count`, those in `matches` in mode `content`, else 1 for "at least one". */
  count: number;
}

/** How many files were met but not searched. */
export interface GrepSkipped {
  /** With a NUL in the first 8 KiB, and not UTF-16 with a byte order mark. */
  binary: number;
  /** Larger than {@link MAX_GREP_FILE_BYTES}. */
  large: number;
  /** Those the host could not read. */
  unreadable: number;
}

/** What a grep found. */
export interface GrepResult {
  /** By path, segment by segment. */
  files: GrepFile[];
  /** Whether there are more than `limit` matches. */
  truncated: boolean;
  /** Whether the deadline ended the search before all files were searched. */
  timedOut: boolean;
  /** How many files were searched. */
  searched: number;
  skipped: GrepSkipped;
}

/** Matches a glob gives when nothing else is said. */
export const DEFAULT_GLOB_LIMIT = 1000;

/** The most files a glob sorts; beyond them it is truncated, and the newest are the newest of these. */
export const MAX_GLOB_CANDIDATES = 200_000;

/** Matches a grep gives when nothing else is said. */
export const DEFAULT_GREP_LIMIT = 1000;

/** The most lines before and after a match. */
export const MAX_GREP_CONTEXT = 100;

/** UTF-16 units of a line that a grep gives when nothing else is said. */
export const DEFAULT_LINE_LENGTH = 500;

/** Milliseconds a grep may take when nothing else is said. */
export const DEFAULT_GREP_DEADLINE = 20_000;

/** Files larger than this are not searched: 32 MiB. */
export const MAX_GREP_FILE_BYTES: number = 32 << 20;

/** UTF-16 units of text a grep gives at most; then it is truncated. */
export const MAX_GREP_TEXT: number = 4 << 20;

/** Directories of version control, which searches neither list nor enter. */
export const VERSION_CONTROL: readonly string[] = [".git", ".hg", ".svn", ".bzr", ".jj", ".sl"];

/** A `.gitignore` larger than this does not count: 256 KiB. */
export const MAX_GITIGNORE_BYTES: number = 256 << 10;

/** Lines of one `.gitignore` that count. */
export const MAX_GITIGNORE_LINES = 2000;
