/** Reads arguments by a grammar: options in clusters, abbreviated or attached, operands by their kind. */

import { mayBeOption, mayBeSeveral } from "../read/argument.ts";
import { codeAt } from "../read/code-at.ts";
import { append } from "../scan.ts";
import type { Argument, Call } from "../state.ts";
import { demandSpelling, refuse, refuseHazard, takePath, takeText, warn } from "./call.ts";
import { findLong, type Grammar, isHazard, type OperandKind, type OptionKind } from "./grammar.ts";

/** An option that was given. */
export interface Given {
  readonly name: string;
  /** Its value: text that is attached, or the argument behind it. */
  readonly value: Argument | string | undefined;
  readonly index: number;
}

/** What stands in the arguments. */
export interface Parsed {
  readonly grammar: Grammar;
  options: Given[];
  /** Where the operands stand. */
  operands: number[];
}

const DASH = 45;
const noOptions: Given[] = [];
const noOperands: number[] = [];

function addOption(parsed: Parsed, name: string, value: Given["value"], index: number): void {
  parsed.options = append(parsed.options, { name, value, index });
}

/** Finds the last option of one of these names; with several options of a name the last one counts. */
export function givenOption({ options }: Parsed, names: readonly string[]): Given | undefined {
  for (let at = options.length - 1; at >= 0; at -= 1) {
    const option = options[at];
    if (option !== undefined && names.includes(option.name)) return option;
  }
  return undefined;
}

/** Gives the known text of a value. */
export function valueText(value: Argument | string | undefined): string | undefined {
  return typeof value === "string" ? value : value?.text;
}

/** Gives the arguments that are operands. */
export function operandsOf(call: Call, parsed: Parsed): Argument[] {
  const operands: Argument[] = [];
  for (const index of parsed.operands) {
    const argument = call.args[index];
    if (argument !== undefined) operands.push(argument);
  }
  return operands;
}

/** Reads all arguments and judges the options; a change of something is noted at once. */
export function readOptions(call: Call, grammar: Grammar): Parsed {
  const parsed: Parsed = { grammar, options: noOptions, operands: noOperands };
  const { args } = call;
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index];
    if (argument === undefined) break;
    const { text } = argument;
    let ended = text === "--";
    if (ended) index += 1;
    else if (text === undefined) index = readDynamic(call, parsed, index, argument);
    else if (text.length < 2 || codeAt(text, 0) !== DASH) parsed.operands = append(parsed.operands, index);
    else if (codeAt(text, 1) === DASH || grammar.single)
      index = readLong(call, parsed, index, text.slice(codeAt(text, 1) === DASH ? 2 : 1));
    else if (!(grammar.digits && /^-\d+$/.test(text))) index = readCluster(call, parsed, index, text, true);
    if (!ended && grammar.ordered && parsed.operands.length > 0) {
      ended = true;
      index += 1;
    }
    if (!ended) continue;
    for (; index < args.length; index += 1) parsed.operands = append(parsed.operands, index);
  }
  return parsed;
}

/** Judges the operands by their kinds. */
export function judgeOperands(call: Call, parsed: Parsed): void {
  const { operands } = parsed;
  const { operands: kinds, star } = parsed.grammar;
  // A program or a target may have been given by an option.
  const left = kinds.length > 1 && isGiven(parsed, kinds[0]) ? 1 : 0;
  const right = kinds.length > 1 && isGiven(parsed, kinds[kinds.length - 1]) ? 1 : 0;
  const behind = star < 0 ? 0 : kinds.length - star - 1 - right;
  for (let position = 0; position < operands.length; position += 1) {
    let at = position + left;
    const fromEnd = operands.length - position;
    if (star >= 0 && fromEnd <= behind && at >= star) at = kinds.length - right - fromEnd;
    else if (star >= 0 && at > star) at = star;
    const index = operands[position] ?? 0;
    judgeOperand(call, parsed, index, kinds[at]);
    if (mayBeSeveral(call.args[index]) && isHarmedByMore(parsed.grammar, at)) refuseHazard(call, "operand", index);
  }
}

/** Tells whether words beyond the operand of this kind would change something: `uniq *` writes into the second file. */
function isHarmedByMore({ type, lenient, operands, star }: Grammar, at: number): boolean {
  if (type !== "R") return false;
  return (star < 0 && !lenient) || operands.some(({ kind }, index) => index > at && /[wdox+]/.test(kind));
}

function judgeOperand(call: Call, parsed: Parsed, index: number, kind: OperandKind | undefined): void {
  const argument = call.args[index];
  if (argument === undefined) return;
  const reads = parsed.grammar.type === "R";
  switch (kind?.kind) {
    case "r":
      // Where a command changes things, what it reads from counts as touched too.
      takePath(call, argument, "read");
      return;
    case "l":
      takePath(call, argument, "list");
      return;
    case "m":
      takePath(call, argument, "probe");
      return;
    case "w":
    case "d":
      takePath(call, argument, kind.kind === "w" ? "write" : "remove");
      if (reads && !isNowhere(argument.text)) refuseHazard(call, "operand", index);
      return;
    case "o":
      takePath(call, argument, "write");
      if (!isNowhere(argument.text)) refuse(call, "write", argument);
      return;
    case "+":
      if (!argument.prefix.startsWith("+")) refuseHazard(call, "operand", index);
      return;
    case "x":
      if (reads && !isGiven(parsed, kind)) refuse(call, "operand", argument);
      return;
    case undefined:
      if (reads && !parsed.grammar.lenient) refuseHazard(call, "operand", index);
  }
}

