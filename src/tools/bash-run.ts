/** What Bash does: runs a command line, shows what it prints and tells how it ended. */

import type { Backend } from "../backend/backend.ts";
import type { Shell, ShellExit, ShellRun } from "../backend/shell.ts";
import { onAbort } from "../base/abort.ts";
import type { JsonObject } from "../base/json.ts";
import { cutText } from "../base/text.ts";
import type { ToolChunk } from "../message/blocks.ts";
import type { ToolCallContext } from "../tool/tool.ts";
import { ToolResult } from "../tool/tool-result.ts";
import { createKept } from "./bash-kept.ts";
import { MAX_BASH_OUTPUT, MAX_BASH_PRINTED, MAX_BASH_TIMEOUT } from "./limits.ts";

/** What to run. */
export interface BashCall {
  shell: Shell;
  command: string;
  timeoutMs: number;
  /** Variables for the command, beside the session's. */
  env: Readonly<Record<string, string>> | undefined;
  call: ToolCallContext;
  /** Told where the shell session stands afterwards. */
  stand(cwd: string): void;
}

/**
 * Runs a command line in the shell session of the conversation. Pieces are given as they are printed, up to half of what
 * is kept; the end of longer output comes at the end.
 */
export async function* runCommand(given: BashCall): AsyncGenerator<ToolChunk, void, undefined> {
  const { shell, command, timeoutMs, env, call } = given;
  const stop = new AbortController();
  const leave = onAbort(call.signal, (reason) => stop.abort(reason));
  const session = call.state?.sessionId;
  let ended = false;
  try {
    const run = shell.run(command, {
      timeoutMs,
      signal: stop.signal,
      maxOutputBytes: MAX_BASH_PRINTED,
      ...(env === undefined ? {} : { env }),
      ...(session === undefined ? {} : { session }),
    });
    const printed = yield* showOutput(run);
    const exit = await run.exit;
    ended = true;
    if (exit.cwd !== undefined) given.stand(exit.cwd);
    yield describeExit(exit, printed, timeoutMs);
  } finally {
    leave();
    // Whoever stops listening stops the command.
    if (!ended) stop.abort(new DOMException("The call has ended.", "AbortError"));
  }
}

/** What came of the output. */
interface Printed {
  /** The last piece; empty when nothing was printed. */
  last: string;
  /** Whether a part in the middle was left out. */
  isCut: boolean;
}

async function* showOutput(run: ShellRun): AsyncGenerator<ToolChunk, Printed, undefined> {
  const rest = createKept(0, MAX_BASH_OUTPUT / 2);
  let room = MAX_BASH_OUTPUT / 2;
  let last = "";
  for await (const { text } of run) {
    const now = cutText(text, room);
    if (now !== "") yield ToolResult.text(now);
    last = now || last;
    room = now.length < text.length ? 0 : room - now.length;
    rest.push(text.slice(now.length));
  }
  if (rest.isEmpty) return { last, isCut: false };
  const isCut = rest.dropped > 0;
  last = rest.take();
  yield ToolResult.text(last);
  return { last, isCut };
}

/** Ends the answer: nothing more for a success, else what went wrong. */
function describeExit(exit: ShellExit, { last, isCut }: Printed, timeoutMs: number): ToolChunk {
  const { code, signal, timedOut, truncated, cwd } = exit;
  const facts: JsonObject = {
    exitCode: code,
    ...(signal === undefined ? {} : { signal }),
    ...(timedOut ? { timedOut } : {}),
    ...(truncated || isCut ? { truncated: true } : {}),
    ...(cwd === undefined ? {} : { cwd }),
  };
  const notes = truncated
    ? [`The output was longer than ${MAX_BASH_PRINTED >> 20} MiB; what came after was dropped.`]
    : [];
  const failed = timedOut || code !== 0;
  if (timedOut)
    notes.push(
      `The command took longer than ${timeoutMs} ms and was killed. Allow more time (at most ${MAX_BASH_TIMEOUT}), or do less at once.`,
    );
  else if (signal !== undefined) notes.push(`The command was killed by ${signal}.`);
  else if (failed) notes.push(`Exit code ${code}.`);
  if (notes.length === 0) return ToolResult.success(last === "" ? [{ type: "text", text: "(no output)" }] : [], facts);
  const text = `${last === "" || last.endsWith("\n") ? "" : "\n"}[${notes.join(" ")}]`;
  return failed ? ToolResult.error(text, facts) : ToolResult.success(text, facts);
}

/** Says that commands cannot run here, and what the application can do about it. */
export function noShell({ name }: Backend): ToolChunk {
  return ToolResult.error(
    `There is no shell in this workspace (${name}), so commands cannot run. Use Read, Write, Edit, Glob and Grep. The application can add one: memoryBackend({ shell: justBashShell() }) with justBashShell from "holdall/just-bash", or nodeBackend({ root }) from "holdall/node".`,
  );
}

/** Tells why a line cannot be run; undefined when it can. What a shell makes of a NUL, nobody can tell beforehand. */
export function unusableCommand(command: string): ToolChunk | undefined {
  if (command.includes("\0")) {
    return ToolResult.error(
      "The command has a NUL character, which no shell can take; nothing was run. Write it as text.",
    );
  }
  return command.trim() === ""
    ? ToolResult.error("The command is empty; nothing was run. Give a command line.")
    : undefined;
}
