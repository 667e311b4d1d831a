/** The Bash tool: runs a command line in the backend's shell. */

import { description, integer, maxValue, minValue, number, object, optional, pipe, string } from "valibot";
import type { Backend } from "../backend/backend.ts";
import { DEFAULT_SHELL_TIMEOUT, type ShellExit } from "../backend/shell.ts";
import { onAbort } from "../base/abort.ts";
import { isRecord, type JsonObject } from "../base/json.ts";
import type { ToolChunk } from "../message/blocks.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { Tool, ToolCallContext } from "../tool/tool.ts";
import { ToolResult } from "../tool/tool-result.ts";
import type { BashPlace } from "./bash-permission.ts";
import type { DangerousPaths } from "./dangerous-paths.ts";
import { lazy } from "./lazy.ts";
import { MAX_BASH_OUTPUT, MAX_BASH_TIMEOUT } from "./limits.ts";

/** How the tool is set up. */
export interface BashToolOptions extends DangerousPaths {
  /** Where commands run; it needs a `shell`. */
  backend: Backend;
}

/**
 * Makes the Bash tool, which runs a command line and shows what it prints while it runs.
 *
 * The commands of one conversation share a shell session, so the working directory lasts from one to the next. A
 * command that fails, is killed or takes too long gives an `error` with everything it printed before. The metadata of
 * the result has `exitCode`, and where it applies `signal`, `timedOut`, `truncated` and `cwd`.
 *
 * @example
 * const toolkit = new Toolkit({ tools: [bashTool({ backend })] });
 */
export function bashTool({ backend, dangerousFiles, dangerousDirectories }: BashToolOptions): Tool {
  const standing = createStanding(backend.cwd);
  const load = lazy(() => import("./bash-permission.ts"));
  const place: BashPlace = {
    backend,
    dangers: { dangerousFiles, dangerousDirectories },
    cwdOf: (state) => standing.get(sessionOf(state)),
  };
  return defineTool({
    name: "Bash",
    description:
      "Runs a shell command and gives what it prints. The working directory lasts from one call to the next; prefer absolute paths to cd, and quote paths with spaces. For files use Read, Write, Edit, Glob and Grep instead of cat, sed, find and grep. Join commands that need each other with &&; make separate calls for those that do not. Commands cannot ask for input. Never use git commands that destroy work or skip hooks unless you were told to.",
    input: object({
      command: pipe(string(), description("The command line.")),
      description: optional(
        pipe(string(), description("What the command does, in a few words, for the person who watches.")),
      ),
      timeout: optional(
        pipe(
          number(),
          integer(),
          minValue(1),
          maxValue(MAX_BASH_TIMEOUT),
          description("Milliseconds after which the command is killed."),
        ),
        DEFAULT_SHELL_TIMEOUT,
      ),
    }),
    concurrencySafe: false,
    // The shell's own deadline comes first, so that what was printed until then is kept.
    timeoutMs: MAX_BASH_TIMEOUT + 30_000,
    checkReadOnly: async ({ command }, check) => (await load()).isSilent(place, command, check),
    checkPermissions: async ({ command }, check) => (await load()).judge(place, command, check),
    matchRule: async (content, { command }, rule, check) =>
      (await load()).matches(place, content, command, rule, check),
    generateSuggestions: async ({ command }, check) => (await load()).suggest(place, command, check),
    execute: ({ command, timeout }, call) =>
      runCommand(backend, command, timeout, call, (cwd) => standing.set(sessionOf(call.state), cwd)),
  });
}

/** The most shell sessions whose working directory is remembered. */
const MAX_STANDING = 10_000;

interface Standing {
  /** Gives undefined where it is not known any more; then relative paths mean nothing certain. */
  get(session: string): string | undefined;
  set(session: string, cwd: string): void;
}

/** Remembers where each shell session stands: it decides what the relative paths of the next line mean. */
function createStanding(start: string): Standing {
  const known = new Map<string, string>();
  let forgot = false;
  return {
    get: (session) => known.get(session) ?? (forgot ? undefined : start),
    set(session, cwd) {
      known.delete(session);
      known.set(session, cwd);
      const [oldest] = known.keys();
      if (known.size <= MAX_STANDING || oldest === undefined) return;
      known.delete(oldest);
      forgot = true;
    },
  };
}

/** The shell session of a conversation; calls without one share the shell's main session. */
function sessionOf(state: unknown): string {
  return isRecord(state) && typeof state.sessionId === "string" ? state.sessionId : "";
}

async function* runCommand(
  backend: Backend,
  command: string,
  timeoutMs: number,
  call: ToolCallContext,
  stand: (cwd: string) => void,
): AsyncGenerator<ToolChunk, void, undefined> {
  const { shell } = backend;
  if (shell === undefined) return yield noShell(backend);
  const stop = new AbortController();
  const leave = onAbort(call.signal, (reason) => stop.abort(reason));
  const session = call.state?.sessionId;
  let ended = false;
  try {
    const run = shell.run(command, {
      timeoutMs,
      signal: stop.signal,
      maxOutputBytes: MAX_BASH_OUTPUT,
      ...(session === undefined ? {} : { session }),
    });
    let last = "";
    for await (const { text } of run) {
      if (text !== "") yield ToolResult.text(text);
      last = text || last;
    }
    const exit = await run.exit;
    ended = true;
    if (exit.cwd !== undefined) stand(exit.cwd);
    yield describeExit(exit, last, timeoutMs);
  } finally {
    leave();
    // Whoever stops listening stops the command.
    if (!ended) stop.abort(new DOMException("The call has ended.", "AbortError"));
  }
}

/** Ends the answer: nothing more for a success, else what went wrong. */
function describeExit(exit: ShellExit, last: string, timeoutMs: number): ToolChunk {
  const { code, signal, timedOut, truncated, cwd } = exit;
  const facts: JsonObject = {
    exitCode: code,
    ...(signal === undefined ? {} : { signal }),
    ...(timedOut ? { timedOut } : {}),
    ...(truncated ? { truncated } : {}),
    ...(cwd === undefined ? {} : { cwd }),
  };
  const notes = truncated ? [`The output was longer than ${MAX_BASH_OUTPUT >> 20} MiB; the rest was dropped.`] : [];
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

function noShell({ name }: Backend): ToolChunk {
  return ToolResult.error(
    `There is no shell in this workspace (${name}), so commands cannot run. Use Read, Write, Edit, Glob and Grep. The application can add one: memoryBackend({ shell: justBashShell() }) with justBashShell from "holdall/just-bash", or nodeBackend({ root }) from "holdall/node".`,
  );
}
