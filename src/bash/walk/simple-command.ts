/** Simple commands: assignments, words and redirections become a unit. */

import type { Assignment, Command, Redirection } from "unbash";
import { classify } from "../command/classify.ts";
import type { UnitDraft } from "../command/call.ts";
import { finding } from "../findings.ts";
import { type Argument, valueOf } from "../read/argument.ts";
import { checkArithmeticText, visit } from "../read/evaluate.ts";
import { isHarmlessVariable, isSteering, noteAssigned } from "../read/variables.ts";
import { readSingle, readWord } from "../read/word.ts";
import { endOf, forgetFunctions, noteAt, type Scan, startOf } from "../scan.ts";
import type { UnitAssignment } from "../types.ts";
import { walkRedirects } from "./redirect.ts";

/** Reads a simple command. */
export function walkSimple(scan: Scan, node: Command): void {
  const { input } = scan;
  const args: Argument[] = [];
  if (node.name !== undefined) readWord(scan, node.name, args);
  const redirects: Redirection[] = [];
  const assignments: UnitAssignment[] = [];
  const values: Assignment[] = [];
  for (const part of node.prefix) {
    if (part.type === "Assignment") values.push(part);
    else redirects.push(part);
  }
  for (const part of node.suffix) {
    if (part.type === "Word") readWord(scan, part, args);
    else if (part.type === "Assignment") args.push(readDeclared(scan, part));
    else redirects.push(part);
  }
  const at = scan.result.units.length;
  const unit = newUnit(args, startOf(scan, node), endOf(scan, node));
  unit.assignments = assignments;
  scan.result.units.push(unit);
  for (const value of values) assignments.push(assign(scan, unit, value, args.length > 0));
  if (redirects.length > 0) addRedirects(scan, unit, redirects, at);
  if (args.length > 0) classify(scan, unit, at, args, 0);
  else {
    // `$(< file)` prints the file.
    scan.output.names = false;
    scan.output.digits = false;
  }
  scan.input = input;
}

/** Judges words as a command of their own, such as what stands behind `find -exec`. */
export function nest(scan: Scan, args: readonly Argument[]): void {
  const [first] = args;
  if (first === undefined) return;
  const at = scan.result.units.length;
  const unit = newUnit(args, first.start, args[args.length - 1]?.end ?? first.end);
  scan.result.units.push(unit);
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

type Draft = UnitDraft & { assignments: UnitAssignment[] };

function newUnit(args: readonly Argument[], start: number, end: number): Draft {
  return {
    name: undefined,
    words: args,
    peeled: [],
    wrappers: [],
    assignments: [],
    redirects: [],
    readOnly: true,
    reasons: [],
    spelling: 0,
    open: Number.POSITIVE_INFINITY,
    globals: 0,
    calls: false,
    start,
    end,
  };
}

function addRedirects(scan: Scan, unit: Draft, redirects: readonly Redirection[], at: number): void {
  unit.redirects = walkRedirects(scan, redirects, at);
  for (const redirect of unit.redirects) {
    if (!redirect.writes) continue;
    unit.readOnly = false;
    unit.spelling = Number.POSITIVE_INFINITY;
    unit.reasons.push(finding("write", unit.start, unit.end, redirect.target ?? ""));
    scan.changes += 1;
  }
}

/** Reads an assignment; in front of a command it is for that command only. */
function assign(scan: Scan, unit: Draft, node: Assignment, forCommand: boolean): UnitAssignment {
  const { name, value: content, index, append } = node;
  if (index !== undefined) checkArithmeticText(scan, index);
  const argument = content.type === "Word" ? readSingle(scan, content) : undefined;
  if (content.type === "ArrayValue") for (const element of content.elements) visit(scan, element);
  const known = argument === undefined || index !== undefined || append === true ? undefined : argument;
  const value = known?.text;
  if (!forCommand) {
    noteAssigned(scan, name, known === undefined ? undefined : valueOf(known));
  }
  const harmless = forCommand ? isHarmlessVariable(name, value) : !isSteering(name);
  if (!harmless) {
    unit.readOnly = false;
    unit.spelling = Number.POSITIVE_INFINITY;
    unit.reasons.push(finding("environment", startOf(scan, node), endOf(scan, node), name));
    scan.changes += 1;
  }
  return { name, value };
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
  const argument = readSingle(scan, value);
  const text = argument.text === undefined ? undefined : front + argument.text;
  // A POSIX sh splits what bash takes as one value here.
  const many = argument.many && scan.settings.dialect !== "bash" && argument.text === undefined;
  return { ...argument, text, choices: undefined, prefix: front + argument.prefix, many, shown: text ?? node.text, start, end };
}
