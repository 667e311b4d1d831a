/** What runs inside of words: nested scripts, expansions that evaluate, arithmetic on text that a variable holds. */

import {
  type ArithmeticExpression,
  forEachChild,
  type ParameterExpansionPart,
  type ParameterOperation,
  type SyntaxNode,
  type Word,
  type WordPart,
} from "unbash";
import { append, endOf, note, noteAt, type Place, startOf, walkNested } from "../scan.ts";
import type { Nested, Scan } from "../state.ts";
import { isSteering, lookUp, noteAssigned } from "./variables.ts";

const number = /^(0[xX][\da-fA-F]+|\d+(#[\w@]+)?)$/;
const identifier = /^[A-Za-z_]\w*$/;

/** Checks everything that runs inside a node, however deep. */
export function visit(scan: Scan, node: SyntaxNode, seen?: (nested: Nested) => void): void {
  switch (node.type) {
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion": {
      const nested = walkNested(scan, node.script, node);
      if (!nested.readOnly) noteAt(scan, "injection", "substitution", node);
      seen?.(nested);
      return;
    }
    case "ParameterExpansion":
      checkParameter(scan, node);
      return;
    case "ArithmeticExpansion":
      checkExpression(scan, node.expression, node);
      return;
    case "LocaleString":
      noteAt(scan, "injection", "dialect", node);
  }
  forEachChild(node, (child) => visit(scan, child, seen));
}

/** Checks `${…}`: its subscript, its operation and what stands in its operands. */
export function checkParameter(scan: Scan, part: ParameterExpansionPart): void {
  const { index, operation, prefix } = part;
  const all = isEveryElement(part);
  if (index !== undefined && !all) checkArithmeticText(scan, index);
  if (operation !== undefined) checkOperation(scan, part, operation);
  // A substitution to zsh, in which `=( )` runs what stands in it and `(#…)` are flags.
  if (part.parameter === "" || part.text.includes("=(") || part.text.includes("(#")) {
    noteAt(scan, "injection", "zsh", part);
  }
  if (prefix === "!" && !all && operation?.type !== "Names") noteAt(scan, "injection", "indirect", part);
}

/** Tells whether `${name[@]}` or `${name[*]}` is meant. */
export function isEveryElement(part: ParameterExpansionPart): boolean {
  return part.index?.text === "@" || part.index?.text === "*";
}

/** Checks a whole expression; what the parser could not read as one is not run by bash, but by other shells. */
export function checkExpression(scan: Scan, expression: ArithmeticExpression | undefined, place: Place): void {
  if (expression !== undefined) checkArithmetic(scan, expression);
  else if (/[^\s$()[\]]/.test(scan.text.slice(place.pos, place.end))) noteAt(scan, "injection", "arithmetic", place);
}

/** Checks a word that stands where arithmetic is expected: a subscript, an offset, an operand of `-eq`. */
export function checkArithmeticText(scan: Scan, word: Word): void {
  const text = word.text.trim();
  if (word.parts === undefined && /^[\w\s+*-]*$/.test(text)) {
    for (const [name] of text.matchAll(/\b[A-Za-z_]\w*/g)) use(scan, name, word);
    return;
  }
  checkOperand(scan, text, word.parts, word);
}

/** Ends the check: every name that arithmetic evaluated must hold numbers only, as far as the line says. */
export function settleArithmetic(scan: Scan): void {
  for (const { name, start, end } of scan.evaluated) {
    if (scan.others.has(name) || !(scan.numbers.has(name) || lookUp(scan, name)?.digits)) {
      note(scan, "injection", "arithmetic", { start, end });
    }
  }
}

/** Ends the check: the text that a list is declared with is read as the words of a list, and what stands in them runs. */
export function settleDeclared(scan: Scan): void {
  for (const { name, start, end } of scan.declared) {
    if (scan.lists.has(name)) note(scan, "injection", "dynamic-code", { start, end });
  }
}

function checkOperation(scan: Scan, part: ParameterExpansionPart, operation: ParameterOperation): void {
  switch (operation.type) {
    case "Slice":
      checkArithmeticText(scan, operation.offset);
      if (operation.length !== undefined) checkArithmeticText(scan, operation.length);
      return;
    case "Transform":
      if (!/^[QEAaUuLKk]$/.test(operation.operand.text)) noteAt(scan, "injection", "prompt-expansion", part);
      return;
    case "Unknown":
      noteAt(scan, "injection", "zsh", part);
      return;
    case "Default":
      if (operation.operator.endsWith("=")) {
        noteAssigned(scan, part.parameter, undefined);
        if (isSteering(part.parameter)) noteAt(scan, "injection", "shadowing", part, part.parameter);
      }
  }
  forEachChild(operation, (child) => visit(scan, child));
}

function checkArithmetic(scan: Scan, expression: ArithmeticExpression): void {
  switch (expression.type) {
    case "ArithmeticBinary":
      if (/^([-+*/%&|^]|<<|>>)?=$/.test(expression.operator))
        assign(scan, expression.left, expression.operator !== "=");
      else checkArithmetic(scan, expression.left);
      checkArithmetic(scan, expression.right);
      return;
    case "ArithmeticUnary":
      if (expression.operator === "++" || expression.operator === "--") assign(scan, expression.operand, true);
      else checkArithmetic(scan, expression.operand);
      return;
    case "ArithmeticTernary":
      checkArithmetic(scan, expression.test);
      checkArithmetic(scan, expression.consequent);
      checkArithmetic(scan, expression.alternate);
      return;
    case "ArithmeticGroup":
      checkArithmetic(scan, expression.expression);
      return;
    case "ArithmeticCommandExpansion":
      visit(scan, expression, (nested) => {
        if (!nested.digits) noteAt(scan, "injection", "arithmetic", expression);
      });
      return;
    default:
      checkOperand(scan, expression.value, expression.parts, expression);
  }
}

function assign(scan: Scan, target: ArithmeticExpression, reads: boolean): void {
  if (target.type !== "ArithmeticWord" || !identifier.test(target.value)) {
    checkArithmetic(scan, target);
    return;
  }
  noteAssigned(scan, target.value, { digits: true });
  if (isSteering(target.value)) noteAt(scan, "injection", "shadowing", target, target.value);
  if (reads) use(scan, target.value, target);
}

function use(scan: Scan, name: string, place: Place): void {
  if (!/\w/.test(name)) return;
  scan.evaluated = append(scan.evaluated, { name, start: startOf(scan, place), end: endOf(scan, place) });
}

function checkOperand(scan: Scan, text: string, parts: readonly WordPart[] | undefined, place: Place): void {
  if (number.test(text)) return;
  const name = /^\$?([A-Za-z_]\w*|[?#$!])$/.exec(text)?.[1] ?? /^\$\{([A-Za-z_]\w*)\}$/.exec(text)?.[1];
  if (name !== undefined) {
    use(scan, name, place);
    return;
  }
  let safe = parts !== undefined;
  for (const part of parts ?? []) {
    visit(scan, part, (nested) => {
      safe &&= nested.digits;
    });
    safe &&= isNumeric(scan, part);
  }
  if (!safe) noteAt(scan, "injection", "arithmetic", place);
}

/** Tells whether a part can only bring digits or a name that is noted; nested scripts are judged by the caller. */
function isNumeric(scan: Scan, part: WordPart): boolean {
  switch (part.type) {
    case "Literal":
      return number.test(part.value);
    case "DoubleQuoted":
      return part.parts.every((inner) => isNumeric(scan, inner));
    case "SimpleExpansion":
      use(scan, part.text.slice(1), part);
      return part.text !== "$@" && part.text !== "$*" && !/^\$\d/.test(part.text);
    case "ParameterExpansion":
      if (part.prefix === "#") return true;
      use(scan, part.parameter, part);
      return part.prefix === undefined && part.index === undefined && part.operation === undefined;
    default:
      return part.type === "CommandExpansion" || part.type === "ArithmeticExpansion";
  }
}
