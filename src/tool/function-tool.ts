/** Wraps a plain function as a tool; its calls always ask unless a rule or the mode says otherwise. */

import { HoldallError } from "../base/errors.ts";
import type { ToolInput } from "../schema/input-schema.ts";
import { defineTool, type InputValue } from "./define-tool.ts";
import type { Tool, ToolReturn } from "./tool.ts";

/** What cannot be read off a function. */
export interface FunctionToolOptions<S extends ToolInput | undefined> {
  /** Defaults to the function's name. */
  name?: string;
  /** Defaults to a sentence with the name. */
  description?: string;
  /** Any Standard Schema or `{ jsonSchema }`. Left out: no arguments. */
  input?: S;
  /** Whether calls may run beside each other. Defaults to true. */
  concurrencySafe?: boolean;
}

/**
 * Wraps a function as a tool.
 *
 * @param run The function; it gets the validated input.
 * @throws HoldallError `TOOL_INVALID` when neither the function nor the options have a legal name.
 */
export function functionTool<const S extends ToolInput | undefined = undefined>(
  run: (input: InputValue<S>) => ToolReturn,
  options: FunctionToolOptions<S> = {},
): Tool {
  const name = options.name ?? run.name;
  if (name === "") throw new HoldallError("TOOL_INVALID", "the function has no name. Give { name }.");
  const { description = `Calls the function ${name}.`, ...rest } = options;
  return defineTool<S>({
    ...rest,
    name,
    description,
    checkPermissions: () => ({ behavior: "ask", reason: "a plain function" }),
    execute: run,
  });
}
