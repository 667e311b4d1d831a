/** Walks scripts: lists, pipelines, loops, conditions, groups and functions, part by part. */

import {
  type AndOr,
  type Case,
  type CommandNode,
  type CompoundList,
  type Function as FunctionNode,
  type ParsedScript,
  type Pipeline,
  type PipelineNode,
  parse,
  type Statement,
} from "unbash";
import { addReason } from "../command/call.ts";
import { MAX_COMMAND_DEPTH } from "../findings.ts";
import { checkExpression } from "../read/evaluate.ts";
import { isPlain } from "../read/plain.ts";
import { checkWord, readSingle } from "../read/word.ts";
import {
  addName,
  endOf,
  forgetFolders,
  forgetVariables,
  isolate,
  mergeFolders,
  note,
  noteAt,
  perhaps,
  startOf,
} from "../scan.ts";
import type { Scan, Value } from "../state.ts";
import { walkArithmeticCommand, walkTest } from "./condition.ts";
import { walkLoopWords } from "./loop.ts";
import { walkGroupRedirects, walkPlain, walkSimple } from "./simple-command.ts";

/** Reads text as a script of its own; positions map as the scan says. */
export function walkText(scan: Scan, text: string): void {
  const before = scan.text;
  scan.text = text;
  if (scan.depth < MAX_COMMAND_DEPTH && isPlain(text)) walkAlone(scan, text);
  else walkParsed(scan, text);
  scan.text = before;
}

/** Reads the text of the scan with the parser. */
export function walkParsed(scan: Scan, text: string): void {
  walkScript(scan, parse(text));
}

/** Reads a text that is one simple command of plain words, as half of what people type is. */
export function walkAlone(scan: Scan, text: string): void {
  const { folders } = scan;
  scan.depth += 1;
  walkPlain(scan, text);
  scan.depth -= 1;
  if (scan.folders !== folders) scan.folders = mergeFolders(folders, scan.folders);
}

/** Reads a parsed script. */
export function walkScript(scan: Scan, script: ParsedScript): void {
  if (script.errors !== undefined) {
    for (const { pos, message } of script.errors) {
      noteAt(scan, "errors", "syntax", { pos, end: Math.min(pos + 1, scan.text.length) }, message);
    }
  }
  scan.depth += 1;
  if (scan.depth > MAX_COMMAND_DEPTH) note(scan, "errors", "too-complex", { start: 0, end: scan.root.length });
  else for (const statement of script.commands) walkStatement(scan, statement, script.commands);
  scan.depth -= 1;
}

function walkStatement(scan: Scan, statement: Statement, list: readonly Statement[]): void {
  const { command } = statement;
  if (statement.background) leave(scan, () => walkPart(scan, command), isWaitedFor(statement, list));
  else if (command.type === "AndOr") walkAndOr(scan, command);
  else {
    const { folders } = scan;
    walkPart(scan, command);
    // A `cd` that fails does not keep the next line from running.
    if (scan.folders !== folders) scan.folders = mergeFolders(folders, scan.folders);
  }
}

function walkPart(scan: Scan, node: PipelineNode | AndOr): void {
  switch (node.type) {
    case "AndOr":
      walkAndOr(scan, node);
      return;
    case "Pipeline":
      walkPipeline(scan, node);
      return;
    default:
      walkCommand(scan, node);
  }
}

function walkAndOr(scan: Scan, node: AndOr): void {
  const { folders, input } = scan;
  let known: Map<string, Value> | undefined;
  let index = 0;
  for (const command of node.commands) {
    scan.input = input;
    walkPart(scan, command);
    if (node.operators[index] === "||") scan.folders = mergeFolders(folders, scan.folders);
    // What the first command assigns is certain; what follows may never run.
    if (index === 0) {
      if (scan.variables.size > 0) known = new Map(scan.variables);
      scan.uncertain += 1;
    }
    index += 1;
  }
  scan.uncertain -= 1;
  if (scan.folders !== folders) scan.folders = mergeFolders(folders, scan.folders);
  if (scan.variables.size > 0) {
    for (const [name, value] of scan.variables) if (known?.get(name) !== value) scan.variables.delete(name);
  }
}

function walkPipeline(scan: Scan, node: Pipeline): void {
  const { input, output } = scan;
  if (node.commands.length === 1) {
    for (const command of node.commands) walkCommand(scan, command);
    return;
  }
  for (let index = 0; index < node.commands.length; index += 1) {
    const command = node.commands[index];
    if (command === undefined) break;
    if (index > 0) scan.input = { names: scan.output.names, text: undefined, connected: true };
    scan.output = { names: true, digits: true };
    isolate(scan, () => walkCommand(scan, command));
  }
  scan.output = { names: output.names && scan.output.names, digits: output.digits && scan.output.digits };
  scan.input = input;
}

