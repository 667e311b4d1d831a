/** Builtins of the shell: what they do to the rest of the line. */

import { normalizePath } from "../path/normalize.ts";
import { expandTilde } from "../path/use.ts";
import { knownArgument, mayBeOption, textsOf } from "../read/argument.ts";
import { isHarmlessVariable, isSteering, noteAssigned } from "../read/variables.ts";
import { addName, append } from "../scan.ts";
import type { Argument, Call } from "../state.ts";
import { demandSpelling, refuse, refuseHazard, takePath, warn } from "./call.ts";
import { nameOption, print, readInput } from "./named-values.ts";
import { nestText } from "./nested-text.ts";

/** Judges a builtin. */
export type Handler = (call: Call) => void;

/** Builtins that need more than a grammar. */
export const builtins: Readonly<Record<string, Handler>> = {
  cd: changeFolder,
  pushd: changeFolder,
  popd: (call) => {
    call.scan.folders = [];
  },
  read: readInput,
  mapfile: readInput,
  readarray: readInput,
  printf: print,
  test,
  "[": test,
  export: declare,
  declare,
  typeset: declare,
  local: declare,
  readonly: declare,
  unset,
  set,
  let: evaluateArithmetic,
  getopts: nameOption,
  eval: (call) => nestText(call, call.args, "keep"),
  trap,
  source,
  ".": source,
  exit: ignore,
  return: ignore,
  break: ignore,
  continue: ignore,
  shift: ignore,
  wait: (call) => {
    const names = (argument: Argument): boolean =>
      argument.text === undefined ? mayBeOption(argument) : /^-\w*p/.test(argument.text);
    if (call.args.some(names)) refuse(call, "shell-state");
  },
  alias: shadow,
  unalias: shadow,
  enable: shadow,
  hash: (call) => (call.args[0]?.text === "-r" && call.args.length === 1 ? undefined : shadow(call)),
};

function ignore(): void {}

function shadow(call: Call): void {
  refuse(call, "shell-state");
  warn(call, "injection", "shadowing");
}

function changeFolder(call: Call): void {
  const { scan } = call;
  const operands = call.args.filter((argument) => !/^-[PLe@]*$/.test(argument.text ?? "") || argument.text === "-");
  const [target] = operands;
  if (operands.length > 1) refuse(call, "operand", operands[1]);
  const texts = target === undefined ? [scan.settings.home] : textsOf(target);
  const home = knownArgument("~", call.unit.start, call.unit.end, false);
  takePath(call, target ?? home, "enter");
  if (texts === undefined || texts.length !== 1 || texts[0] === "-" || /^[-+]\d/.test(texts[0] ?? ""))
    scan.folders = [];
  else {
    const path = target?.tilde ? expandTilde(scan, texts[0] ?? "") : (texts[0] ?? "");
    scan.folders = path.startsWith("/")
      ? [normalizePath(path, "/")]
      : scan.folders.map((folder) => normalizePath(path, folder));
  }
}

/** `test` evaluates subscripts behind `-v`, which must not come out of a variable either. */
function test(call: Call): void {
  call.args.forEach((argument, index) => {
    const { text } = argument;
    const next = call.args[index + 1];
    if (text === undefined && argument.many && mayBeOption(argument)) refuse(call, "dynamic-option", argument);
    if (text === "-v" || text === "-R") {
      if (next?.text === undefined || !/^\w+(\[\d+\])?$/.test(next.text)) {
        if (next !== undefined && next.text !== "]") warn(call, "injection", "hidden-subscript", next);
      }
    } else if (text === undefined && mayBeOption(argument) && next !== undefined) {
      const isLast = next.text === "]" && index + 2 === call.args.length;
      if (!isLast && (next.text === undefined || next.text.includes("["))) refuse(call, "dynamic-option", argument);
    }
  });
}

function declare(call: Call): void {
  const { name, args } = call;
  let exported = name === "export";
  let isList = false;
  const operands = args.filter((argument) => {
    const text = argument.text ?? argument.prefix;
    if (!/^[-+]/.test(text) || text === "--") return text !== "--";
    exported ||= /^-\w*x/.test(text);
    isList ||= /^-\w*[aA]/.test(text);
    if (!/^-[xrgluaAp]+$/.test(argument.text ?? "")) refuse(call, "shell-state", argument);
    return false;
  });
  if (operands.length === 0) warn(call, "dangers", "secret");
  for (const operand of operands) {
    noteDeclared(call, operand, isList);
    declareOne(call, operand, exported);
  }
}

