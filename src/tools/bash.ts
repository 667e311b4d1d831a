/** The Bash tool: runs a command line in the backend's shell. */

import {
  boolean,
  description,
  type GenericSchema,
  integer,
  maxValue,
  minValue,
  number,
  object,
  optional,
  pipe,
  string,
} from "valibot";
import type { Backend } from "../backend/backend.ts";
import { DEFAULT_SHELL_TIMEOUT } from "../backend/shell.ts";
import type { DangerousPaths } from "../base/dangerous-paths.ts";
import { isRecord } from "../base/json.ts";
import type { ToolChunk } from "../message/blocks.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { Tool, ToolCallContext } from "../tool/tool.ts";
import { ToolResult } from "../tool/tool-result.ts";
import { answer } from "./answer.ts";
import type { BackgroundRuns } from "./bash-background.ts";
import type { BashPlace } from "./bash-permission.ts";
import { lazy } from "./lazy.ts";
import { MAX_BASH_TIMEOUT } from "./limits.ts";

/** How the tool is set up. */
export interface BashToolOptions extends DangerousPaths {
  /** Where commands run; it needs a `shell`. */
  backend: Backend;
  /** Variables that every command gets, beside those of its session. */
  env?: Readonly<Record<string, string>>;
  /**
   * Lets the model run commands in the background; give the same to `backgroundTools`, and its reminder to the agent.
   * None by default.
   */
  background?: BackgroundRuns;
}

/**
 * Makes the Bash tool, which runs a command line and shows what it prints while it runs.
 *
 * The commands of one conversation share a shell session, so the working directory and variables last from one to the
 * next; one in the background starts where the session stands, with variables of its own. A command that fails, is
 * killed or takes too long gives an `error` with everything it printed before. Of very long output the beginning and
 * the end are kept. The metadata of the result has `exitCode`, and where it applies `signal`, `timedOut`, `truncated`
 * and `cwd`; that of a command in the background has its `bashId`.
 *
 * @example
 * const toolkit = new Toolkit({ tools: [bashTool({ backend })] });
 */
export function bashTool({ backend, env, background, ...dangers }: BashToolOptions): Tool {
  const standing = createStanding(backend.cwd);
  const load = lazy(() => import("./bash-permission.ts"));
  const loadRun = lazy(() => import("./bash-run.ts"));
  const place: BashPlace = { backend, dangers, cwdOf: (state) => standing.get(sessionOf(state)) };
  return defineTool({
    name: "Bash",
    description: `Runs a shell command and gives what it prints. The working directory lasts from one call to the next; prefer absolute paths to cd, and quote paths with spaces. For files use Read, Write, Edit, Glob and Grep instead of cat, sed, find and grep. Join commands that need each other with &&; make separate calls for those that do not. Commands cannot ask for input. Never use git commands that destroy work or skip hooks unless you were told to.${background === undefined ? "" : " For servers and other long work set run_in_background instead of &; look at it with BashOutput, stop it with KillShell."}`,
    input: bashInput(background !== undefined),
    concurrencySafe: false,
    // The shell's own deadline comes first, so that what was printed until then is kept.
    timeoutMs: MAX_BASH_TIMEOUT + 30_000,
    checkReadOnly: async ({ command }, check) => (await load()).isSilent(place, command, check),
    checkPermissions: async ({ command }, check) => (await load()).judge(place, command, check),
    matchRule: async (content, { command }, rule, check) =>
      (await load()).matches(place, content, command, rule, check),
    locateRule: async (content, { command }, rule, check) =>
      (await load()).locate(place, content, command, rule, check),
    generateSuggestions: async ({ command }, check) => (await load()).suggest(place, command, check),
    execute: async ({ command, timeout, run_in_background }, call) => {
      const { noShell, runCommand, unusableCommand } = await loadRun();
      const { shell } = backend;
      if (shell === undefined) return noShell(backend);
      const problem = unusableCommand(command);
      if (problem !== undefined) return problem;
      if (background !== undefined && run_in_background === true) {
        const cwd = place.cwdOf(call.state);
        return startInBackground(background, { shell, command, state: call.state, cwd, env, timeoutMs: timeout }, call);
      }
      const stand = (cwd: string): void => standing.set(sessionOf(call.state), cwd);
      return runCommand({ shell, command, timeoutMs: timeout ?? DEFAULT_SHELL_TIMEOUT, env, call, stand });
    },
  });
}

interface BashInput {
  command: string;
  description?: string | undefined;
  timeout?: number | undefined;
  run_in_background?: boolean | undefined;
}

function bashInput(withBackground: boolean): GenericSchema<unknown, BashInput> {
  const limit = `Milliseconds after which the command is killed. Defaults to ${DEFAULT_SHELL_TIMEOUT}${withBackground ? ", in the background to a day" : ""}.`;
  const entries = {
    command: pipe(string(), description("The command line.")),
    description: optional(
      pipe(string(), description("What the command does, in a few words, for the person who watches.")),
    ),
    timeout: optional(pipe(number(), integer(), minValue(1), maxValue(MAX_BASH_TIMEOUT), description(limit))),
  };
  if (!withBackground) return object(entries);
  const inBackground = pipe(
    boolean(),
    description("Whether to start the command and come back at once, with an id for BashOutput and KillShell."),
  );
  return object({ ...entries, run_in_background: optional(inBackground) });
}

function startInBackground(
  background: BackgroundRuns,
  start: Parameters<BackgroundRuns["start"]>[0],
  call: ToolCallContext,
): Promise<string | ToolChunk> {
  return answer(call, async () => {
    call.signal.throwIfAborted();
    const { id } = background.start(start);
    return ToolResult.success(
      `Started in the background as ${id}. Look at its output with BashOutput, stop it with KillShell.`,
      { bashId: id },
    );
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
