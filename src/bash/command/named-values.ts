/** Builtins that put values into variables which are named by their arguments: `read`, `mapfile`, `getopts`, `printf -v`. */

import { mayBeOption, textsOf } from "../read/argument.ts";
import { isSteering, noteAssigned } from "../read/variables.ts";
import { addName } from "../scan.ts";
import type { Argument, Call } from "../state.ts";
import { refuse, refuseHazard, warn } from "./call.ts";

/** `read` and `mapfile`: into which variables the input goes. */
export function readInput(call: Call): void {
  const flags = call.name === "read" ? /^-[rse]+$/ : /^-t$/;
  const withValue = call.name === "read" ? /^-[rse]*[dinNptu]/ : /^-t?[dnOsuc]/;
  const { args } = call;
  const names: Argument[] = [];
  let isCut = false;
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index];
    const text = argument?.text;
    if (text !== undefined && flags.test(text)) continue;
    if (text !== undefined && withValue.test(text)) {
      const takesNext = /^-\w*[dinNptuOsc]$/.test(text);
      isCut ||= /[nN]/.test(text) || (text.includes("d") && !(takesNext && args[index + 1]?.text === ""));
      if (takesNext) index += 1;
    } else if (text === "-a" && call.name === "read") continue;
    else if (argument !== undefined && mayBeOption(argument)) refuseHazard(call, "option", index);
    else if (argument !== undefined) names.push(argument);
  }
  // A part of a path may be any other path.
  const isWhole = !isCut && (names.length === 1 || call.name !== "read");
  for (const name of names) setName(call, name, isWhole);
}

/** A name that gets a value: plain, or its subscript would be evaluated. */
function setName(call: Call, argument: Argument | undefined, isWhole = false): void {
  if (argument === undefined) return;
  const { text, odd } = argument;
  if (text === undefined || odd || !/^[A-Za-z_]\w*$/.test(text)) {
    refuse(call, "shell-state", argument);
    warn(call, "injection", "hidden-subscript", argument);
    return;
  }
  // Which of them `read -a` and `mapfile` fill does not matter: a list that is none only asks more.
  if (call.name !== "getopts" && call.name !== "printf") call.scan.lists = addName(call.scan.lists, text);
  noteAssigned(call.scan, text, isWhole && call.scan.input.names ? { names: true } : undefined);
  if (!isSteering(text)) return;
  refuse(call, "environment", argument);
  warn(call, "injection", "shadowing", argument, text);
}

/** Judges `printf`: a variable that gets the text, or a number of characters, behind its format. */
export function print(call: Call): void {
  const [first, second] = call.args;
  if (first?.text?.startsWith("-v")) {
    if (first.text === "-v") setName(call, second);
    else refuse(call, "shell-state", first);
  } else if (first !== undefined && first.text !== "--" && mayBeOption(first)) refuse(call, "dynamic-option", first);
  const at = first?.text === "-v" ? 2 : first?.text === "--" || first?.text?.startsWith("-v") ? 1 : 0;
  const format = call.args[at];
  if (format !== undefined && storesCount(format, call.args.slice(at + 1))) refuse(call, "shell-state", format);
}

/** `%n`, with flags, width, precision and length; `%%` is none. */
const counting = /(?:^|[^%])(?:%%)*%[^a-zA-Z%\\]*[hjlLtzq]*n/;

/** Tells whether a format may put a number into a variable that is named behind it: `%n`. */
function storesCount(format: Argument, names: readonly Argument[]): boolean {
  const texts = textsOf(format);
  if (texts !== undefined) return texts.some((text) => counting.test(text));
  return names.some(({ text }) => text === undefined || /^[A-Za-z_]\w*$/.test(text));
}

/** Judges `getopts`. */
export function nameOption(call: Call): void {
  // A word that falls apart brings the name.
  if (call.args[0]?.many) refuse(call, "shell-state", call.args[0]);
  setName(call, call.args[1]);
}
