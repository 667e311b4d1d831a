/** The shapes in which the reading of a command line is handed out. */

import type { Finding } from "./findings.ts";

/**
 * The shell that will read the line. `bash` and `sh` are taken at their word; `any` (the default) lets only pass what
 * bash and a POSIX `sh` read alike.
 */
export type BashDialect = "bash" | "sh" | "any";

/** What is known about the place where the command line would run. */
export interface BashOptions {
  /** The absolute path in which it starts. Defaults to the first working directory; unknown without one. */
  cwd?: string | undefined;
  /** The absolute path of `~`. Unknown by default, and then outside of the workspace. */
  home?: string | undefined;
  /** Absolute paths that make up the workspace. Defaults to `cwd`, which always belongs to it for reading. */
  workingDirectories?: readonly string[] | undefined;
  /** More protected files, as `name` or `folder/name`, beside {@link DANGEROUS_FILES}. */
  dangerousFiles?: readonly string[] | undefined;
  /** More protected folder names, beside {@link DANGEROUS_DIRECTORIES}. */
  dangerousDirectories?: readonly string[] | undefined;
  /** Defaults to `any`. */
  dialect?: BashDialect | undefined;
}

/** One word of a simple command. */
export interface UnitWord {
  /** Exactly the word that the program gets, after quotes and escapes; undefined where it is decided at run time. */
  text: string | undefined;
  /** The same, or the source text where it is decided at run time. */
  shown: string;
  start: number;
  end: number;
}

/** A variable that is set in front of a command. */
export interface UnitAssignment {
  name: string;
  /** Undefined where it is decided at run time, and for arrays. */
  value: string | undefined;
}

/** A redirection of a simple command. */
export interface UnitRedirect {
  operator: string;
  /** The file; undefined where it is decided at run time, and for here-documents. */
  target: string | undefined;
  /** Whether it creates or changes a file. */
  writes: boolean;
}

/**
 * One simple command: also those inside loops, substitutions, functions, `sh -c` and `find -exec`. Assignments alone, and
 * the redirections of a loop or group, are units without words.
 */
export interface Unit {
  /** The program or builtin that does the work, behind wrappers; undefined where it is decided at run time. */
  name: string | undefined;
  /** All words, wrappers included. */
  words: readonly UnitWord[];
  /** Where in `words` the command behind each wrapper starts, outermost first. */
  peeled: readonly number[];
  /** The names of the wrappers, outermost first, such as `timeout` or `sudo`. */
  wrappers: readonly string[];
  assignments: readonly UnitAssignment[];
  redirects: readonly UnitRedirect[];
  /** Whether it changes nothing. */
  readOnly: boolean;
  /** Why it is not read-only; empty when it is. */
  reasons: readonly Finding[];
  /**
   * How many words an allow rule has to spell out, because up to there stands what makes this more than the ordinary
   * use of its name (`sort -o`, `git push --force`, `sudo`). Infinity: only an exact rule will do. 0: nothing special.
   */
  spelling: number;
  /** The word behind which an allow rule must not start, because a wrapper like `sudo` stands there. */
  open: number;
  /** How many words stand between the program and its sub-command, as in `git -C x push`. */
  globals: number;
  /** Whether a name that the line itself defines as a function is called. */
  calls: boolean;
  start: number;
  end: number;
}

/** How a path is used; `probe` looks at the entry only, `list` at names in a folder. */
export type PathAccess = "probe" | "list" | "read" | "write" | "remove" | "enter";

/** One path that the line touches. */
export interface PathUse {
  /** As it is written, after quotes. */
  text: string;
  /** The absolute path; undefined where it, or the folder it starts from, is not known. A pattern stays a pattern. */
  path: string | undefined;
  /** The absolute folders that `..` leaves again: where one of them is a symlink, the path leads elsewhere. */
  left?: readonly string[] | undefined;
  access: PathAccess;
  /** Whether it lies in the workspace for certain. */
  inside: boolean;
  /** The index of its unit. */
  unit: number;
  start: number;
  end: number;
}

/** The reading of one command line. */
export interface BashAnalysis {
  /** The command line itself. */
  command: string;
  /** Whether the whole line changes nothing: no file, no process, no setting, no other machine. */
  readOnly: boolean;
  /** What hides from reading what will run. */
  injection: Finding[];
  /** What destroys, weakens protection or reveals secrets. */
  dangers: Finding[];
  /** Places outside of the workspace that are read. */
  outside: Finding[];
  units: Unit[];
  paths: PathUse[];
  /** Why the line could not be read completely; anything here means ask. */
  errors: Finding[];
}
