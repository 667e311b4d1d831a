/** What is known about one word before the shell has expanded it. */

import type { Argument, Value } from "../state.ts";

const TILDE = 126;

/** Makes a word that is known. Most are, so that they have no fields for what is not known. */
export function knownArgument(text: string, start: number, end: number, odd: boolean): Argument {
  return { text, prefix: text, tilde: !odd && text.charCodeAt(0) === TILDE, odd, shown: text, start, end };
}

/**
 * Makes a word of which nothing is known, such as what `xargs` adds.
 *
 * Whatever is not known has all fields, in the same order: engines read objects of few shapes fastest.
 */
export function unknownArgument(start: number, end: number, facts: Partial<Argument>): Argument {
  const { prefix = "", many = true, repeated = false, names = false, computed = false, shown = "" } = facts;
  return {
    text: undefined,
    choices: undefined,
    prefix,
    tail: "",
    many,
    repeated,
    glob: undefined,
    names,
    digits: false,
    computed,
    secret: undefined,
    tilde: false,
    odd: false,
    shown,
    start,
    end,
  };
}

/** Tells whether a word can turn out to start with a dash, or bring further words that do. */
export function mayBeOption(argument: Argument): boolean {
  if (argument.text !== undefined) return argument.text.startsWith("-");
  if (argument.choices !== undefined) return argument.choices.some((choice) => choice.startsWith("-"));
  if (argument.many && argument.glob === undefined) return true;
  return argument.prefix === "" || argument.prefix.startsWith("-");
}

/** Tells whether a word can turn out to be more than one. */
export function mayBeSeveral(argument: Argument | undefined): boolean {
  return argument?.many === true || argument?.repeated === true;
}

/** Gives all texts that a word can be; undefined where they are not known. */
export function textsOf(argument: Argument): readonly string[] | undefined {
  return argument.text === undefined ? argument.choices : [argument.text];
}

/** Turns a word into what a variable holds after it was assigned. */
export function contentOf(argument: Argument): Value {
  const { tilde, glob, names, digits } = argument;
  return { texts: textsOf(argument), tilde, glob: tilde ? undefined : glob, names, digits };
}
