/** Judges one simple command: finds out what it is, and asks the part that knows it. */

import { copyWords, forgetFolders, forgetVariables } from "../scan.ts";
import type { Argument, Call, Scan, UnitDraft } from "../state.ts";
import { runners, runningWords, runsPrograms, versioned } from "../tables/patterns.ts";
import { judgeArchive } from "./archives.ts";
import { demandSpelling, refuse, refuseHazard, warn } from "./call.ts";
import { judgeDangers } from "./dangers.ts";
import { judgeFind } from "./find.ts";
import { judgeInterpreter, judgeShell } from "./interpreters.ts";
import { type Entry, entryOf, grammarOf } from "./table.ts";
import { judgeGrammar, judgeTool } from "./tools.ts";
import { judgeText, judgeWrapper } from "./wrappers.ts";

const MAX_WRAPPERS = 12;

/**
 * Judges words as a command and puts what it finds into the unit.
 *
 * @param args The words from the program's name on.
 * @param offset Where the first of them stands among the unit's words.
 */
export function classify(scan: Scan, unit: UnitDraft, at: number, args: readonly Argument[], offset: number): void {
  const head = args[0];
  if (head === undefined) return;
  const name = programName(head);
  const call: Call = { scan, unit, at, name: name ?? "", args: copyWords(args, 1, args.length), offset: offset + 1 };
  unit.name = name;
  if (name === undefined) {
    refuse(call, "dynamic-command", head);
    warn(call, "injection", "dynamic-command", head);
    return;
  }
  const { changes, output } = scan;
  const { names, digits } = output;
  output.names = output.digits = false;
  judge(call, unit.peeled.length === 0);
  output.names &&= names;
  output.digits &&= digits;
  if (scan.secrets && unit.readOnly) judgeSecrets(call);
  if (scan.changes !== changes && head.odd) demandSpelling(call, Number.POSITIVE_INFINITY);
}

/** Judges the command behind a wrapper, which may have changed its arguments. */
export function peel(call: Call, index: number, replaced?: readonly Argument[]): void {
  const { scan, unit, at, args } = call;
  const offset = call.offset + index;
  unit.wrappers = [...unit.wrappers, call.name];
  unit.peeled = [...unit.peeled, offset];
  if (unit.wrappers.length > MAX_WRAPPERS) warn(call, "injection", "dynamic-command");
  else classify(scan, unit, at, replaced ?? args.slice(index), offset);
}

/** Programs in the folders of the system go by their last name; elsewhere they are what they are. */
function programName({ text }: Argument): string | undefined {
  return text?.startsWith("/") ? text.replace(/^(\/usr)?\/s?bin\/(?=[^/]+$)/, "") : text;
}

function judge(call: Call, direct: boolean): void {
  const { name, scan, args } = call;
  if (scan.openFunction !== undefined) noteCaller(scan, scan.openFunction, name);
  if (args.length === 1 && tellsVersion(name, args[0]?.text)) return;
  // Versions and variants go by the plain name: python3.12, mkfs.ext4.
  const entry = entryOf(name) ?? entryOf(plainName(name));
  if (entry?.pattern !== undefined && matches(call, entry.pattern)) return;
  if (entry?.builtin !== undefined && (direct || isShellItself(call))) {
    entry.builtin(call);
    return;
  }
  // What is known by the look of its arguments only has to be named with them.
  if (entry?.pattern !== undefined && entry.source === "") refuseHazard(call, "changes", 0);
  if (entry === undefined || entry.source === "") judgeUnknown(call, direct);
  else judgeKnown(call, entry);
}

function tellsVersion(name: string, option: string | undefined): boolean {
  return option?.startsWith("-") === true && versionOption.test(option) && versioned.test(`${name} ${option}`);
}

const versionOption = /^-(-version|-help|[vV]|version)$/;

/** Takes what stands behind a dot, or digits at the end, off a name. */
function plainName(name: string): string {
  return name.includes(".") || digitAtEnd.test(name) ? name.replace(variant, "") : name;
}

const space = /\s/;
const digitAtEnd = /\d$/;
const variant = /(?<=\w)(\.\w+|[\d.]+)$/;

/** Tells whether the shell itself, or a program that does the same, is behind the wrappers. */
function isShellItself({ unit, name }: Call): boolean {
  return unit.wrappers.every((one) => one === "command" || one === "builtin") || /^(test|\[|printf)$/.test(name);
}

function judgeKnown(call: Call, entry: Entry): void {
  switch (entry.kind) {
    case "R":
      if (call.name === "find") judgeFind(call);
      else judgeGrammar(call, entry);
      return;
    case "*":
    case "^":
      if (!judgeRunner(call)) judgeTool(call, entry, 0);
      return;
    case "W":
      if (!(grammarOf(entry).archive && judgeArchive(call))) judgeGrammar(call, entry);
      return;
    case "T":
    case "P":
    case "O":
      judgeWrapper(call, grammarOf(entry));
      return;
    case "S":
      if (entry.source === "S!") refuse(call, "launcher");
      judgeShell(call);
      return;
    case "I":
      if (!judgeRunner(call)) judgeInterpreter(call, entry.source === "Ii");
      return;
    case "X":
      judgeText(call);
      return;
    default:
      refuse(call, "changes");
      if (entry.source === "Z") warn(call, "injection", "zsh");
      else warn(call, "dangers", entry.source === "D" ? "disk" : "shutdown");
  }
}

function matches(call: Call, pattern: RegExp): boolean {
  let joined: string | undefined;
  for (const { text } of call.args) {
    if (text === undefined || space.test(text)) return false;
    joined = joined === undefined ? text : `${joined} ${text}`;
  }
  return pattern.test(joined ?? "");
}

/** `npm exec` and `poetry run`: the rest is a command, which an allow rule must not start with. */
function judgeRunner(call: Call): boolean {
  if (!runners.has(call.name)) return false;
  const at = call.args.findIndex(({ text }) => isRunningWord(call.name, text));
  const inner = call.args[at + 1]?.text === "--" ? at + 2 : at + 1;
  if (at < 0 || inner >= call.args.length) return false;
  refuse(call, "launcher");
  call.unit.open = Math.min(call.unit.open, call.offset - 1);
  demandSpelling(call, inner);
  peel(call, inner);
  return true;
}

function isRunningWord(name: string, word: string | undefined): boolean {
  return word !== undefined && (runningWords.test(word) || (word === "run" && runsPrograms.test(name)));
}

function judgeUnknown(call: Call, direct: boolean): void {
  const { name, scan, args } = call;
  if (/[^\x20-\x7e]/.test(name)) warn(call, "injection", "look-alike", call.unit.words[call.offset - 1]);
  if (direct && scan.functions.has(name)) {
    // What it does was judged where it is defined; here it may change variables and folders.
    call.unit.calls = true;
    forgetVariables(scan);
    forgetFolders(scan);
    return;
  }
  if (judgeRunner(call)) return;
  refuse(call, "unknown");
  judgeDangers(call, undefined);
  for (const argument of args) {
    if (argument.computed && argument.prefix === "") warn(call, "injection", "substitution", argument);
  }
}

function judgeSecrets(call: Call): void {
  if (call.name === "test" || call.name === "[") return;
  for (const argument of call.args) {
    if (argument.secret !== undefined) warn(call, "dangers", "secret", argument, argument.secret);
  }
}

/** Remembers which function body names which other command, to find bodies that call each other without an end. */
function noteCaller(scan: Scan, caller: string, name: string): void {
  scan.callers ??= new Map();
  const named = scan.callers.get(caller) ?? new Set();
  scan.callers.set(caller, named.add(name));
}
