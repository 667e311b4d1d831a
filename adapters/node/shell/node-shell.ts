/** A real shell behind the port. */

import {
  DEFAULT_SHELL_OUTPUT,
  DEFAULT_SHELL_TIMEOUT,
  HoldallError,
  hostTimers,
  joinSignals,
  resolvePath,
  type Shell,
  type ShellExit,
  type ShellFactory,
  type ShellGround,
  type ShellOptions,
  type Timers,
} from "holdall";
import { hostKind, hostPaths } from "../paths/host-paths.ts";
import { commandEnvironment } from "./environment.ts";
import { findShell, type ShellProgram } from "./find-shell.ts";
import { atExit } from "./leftovers.ts";
import { createOutput, type Output } from "./output.ts";
import type { ProcessGroup } from "./process-group.ts";
import { programText, readState, type SessionState, SHELL_ARGUMENTS } from "./program.ts";
import { endGroup, runProcess } from "./run-process.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import { createStateFiles, type StateFiles } from "./state-files.ts";

/** How the shell runs. */
export interface NodeShellOptions {
  /** The path of a bash or another POSIX shell. Defaults to bash where it usually is, else to sh. */
  shell?: string;
  /** Variables added to those of every command; these win over what is handed on of this process's own. */
  env?: Readonly<Record<string, string>>;
  /** Milliseconds that a command has to end by itself after it was asked to. Defaults to 2,000. */
  graceMs?: number;
  /** Sets timers; a test passes its own. Defaults to the host's. */
  timers?: Timers;
}

/**
 * Makes a factory of shells that run bash, or else sh, as processes of this host.
 *
 * Commands can do whatever this process can: the boundary of the file system does not hold for them. Of this process's
 * variables they get a few harmless ones (`PATH`, `HOME`, `LANG`, …), never its secrets.
 *
 * Working directory, variables and (in bash) functions last from one call of a session to the next; shell options,
 * aliases and traps do not, nor does anything of a command that replaces the shell by `exec` or exits under an `EXIT`
 * trap of its own. What a command leaves in the background goes on, without anybody reading what it prints, until the
 * shell is closed. A deadline or an abort ends all that the command started, except what has made itself a group of its
 * own with `setsid`.
 *
 * @param options How the shell runs.
 * @throws HoldallError `SHELL_MISSING` where there is no shell.
 * @example
 * const backend = nodeBackend({ root: "/srv/project", shell: nodeShell({ env: { CI: "1" } }) });
 */
export function nodeShell(options: NodeShellOptions = {}): ShellFactory {
  const program = findShell(options.shell);
  if (program === undefined) {
    const sentence = "there is neither bash nor sh where they usually are. Install one, or give its path as shell.";
    throw new HoldallError("SHELL_MISSING", sentence);
  }
  return (ground) => createShell(ground, program, options);
}

const paths = hostPaths(hostKind(process.platform));

/** Everything that one shell knows. */
interface Host {
  program: ShellProgram;
  cwd: string;
  env: Record<string, string>;
  graceMs: number;
  timers: Timers;
  inSession: Sessions;
  files: StateFiles;
  closing: AbortController;
  running: Set<Promise<unknown>>;
  /** What commands have left in the background; it does not outlive this process. */
  left: Set<ProcessGroup>;
  forgetLeft: (() => void) | undefined;
}

function createShell({ cwd, home }: ShellGround, program: ShellProgram, options: NodeShellOptions): Shell {
  const host: Host = {
    program,
    cwd,
    env: commandEnvironment(process.env, { cwd, home, added: options.env ?? {} }),
    graceMs: options.graceMs ?? 2000,
    timers: options.timers ?? hostTimers,
    inSession: createSessions(paths.toShell(cwd)),
    files: createStateFiles(),
    closing: new AbortController(),
    running: new Set(),
    left: new Set(),
    forgetLeft: undefined,
  };
  return {
    run: (command, given = {}) => {
      checkOptions(command, given);
      const output = createOutput(given.maxOutputBytes ?? DEFAULT_SHELL_OUTPUT);
      const exit = execute(host, command, given, output);
      // Whoever reads only the output leaves no rejection unhandled.
      const settled = exit.then(output.end, output.end);
      host.running.add(settled);
      void settled.then(() => host.running.delete(settled));
      return { exit, [Symbol.asyncIterator]: () => output[Symbol.asyncIterator]() };
    },
    close: () => close(host),
  };
}

