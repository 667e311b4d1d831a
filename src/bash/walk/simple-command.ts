/** Simple commands: assignments, words and redirections become a unit. */

import type { Assignment, Command, Redirection } from "unbash";
import { addReason } from "../command/call.ts";
import { classify } from "../command/classify.ts";
import { contentOf } from "../read/argument.ts";
import { codeAt } from "../read/code-at.ts";
import { checkArithmeticText, visit } from "../read/evaluate.ts";
import { readPlain } from "../read/plain.ts";
import { isHarmlessVariable, isSteering, noteAssigned } from "../read/variables.ts";
import { checkWord, readSingle, readWord } from "../read/word.ts";
import {
  addArgument,
  addName,
  append,
  endAt,
  endOf,
  forgetFunctions,
  noteAt,
  startAt,
  startOf,
  takeArguments,
} from "../scan.ts";
import type { Argument, Scan, UnitDraft } from "../state.ts";
import type { UnitAssignment } from "../types.ts";
import { walkRedirects } from "./redirect.ts";

const blank = /^(\s|\\\n)*$/;
const noRedirects: Redirection[] = [];
const noAssignments: Assignment[] = [];

/** Reads a simple command. */
export function walkSimple(scan: Scan, node: Command): void {
  const { input } = scan;
  const { prefix, name, suffix } = node;
  const from = scan.pending.count;
  let redirects = noRedirects;
  let values = noAssignments;
  let end = -1;
  for (const part of prefix) {
    checkGap(scan, end, part.pos, false);
    end = part.end;
    if (part.type !== "Assignment") redirects = append(redirects, part);
    else values = append(values, part);
  }
  if (name !== undefined) {
    checkGap(scan, end, name.pos, true);
    end = name.end;
    readWord(scan, name);
  }
  for (const part of suffix) {
    checkGap(scan, end, part.pos, part.type === "Word");
    end = part.end;
    if (part.type === "Word") readWord(scan, part);
    else if (part.type === "Assignment") addArgument(scan, readDeclared(scan, part));
    else redirects = append(redirects, part);
  }
  const args = takeArguments(scan, from);
  const at = scan.result.units.length;
  const unit = addUnit(scan, args, node.pos, node.end);
  if (values.length > 0) unit.assignments = values.map((value) => assign(scan, unit, value, args.length > 0));
  if (redirects.length > 0) addRedirects(scan, unit, redirects, at);
  if (args.length > 0) classify(scan, unit, at, args, 0);
  else {
    // `$(< file)` prints the file.
    scan.output.names = false;
    scan.output.digits = false;
  }
  scan.input = input;
}

/** Reads a text that is one simple command of plain words. */
export function walkPlain(scan: Scan, text: string): void {
  const { input } = scan;
  const from = scan.pending.count;
  const { pos, end } = readPlain(scan, text);
  const args = takeArguments(scan, from);
  const at = scan.result.units.length;
  classify(scan, addUnit(scan, args, pos, end), at, args, 0);
  scan.input = input;
}

function addUnit(scan: Scan, args: readonly Argument[], pos: number, end: number): UnitDraft {
  const unit = newUnit(args, startAt(scan, pos), endAt(scan, end));
  scan.result.units = append(scan.result.units, unit);
  return unit;
}

/**
 * What stands between the words must be blank: the parser passes over more than a shell does, such as `echo(x`, and cuts
 * words that a shell does not, such as `<(ls)x`.
 */
function checkGap(scan: Scan, end: number, pos: number, isWord: boolean): void {
  if (end < 0) return;
  const gap = pos - end;
  // Most gaps are one space.
  const plain = gap === 0 || (gap === 1 && codeAt(scan.text, end) === 32);
  const isCut = gap === 0 && isWord;
  if (isCut || (!plain && !blank.test(scan.text.slice(end, pos))))
    noteAt(scan, "errors", "syntax", { pos: end, end: pos });
}

/** Reads the redirections of a loop or group: a unit without words, which no rule for a command covers. */
export function walkGroupRedirects(scan: Scan, redirects: readonly Redirection[]): void {
  const [first] = redirects;
  const last = redirects[redirects.length - 1];
  if (first === undefined || last === undefined) return;
  const unit = newUnit([], startOf(scan, first), endOf(scan, last));
  scan.result.units = append(scan.result.units, unit);
  addRedirects(scan, unit, redirects, scan.result.units.length - 1);
}

