/** Writes the program that runs one command line in a session, and reads what the session became. */

import type { ShellProgram } from "./find-shell.ts";
import { splitStatements } from "./statements.ts";

/** What a session keeps from one command to the next. */
export interface SessionState {
  cwd: string;
  /** Shell text that gives each variable its value, by name. */
  variables: ReadonlyMap<string, string>;
  /** Shell text of the rest: functions in bash, what is exported elsewhere. */
  more: ReadonlyMap<string, string> | string;
}

/** One command line of a session. */
export interface ProgramOptions {
  dialect: ShellProgram["dialect"];
  state: SessionState;
  /** Where to stand if the session's directory is gone. */
  home: string;
  /** Where to stand instead; must exist. */
  cwd: string | undefined;
  /** Variables of this command. */
  env: Readonly<Record<string, string>>;
  command: string;
  /** Where the session is written to; undefined when there is no room for it. */
  stateFile: string | undefined;
}

/** The most characters of variables and functions that a session keeps; beyond them it keeps those it had. */
export const MAX_SNAPSHOT: number = 1 << 20;

/** Arguments that make a shell read its program from the fourth stream: an argument can hold 128 KiB only. */
export const SHELL_ARGUMENTS: Readonly<Record<ShellProgram["dialect"], readonly string[]>> = {
  bash: ["--noprofile", "--norc", "-c", 'eval "$(cat <&3)"', "bash"],
  posix: ["-c", 'eval "$(cat <&3)"', "sh"],
};

/**
 * Writes the program.
 *
 * The session is written when the shell exits, whatever makes it exit, and once more after the command: an `EXIT` trap
 * of the command replaces the one that does it. Nothing of this is printed or stays in a variable.
 */
export function programText(options: ProgramOptions): string {
  const { dialect, state, env, command, stateFile } = options;
  const save = stateFile === undefined ? ":" : saveText(dialect, stateFile);
  // The session's own values have just taken the place of what the process was started with.
  const exports = Object.entries(env).flatMap(([name, value]) =>
    isVariableName(name) ? [`export ${name}=${quote(value)}`] : [],
  );
  return [
    "exec 3<&-",
    standText(options),
    `command eval ${quote(snapshotText(state))} 2>/dev/null`,
    ...exports,
    `trap ${quote(save)} EXIT`,
    `eval ${quote(command)}`,
    'set -- "$?"',
    save,
    'exit "$1"',
  ].join("\n");
}

function standText({ state, home, cwd }: ProgramOptions): string {
  if (cwd !== undefined) return `cd -- ${quote(cwd)} || exit 1`;
  const lost = `printf '%s\\n' ${quote(`${state.cwd} is gone; commands now run in ${home}.`)} >&2`;
  return `cd -- ${quote(state.cwd)} 2>/dev/null || { cd -- ${quote(home)} && ${lost}; } || exit 1`;
}

/** The parts are separated by NUL, which no variable can hold. */
function saveText(dialect: ShellProgram["dialect"], file: string): string {
  const parts =
    dialect === "bash"
      ? "builtin printf '%s\\0' \"$PWD\"; builtin declare -p; builtin printf '\\0'; builtin declare -f"
      : "printf '%s\\0' \"$PWD\"; set; printf '\\0'; export -p";
  return `{ ${parts}; } >|${quote(file)} 2>/dev/null`;
}

/**
 * Reads what {@link programText} has written.
 *
 * @param text What was written.
 * @param options What the program was written from; variables given to the command alone are as they were before it.
 * @returns Undefined where there is nothing.
 */
export function readState(
  text: string,
  { dialect, state, env }: Pick<ProgramOptions, "dialect" | "state" | "env">,
): SessionState | undefined {
  const [cwd, first, second] = text.split("\0");
  if (cwd === undefined || !cwd.startsWith("/") || first === undefined) return undefined;
  // Cut off, because it is too long or the disk is full.
  if (second === undefined || first.length + second.length > MAX_SNAPSHOT) return { ...state, cwd };
  const variables = kept(splitStatements(first), state.variables, env);
  if (dialect === "bash") return { cwd, variables, more: second };
  const before = typeof state.more === "string" ? new Map<string, string>() : state.more;
  return { cwd, variables, more: kept(splitStatements(second), before, env) };
}

function kept(
  now: Map<string, string>,
  before: ReadonlyMap<string, string>,
  given: Readonly<Record<string, string>>,
): Map<string, string> {
  for (const name of ownVariables) now.delete(name);
  for (const name of Object.keys(given)) {
    const old = before.get(name);
    if (old === undefined) now.delete(name);
    else now.set(name, old);
  }
  return now;
}

/** Writes the text that brings a session back. */
function snapshotText({ variables, more }: SessionState): string {
  return [...variables.values(), ...(typeof more === "string" ? [more] : more.values())].join("\n");
}

/** Variables that a shell sets for itself; with their old values they would lie, or make chance repeat itself. */
const ownVariables: readonly string[] = [
  ...["_", "PWD", "SHLVL", "RANDOM", "SRANDOM", "SECONDS", "LINENO", "HISTCMD", "OPTIND", "PPID", "UID", "EUID"],
  ...["EPOCHSECONDS", "EPOCHREALTIME", "BASHPID", "BASH_SUBSHELL", "BASH_COMMAND", "BASH_EXECUTION_STRING"],
  ...["BASH_VERSINFO", "BASH_ARGC", "BASH_ARGV", "BASH_ARGV0", "BASH_LINENO", "BASH_SOURCE", "BASH_REMATCH"],
  ...["BASHOPTS", "SHELLOPTS", "FUNCNAME", "DIRSTACK", "GROUPS", "PIPESTATUS", "BASH_CMDS", "BASH_ALIASES"],
];

/** Quotes a text so that a shell reads it as it is. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}