/** Tells whether one of the options that change an operand's meaning was given. */
function isGiven(parsed: Parsed, kind: OperandKind | undefined): boolean {
  return kind !== undefined && kind.unless.length > 0 && givenOption(parsed, kind.unless) !== undefined;
}

function isNowhere(text: string | undefined): boolean {
  return text !== undefined && /^\/dev\/(null|stdout|stderr|fd\/\d+)$/.test(text);
}

function readLong(call: Call, parsed: Parsed, index: number, body: string): number {
  const { grammar } = parsed;
  const cut = body.indexOf("=");
  const name = cut < 0 ? body : body.slice(0, cut);
  const found = findLong(grammar, name);
  if (found !== undefined)
    return apply(call, parsed, index, found.name, found.kind, cut < 0 ? undefined : body.slice(cut + 1));
  if (grammar.single && /^[a-z]\d+$/i.test(name) && grammar.options.has(name.charAt(0))) return index;
  return refuseUnknown(call, parsed, index, name);
}

function readCluster(call: Call, parsed: Parsed, index: number, text: string, whole: boolean): number {
  const { grammar } = parsed;
  for (let at = 1; at < text.length; at += 1) {
    const letter = text.charAt(at);
    const kind = grammar.letters[codeAt(text, at)];
    if (kind === undefined) {
      if (!grammar.digits || !/\d/.test(letter)) refuseUnknown(call, parsed, index, letter);
    } else if (kind === "") addOption(parsed, letter, undefined, index);
    else {
      const rest = text.slice(at + 1);
      return apply(call, parsed, index, letter, kind, rest === "" && whole ? undefined : rest);
    }
  }
  if (!whole) refuseDynamic(call, parsed, index);
  return index;
}

function apply(
  call: Call,
  parsed: Parsed,
  index: number,
  name: string,
  kind: OptionKind,
  attached: string | undefined,
): number {
  const takesNext = attached === undefined && kind !== "" && kind !== "!" && kind !== "?" && kind !== "=";
  const next = takesNext ? call.args[index + 1] : undefined;
  const value = attached ?? next;
  addOption(parsed, name, value, index);
  // What is more than one word brings options or operands.
  if (next?.many && mayBeOption(next)) refuseDynamic(call, parsed, index + 1);
  else if (next?.many) parsed.operands = append(parsed.operands, index + 1);
  // Were the table wrong about the value, this would be an option of its own.
  if (next?.text?.startsWith("-") && isHazardous(parsed.grammar, next.text)) refuseHazard(call, "option", index + 1);
  const argument = next ?? call.args[index];
  if ((kind === "<" || kind === ">") && argument !== undefined) {
    const access = kind === "<" ? "read" : "write";
    if (typeof value === "string") takeText(call, argument, value, access);
    else takePath(call, argument, access);
  }
  const last = next === undefined ? index : index + 1;
  if (isHazard(kind) && !(kind === ">" && isNowhere(valueText(value)))) {
    refuse(call, "option", call.args[index]);
    // A program that is run has to be named, too.
    demandSpelling(call, kind === "%" ? last : index);
  }
  return kind === "=" ? index + 2 : last;
}

/** An argument that is not fully known: an operand for certain, an option with an unknown value, or anything. */
function readDynamic(call: Call, parsed: Parsed, index: number, argument: Argument): number {
  const { prefix, many } = argument;
  if (mayBeOption(argument)) {
    const isLong = prefix.startsWith("--") || parsed.grammar.single;
    if (!many && isLong && /^--?[\w-]+=/.test(prefix)) return readLong(call, parsed, index, prefix.replace(/^--?/, ""));
    if (!many && !isLong && /^-\w/.test(prefix)) return readCluster(call, parsed, index, prefix, false);
    refuseDynamic(call, parsed, index);
  }
  parsed.operands = append(parsed.operands, index);
  return index;
}

function refuseUnknown(call: Call, parsed: Parsed, index: number, name: string): number {
  const { grammar } = parsed;
  addOption(parsed, name, undefined, index);
  if (!grammar.lenient && grammar.type !== "W") refuseHazard(call, "unknown-option", index);
  return index;
}

/** What may turn into options is harmless where none is harmful. */
function refuseDynamic(call: Call, { grammar }: Parsed, index: number): void {
  if (grammar.anyArgument) return;
  if (grammar.type !== "W") refuseHazard(call, "dynamic-option", index);
  const argument = call.args[index];
  if (argument?.computed && (grammar.type === "W" || !argument.names))
    warn(call, "injection", "substitution", argument);
}

/** Tells whether a text would be an option that changes something. */
function isHazardous(grammar: Grammar, text: string): boolean {
  if (text.startsWith("--") || grammar.single) return isHazard(findLong(grammar, text.replace(/^--?|=.*/gs, ""))?.kind);
  return [...text.slice(1)].some((letter) => isHazard(grammar.options.get(letter)));
}