/** Judges words as a command of their own, such as what stands behind `find -exec`. */
export function nest(scan: Scan, args: readonly Argument[]): void {
  const [first] = args;
  if (first === undefined) return;
  const at = scan.result.units.length;
  const unit = newUnit(args, first.start, args[args.length - 1]?.end ?? first.end);
  scan.result.units = append(scan.result.units, unit);
  scan.depth += 1;
  if (scan.depth < 8) {
    // A program that is started by another is never a function of the shell.
    const { functions } = scan;
    forgetFunctions(scan);
    classify(scan, unit, at, args, 0);
    scan.functions = functions;
  } else noteAt(scan, "errors", "too-complex", { pos: 0, end: scan.text.length });
  scan.depth -= 1;
}

/** Most units have none of these; what is added makes a list of its own. */
const none: readonly never[] = [];

function newUnit(args: readonly Argument[], start: number, end: number): UnitDraft {
  return {
    name: undefined,
    words: args,
    peeled: none,
    wrappers: none,
    assignments: none,
    redirects: none,
    readOnly: true,
    reasons: none,
    spelling: 0,
    open: Number.POSITIVE_INFINITY,
    globals: 0,
    calls: false,
    start,
    end,
  };
}

function addRedirects(scan: Scan, unit: UnitDraft, redirects: readonly Redirection[], at: number): void {
  unit.redirects = walkRedirects(scan, redirects, at);
  for (const redirect of unit.redirects) {
    if (!redirect.writes) continue;
    spoil(scan, unit, "write", unit, redirect.target ?? "");
  }
}

/** Only an exact rule covers a redirection or a variable that steers programs. */
function spoil(
  scan: Scan,
  unit: UnitDraft,
  code: "write" | "environment",
  at: { start: number; end: number },
  detail: string,
): void {
  addReason(scan, unit, code, at, detail);
  unit.spelling = Number.POSITIVE_INFINITY;
  if (code === "environment") unit.open = 0;
}

/** Reads an assignment; in front of a command it is for that command only. */
function assign(scan: Scan, unit: UnitDraft, node: Assignment, forCommand: boolean): UnitAssignment {
  const { name, value: content, index, append } = node;
  if (index !== undefined) checkArithmeticText(scan, index);
  const argument = content.type === "Word" ? readSingle(scan, content) : undefined;
  if (content.type === "ArrayValue" || index !== undefined) scan.lists = addName(scan.lists, name);
  if (content.type === "ArrayValue") for (const element of content.elements) visit(scan, element);
  else checkWord(scan, content);
  const known = argument === undefined || index !== undefined || append === true ? undefined : argument;
  const value = known?.text;
  if (!forCommand) {
    noteAssigned(scan, name, known === undefined ? undefined : contentOf(known));
  }
  const harmless = forCommand ? isHarmlessVariable(name, value) || isSeparator(scan, unit, name) : !isSteering(name);
  if (!harmless) {
    spoil(scan, unit, "environment", { start: startOf(scan, node), end: endOf(scan, node) }, name);
  }
  return { name, value };
}

/** How `read` cuts what comes in: as long as it is the builtin, nobody else gets to know the separators. */
function isSeparator({ root }: Scan, { words }: UnitDraft, name: string): boolean {
  return name === "IFS" && words[0]?.text === "read" && !/\bread\s*\(|\bfunction\b/.test(root);
}

/** An assignment behind `export` and its kin is an argument of theirs. */
function readDeclared(scan: Scan, node: Assignment): Argument {
  const { name, value, index, append } = node;
  const start = startOf(scan, node);
  const end = endOf(scan, node);
  if (index !== undefined) checkArithmeticText(scan, index);
  const front = `${name}${index === undefined ? "" : "[…]"}${append ? "+=" : "="}`;
  if (value.type === "ArrayValue") {
    for (const element of value.elements) visit(scan, element);
    const shown = node.text;
    return { text: `${front}(`, prefix: front, tilde: false, odd: true, shown, start, end };
  }
  checkWord(scan, value);
  const argument = readSingle(scan, value);
  const text = argument.text === undefined ? undefined : front + argument.text;
  // What is known has fewer fields, and most values are.
  if (text !== undefined && argument.many === undefined) {
    const { tilde, odd } = argument;
    return { text, prefix: text, tilde, odd, shown: text, start, end };
  }
  // A POSIX sh splits what bash takes as one value here.
  const many = argument.many && scan.settings.dialect !== "bash" && argument.text === undefined;
  // Spelled out: a copy with changes takes many times as long.
  return {
    text,
    choices: undefined,
    prefix: front + argument.prefix,
    tail: argument.tail,
    many,
    repeated: argument.repeated,
    glob: argument.glob,
    names: argument.names,
    digits: argument.digits,
    computed: argument.computed,
    secret: argument.secret,
    tilde: argument.tilde,
    odd: argument.odd,
    shown: text ?? node.text,
    start,
    end,
  };
}
