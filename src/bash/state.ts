/** The shapes that the parts of a reading hand to each other. */

import type { ParsedScript } from "unbash";
import type { Finding } from "./findings.ts";
import type { Settings } from "./path/settings.ts";
import type { BashAnalysis, Unit, UnitAssignment, UnitRedirect } from "./types.ts";

/** What is known about a variable's content. */
export interface Value {
  /** The content is one of these; undefined where it is not known. */
  texts?: readonly string[] | undefined;
  /** Whether a `~` at the start of these stood for a home when it was assigned. */
  tilde?: boolean | undefined;
  /** The content is a path that matches this pattern. */
  glob?: string | undefined;
  /** The content is a decimal number. */
  digits?: boolean | undefined;
  /** The content is a path that a listing of the workspace printed. */
  names?: boolean | undefined;
}

/** What a nested script turned out to be. */
export interface Nested {
  /** Whether it changes nothing. */
  readOnly: boolean;
  /** Whether all it prints are paths inside of the workspace. */
  names: boolean;
  /** Whether all it prints is a number. */
  digits: boolean;
}

/** One word, as far as it can be known. */
export interface Argument {
  /** The exact word, where it is always exactly this one. */
  readonly text: string | undefined;
  /** The word is one of these. */
  readonly choices?: readonly string[] | undefined;
  /** The known beginning of the (first) word. */
  readonly prefix: string;
  /** The known end of the (last) word. */
  readonly tail?: string | undefined;
  /** Whether it may become no word or several ones. */
  readonly many?: boolean | undefined;
  /** Whether it stands for several words that all begin like this one. */
  readonly repeated?: boolean | undefined;
  /** A pattern of file names, where that is all that is unknown. */
  readonly glob?: string | undefined;
  /** Whether only paths that a listing of the workspace printed can stand here. */
  readonly names?: boolean | undefined;
  /** Whether it is nothing but a number. */
  readonly digits?: boolean | undefined;
  /** Whether the output of a command is part of it. */
  readonly computed?: boolean | undefined;
  /** The name of a variable in it that looks like a secret. */
  readonly secret?: string | undefined;
  /** Whether a `~` at the start stands for a home. */
  readonly tilde: boolean;
  /** Whether quotes or escapes stand in it. */
  readonly odd: boolean;
  /** How rules and people see it. */
  readonly shown: string;
  readonly start: number;
  readonly end: number;
}

/** A unit that is still being made. */
export interface UnitDraft extends Unit {
  name: string | undefined;
  peeled: readonly number[];
  wrappers: readonly string[];
  assignments: readonly UnitAssignment[];
  redirects: readonly UnitRedirect[];
  readOnly: boolean;
  reasons: readonly Finding[];
  spelling: number;
  globals: number;
  open: number;
  calls: boolean;
}

/** The program, its arguments, and where what is found about them goes. */
export interface Call {
  readonly scan: Scan;
  readonly unit: UnitDraft;
  /** The index of the unit in the result. */
  readonly at: number;
  readonly name: string;
  readonly args: readonly Argument[];
  /** The index of `args[0]` among the words of the unit. */
  readonly offset: number;
}

/** One reading in progress. */
export interface Scan {
  /** The whole command line. */
  readonly root: string;
  readonly settings: Settings;
  readonly result: BashAnalysis;
  /** The text that node positions index. */
  text: string;
  /** What is added to positions, or the fixed span of everything inside, where positions do not map. */
  shift: number;
  fixed: readonly [number, number] | undefined;
  depth: number;
  /** The folders in which the next command may run. */
  folders: readonly string[];
  variables: Map<string, Value>;
  /** Names that are functions for certain, the one whose body is being read, and which bodies name which others. */
  functions: Set<string>;
  openFunction: string | undefined;
  callers: Map<string, Set<string>> | undefined;
  /** How many parts around this one may be skipped or run in a shell of their own. */
  uncertain: number;
  /** Names that get a number, names that get something else, and names whose content arithmetic evaluates. */
  numbers: Set<string>;
  others: Set<string>;
  evaluated: NamedPlace[];
  /** Names that are lists somewhere, and names that are declared with a value that may start with a parenthesis. */
  lists: Set<string>;
  declared: NamedPlace[];
  /** What comes in on standard input: paths of the workspace, known text, or anything. */
  input: { names: boolean; text?: string | undefined; connected: boolean };
  /** Whether what is printed are paths of the workspace, or a number. */
  output: { names: boolean; digits: boolean };
  /** The words of the commands that are being read, innermost last; only the first `count` of them are meant. */
  readonly pending: { readonly words: Argument[]; count: number };
  /** Whether characters stand somewhere that mean something even in a word without quotes and expansions. */
  hasMarks: boolean;
  /** Whether a word like `cd` stands anywhere in the line; undefined until somebody asks. */
  mayMove: boolean | undefined;
  /** The length of all texts that were run as scripts of their own. */
  nestedLength: number;
  /** How often the line was searched for a name. */
  questions: number;
  /** How much was found that is not read-only; compared before and after a nested part. */
  changes: number;
  /** Whether a word names a variable that may hold a secret. */
  secrets: boolean;
  /** Whether odd spaces stand somewhere, so that unquoted words have to be looked at. */
  oddSpaces: boolean;
  readonly walkers: Walkers;
}

/** The parts that read parts which they do not know themselves. */
export interface Walkers {
  /** Reads a nested script. */
  walkScript(scan: Scan, script: ParsedScript): void;
  /** Reads text as a script of its own. */
  walkText(scan: Scan, text: string): void;
  /** Judges words as a command of its own. */
  nest(scan: Scan, args: readonly Argument[]): void;
  /** Judges the arguments of a wrapper from an index on as the command behind it. */
  peel(call: Call, index: number, args?: readonly Argument[]): void;
}

/** A name and where it stands. */
export interface NamedPlace {
  name: string;
  start: number;
  end: number;
}
