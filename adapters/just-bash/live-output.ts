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

import {
  type Command,
  isSimpleCommand,
  literalOf,
  literalWord,
  type Pipeline,
  type Redirection,
  type SimpleCommand,
  type Statement,
  visit,
} from "./syntax.ts";

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
    if (name === "command" || name === "builtin")
      found ||= node.args.some((word) => redirects.has(literalOf(word) ?? "exec"));
  });
  return found;
}

/** `exec` itself, and what runs text that is not part of the tree. */
const redirects: ReadonlySet<string> = new Set(["exec", "eval", "source", "."]);

const inputs: ReadonlySet<string> = new Set(["<", "<<", "<<-", "<<<"]);

/** These leave the place they stand in; a redirection would not change that, but cannot be undone either. */
const leaving: ReadonlySet<string> = new Set(["exit", "return", "break", "continue"]);

/** What is done to the statements of one script. */
interface Plan {
  /** Where output goes; undefined leaves it alone. */
  live: LivePaths | undefined;
  rewrite: Rewrite;
}

/**
 * Rewrites statements.
 *
 * @param statements The statements; they are not changed.
 * @param live Where output goes; undefined leaves it alone.
 * @param rewrite Replaces simple commands of the shell itself.
 */
export function rewriteStatements(
  statements: readonly Statement[],
  live: LivePaths | undefined,
  rewrite: Rewrite,
): Statement[] {
  return rewriteList(statements, true, { live, rewrite });
}

/** Rewrites a list; `own` tells whether it runs in the shell itself. */
function rewriteList(statements: readonly Statement[], own: boolean, plan: Plan): Statement[] {
  return statements.map((statement) => ({
    ...statement,
    pipelines: statement.pipelines.map((pipeline) => rewritePipeline(pipeline, own && !statement.background, plan)),
  }));
}

function rewritePipeline(pipeline: Pipeline, own: boolean, plan: Plan): Pipeline {
  const last = pipeline.commands.length - 1;
  const inShell = own && last === 0;
  const commands = pipeline.commands.map((command, index) => {
    if (command.type !== "SimpleCommand") return index === last ? rewriteCompound(command, inShell, plan) : command;
    const replaced = inShell ? plan.rewrite(command) : undefined;
    if (replaced !== undefined) return replaced;
    return withLiveOutput(command, index === last, pipeline.pipeStderr?.[index] !== true, plan.live);
  });
  return { ...pipeline, commands };
}

function withLiveOutput(
  command: SimpleCommand,
  stdout: boolean,
  stderr: boolean,
  live: LivePaths | undefined,
): SimpleCommand {
  if (live === undefined || command.name === null || leaving.has(literalOf(command.name) ?? "")) return command;
  const added = [...(stdout ? [appendTo(1, live.stdout)] : []), ...(stderr ? [appendTo(2, live.stderr)] : [])];
  return { ...command, redirections: [...added, ...command.redirections] };
}

function rewriteCompound(command: Exclude<Command, SimpleCommand>, own: boolean, plan: Plan): Command {
  if (!command.redirections.every(({ operator }) => inputs.has(operator))) return command;
  const all = (list: readonly Statement[]): Statement[] => rewriteList(list, own, plan);
  switch (command.type) {
    case "Group":
    case "For":
    case "CStyleFor":
      return { ...command, body: all(command.body) };
    case "Subshell":
      return { ...command, body: rewriteList(command.body, false, plan) };
    case "While":
    case "Until":
      return { ...command, condition: all(command.condition), body: all(command.body) };
    case "If":
      return {
        ...command,
        clauses: command.clauses.map(({ condition, body }) => ({ condition: all(condition), body: all(body) })),
        elseBody: command.elseBody && all(command.elseBody),
      };
    case "Case":
      return { ...command, items: command.items.map((item) => ({ ...item, body: all(item.body) })) };
    default:
      return command;
  }
}

function appendTo(fd: number, path: string): Redirection {
  return { type: "Redirection", fd, operator: ">>", target: literalWord(path) };
}