/** Notes that a name is a list, and that its value may be text that is read as one: `declare -a 'x=($(command))'`. */
function noteDeclared({ scan }: Call, { text, prefix, start, end }: Argument, isList: boolean): void {
  const [, name, sign, value = ""] = /^([A-Za-z_]\w*)(\+?=)?(.*)$/s.exec(text ?? prefix) ?? [];
  if (name === undefined) return;
  // The parser has read a list that stands there itself; it is shown as nothing but its parenthesis.
  const isRead = text !== undefined && value === "(";
  if (isList || isRead || knownLists.test(name)) scan.lists = addName(scan.lists, name);
  if (sign === undefined || isRead || !/^(\s|\(|$)/.test(value)) return;
  if (text === undefined || value !== "") scan.declared = append(scan.declared, { name, start, end });
}

/** Lists that every bash has. */
const knownLists = /^(DIRSTACK|FUNCNAME|GROUPS|PIPESTATUS|MAPFILE|COPROC)$/;

function declareOne(call: Call, operand: Argument, exported: boolean): void {
  const [, variable, rest] = /^([A-Za-z_]\w*)(\+?=.*)?$/s.exec(operand.text ?? operand.prefix) ?? [];
  const isList = rest?.startsWith("=(");
  if (variable === undefined || operand.many) {
    refuse(call, "shell-state", operand);
    warn(call, "injection", "hidden-subscript", operand);
    return;
  }
  const value = operand.text === undefined || rest === undefined ? undefined : rest.replace(/^\+?=/, "");
  const known =
    value === undefined || isList || rest?.startsWith("+") ? undefined : { texts: [value], tilde: operand.tilde };
  noteAssigned(call.scan, variable, known);
  const harmless = exported ? isHarmlessVariable(variable, value) : !isSteering(variable);
  if (harmless) return;
  refuse(call, "environment", operand, variable);
  demandSpelling(call, Number.POSITIVE_INFINITY);
}

function unset(call: Call): void {
  for (const argument of call.args) {
    if (argument.text === "-v") continue;
    if (argument.text === undefined || !/^[A-Za-z_]\w*$/.test(argument.text)) refuse(call, "shell-state", argument);
    else if (isSteering(argument.text)) refuse(call, "environment", argument);
    else noteAssigned(call.scan, argument.text, undefined);
  }
}

function set(call: Call): void {
  if (call.args.length === 0) warn(call, "dangers", "secret");
  const options = /^[-+]([euxvfnCETB]*o?|-)$/;
  const named = /^(errexit|nounset|pipefail|xtrace|verbose|noglob|noclobber|noexec|errtrace|functrace|posix)$/;
  for (let index = 0; index < call.args.length; index += 1) {
    const text = call.args[index]?.text ?? "";
    if (text === "--") return;
    if (!options.test(text)) {
      refuse(call, "shell-state", call.args[index]);
      return;
    }
    if (!text.endsWith("o")) continue;
    index += 1;
    const next = call.args[index];
    if (next !== undefined && !named.test(next.text ?? "")) refuse(call, "shell-state", next);
  }
}

function evaluateArithmetic(call: Call): void {
  const { scan } = call;
  for (const argument of call.args) {
    const simple = /^([A-Za-z_]\w*)(\+\+|--|[-+*%]?=\d+)$/.exec(argument.text ?? "");
    if (simple?.[1] === undefined) warn(call, "injection", "arithmetic", argument);
    else {
      noteAssigned(scan, simple[1], { digits: true });
      scan.evaluated = append(scan.evaluated, { name: simple[1], start: argument.start, end: argument.end });
      if (isSteering(simple[1])) warn(call, "injection", "shadowing", argument);
    }
  }
}

function trap(call: Call): void {
  const [action] = call.args;
  if (action === undefined || action.text === "" || action.text === "-" || /^-[lp]/.test(action.text ?? "")) return;
  nestText(call, [action], "keep");
}

function source(call: Call): void {
  const [file] = call.args;
  refuseHazard(call, "runs-code", 0);
  if (file === undefined) return;
  takePath(call, file, "read");
  if (file.text === undefined) warn(call, "injection", "dynamic-code", file);
  else if (/^\/(dev|proc)\//.test(file.text)) warn(call, "injection", "input-code", file);
}
