/**
 * Makes output arrive while a script runs: just-bash itself hands it over at the end, and loses it at a deadline.
 *
 * Each simple command whose output would reach the script's own streams gets `>>` redirections to two hidden devices,
 * before its own redirections, so these still win. Commands in functions, substitutions, and pipelines that somebody
 * reads are left alone; so are compounds whose output is redirected.
 *
 * From the first statement on that may redirect the script's streams for good (`exec >file`), nothing is done: a hidden
 * redirection would win over the `exec`. Output of these statements arrives at the end.
 */

import { isSimpleCommand, literalOf, literalWord, visit, type Command, type Pipeline, type Redirection, type SimpleCommand, type Statement } from "./syntax.ts";

/** Paths of the two hidden devices. */
export interface LivePaths {
  stdout: string;
  stderr: string;
}

/** What may be done to each simple command that runs in the shell itself, not in a subshell. */
export type Rewrite = (command: SimpleCommand) => Command | undefined;

/** Tells whether a tree may redirect the shell's own streams for good, or cannot be read well enough to tell. */
export function mayRedirectForGood(tree: unknown): boolean {
  let found = false;
  visit(tree, (node) => {
    if (!isSimpleCommand(node) || node.name === null) return;
    const name = literalOf(node.name);
    found ||= name === undefined || redirects.has(name);
    if (name === "command" || name === "builtin") found ||= node.args.some((word) => redirects.has(literalOf(word) ?? "exec"));
  });
  return found;
}

/** `exec` itself, and what runs text that is not part of the tree. */
const redirects: ReadonlySet<string> = new Set(["exec", "eval", "source", "."]);

const inputs: ReadonlySet<string> = new Set(["<", "<<", "<<-", "<<<"]);

/** These leave the place they stand in; a redirection would not change that, but cannot be undone either. */
const leaving: ReadonlySet<string> = new Set(["exit", "return", "break", "continue"]);

/**
 * Rewrites statements.
 *
 * @param statements The statements; they are not changed.
 * @param live Where output goes; undefined leaves it alone.
 * @param rewrite Replaces simple commands of the shell itself.
 */
export function rewriteStatements(statements: readonly Statement[], live: LivePaths | undefined, rewrite: Rewrite): Statement[] {
  const statement = (one: Statement, own: boolean): Statement => ({
    ...one,
    pipelines: one.pipelines.map((pipeline) => rewritePipeline(pipeline, own && !one.background)),
  });
  const all = (list: Statement[], own: boolean): Statement[] => list.map((one) => statement(one, own));

  const rewritePipeline = (pipeline: Pipeline, own: boolean): Pipeline => {
    const last = pipeline.commands.length - 1;
    const alone = last === 0;
    const commands = pipeline.commands.map((command, index) => {
      const streams = { stdout: index === last, stderr: !(pipeline.pipeStderr?.[index] ?? false) };
      return command.type === "SimpleCommand" ? simple(command, streams, own && alone) : index === last ? compound(command, own && alone) : command;
    });
    return { ...pipeline, commands };
  };

  const simple = (command: SimpleCommand, streams: { stdout: boolean; stderr: boolean }, own: boolean): Command => {
    const replaced = own ? rewrite(command) : undefined;
    if (replaced !== undefined) return replaced;
    if (live === undefined || command.name === null || leaving.has(literalOf(command.name) ?? "")) return command;
    const added = [...(streams.stdout ? [appendTo(1, live.stdout)] : []), ...(streams.stderr ? [appendTo(2, live.stderr)] : [])];
    return { ...command, redirections: [...added, ...command.redirections] };
  };

  const compound = (command: Exclude<Command, SimpleCommand>, own: boolean): Command => {
    if (!command.redirections.every(({ operator }) => inputs.has(operator))) return command;
    switch (command.type) {
      case "Group":
      case "For":
      case "CStyleFor":
        return { ...command, body: all(command.body, own) };
      case "Subshell":
        return { ...command, body: all(command.body, false) };
      case "While":
      case "Until":
        return { ...command, condition: all(command.condition, own), body: all(command.body, own) };
      case "If":
        return {
          ...command,
          clauses: command.clauses.map(({ condition, body }) => ({ condition: all(condition, own), body: all(body, own) })),
          elseBody: command.elseBody && all(command.elseBody, own),
        };
      case "Case":
        return { ...command, items: command.items.map((item) => ({ ...item, body: all(item.body, own) })) };
      default:
        return command;
    }
  };

  return statements.map((one) => statement(one, true));
}

function appendTo(fd: number, path: string): Redirection {
  return { type: "Redirection", fd, operator: ">>", target: literalWord(path) };
}
