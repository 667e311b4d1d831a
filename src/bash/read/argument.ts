/** What is known about one word before the shell has expanded it. */

import type { Argument, Value } from "../state.ts";

/** Makes a word that is known. */
export function knownArgument(text: string, start: number, end: number, odd: boolean): Argument {
  return { text, prefix: text, tilde: !odd && text.charCodeAt(0) === 126, odd, shown: text, start, end };
}

/** Makes a word of which nothing is known, such as what `xargs` adds. */
export function unknownArgument(start: number, end: number, facts: Partial<Argument>): Argument {
  return {
    text: undefined,
    prefix: "",
    tail: "",
    many: true,
    tilde: false,
    odd: false,
    shown: "",
    start,
    end,
    ...facts,
  };
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
export function contentOf(argument: Argument): Value {
  return { texts: textsOf(argument), glob: argument.glob, names: argument.names, digits: argument.digits };
}