async function close(host: Host): Promise<void> {
  host.closing.abort(new HoldallError("SHELL_FAILED", "the shell has been closed. Make a new one."));
  await Promise.all(host.running);
  await Promise.all([...host.left].map((group) => endGroup(group, host.graceMs, host.timers)));
  host.left.clear();
  host.forgetLeft?.();
  await host.files.close();
}

function execute(host: Host, command: string, given: ShellOptions, output: Output): Promise<ShellExit> {
  const { closing } = host;
  const joined = joinSignals(given.signal, closing.signal);
  const { signal } = joined;
  const turn = host.inSession(given.session ?? "main", signal, async (state) => {
    const stateFile = await host.files.next();
    const exit = await runToEnd(host, command, { ...given, signal }, { state, stateFile, output });
    const text = stateFile === undefined ? undefined : await host.files.take(stateFile);
    // What has ended at the last moment is still given up.
    signal.throwIfAborted();
    const facts = { dialect: host.program.dialect, state, env: given.env ?? {} };
    const after = (text === undefined ? undefined : readState(text, facts)) ?? state;
    return [{ ...exit, cwd: paths.fromShell(after.cwd) }, after] as const;
  });
  return turn.finally(joined.close);
}

interface Turn {
  state: SessionState;
  stateFile: string | undefined;
  output: Output;
}

async function runToEnd(
  host: Host,
  command: string,
  given: ShellOptions & { signal: AbortSignal },
  { state, stateFile, output }: Turn,
): Promise<ShellExit> {
  const { program, timers } = host;
  const { env = {}, timeoutMs = DEFAULT_SHELL_TIMEOUT, signal } = given;
  const deadline = new AbortController();
  const timer = timers.set(() => deadline.abort(), timeoutMs);
  const cwd = given.cwd === undefined ? undefined : paths.toShell(resolvePath(given.cwd, state.cwd));
  signal.throwIfAborted();
  const joined = joinSignals(signal, deadline.signal);
  try {
    const end = await runProcess({
      file: program.path,
      args: SHELL_ARGUMENTS[program.dialect],
      env: { ...host.env, ...env },
      program: programText({
        dialect: program.dialect,
        state,
        home: paths.toShell(host.cwd),
        cwd,
        env,
        command,
        stateFile,
      }),
      stdin: given.stdin,
      print: output.push,
      signal: joined.signal,
      graceMs: host.graceMs,
      timers,
    });
    keepTrack(host, end.left);
    return {
      code: end.code,
      ...(end.signal !== null && { signal: end.signal }),
      timedOut: deadline.signal.aborted,
      truncated: output.truncated,
    };
  } finally {
    joined.close();
    timers.clear(timer);
  }
}

/** Remembers a group that goes on, and forgets those that have gone: their numbers will be given to others. */
function keepTrack(host: Host, added: ProcessGroup | undefined): void {
  const { left } = host;
  for (const group of left) if (!group.isAlive()) left.delete(group);
  if (added === undefined) return;
  left.add(added);
  host.forgetLeft ??= atExit(() => {
    for (const group of left) group.signal("SIGKILL");
  });
}

function checkOptions(command: string, { timeoutMs, maxOutputBytes, env }: ShellOptions): void {
  if (timeoutMs !== undefined && !(timeoutMs > 0))
    throw wrong("timeoutMs", timeoutMs, "a number of milliseconds above 0");
  if (maxOutputBytes !== undefined && !(maxOutputBytes >= 0))
    throw wrong("maxOutputBytes", maxOutputBytes, "a number of bytes, 0 or more");
  if (command.includes("\0")) throw wrong("command", "with a NUL", "a command line without one");
  for (const [name, value] of Object.entries(env ?? {}))
    if (/[\0=]/.test(name) || value.includes("\0"))
      throw wrong(`the variable ${name}`, "with a NUL or =", "one without");
}

function wrong(option: string, value: number | string, expected: string): HoldallError {
  return new HoldallError("SHELL_OPTION", `${option} cannot be ${value}. Give ${expected}.`, {
    data: { option, value },
  });
}
