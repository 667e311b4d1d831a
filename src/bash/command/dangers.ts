/** What destroys: removal of whole folders, open permissions, disks, processes. */

import { isIn } from "../path/use.ts";
import type { Argument } from "../read/argument.ts";
import { type Call, warn } from "./call.ts";
import type { Parsed } from "./options.ts";

/** Looks for dangers of a command by its name and options. */
export function judgeDangers(call: Call, parsed: Parsed | undefined): void {
  const { name, args } = call;
  switch (name) {
    case "rm":
      if (call.unit.wrappers.some((wrapper) => /^(sudo|doas|pkexec|su)$/.test(wrapper))) warn(call, "dangers", "privilege");
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
      if (args.some((argument) => /^(-s|--signal[= ]?)?-?(9|(SIG)?KILL)$/i.test(argument.text ?? ""))) warn(call, "dangers", "force-kill");
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
  const { scan, at, name } = call;
  const { home, inside } = scan.settings;
  const { paths } = scan.result;
  for (let index = paths.length - 1; index >= 0; index -= 1) {
    const use = paths[index];
    if (use?.unit !== at) break;
    if (use.access !== "remove") continue;
    const text = use.text.replace(/\/+$/, "");
    const path = use.path ?? (/^~$/.test(text) ? home : undefined);
    const parent = (path ?? text).replace(/\/\*$/, "");
    // What `find` starts from stays, unless it all goes.
    const base = path !== undefined && (/^\/[^/]*$/.test(path) || /^\/[^/]*$/.test(parent) || parent === home);
    const own = name !== "find" && path !== undefined && inside.some((folder) => isIn(folder, [path, parent]));
    const everything = name !== "find" && /^(\.?\/?\*|\.|\.\/|\.\.(\/.*)?|~?\/?|~\/?\*|\/\*)$/.test(text);
    if (base || own || everything) warn(call, "dangers", "system-removal", use);
  }
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
  return parsed?.options.some((option) => option.name === letter || (option.name.length > 1 && name.startsWith(option.name))) === true;
}
