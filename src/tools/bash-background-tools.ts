/** The BashOutput and KillShell tools: look after commands that run in the background. */

import { description, object, optional, pipe, string } from "valibot";
import type { Clock } from "../base/ids.ts";
import type { JsonObject } from "../base/json.ts";
import type { ToolOpinion } from "../permission/subject.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { Tool } from "../tool/tool.ts";
import { ToolResult } from "../tool/tool-result.ts";
import { answer, refusal } from "./answer.ts";
import type { BackgroundOutput, BackgroundRuns } from "./bash-background.ts";
import { createKept } from "./bash-kept.ts";
import { type BackgroundRun, describeRun } from "./bash-runs.ts";
import { lazy } from "./lazy.ts";
import { MAX_BACKGROUND_SHOWN } from "./limits.ts";

/** How the tools are set up. */
export interface BackgroundToolsOptions {
  /** The same as the Bash tool was given. */
  background: BackgroundRuns;
  /** Tells the time, to give up a filter that takes too long. Defaults to `Date.now`. */
  clock?: Clock;
}

/** Milliseconds a filter may take over all lines. */
const MAX_FILTER_TIME = 1000;

/**
 * Makes BashOutput and KillShell. BashOutput gives what a command has printed since it was last asked; KillShell stops a
 * command and all it started. Both only ever reach commands of their own conversation.
 *
 * @example
 * const background = backgroundRuns();
 * const tools = [bashTool({ backend, background }), ...backgroundTools({ background })];
 */
export function backgroundTools({ background, clock = Date.now }: BackgroundToolsOptions): Tool[] {
  return [bashOutputTool(background, clock), killShellTool(background)];
}

function bashOutputTool(background: BackgroundRuns, clock: Clock): Tool {
  const load = lazy(() => import("../backend/grep-pattern.ts"));
  return defineTool({
    name: "BashOutput",
    description:
      "Gives what a command that Bash started in the background has printed since the last BashOutput, and whether it still runs. With a filter only the lines that match are given; the others count as read.",
    input: object({
      bash_id: pipe(string(), description("The id that Bash gave, such as bash_1.")),
      filter: optional(pipe(string(), description("A regular expression for the lines to give."))),
    }),
    readOnly: true,
    execute: ({ bash_id, filter = "" }, call) =>
      answer(call, async () => {
        const matches =
          filter === ""
            ? undefined
            : lineFilter((await load()).compileGrepPattern(filter), clock() + MAX_FILTER_TIME, clock);
        return showOutput(background.read(call.state, bash_id, matches), filter !== "");
      }),
  });
}

function killShellTool(background: BackgroundRuns): Tool {
  return defineTool({
    name: "KillShell",
    description: "Stops a command that Bash started in the background, and all it started.",
    input: object({ shell_id: pipe(string(), description("The id that Bash gave, such as bash_1.")) }),
    checkPermissions: stopsOwn,
    execute: ({ shell_id }, call) =>
      answer(call, async () => {
        const run = await background.stop(call.state, shell_id, call.signal);
        return ToolResult.success(`${describeRun(run)}.`, factsOf(run));
      }),
  });
}

/** The opinion of a tool that ends nothing but what the conversation itself has started. */
function stopsOwn(): ToolOpinion {
  return { behavior: "allow", reason: "stops only what this conversation has started" };
}

function showOutput({ run, text }: BackgroundOutput, isFiltered: boolean) {
  const shown = createKept(MAX_BACKGROUND_SHOWN / 4, (MAX_BACKGROUND_SHOWN / 4) * 3);
  shown.push(text);
  const output = shown.take() || (isFiltered ? "(no new output that matches)" : "(no new output)");
  return ToolResult.success(`${output}${output.endsWith("\n") ? "" : "\n"}[${describeRun(run)}.]`, factsOf(run));
}

function factsOf({ id, status, exitCode }: BackgroundRun): JsonObject {
  return { bashId: id, status, ...(exitCode === null ? {} : { exitCode }) };
}

/** Makes the question whether a line matches; a line that is too long for one search is searched in pieces. */
function lineFilter(
  pattern: { regexp: RegExp; window: number },
  deadline: number,
  clock: Clock,
): (line: string) => boolean {
  return (line) => {
    for (let at = 0; ; at += pattern.window / 2) {
      if (clock() > deadline) throw refusal("The filter takes too long. Use a simpler one; nothing was read.");
      pattern.regexp.lastIndex = 0;
      if (pattern.regexp.test(line.slice(at, at + pattern.window))) return true;
      if (at + pattern.window >= line.length) return false;
    }
  };
}
