/** What two parsers make of a line, written alike: every simple command with what is known of its words. */

import { parse as parseJustBash } from "just-bash";
import { type Assignment, forEachChild, parse, type SyntaxNode, type Word, type WordPart } from "unbash";

/** A reading: one text per simple command, sorted; undefined where the parser refuses the line. */
export type Reading = readonly string[] | undefined;

const unknown = "\u2026";

/** Reads with the parser that the analysis uses. */
export function readWithUnbash(line: string): Reading {
  const commands: string[] = [];
  let failed = false;
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Script" && (node.errors?.length ?? 0) > 0) failed = true;
    if (node.type === "Command" && (node.name !== undefined || node.redirects.length > 0)) {
      const words = [node.name, ...node.args].map((word) => toText(word));
      const redirects = node.redirects.map((redirect) => redirect.operator);
      commands.push([...words.filter((word) => word !== ""), ...redirects].join(" "));
    }
    forEachChild(node, visit);
  };
  visit(parse(line));
  return failed ? undefined : commands.sort();
}

/** Reads with the parser that the shell in the browser uses. */
export function readWithJustBash(line: string): Reading {
  const commands: string[] = [];
  try {
    collect(parseJustBash(line), commands);
  } catch {
    return undefined;
  }
  return commands.sort();
}

function toText(word: Word | Assignment | undefined): string {
  if (word === undefined) return "";
  if (word.type === "Word") return wordText(word.value, word.parts);
  return word.value.type === "Word" ? `${word.name}=${wordText(word.value.value, word.value.parts)}` : unknown;
}

function wordText(value: string, parts: readonly WordPart[] | undefined): string {
  return (parts ?? []).every(isKnown) ? value : unknown;
}

function isKnown(part: WordPart): boolean {
  if (part.type === "DoubleQuoted") return part.parts.every((inner) => inner.type === "Literal");
  return /^(Literal|Glob|SingleQuoted|AnsiCQuoted)$/.test(part.type);
}

interface Node {
  type?: string;
  [field: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}

function collect(node: unknown, commands: string[]): void {
  if (Array.isArray(node)) {
    for (const one of node) collect(one, commands);
    return;
  }
  if (!isNode(node)) return;
  if (node.type === "SimpleCommand") {
    const { name, args, redirections } = node;
    const words = [name, ...(Array.isArray(args) ? args : [])].map((word) => (isNode(word) ? justBashText(word) : ""));
    const operators = Array.isArray(redirections) ? redirections.map((one: Node) => one.operator) : [];
    const text = [...words.filter((word) => word !== ""), ...operators].join(" ");
    if (text !== "") commands.push(text);
  }
  if (node.type === "Statement" && node.deferredError !== undefined) throw new Error("a deferred error");
  for (const value of Object.values(node)) collect(value, commands);
}

function justBashText({ parts }: Node): string {
  let text = "";
  for (const part of Array.isArray(parts) ? (parts as Node[]) : []) {
    if (part.type === "DoubleQuoted") {
      const inner = justBashText(part);
      if (inner === unknown) return unknown;
      text += inner;
    } else if (/^(Literal|SingleQuoted|Escaped)$/.test(part.type ?? "")) text += String(part.value);
    else if (part.type === "Glob") text += String(part.pattern);
    else if (part.type === "TildeExpansion") text += `~${typeof part.user === "string" ? part.user : ""}`;
    else return unknown;
  }
  return text;
}
