/** `find`: an expression in which single words delete, write and run. */

import { isSecret } from "../path/protected.ts";
import { mayBeOption, unknownArgument } from "../read/argument.ts";
import type { Argument, Call } from "../state.ts";
import { refuse, refuseHazard, takePath, warn } from "./call.ts";
import { judgeDangers } from "./dangers.ts";

const flags = new Set(
  "( ) ! , -a -and -o -or -not -true -false -print -print0 -ls -prune -quit -depth -d -daystart -follow -mount -xdev -noleaf -nouser -nogroup -empty -readable -writable -executable -warn -nowarn -ignore_readdir_race -noignore_readdir_race -help -version".split(
    " ",
  ),
);
const withValue = new Set(
  "-name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex -regextype -type -xtype -size -perm -user -group -uid -gid -links -inum -newer -anewer -cnewer -atime -ctime -mtime -amin -cmin -mmin -used -maxdepth -mindepth -fstype -samefile -context -printf -D".split(
    " ",
  ),
);

const none: readonly string[] = [];

/** Judges a `find`. */
export function judgeFind(call: Call): void {
  const { args } = call;
  call.scan.output.names = true;
  const starts: Argument[] = [];
  let first = 0;
  for (; first < args.length; first += 1) {
    const start = args[first];
    if (start === undefined || /^(-(?![HLP]$|O\d$)|[!(),])/.test(start.prefix)) break;
    if (start.prefix.startsWith("-")) continue;
    if (start.text === undefined && mayBePredicate(start)) refuseHazard(call, "dynamic-option", first);
    takePath(call, start, "list");
    starts.push(start);
  }
  if (starts.length === 0) takePath(call, unknownDot(call), "list");
  for (let index = first; index < args.length; index += 1) {
    index = judgeTerm(call, index, starts);
  }
  judgeDangers(call, undefined);
}

/** Tells whether what stands for a folder may turn out to be `-delete`: the name of a file, too, but not one with a dot. */
function mayBePredicate(start: Argument): boolean {
  return start.glob === undefined ? start.many === true : mayBeOption(start) && !/[./]/.test(start.glob);
}

/** Judges one word of the expression; gives the index of its last word. */
function judgeTerm(call: Call, index: number, starts: readonly Argument[]): number {
  const argument = call.args[index];
  const text = argument?.text;
  if (argument === undefined) return index;
  if (text === undefined) {
    refuseHazard(call, "dynamic-option", index);
    if (argument.computed) warn(call, "injection", "substitution", argument);
  } else if (withValue.has(text) || text.startsWith("-newer")) {
    if (text === "-printf") call.scan.output.names = false;
    const value = call.args[index + 1];
    // What falls into several words brings predicates; a pattern with a dot in it stands for none.
    if (value?.many && !value.glob?.includes(".")) refuseHazard(call, "dynamic-option", index + 1);
    return index + 1;
  } else if (/^-(exec|execdir|ok|okdir)$/.test(text)) return judgeExec(call, index, starts);
  else if (text === "-delete") {
    refuseHazard(call, "option", index);
    for (const start of starts) takePath(call, start, "remove");
  } else if (/^-(fprint|fprint0|fls|fprintf)$/.test(text)) {
    refuseHazard(call, "option", index);
    const target = call.args[index + 1];
    if (target !== undefined) takePath(call, target, "write");
    return index + (text === "-fprintf" ? 2 : 1);
  } else if (text === "-files0-from") {
    const list = call.args[index + 1];
    if (list !== undefined) takePath(call, list, "read");
    return index + 1;
  } else if (!flags.has(text)) refuse(call, "unknown-option", argument);
  if (text === "-ls") call.scan.output.names = false;
  return index;
}

function judgeExec(call: Call, index: number, starts: readonly Argument[]): number {
  const { args } = call;
  let end = index + 1;
  while (end < args.length && !isEnd(args, end)) end += 1;
  if (end >= args.length) refuse(call, "unknown-option", args[index]);
  // What is found starts with the folder it was looked for in, so it is no option.
  const known = starts.every((start) => start.text !== undefined || start.glob !== undefined);
  const prefix =
    /dir$/.test(args[index]?.text ?? "") || starts.length === 0 ? "./" : known ? (starts[0]?.prefix ?? ".") : "";
  const repeated = args[end]?.text === "+";
  const inner = args.slice(index + 1, end).map((argument) => {
    if (!argument.text?.includes("{}")) return argument;
    const before = argument.text.slice(0, argument.text.indexOf("{}"));
    const whole = argument.text === "{}";
    const found = { names: whole, prefix: before || prefix, shown: argument.text, many: false, repeated };
    return unknownArgument(argument.start, argument.end, found);
  });
  const secret = args.find(
    ({ text }, place) => /^-i?(name|path)$/.test(args[place - 1]?.text ?? "") && isSecret(text ?? ""),
  );
  if (secret !== undefined) warn(call, "dangers", "secret", secret, secret.shown);
  if (/^-ok/.test(args[index]?.text ?? "")) refuseHazard(call, "option", index);
  const before = call.scan.changes;
  const { folders } = call.scan;
  // Each time it runs in another folder.
  if (/dir$/.test(args[index]?.text ?? "")) call.scan.folders = none;
  if (inner.length > 0) call.scan.walkers.nest(call.scan, inner);
  call.scan.folders = folders;
  if (call.scan.changes !== before) refuseHazard(call, "launcher", index);
  return end;
}

function isEnd(args: readonly Argument[], index: number): boolean {
  const text = args[index]?.text;
  return text === ";" || (text === "+" && args[index - 1]?.text === "{}");
}

function unknownDot(call: Call): Argument {
  return { ...unknownArgument(call.unit.start, call.unit.end, { many: false, prefix: "." }), text: ".", shown: "." };
}
