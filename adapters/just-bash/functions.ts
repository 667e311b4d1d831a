/** Finds the functions that a command line defines, so that a session can define them again. */

import { type FunctionDefinition, isFunctionDefinition, type Script, visit } from "./syntax.ts";

/**
 * Collects definitions by name; of several at the top level the last one counts.
 *
 * A name that is defined more than once within branches is left out: the tree does not tell which branch was taken.
 */
export function collectFunctions(script: Script): Map<string, FunctionDefinition> {
  const found = new Map<string, FunctionDefinition>();
  const unclear = new Set<string>();
  for (const statement of script.statements) {
    const [pipeline, ...others] = statement.pipelines;
    const command = pipeline?.commands[0];
    if (command?.type === "FunctionDef" && others.length === 0 && pipeline?.commands.length === 1) {
      found.set(command.name, command);
      unclear.delete(command.name);
      continue;
    }
    visit(statement, (node) => {
      if (!isFunctionDefinition(node)) return;
      if (found.has(node.name)) unclear.add(node.name);
      found.set(node.name, node);
    });
  }
  for (const name of unclear) found.delete(name);
  return found;
}
