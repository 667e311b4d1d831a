/** The parts of just-bash's syntax tree that are looked at. */

import type { Bash } from "just-bash/browser";

/** A whole command line. */
export type Script = ReturnType<Bash["transform"]>["ast"];
/** Pipelines joined by `&&` and `||`. */
export type Statement = Script["statements"][number];
/** Commands joined by `|`. */
export type Pipeline = Statement["pipelines"][number];
/** A simple or compound command, or the definition of a function. */
export type Command = Pipeline["commands"][number];
/** A name with arguments. */
export type SimpleCommand = Extract<Command, { type: "SimpleCommand" }>;
/** The definition of a function. */
export type FunctionDefinition = Extract<Command, { type: "FunctionDef" }>;
/** Quoted and unquoted pieces that make one word. */
export type Word = SimpleCommand["args"][number];
/** One `>`, `<` or the like. */
export type Redirection = SimpleCommand["redirections"][number];

/** Makes a word of plain text. */
export function literalWord(value: string): Word {
  return { type: "Word", parts: [{ type: "Literal", value }] };
}

/** Reads a word that is plain, unquoted text; undefined for every other. */
export function literalOf(word: Word | null): string | undefined {
  const [part, ...more] = word?.parts ?? [];
  if (more.length > 0) return undefined;
  // The command `[` is parsed as a glob.
  if (part?.type === "Glob" && part.pattern === "[") return "[";
  return part?.type === "Literal" ? part.value : undefined;
}

/** Makes a statement of one command. */
export function statementOf(command: Command): Statement {
  return {
    type: "Statement",
    operators: [],
    background: false,
    pipelines: [{ type: "Pipeline", negated: false, commands: [command] }],
  };
}

/** Meets every node of a tree, parents first. */
export function visit(node: unknown, meet: (node: object & { type?: unknown }) => void): void {
  if (Array.isArray(node)) {
    for (const item of node) visit(item, meet);
  } else if (typeof node === "object" && node !== null) {
    meet(node);
    for (const value of Object.values(node)) visit(value, meet);
  }
}

/** Tells whether a node is a simple command. */
export function isSimpleCommand(node: object & { type?: unknown }): node is SimpleCommand {
  return node.type === "SimpleCommand" && "name" in node && "args" in node;
}

/** Tells whether a node is the definition of a function. */
export function isFunctionDefinition(node: object & { type?: unknown }): node is FunctionDefinition {
  return node.type === "FunctionDef" && "name" in node && "body" in node;
}
