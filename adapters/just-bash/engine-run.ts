/** Sets up a fresh just-bash for one command line; a fresh one, because some of its options outlive a run. */

import type { Bash, IFileSystem } from "just-bash/browser";
import { extraCommands } from "./commands/index.ts";
import type { FactTable } from "./file-facts.ts";
import { bridgeFileSystem } from "./fs-bridge.ts";
import { collectFunctions } from "./functions.ts";
import { type InSession, putInSession } from "./in-session.ts";
import { createLayout, type Device, type Layout } from "./layout.ts";
import { engineLimits } from "./limits.ts";
import type { LivePaths } from "./live-output.ts";
import type { Engine } from "./load.ts";
import { isNodeError } from "./node-error.ts";
import type { OutputGate } from "./output.ts";
import { createPace } from "./pace.ts";
import { createRedirectGuard, type RedirectGuard } from "./redirect-guard.ts";
import type { RunRequest } from "./run-request.ts";
import { createStateReader, type Reading, type StateReader } from "./session-script.ts";
import type { ShellFiles } from "./shell-files.ts";
import { resolveStdin } from "./stdin-words.ts";
import type { FunctionDefinition } from "./syntax.ts";

/** What one run works with. */
export interface EngineParts {
  engine: Engine;
  request: RunRequest;
  files: ShellFiles;
  facts: FactTable;
  gate: OutputGate;
  /** Makes every file system call fail once it aborts. */
  stop: AbortSignal;
}

/** How just-bash ended. */
export interface EngineEnding {
  code: number;
  /** What was not printed while the script ran. */
  stdout: string;
  stderr: string;
  /** Every variable just-bash knows, also those that are no session's business. */
  variables: Readonly<Record<string, string>>;
  /** What was read off at the end; undefined when the script did not get that far. */
  reading: Reading | undefined;
  /** The functions that the script defines. */
  functions: ReadonlyMap<string, FunctionDefinition>;
}

/** A shell that is ready for its one command line. */
export interface EngineRun {
  bridge: IFileSystem;
  execute(signal: AbortSignal): Promise<EngineEnding>;
}

/** Sets up the shell; nothing is run or asked of the file system yet. */
export function setUpEngine(parts: EngineParts): EngineRun {
  const { request, files, facts, stop } = parts;
  const cwd = request.cwd ?? request.state.cwd;
  const token = randomName();
  const names = { command: token, declarations: `/dev/${token}-1`, functionNames: `/dev/${token}-2` };
  const live = { stdout: `/dev/${token}-3`, stderr: `/dev/${token}-4` };
  const reader = createStateReader(names);
  const guard = createRedirectGuard(`/dev/${token}-5`);
  const layout = layoutOf(parts, token, live, reader);
  const bridge = bridgeFileSystem({ files, layout, facts, pace: createPace(stop), guard });
  const { bash, plain } = newBash(parts, bridge, token, reader);
  const defined = rewriteScripts(bash, guard, putInSession(bash, request.state, cwd, names, live));
  const clean = (text: string): string => new TextDecoder().decode(guard.clean(new TextEncoder().encode(text)));
  return {
    bridge,
    execute: async (signal) => {
      const options = { rawScript: true, stdin: request.stdin, cwd, env: { ...plain, PWD: cwd }, signal };
      const result = await bash.exec(request.command, options).catch(brokenOff(request, cwd));
      return {
        code: result.exitCode,
        stdout: clean(result.stdout),
        stderr: clean(result.stderr),
        variables: result.env,
        reading: reader.reading(),
        functions: defined(),
      };
    },
  };
}

function layoutOf(
  { engine, request, gate }: EngineParts,
  hiddenCommand: string,
  live: LivePaths,
  reader: StateReader,
): Layout {
  return createLayout({
    commands: [...new Set([...engine.getCommandNames(), ...extraCommands.map(({ name }) => name)])].sort(),
    folders: request.folders,
    print: gate.push,
    stdin: request.stdin === "" ? undefined : new TextEncoder().encode(request.stdin),
    hiddenCommand,
    hidden: new Map([
      ...reader.devices,
      [live.stdout, printer(gate, "stdout")],
      [live.stderr, printer(gate, "stderr")],
    ]),
  });
}

/** Has every script rewritten before it runs; gives the functions that the command line itself defines. */
function rewriteScripts(bash: Bash, guard: RedirectGuard, inSession: InSession): () => EngineEnding["functions"] {
  let functions: EngineEnding["functions"] | undefined;
  bash.registerTransformPlugin({
    name: "session",
    transform: ({ ast }) => {
      resolveStdin(ast);
      guard.protect(ast);
      // What the script itself hands to `bash -c` and the like comes here, too.
      if (functions !== undefined) return { ast };
      functions = collectFunctions(ast);
      return { ast: inSession(ast) };
    },
  });
  return () => functions ?? new Map();
}

function newBash(
  { engine, request }: EngineParts,
  fs: IFileSystem,
  hidden: string,
  reader: StateReader,
): { bash: Bash; plain: Record<string, string> } {
  const basics = { HOME: request.home, USER: "user", SHELL: "/bin/bash" };
  const variables: Record<string, string> = { ...basics, ...request.state.variables, ...request.env };
  const exported = new Set([...Object.keys(basics), "PATH", ...request.state.exported, ...Object.keys(request.env)]);
  const pick = (wanted: boolean): Record<string, string> =>
    Object.fromEntries(Object.entries(variables).filter(([name]) => exported.has(name) === wanted));
  const bash = new engine.Bash({
    fs,
    cwd: request.cwd ?? request.state.cwd,
    env: pick(true),
    executionLimits: engineLimits(request.limits, request.timeoutMs),
    customCommands: [
      ...extraCommands,
      { name: hidden, execute: async (args, context) => reader.command(args, context) },
    ],
    // It would change globals of the host while a command runs.
    defenseInDepth: false,
  });
  return { bash, plain: pick(false) };
}

/** Makes a result of a file that could not be written where just-bash has no way to say so. */
function brokenOff({ state }: RunRequest, cwd: string): (error: unknown) => Awaited<ReturnType<Bash["exec"]>> {
  return (error) => {
    if (!isNodeError(error)) throw error;
    const [, reason = error.message, path = ""] = /^[A-Z]+: (.*), [a-z]+ '(.*)'$/s.exec(error.message) ?? [];
    const stderr = `bash: ${path}: ${reason.charAt(0).toUpperCase()}${reason.slice(1)}\n`;
    return { stdout: "", stderr, exitCode: 1, env: { ...state.variables, PWD: cwd } };
  };
}

function printer(gate: OutputGate, stream: "stdout" | "stderr"): Device {
  return { read: () => new Uint8Array(0), write: (bytes) => gate.push(stream, bytes) };
}

function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
