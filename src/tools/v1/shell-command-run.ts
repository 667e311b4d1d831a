/** What execute_shell_command does: approval, the run itself, and the tagged form of its answer. */

import type { Shell, ShellExit, ShellRun } from "../../backend/shell.ts";
import { abortable } from "../../base/abort.ts";
import { errorText, HoldallError } from "../../base/errors.ts";
import { makeId } from "../../base/ids.ts";
import type { JsonObject } from "../../base/json.ts";
import type { ToolChunk } from "../../message/blocks.ts";
import type { ToolCallContext } from "../../tool/tool.ts";
import { ToolResult } from "../../tool/tool-result.ts";
import { createKept } from "../bash-kept.ts";
import { MAX_BASH_PRINTED } from "../limits.ts";
import type { CommandVerdict } from "./shell-command-check.ts";

/** UTF-16 units of each stream that the answer has; of more, a quarter from the beginning and the rest from the end. */
export const MAX_STREAM_LENGTH = 20_000;

/** Asks the application whether a command that is not on the list may run. */
export type ApproveCommand = (
  command: string,
  details: { reason: string; signal: AbortSignal },
) => boolean | Promise<boolean>;

/** What to run. */
export interface ShellCommandCall {
  shell: Shell;
  command: string;
  seconds: number;
  /** The base directory. */
  cwd: string;
  env: Readonly<Record<string, string>> | undefined;
  call: ToolCallContext;
}

/** Gives why a command may not run after all; undefined when it may. */
export async function refuseCommand(
  command: string,
  verdict: CommandVerdict,
  approve: ApproveCommand | undefined,
  call: ToolCallContext,
): Promise<ToolChunk | undefined> {
  const { isAllowed, reason } = verdict;
  if (isAllowed) return undefined;
  if (approve === undefined) {
    // Whoever gave no permission context has not decided anything about this command.
    if (call.decidedBy !== "application") return undefined;
    return tagged(-1, "", `SecurityError: ${reason} and no approval callback is configured.`);
  }
  const { signal } = call;
  const isApproved = await abortable(ask(approve, command, reason, signal), signal);
  if (isApproved) return undefined;
  return tagged(-1, "", `SecurityError: Command execution was rejected by user. Reason: ${reason}`);
}

/** Runs a command in a shell of its own, in the base directory. */
export async function runShellCommand(given: ShellCommandCall): Promise<ToolChunk> {
  const { shell, command, seconds, cwd, env, call } = given;
  // What a shell makes of it, nobody can tell beforehand.
  if (command.includes("\0")) return tagged(-1, "", "Error: the command has a NUL character; nothing was run.");
  try {
    const run = shell.run(command, {
      cwd,
      // A session that nobody else has: nothing lasts from one command to the next.
      session: `execute_shell_command.${makeId()}`,
      timeoutMs: seconds * 1000,
      signal: call.signal,
      maxOutputBytes: MAX_BASH_PRINTED,
      ...(env === undefined ? {} : { env }),
    });
    const { stdout, stderr } = await readStreams(run);
    return describeEnd(await run.exit, stdout, stderr, seconds);
  } catch (error) {
    if (call.signal.aborted) throw error;
    return tagged(-1, "", `Error: ${HoldallError.is(error) ? errorText(error) : String(error)}`);
  }
}

/** Makes the one form that all answers have. */
export function tagged(returncode: number, stdout: string, stderr: string, facts: JsonObject = {}): ToolChunk {
  const text = `<returncode>${returncode}</returncode><stdout>${stdout}</stdout><stderr>${stderr}</stderr>`;
  const metadata = { returncode, ...facts };
  return returncode === 0 ? ToolResult.success(text, metadata) : ToolResult.error(text, metadata);
}

/** A callback that fails has not consented. */
async function ask(approve: ApproveCommand, command: string, reason: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await approve(command, { reason, signal })) === true;
  } catch {
    return false;
  }
}

async function readStreams(run: ShellRun): Promise<{ stdout: string; stderr: string }> {
  run.exit.catch(() => {});
  const kept = { stdout: keep(), stderr: keep() };
  for await (const { stream, text } of run) kept[stream].push(text);
  return { stdout: plain(kept.stdout.take()), stderr: plain(kept.stderr.take()) };
}

function keep() {
  return createKept(MAX_STREAM_LENGTH / 4, (MAX_STREAM_LENGTH / 4) * 3);
}

/** Lines end as text does, and the end of the last one is left out. */
function plain(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(/\n$/, "");
}

function describeEnd(exit: ShellExit, stdout: string, stderr: string, seconds: number): ToolChunk {
  const { code, signal, timedOut, truncated } = exit;
  const facts: JsonObject = {
    ...(signal === undefined ? {} : { signal }),
    ...(timedOut ? { timedOut } : {}),
    ...(truncated ? { truncated } : {}),
  };
  if (timedOut) {
    const late = `TimeoutError: The command execution exceeded the timeout of ${seconds} seconds.`;
    return tagged(-1, stdout, stderr === "" ? late : `${stderr}\n${late}`, facts);
  }
  return tagged(code ?? codeOfSignal(signal), stdout, stderr, facts);
}

const signals: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGABRT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGTERM: 15,
};

/** Counts a signal as shells do. */
function codeOfSignal(signal = ""): number {
  const number = signals[signal];
  return number === undefined ? -1 : 128 + number;
}
