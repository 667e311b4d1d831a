/** Puts a command line between the statements that restore its session and those that read it off. */

import type { Bash } from "just-bash/browser";
import { type LivePaths, mayRedirectForGood, type Rewrite, rewriteStatements } from "./live-output.ts";
import { type HiddenNames, readingSource, restoringSource, returningSource } from "./session-script.ts";
import type { SessionState } from "./session-state.ts";
import {
  isSimpleCommand,
  literalOf,
  type Script,
  type SimpleCommand,
  type Statement,
  statementOf,
  visit,
} from "./syntax.ts";

/** Makes the script that is run from the one that was given. */
export type InSession = (script: Script) => Script;

/**
 * Prepares the statements around a script.
 *
 * @param bash A shell without plugins, whose parser is used.
 * @param state The session.
 * @param cwd Where the script starts.
 * @param names The hidden names the statements use.
 * @param live The hidden devices that take output while the script runs.
 */
export function putInSession(
  bash: Bash,
  state: SessionState,
  cwd: string,
  names: HiddenNames,
  live: LivePaths,
): InSession {
  const functions = Object.values(state.functions);
  const restoring = [...parse(bash, restoringSource(state)), ...functions.map((definition) => statementOf(definition))];
  const reading = parse(bash, readingSource(names));
  const rewrite: Rewrite = (command) => {
    if (literalOf(command.name) !== "exit" || command.args.length > 1 || command.assignments.length > 0)
      return undefined;
    const leave = statementOf({ ...command, args: [] });
    return { type: "Group", body: [...withExitCode(reading, command), leave], redirections: [] };
  };
  return (script) => {
    const first = mayRedirectForGood(functions) ? 0 : script.statements.findIndex(mayRedirectForGood);
    const lively = first === -1 ? script.statements : script.statements.slice(0, first);
    const silent = script.statements.slice(lively.length);
    const statements = [...rewriteStatements(lively, live, rewrite), ...rewriteStatements(silent, undefined, rewrite)];
    const returning = goesBack(script) || goesBack(functions) ? parse(bash, returningSource({ ...state, cwd })) : [];
    return { ...script, statements: [...returning, ...restoring, ...statements, ...reading] };
  };
}

/** Tells whether a tree has a `cd -`. */
function goesBack(tree: unknown): boolean {
  let found = false;
  visit(tree, (node) => {
    found ||=
      isSimpleCommand(node) && literalOf(node.name) === "cd" && node.args.some((word) => literalOf(word) === "-");
  });
  return found;
}

/** Hands the argument of `exit` to the first of the reading statements, which makes it the exit code. */
function withExitCode(reading: readonly Statement[], exit: SimpleCommand): Statement[] {
  return reading.map((statement, index) => {
    const command = statement.pipelines[0]?.commands[0];
    if (index > 0 || command?.type !== "SimpleCommand") return statement;
    return statementOf({ ...command, args: [...command.args, ...exit.args] });
  });
}

function parse(bash: Bash, source: string): Statement[] {
  try {
    // Without their source text `set -v` does not show them.
    return source === ""
      ? []
      : bash.transform(source).ast.statements.map(({ sourceText: _, ...statement }) => statement);
  } catch {
    // A session that cannot be put back must not make every further command fail.
    return [];
  }
}
