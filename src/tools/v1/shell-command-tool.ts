/** The execute_shell_command tool of the first version: a list of allowed commands, an approval callback, a timeout. */

import { description, integer, nullish, number, object, pipe, string } from "valibot";
import type { Backend } from "../../backend/backend.ts";
import type { DangerousPaths } from "../../base/dangerous-paths.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { Tool } from "../../tool/tool.ts";
import { lazy } from "../lazy.ts";
import { toPath } from "../paths.ts";
import { type CommandAllowList, commandAllowList } from "./command-allow-list.ts";
import type { ShellCommandPlace } from "./shell-command-check.ts";
import type { ApproveCommand } from "./shell-command-run.ts";

/** How the tool is set up. */
export interface ShellCommandToolOptions extends DangerousPaths {
  /** Where commands run; it needs a `shell`. */
  backend: Backend;
  /**
   * Where commands start, and what the paths in them may not lead out of without a question; absolute or relative to the
   * backend's `cwd`. Defaults to the backend's `cwd`.
   */
  baseDirectory?: string;
  /** What runs without a question: entries, which are copied, or a list that may change. Defaults to nothing. */
  allowedCommands?: Iterable<string> | CommandAllowList;
  /** Asks the application about everything else. Without it, permission decides; without permission, nothing runs. */
  approve?: ApproveCommand;
  /** Variables that every command gets. */
  env?: Readonly<Record<string, string>>;
}

/** Seconds that a command may take when nothing else is said. */
export const DEFAULT_COMMAND_SECONDS = 300;

/** The most seconds that a command may take. */
export const MAX_COMMAND_SECONDS = 3600;

/**
 * Makes execute_shell_command, with the name, the parameters and the tagged answer of AgentScope's first version:
 * `<returncode>0</returncode><stdout>…</stdout><stderr>…</stderr>`. A command that fails, is refused or takes too long
 * gives the same form as an `error`.
 *
 * A command line runs without a question when `holdall/bash` can read it, every simple command in it is on the list, and
 * all its paths lie in the base directory. About anything else the approval callback is asked; where there is none, the
 * permission engine asks a person; where there is neither, it is refused. What an allowed program does by itself is
 * beyond any list: a sandbox is the business of the backend. Every command has a shell of its own, with standard input
 * closed.
 *
 * @example
 * const shell = shellCommandTool({ backend, allowedCommands: ["ls", "git status"], approve: (command) => confirm(command) });
 */
export function shellCommandTool(options: ShellCommandToolOptions): Tool {
  const { backend, baseDirectory = ".", allowedCommands = [], approve, env, ...dangers } = options;
  const list = isList(allowedCommands) ? allowedCommands : commandAllowList(allowedCommands);
  const { name, os, fs, home } = backend;
  const cwd = toPath(backend, baseDirectory);
  const place: ShellCommandPlace = {
    backend: { name, os, fs, cwd, ...(home === undefined ? {} : { home }) },
    dangers,
    allowed: () => list.entries(),
    hasApproval: approve !== undefined,
  };
  const loadCheck = lazy(() => import("./shell-command-check.ts"));
  const loadRun = lazy(() => import("./shell-command-run.ts"));
  return defineTool({
    name: "execute_shell_command",
    description: describe(cwd, isList(allowedCommands) ? undefined : list.entries(), approve !== undefined),
    input: commandInput(),
    concurrencySafe: false,
    // The shell's own deadline comes first, so that what was printed until then is kept.
    timeoutMs: (MAX_COMMAND_SECONDS + 30) * 1000,
    checkReadOnly: async ({ command }) => (await loadCheck()).isSilent(place, command),
    checkPermissions: async ({ command }, check) => (await loadCheck()).opinion(place, command, check),
    matchRule: async (content, { command }, rule) => (await loadCheck()).matches(place, content, command, rule),
    generateSuggestions: async ({ command }, check) => (await loadCheck()).suggest(place, command, check),
    async execute({ command, timeout }, call) {
      const [{ judgeCommand }, { refuseCommand, runShellCommand }] = await Promise.all([loadCheck(), loadRun()]);
      const { shell } = backend;
      if (shell === undefined) return (await import("../bash-run.ts")).noShell(backend);
      const refused = await refuseCommand(command, await judgeCommand(place, command), approve, call);
      if (refused !== undefined) return refused;
      const seconds = timeout && timeout > 0 ? Math.min(timeout, MAX_COMMAND_SECONDS) : DEFAULT_COMMAND_SECONDS;
      return runShellCommand({ shell, command, seconds, cwd, env, call });
    },
  });
}

function commandInput() {
  return object({
    command: pipe(string(), description("The command line.")),
    timeout: nullish(
      pipe(
        number(),
        integer(),
        description(
          `Seconds after which the command is killed, at most ${MAX_COMMAND_SECONDS}. Defaults to ${DEFAULT_COMMAND_SECONDS}, also for 0 and less.`,
        ),
      ),
    ),
    charset: nullish(pipe(string(), description("Not needed: output is always read as UTF-8."))),
  });
}

/** A list that may change is not written out: a model is told about a tool once. */
function describe(cwd: string, entries: readonly string[] | undefined, hasApproval: boolean): string {
  const what = hasApproval ? "an approval" : "a confirmation";
  const asked =
    entries === undefined
      ? `Commands that are not on a list of allowed ones need ${what}.`
      : entries.length === 0
        ? `Every command needs ${what}.`
        : `Allowed: ${entries.join(", ")}; every other command needs ${what}.`;
  return `Runs a shell command in ${cwd} and gives its return code, standard output and standard error in tags. ${asked}`;
}

function isList(given: Iterable<string> | CommandAllowList): given is CommandAllowList {
  return "entries" in given && "has" in given && !(Symbol.iterator in given);
}
