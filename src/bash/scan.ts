/** The state of one reading, and how findings get into it. */

import type { ParsedScript } from "unbash";
import { type FindingCode, finding } from "./findings.ts";
import { readSettings } from "./path/settings.ts";
import type { Argument, Nested, Scan, Value } from "./state.ts";
import type { BashOptions, PathUse } from "./types.ts";

type Walkers = Pick<Scan, "walkScript" | "walkText" | "nest" | "peel">;

const noNames: Set<string> = new Set();
const noValues: Map<string, Value> = new Map();

/** Adds a name to a set; the empty one is shared by all readings. */
export function addName(names: Set<string>, name: string): Set<string> {
  if (names === noNames) return new Set([name]);
  return names.add(name);
}

/** Sets what is known about a variable. */
export function setVariable(scan: Scan, name: string, value: Value | undefined): void {
  if (value === undefined) scan.variables.delete(name);
  else if (scan.variables === noValues) scan.variables = new Map([[name, value]]);
  else scan.variables.set(name, value);
}

/** Forgets all functions: another program does not know them. */
export function forgetFunctions(scan: Scan): void {
  scan.functions = noNames;
}

/** Notes that a function is defined or called: which folder it leaves behind is known where the line has no `cd`. */
export function forgetFolders(scan: Scan): void {
  scan.mayMove ??= moving.test(scan.root);
  if (scan.mayMove) scan.folders = [];
}

const moving = /\b(cd|pushd|popd)\b/;

/** Forgets all variables. */
export function forgetVariables(scan: Scan): void {
  scan.variables = noValues;
}

/** Starts a reading. */
export function createScan(root: string, options: BashOptions, walkers: Walkers): Scan {
  const settings = readSettings(options);
  return {
    root,
    settings,
    result: {
      command: root,
      readOnly: true,
      injection: [],
      dangers: [],
      outside: [],
      units: [],
      paths: [],
      errors: [],
    },
    text: root,
    shift: 0,
    fixed: undefined,
    depth: 0,
    folders: settings.start,
    variables: noValues,
    functions: noNames,
    openFunction: undefined,
    callers: undefined,
    uncertain: 0,
    numbers: noNames,
    others: noNames,
    evaluated: [],
    lists: noNames,
    declared: [],
    input: { names: false, text: undefined, connected: false },
    output: { names: true, digits: true },
    pending: { words: [], count: 0 },
    hasMarks: true,
    mayMove: undefined,
    nestedLength: 0,
    questions: 0,
    changes: 0,
    secrets: false,
    oddSpaces: false,
    walkScript: walkers.walkScript,
    walkText: walkers.walkText,
    nest: walkers.nest,
    peel: walkers.peel,
  };
}

/** Adds a word to those of the command that is being read. */
export function addArgument({ pending }: Scan, argument: Argument): void {
  pending.words[pending.count] = argument;
  pending.count += 1;
}

/** Takes the words that were added since the count was `from`. An array that grows word by word would be twice as big. */
export function takeArguments({ pending }: Scan, from: number): Argument[] {
  const args = pending.words.slice(from, pending.count);
  pending.count = from;
  return args;
}

/** A place in the text that is being read. */
export interface Place {
  readonly pos: number;
  readonly end: number;
}

/** Gives the first position of a node in the whole line. */
export function startOf(scan: Scan, node: Place): number {
  return scan.fixed?.[0] ?? node.pos + scan.shift;
}

/** Gives the position behind a node in the whole line. */
export function endOf(scan: Scan, node: Place): number {
  return scan.fixed?.[1] ?? node.end + scan.shift;
}

type List = "errors" | "injection" | "dangers" | "outside";

/** Notes a finding at positions of the whole line. */
export function note(
  scan: Scan,
  list: List,
  code: FindingCode,
  at: { start: number; end: number },
  detail?: string,
): void {
  const found = scan.result[list];
  const last = found[found.length - 1];
  if (last?.code === code && last.start === at.start && last.end === at.end) return;
  found.push(finding(code, at.start, at.end, detail));
  if (list === "injection" || list === "errors") scan.changes += 1;
}

/** Notes a finding at a node. */
export function noteAt(scan: Scan, list: List, code: FindingCode, node: Place, detail?: string): void {
  note(scan, list, code, { start: startOf(scan, node), end: endOf(scan, node) }, detail);
}

/** Notes a path. */
export function notePath(scan: Scan, use: PathUse): void {
  scan.result.paths.push(use);
}

/** Reads a nested script and tells what it is; what it assigns and where it goes stays inside. */
export function walkNested(scan: Scan, script: ParsedScript | undefined, place: Place): Nested {
  if (script === undefined) {
    noteAt(scan, "errors", "syntax", place);
    return { readOnly: false, names: false, digits: false };
  }
  const { text, shift, fixed, output, changes, input } = scan;
  if (script.source !== undefined) {
    scan.fixed = fixed ?? [startOf(scan, place), endOf(scan, place)];
    scan.text = script.source;
  }
  scan.output = { names: true, digits: true };
  isolate(scan, () => scan.walkScript(scan, script));
  const nested = { readOnly: scan.changes === changes, names: scan.output.names, digits: scan.output.digits };
  scan.text = text;
  scan.shift = shift;
  scan.fixed = fixed;
  scan.output = output;
  scan.input = input;
  return nested;
}

/** Reads a part whose variables and folder do not outlive it. */
export function isolate(scan: Scan, read: () => void): void {
  const { folders, variables } = scan;
  scan.variables = variables.size > 0 ? new Map(variables) : noValues;
  scan.uncertain += 1;
  read();
  scan.uncertain -= 1;
  scan.folders = folders;
  scan.variables = variables;
}

/** Reads a part that may also be skipped: what it assigns is unknown afterwards, and so is where it went. */
export function perhaps(scan: Scan, read: () => void): void {
  const { folders, variables } = scan;
  const before = variables.size > 0 ? new Map(variables) : noValues;
  scan.uncertain += 1;
  read();
  scan.uncertain -= 1;
  for (const name of scan.variables.keys()) {
    if (before.get(name) !== scan.variables.get(name)) scan.variables.delete(name);
  }
  if (scan.folders !== folders) scan.folders = mergeFolders(folders, scan.folders);
}

/** Joins two sets of folders; too many become an unknown one. */
export function mergeFolders(one: readonly string[], other: readonly string[]): readonly string[] {
  if (one === other) return one;
  if (one.length === 0 || other.length === 0) return [];
  const all = [...new Set([...one, ...other])];
  return all.length > 8 ? [] : all;
}