function walkList(scan: Scan, list: CompoundList): void {
  const { input } = scan;
  scan.depth += 1;
  if (scan.depth > MAX_COMMAND_DEPTH) note(scan, "errors", "too-complex", { start: 0, end: scan.root.length });
  else {
    for (const statement of list.commands) {
      scan.input = input;
      walkStatement(scan, statement, list.commands);
    }
  }
  scan.depth -= 1;
}

function walkCommand(scan: Scan, node: CommandNode): void {
  switch (node.type) {
    case "Command":
      walkSimple(scan, node);
      return;
    case "Redirected": {
      const { input, output } = scan;
      walkGroupRedirects(scan, node.redirects);
      walkCommand(scan, node.command);
      scan.input = input;
      if (scan.output !== output && !output.names) scan.output.names = false;
      return;
    }
    case "Subshell":
      isolate(scan, () => walkList(scan, node.body));
      return;
    case "BraceGroup":
      walkList(scan, node.body);
      return;
    case "If":
      walkList(scan, node.clause);
      perhaps(scan, () => walkList(scan, node.then));
      for (const branch of node.elif) {
        perhaps(scan, () => {
          walkList(scan, branch.clause);
          walkList(scan, branch.then);
        });
      }
      if (node.else !== undefined) perhaps(scan, () => node.else !== undefined && walkList(scan, node.else));
      return;
    case "While":
      perhaps(scan, () => {
        walkList(scan, node.clause);
        walkList(scan, node.body);
      });
      return;
    case "For":
    case "Select":
      perhaps(scan, () => {
        walkLoopWords(scan, node);
        walkList(scan, node.body);
      });
      return;
    case "ArithmeticFor":
      for (const part of [node.initialize, node.test, node.update]) checkExpression(scan, part, { pos: 0, end: 0 });
      perhaps(scan, () => walkList(scan, node.body));
      return;
    case "Case":
      walkCase(scan, node);
      return;
    case "TestCommand":
      walkTest(scan, node.expression);
      return;
    case "ArithmeticCommand":
      walkArithmeticCommand(scan, node);
      return;
    case "Function":
      walkFunction(scan, node);
      return;
    case "Coproc":
      leave(scan, () => {
        if (node.body.type === "CompoundList") walkList(scan, node.body);
        else walkCommand(scan, node.body);
      });
  }
}

/** Reads a part that runs beside the line; unless it is waited for, it may go on when the line has ended. */
function leave(scan: Scan, read: () => void, isWaited = false): void {
  const first = scan.result.units.length;
  isolate(scan, read);
  const unit = scan.result.units[first];
  if (!isWaited && unit !== undefined) addReason(scan, unit, "background", unit, "");
}

function isWaitedFor(statement: Statement, list: readonly Statement[]): boolean {
  for (let index = list.length - 1; list[index] !== statement && index >= 0; index -= 1) {
    const command = list[index]?.command;
    if (command?.type === "Command" && command.name?.text === "wait" && command.suffix.length === 0) return true;
  }
  return false;
}

function walkCase(scan: Scan, node: Case): void {
  checkWord(scan, node.word);
  readSingle(scan, node.word);
  for (const item of node.items) {
    for (const pattern of item.pattern) {
      checkWord(scan, pattern);
      readSingle(scan, pattern);
    }
    perhaps(scan, () => walkList(scan, item.body));
  }
}

/** Reads the body where it is defined; what is known of variables and folders may be different when it is called. */
function walkFunction(scan: Scan, node: FunctionNode): void {
  const name = readSingle(scan, node.name).text ?? "";
  const at = { start: startOf(scan, node.name), end: endOf(scan, node.name) };
  if (/^(command_not_found_handle|)$/.test(name)) note(scan, "injection", "shadowing", at, name);
  if (scan.uncertain === 0) scan.functions = addName(scan.functions, name);
  const { output, openFunction, variables } = scan;
  scan.openFunction = name;
  forgetVariables(scan);
  isolate(scan, () => {
    forgetFolders(scan);
    if (node.body.type === "CompoundList") walkList(scan, node.body);
    else walkCommand(scan, node.body);
  });
  scan.variables = variables;
  scan.openFunction = openFunction;
  scan.output = output;
}
