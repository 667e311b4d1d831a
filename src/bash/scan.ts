/** The state of one reading, and how findings get into it. */

import type { ParsedScript } from "unbash";
import { type FindingCode, finding } from "./findings.ts";
import { readSettings } from "./path/settings.ts";
import type { Argument, NamedPlace, Nested, Scan, Value, Walkers } from "./state.ts";
import type { BashOptions, PathUse } from "./types.ts";

const noNames: Set<string> = new Set();
const noValues: Map<string, Value> = new Map();
const noPlaces: NamedPlace[] = [];
const noInput: Scan["input"] = { names: false, text: undefined, connected: false };

/** Fills the places of words that have not come yet. */
const blank: Argument = { text: undefined, prefix: "", tilde: false, odd: false, shown: "", start: 0, end: 0 };

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
    evaluated: noPlaces,
    lists: noNames,
    declared: noPlaces,
    input: noInput,
    output: { names: true, digits: true },
    // An empty array that grows takes room for seventeen; few commands have more than eight words.
    pending: { words: [blank, blank, blank, blank, blank, blank, blank, blank], count: 0 },
    hasMarks: true,
    mayMove: undefined,
    nestedLength: 0,
    questions: 0,
    changes: 0,
    secrets: false,
    oddSpaces: false,
    walkers,
  };
}

/** Adds a word to those of the command that is being read. */
export function addArgument({ pending }: Scan, argument: Argument): void {
  pending.words[pending.count] = argument;
  pending.count += 1;
}

/** Takes the words that were added since the count was `from`. An array that grows word by word would be twice as big. */
export function takeArguments({ pending }: Scan, from: number): readonly Argument[] {
  const args = copyWords(pending.words, from, pending.count);
  pending.count = from;
  return args;
}

const noWords: readonly Argument[] = [];

/** Copies some of the words; most commands have few, and a literal is made much faster than a slice. */
export function copyWords(words: readonly Argument[], from: number, end: number): readonly Argument[] {
  const first = words[from];
  if (from >= end || first === undefined) return noWords;
  const second = words[from + 1];
  if (end - from === 1 || second === undefined) return [first];
  const third = words[from + 2];
  if (end - from === 2 || third === undefined) return [first, second];
  return end - from === 3 ? [first, second, third] : words.slice(from, end);
}

/** Adds an item to a list, and gives the list. Most lists get one item, and an empty array that grows takes room for many. */
export function append<Item>(list: Item[], item: Item): Item[] {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}

/** A place in the text that is being read. */
export interface Place {
  readonly pos: number;
  readonly end: number;
}

/** Gives the position in the whole line of where a node starts. */
export function startAt({ fixed, shift }: Scan, pos: number): number {
  return fixed === undefined ? pos + shift : fixed[0];
}

/** Gives the position in the whole line of where a node ends. */
export function endAt({ fixed, shift }: Scan, end: number): number {
  return fixed === undefined ? end + shift : fixed[1];
}

/** Gives the first position of a node in the whole line; where nodes of many kinds come by, {@link startAt} is faster. */
export function startOf(scan: Scan, node: Place): number {
  return startAt(scan, node.pos);
}

/** Gives the position behind a node in the whole line. */
export function endOf(scan: Scan, node: Place): number {
  return endAt(scan, node.end);
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
  const { start, end } = at;
  const found = scan.result[list];
  const last = found.length > 0 ? found[found.length - 1] : undefined;
  if (last?.code === code && last.start === start && last.end === end) return;
  scan.result[list] = append(found, finding(code, start, end, detail));
  if (list === "injection" || list === "errors") scan.changes += 1;
}

/** Notes a finding at a node. */
export function noteAt(scan: Scan, list: List, code: FindingCode, node: Place, detail?: string): void {
  note(scan, list, code, { start: startOf(scan, node), end: endOf(scan, node) }, detail);
}

/** Notes a path. */
export function notePath(scan: Scan, use: PathUse): void {
  scan.result.paths = append(scan.result.paths, use);
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
  isolate(scan, () => scan.walkers.walkScript(scan, script));
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
  if (scan.variables.size > 0) {
    for (const name of scan.variables.keys()) {
      if (before.get(name) !== scan.variables.get(name)) scan.variables.delete(name);
    }
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
