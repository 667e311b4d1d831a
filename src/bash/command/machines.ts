/** Arguments that lead to other machines: names that are asked for over the network, files that are sent or fetched. */

import { isSecret } from "../path/protected.ts";
import type { Call } from "../state.ts";
import { refuse, refuseHazard, takeText, warn } from "./call.ts";
import { operandsOf, type Parsed, valueText } from "./options.ts";

/** Judges `lsof`: behind `-i` may stand the name of a machine, which is asked for over the network. */
export function judgeOpenFiles(call: Call): void {
  const isOpen = call.args.some(({ prefix }) => /^-\w*i/.test(prefix));
  for (const argument of call.args) {
    const { text } = argument;
    if (text === undefined ? isOpen : /@[^\d.:[\]]/.test(text)) refuse(call, "operand", argument);
  }
}

/** Judges `ss`: a filter may name a machine, which is asked for over the network. */
export function judgeSockets(call: Call, parsed: Parsed): void {
  const words = operandsOf(call, parsed);
  for (const word of words) if (word.text === undefined) refuse(call, "operand", word);
  const filter = words.map(({ text }) => text).join(" ");
  for (const [, place = ""] of filter.matchAll(/\b(?:dst|src)\b[\s=!<>]*(?:(?:eq|neq|ne)\s+)?([^\s()]*)/g)) {
    if (!/^[\d.:*/[\]%]*$|^\[?[\da-f]*:[\da-f:]*\]?[:/\d*]*$/i.test(place)) refuse(call, "operand", undefined, place);
  }
}

/** Judges what `kubectl` shows: a secret, or what it fetches first. */
export function judgeKubernetes(call: Call, parsed: Parsed): void {
  for (const { name, value, index } of parsed.options) {
    // A description may be fetched from anywhere.
    if ((name === "f" || name === "filename") && !/^[^:]+$/.test(valueText(value) ?? ""))
      refuseHazard(call, "option", index);
    // A template that is read from a file is printed where it is none.
    const [, path] = /^=?[\w-]+-file=(.*)$/s.exec(valueText(value) ?? "") ?? [];
    const argument = typeof value === "object" ? value : call.args[index];
    if (path !== undefined && argument !== undefined) takeText(call, argument, path, "read");
  }
  for (const argument of operandsOf(call, parsed)) {
    if (/(^|,)secrets?($|[,/.])/i.test(argument.prefix)) warn(call, "dangers", "secret", argument);
  }
}

/** Judges an upload: files may be named behind `@`, inside of other text. */
export function judgeUpload(call: Call): void {
  for (const argument of call.args) {
    const [, path] = /[@<]([^;]+)/.exec(argument.text ?? "") ?? [];
    if (path !== undefined && isSecret(path)) warn(call, "dangers", "secret", argument, path);
  }
}
