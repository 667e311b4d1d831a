/** The PowerShell tool: runs a script in the PowerShell of a Windows host, and never without a question. */

import { description, integer, maxValue, minValue, number, object, optional, pipe, string } from "valibot";
import type { Backend } from "../backend/backend.ts";
import { DEFAULT_SHELL_TIMEOUT } from "../backend/shell.ts";
import { HoldallError } from "../base/errors.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { Tool } from "../tool/tool.ts";
import { ToolResult } from "../tool/tool-result.ts";
import { lazy } from "./lazy.ts";
import { MAX_BASH_TIMEOUT } from "./limits.ts";

/** How the tool is set up. */
export interface PowershellToolOptions {
  /** A workspace on Windows (`os` is `windows`); it needs a `shell`, which starts PowerShell. */
  backend: Backend;
  /** The name or path of PowerShell, with forward slashes, such as `pwsh`. Defaults to `powershell.exe`. */
  program?: string;
  /** Variables that every command gets, beside those of its session. */
  env?: Readonly<Record<string, string>>;
}

/**
 * Makes the PowerShell tool, which runs a script and shows what it prints while it runs.
 *
 * Nothing here can read PowerShell, so every call asks, also for what only reads, and no rule is suggested. An allow
 * rule counts only for the whole tool, never by its content. A deny or ask rule with a content is compared with the bare
 * text, without regard to case, quotes and backticks: a help against slips, not a fence, since a script can say the same
 * in many ways. As with other tools, the mode `bypass` runs what no such rule catches.
 *
 * Each call has a PowerShell of its own, without profile and without input, in the folder where the shell session of
 * the conversation stands. The result is like that of Bash.
 *
 * @throws HoldallError `TOOL_OPTION` for a backend that is not on Windows, and for a program that is no plain name or path.
 *
 * @example
 * const tools = backend.os === "windows" ? [powershellTool({ backend })] : [];
 */
export function powershellTool({ backend, program = "powershell.exe", env }: PowershellToolOptions): Tool {
  checkPlace(backend, program);
  const loadRun = lazy(() => Promise.all([import("./bash-run.ts"), import("./powershell-line.ts")]));
  return defineTool({
    name: "PowerShell",
    description:
      "Runs a PowerShell script on Windows and gives what it prints. Each call starts anew: variables and the location do not last. Use full paths. For files use Read, Write, Edit, Glob and Grep instead of Get-Content, Set-Content, Get-ChildItem and Select-String. Scripts cannot ask for input.",
    input: object({
      command: pipe(string(), description("The script.")),
      description: optional(
        pipe(string(), description("What the script does, in a few words, for the person who watches.")),
      ),
      timeout: optional(
        pipe(
          number(),
          integer(),
          minValue(1),
          maxValue(MAX_BASH_TIMEOUT),
          description(`Milliseconds after which the script is killed. Defaults to ${DEFAULT_SHELL_TIMEOUT}.`),
        ),
      ),
    }),
    concurrencySafe: false,
    // The shell's own deadline comes first, so that what was printed until then is kept.
    timeoutMs: MAX_BASH_TIMEOUT + 30_000,
    checkPermissions: () => ({
      behavior: "ask",
      reason: "PowerShell cannot be checked",
      message: "What a PowerShell script does cannot be told before it runs, so it needs a confirmation.",
    }),
    matchRule: (content, { command }, { behavior }) => behavior !== "allow" && mentions(command, content),
    generateSuggestions: () => [],
    execute: async ({ command, timeout }, call) => {
      const [{ noShell, runCommand }, { powershellLine }] = await loadRun();
      const { shell } = backend;
      if (shell === undefined) return noShell(backend);
      const line = powershellLine(program, command);
      if (line === undefined) {
        return ToolResult.error("The script is too long to be handed over. Write it to a .ps1 file and run that.");
      }
      const timeoutMs = timeout ?? DEFAULT_SHELL_TIMEOUT;
      return runCommand({ shell, command: line, timeoutMs, env, call, stand: () => {} });
    },
  });
}

function checkPlace({ os, name }: Backend, program: string): void {
  if (os !== "windows") {
    throw new HoldallError(
      "TOOL_OPTION",
      `PowerShell needs a workspace on Windows, and ${name} is none. Add the tool only where backend.os is "windows".`,
    );
  }
  if (/^[\w.:/(][\w.:/() -]*$/.test(program)) return;
  throw new HoldallError(
    "TOOL_OPTION",
    `${JSON.stringify(program)} cannot be put on a command line. Give a name or a path with forward slashes as program.`,
  );
}

/** Tells whether the pieces of a rule, with `*` for anything between them, stand in a script in this order. */
function mentions(script: string, content: string): boolean {
  const text = plain(script);
  let at = 0;
  for (const piece of content.replace(/:\*$/, "").split("*").map(plain)) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return true;
}

/** What stands in words, without what PowerShell lets stand anywhere in them. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[`'"\u2018-\u201f]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
