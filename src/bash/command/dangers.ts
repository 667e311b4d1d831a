/** What destroys: removal of whole folders, open permissions, disks, processes. */

import { expandTilde, isIn } from "../path/use.ts";
import type { Argument, Call } from "../state.ts";
import type { PathUse } from "../types.ts";
import { warn } from "./call.ts";
import type { Parsed } from "./options.ts";

/** Looks for dangers of a command by its name and options. */
export function judgeDangers(call: Call, parsed: Parsed | undefined): void {
  const { name, args } = call;
  switch (name) {
    case "rm":
      if (call.unit.wrappers.some((wrapper) => /^(sudo|doas|pkexec|su)$/.test(wrapper)))
        warn(call, "dangers", "privilege");
      if (isRecursive(parsed)) judgeRemoval(call, abbreviates(parsed, "f", "force"));
      break;
    case "chmod":
      for (const argument of args) if (opensToAll(argument)) warn(call, "dangers", "open-permissions", argument);
      break;
    case "chown":
    case "chgrp":
      if (isRecursive(parsed)) warn(call, "dangers", "change-owner");
      break;
    case "kill":
    case "pkill":
    case "killall":
      if (args.some((argument) => /^(-s|--signal[= ]?)?-?(9|(SIG)?KILL)$/i.test(argument.text ?? "")))
        warn(call, "dangers", "force-kill");
      break;
    case "dd":
      if (args.some((argument) => argument.prefix.startsWith("of="))) warn(call, "dangers", "disk");
      break;
  }
  judgeSystemRemoval(call);
}

function judgeRemoval(call: Call, force: boolean): void {
  if (force) warn(call, "dangers", "recursive-removal");
  for (const argument of call.args) {
    // Which folder goes is known only at run time; an unset variable makes it the root.
    if (argument.text === undefined && argument.choices === undefined && argument.glob === undefined) {
      warn(call, "dangers", "recursive-removal", argument);
    }
  }
}

/** Removing or moving away what everything stands on. */
function judgeSystemRemoval(call: Call): void {
  const { paths } = call.scan.result;
  for (let index = paths.length - 1; index >= 0; index -= 1) {
    const use = paths[index];
    if (use?.unit !== call.at) break;
    if (use.access === "remove" && isBase(call, use)) warn(call, "dangers", "system-removal", use);
  }
}

/** Tells whether a path is the root, a folder right below it, the home, the workspace, or all that is in one of them. */
function isBase({ scan, name }: Call, { text, path }: PathUse): boolean {
  const { home, inside } = scan.settings;
  const whole = path ?? (text.startsWith("~") ? expandTilde(scan, text) : undefined);
  const folder = whole?.endsWith("/*") ? whole.slice(0, -2) : whole;
  if (folder !== undefined && (folder.lastIndexOf("/") <= 0 || folder === home)) return true;
  // What `find` starts from stays, unless it all goes.
  if (name === "find") return false;
  if (folder !== undefined && inside.some((one) => isIn(one, [folder]))) return true;
  return /^(\.?\/?\*|\.{0,2}\/*|\.\.\/.*)$/.test(text);
}

function opensToAll({ text }: Argument): boolean {
  if (text === undefined) return false;
  return /^0?[0-7]?7?77$|^[0-7]?[0-7][0-7][2367]$/.test(text) || /(^|,)[ugoa]*[oa][ugoa]*[+=][rwxXst]*w/.test(text);
}

function isRecursive(parsed: Parsed | undefined): boolean {
  return abbreviates(parsed, "r", "recursive") || abbreviates(parsed, "R", "recursive");
}

/** Long options may be cut short. */
function abbreviates(parsed: Parsed | undefined, letter: string, name: string): boolean {
  return (
    parsed?.options.some(
      (option) => option.name === letter || (option.name.length > 1 && name.startsWith(option.name)),
    ) === true
  );
}
