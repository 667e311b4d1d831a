/** What is known about one word before the shell has expanded it. */

import type { Value } from "../scan.ts";

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

/** Makes a word that is known. */
export function knownArgument(text: string, start: number, end: number, odd: boolean): Argument {
  return { text, prefix: text, tilde: !odd && text.charCodeAt(0) === 126, odd, shown: text, start, end };
}

/** Makes a word of which nothing is known, such as what `xargs` adds. */
export function unknownArgument(start: number, end: number, facts: Partial<Argument>): Argument {
  return { text: undefined, prefix: "", tail: "", many: true, tilde: false, odd: false, shown: "", start, end, ...facts };
}

/** Tells whether a word can turn out to start with a dash, or bring further words that do. */
export function mayBeOption(argument: Argument): boolean {
  if (argument.text !== undefined) return argument.text.startsWith("-");
  if (argument.choices !== undefined) return argument.choices.some((choice) => choice.startsWith("-"));
  if (argument.many && argument.glob === undefined) return true;
  return argument.prefix === "" || argument.prefix.startsWith("-");
}

/** Gives all texts that a word can be; undefined where they are not known. */
export function textsOf(argument: Argument): readonly string[] | undefined {
  return argument.text === undefined ? argument.choices : [argument.text];
}

/** Turns a word into what a variable holds after it was assigned. */
export function valueOf(argument: Argument): Value {
  return { texts: textsOf(argument), glob: argument.glob, names: argument.names, digits: argument.digits };
}
