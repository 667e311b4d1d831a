/** What a command is, and how it says that it failed. */

import type { Command, ExecResult } from "just-bash/browser";

/** A command as just-bash takes it. */
export type ExtraCommand = Command;

/** What a command may use. */
export type CommandContext = Parameters<Command["execute"]>[1];

/** Ends well. */
export function success(stdout = "", stderr = ""): ExecResult {
  return { stdout, stderr, exitCode: 0 };
}

/** Ends with a message on standard error. */
export function failure(command: string, message: string, exitCode = 1): ExecResult {
  return { stdout: "", stderr: `${command}: ${message}\n`, exitCode };
}

/** Splits arguments at `--` and into flags and the rest; a flag that takes a value is followed by it, or has it after `=`. */
export interface ParsedArguments {
  flags: Map<string, string>;
  operands: string[];
  /** The first flag that is not known. */
  unknown: string | undefined;
}

/**
 * Reads arguments.
 *
 * @param args The arguments.
 * @param known The flags by spelling; true for those that take a value. Short ones may stand together: `-dt`.
 */
export function parseArguments(args: readonly string[], known: Readonly<Record<string, boolean>>): ParsedArguments {
  const parsed: ParsedArguments = { flags: new Map(), operands: [], unknown: undefined };
  const queue = [...args];
  for (let arg = queue.shift(); arg !== undefined; arg = queue.shift()) {
    if (arg === "--") {
      parsed.operands.push(...queue);
      break;
    }
    if (!arg.startsWith("-") || arg === "-") {
      parsed.operands.push(arg);
      continue;
    }
    const cut = arg.startsWith("--") ? arg.indexOf("=") : arg.length > 2 ? 2 : -1;
    const name = cut === -1 ? arg : arg.slice(0, cut);
    const attached = cut === -1 ? undefined : arg.slice(arg.startsWith("--") ? cut + 1 : cut);
    const takesValue = known[name];
    if (takesValue === undefined) parsed.unknown ??= name;
    else if (takesValue) parsed.flags.set(name, attached ?? queue.shift() ?? "");
    else {
      parsed.flags.set(name, "");
      if (attached !== undefined && !arg.startsWith("--")) queue.unshift(`-${attached}`);
    }
  }
  return parsed;
}
