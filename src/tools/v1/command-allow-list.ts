/** The commands that execute_shell_command may run without a question. */

import { HoldallError } from "../../base/errors.ts";

/** A list that can change while the tool is in use. */
export interface CommandAllowList {
  /** The entries now, in the order they were added; a copy. */
  entries(): readonly string[];
  /**
   * Adds an entry.
   *
   * @returns False when it was there already.
   * @throws HoldallError `TOOL_OPTION` for a blank one.
   */
  add(entry: string): boolean;
  /**
   * Takes an entry out.
   *
   * @returns False when it was not there.
   */
  remove(entry: string): boolean;
  /** Takes all out; then every command is asked about. */
  clear(): void;
  /** Whether this very entry is there. */
  has(entry: string): boolean;
}

/**
 * Makes a list of commands. An entry is the name of a program, such as `ls`, or a rule of `holdall/bash`, such as
 * `git log:*` or `npm run build`.
 *
 * @param entries What it starts with; copied.
 */
export function commandAllowList(entries: Iterable<string> = []): CommandAllowList {
  const list = new Set<string>();
  const add = (entry: string): boolean => {
    const trimmed = entry.trim();
    if (trimmed === "") throw new HoldallError("TOOL_OPTION", "a command cannot be blank. Give the name of a program.");
    if (list.has(trimmed)) return false;
    list.add(trimmed);
    return true;
  };
  for (const entry of entries) add(entry);
  return {
    entries: () => [...list],
    add,
    remove: (entry) => list.delete(entry.trim()),
    clear: () => list.clear(),
    has: (entry) => list.has(entry.trim()),
  };
}
