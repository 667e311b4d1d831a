/** `[[ … ]]` and `(( … ))`: what they evaluate, and how another shell would read them. */

import type { ArithmeticCommand, TestExpression, Word } from "unbash";
import { checkArithmeticText, checkExpression, visit } from "../read/evaluate.ts";
import { readSingle } from "../read/word.ts";
import { noteAt } from "../scan.ts";
import type { Scan } from "../state.ts";

/** Reads a test. */
export function walkTest(scan: Scan, test: TestExpression): void {
  switch (test.type) {
    case "TestUnary":
      if (/^-[vR]$/.test(test.operator)) checkName(scan, test.operand);
      readSingle(scan, test.operand);
      return;
    case "TestBinary":
      walkBinary(scan, test.operator, test.left, test.right);
      return;
    case "TestLogical":
      test.operands.forEach((operand, index) => {
        if (index > 0) checkPortable(scan, operand);
        walkTest(scan, operand);
      });
      return;
    case "TestNot":
      walkTest(scan, test.operand);
      return;
    case "TestGroup":
      walkTest(scan, test.expression);
  }
}

/** Reads an arithmetic command; to a POSIX `sh` it is two subshells, and the first word in it a command. */
export function walkArithmeticCommand(scan: Scan, node: ArithmeticCommand): void {
  checkExpression(scan, node.expression, node);
  if (scan.settings.dialect === "bash") return;
  if (!/^\s*\w+\s*(\+\+|--|[-+*%]?=\s*\d+)\s*$/.test(node.body)) noteAt(scan, "injection", "dialect", node);
}

function walkBinary(scan: Scan, operator: string, left: Word, right: Word): void {
  if (/^-(eq|ne|lt|le|gt|ge)$/.test(operator)) {
    for (const operand of [left, right]) if (!/^-?\d+$/.test(operand.text)) checkArithmeticText(scan, operand);
    return;
  }
  const isRegex = operator === "=~";
  // A redirection or a pipe to a shell that does not know `[[`.
  const elsewhere = operator === ">" || (isRegex && /^[^("'[]*[|&;<>]/.test(right.text));
  if (elsewhere && scan.settings.dialect !== "bash") noteAt(scan, "injection", "dialect", right);
  readSingle(scan, left);
  // In patterns nothing is a file name, and extended globs are always on.
  for (const part of right.parts ?? []) visit(scan, part);
}

/** To a POSIX `sh`, what stands behind `&&` or `||` is a command; only an operator in front makes it harmless. */
function checkPortable(scan: Scan, test: TestExpression): void {
  if (scan.settings.dialect === "bash") return;
  if (test.type === "TestGroup" || test.type === "TestLogical" || test.type === "TestNot") return;
  const word = test.type === "TestUnary" ? undefined : test.left;
  const start = scan.text.slice(test.pos, test.pos + 1);
  if (word !== undefined || start !== "-") noteAt(scan, "injection", "dialect", test);
}

function checkName(scan: Scan, word: Word): void {
  const text = word.parts === undefined ? word.value : undefined;
  if (text === undefined || !/^\w+(\[(\d+|@|\*)\])?$/.test(text)) noteAt(scan, "injection", "hidden-subscript", word);
}
