/** Judges commands by their grammar, and tools by their sub-commands. */

import { isIn } from "../path/use.ts";
import { copyWords } from "../scan.ts";
import type { Call, Scan } from "../state.ts";
import { judgeGhArguments, judgeGitArguments } from "./afterwards.ts";
import { demandSpelling, refuse, refuseHazard, warn } from "./call.ts";
import { judgeDangers } from "./dangers.ts";
import { givenOption, judgeOperands, type Parsed, readOptions } from "./options.ts";
import { type Entry, grammarOf } from "./table.ts";

/** Judges a command by its grammar. */
export function judgeGrammar(call: Call, entry: Entry): void {
  const grammar = grammarOf(entry);
  if (grammar.type === "W") refuse(call, "changes");
  if (grammar.risky) demandSpelling(call, -1);
  if (grammar.configured && isForeign(call.scan)) refuse(call, "foreign-directory");
  const parsed = readOptions(call, grammar);
  judgeOperands(call, parsed);
  entry.after?.(call, parsed);
  if (entry.family === "git") judgeGitArguments(call);
  else if (entry.family === "gh") judgeGhArguments(call, parsed);
  if (grammar.type === "W") judgeDangers(call, parsed);
  else judgeOutput(call, parsed);
}

/** Judges a tool: the options in front, then the sub-command by a grammar of its own. */
export function judgeTool(call: Call, itself: Entry, depth: number): void {
  const grammar = grammarOf(itself);
  const parsed = readOptions(call, grammar);
  itself.after?.(call, parsed);
  const sub = parsed.operands[0];
  if (sub === undefined) {
    if (grammar.type === "^") refuse(call, "changes");
    if (grammar.configured && isForeign(call.scan)) refuse(call, "foreign-directory");
    return;
  }
  if (depth === 0) call.unit.globals = sub;
  const argument = call.args[sub];
  const text = argument?.text;
  const entry = text === undefined ? undefined : itself.subs?.get(text);
  const { scan, unit, at, name, offset } = call;
  const rest: Call = {
    scan,
    unit,
    at,
    name,
    args: copyWords(call.args, sub + 1, call.args.length),
    offset: offset + sub + 1,
  };
  if (entry !== undefined) {
    if (entry.kind === "*" || entry.kind === "^") judgeTool(rest, entry, depth + 1);
    else judgeGrammar(rest, entry);
    return;
  }
  if (text === undefined) refuseHazard(call, "dynamic-option", sub);
  else refuse(call, "changes", argument);
  if (argument?.computed) warn(call, "injection", "substitution", argument);
  if (call.name === "git") judgeGitArguments(rest);
}

/** Tells whether the folder it runs in may not be the workspace's. */
function isForeign(scan: Scan): boolean {
  if (scan.folders === scan.settings.start) return false;
  for (const folder of scan.folders) if (!isIn(folder, scan.settings.inside)) return true;
  return scan.folders.length === 0;
}

/** Whether what is printed are names of files in the workspace, or one number. */
function judgeOutput(call: Call, parsed: Parsed): void {
  const { scan } = call;
  const { grammar, operands } = parsed;
  if (grammar.names) scan.output.names = true;
  else if (grammar.namesByOption && givenOption(parsed, listing) !== undefined) scan.output.names = true;
  else if (grammar.filter && scan.input.names) {
    // What it reads itself is no longer what came in; a pattern alone reads nothing.
    const reads = operands.length > (grammar.operands[0]?.kind === "p" ? 1 : 0);
    scan.output.names = !reads && givenOption(parsed, ["r", "R", "recursive"]) === undefined;
  }
  if (grammar.counts) scan.output.digits = isNumber(call, parsed);
}

const listing: readonly string[] = ["l", "L", "files", "name-only", "files-with-matches", "files-without-match"];

function isNumber(call: Call, parsed: Parsed): boolean {
  const { operands } = parsed;
  switch (call.name) {
    case "wc":
      return operands.length === 0;
    case "nproc":
      return true;
    case "id":
      return givenOption(parsed, ["u", "g"]) !== undefined;
    case "date":
      return /^\+%[sYmdHMSj]$/.test(call.args[operands[0] ?? -1]?.text ?? "");
    case "grep":
      return operands.length <= 2 && givenOption(parsed, ["c"]) !== undefined && !givenOption(parsed, ["r", "R", "H"]);
    default:
      return false;
  }
}
