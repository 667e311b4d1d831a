/** Defines a tool from one object, with types inferred from its input schema. */

import { HoldallError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import type { OutputBlock, ToolChunk } from "../message/blocks.ts";
import type { PermissionRule } from "../message/permission-data.ts";
import type { PermissionFinding } from "../permission/decision.ts";
import type { PermissionCheck, ToolOpinion } from "../permission/subject.ts";
import { compileInput, type InputOf, type ToolInput } from "../schema/input-schema.ts";
import { checkInjectKeys, type Injected, type InjectKeys, injectValues } from "./call-context.ts";
import type { ToolMiddleware } from "./middleware.ts";
import type { Tool, ToolCallContext, ToolReturn, ToolRunOptions } from "./tool.ts";

/** No typed values wanted. */
export type NoKeys = Record<never, never>;

type Awaitable<T> = T | Promise<T>;

/** What `defineTool` takes. */
export interface ToolDefinition<S extends ToolInput | undefined, K extends InjectKeys> extends ToolRunOptions {
  /** Letters, digits, `_`, `-` and `.`, at most 128 characters. */
  name: string;
  /** Said to the model: what the tool does, when to use it. */
  description: string;
  /** Any Standard Schema or `{ jsonSchema }`. Left out: no arguments. */
  input?: S;
  /** Whether providers shall hold the model to the schema. Defaults to undefined: the provider decides. */
  strict?: boolean;
  /** Whether no call changes anything. Defaults to false. */
  readOnly?: boolean;
  /** Whether calls may run beside each other. Defaults to true. */
  concurrencySafe?: boolean;
  /** Whether somebody outside executes the calls. Defaults to false; then `execute` is needed. */
  external?: boolean;
  /** The MCP server it comes from. */
  mcpName?: string;
  /** JSON Schema of the structured result, where the tool promises one. */
  outputSchema?: JsonObject;
  /** Typed values wanted from the runtime context; a call without them fails. */
  inject?: K;
  /** Layers around `execute`, outermost first. */
  middlewares?: readonly ToolMiddleware[];
  /** Turns other values than text and blocks into blocks. Defaults to JSON text. */
  convert?: (value: unknown) => OutputBlock[] | ToolChunk;
  /** The tool's own opinion about a call. Defaults to leaving it to rules and mode. */
  checkPermissions?(input: InputValue<S>, check: PermissionCheck): Awaitable<ToolOpinion>;
  /** Whether this very call changes nothing. Defaults to `readOnly`. */
  checkReadOnly?(input: InputValue<S>, check: PermissionCheck): Awaitable<boolean>;
  /** Whether a rule's content matches a call. Defaults to never. */
  matchRule?(content: string, input: InputValue<S>, rule: PermissionRule, check: PermissionCheck): Awaitable<boolean>;
  /** Where in the input a rule with a content matches, for the trace of a decision. Defaults to nowhere. */
  locateRule?(
    content: string,
    input: InputValue<S>,
    rule: PermissionRule,
    check: PermissionCheck,
  ): Awaitable<readonly PermissionFinding[]>;
  /** Rules to offer when a call has to be confirmed. Defaults to a rule for the whole tool. */
  generateSuggestions?(input: InputValue<S>, check: PermissionCheck): Awaitable<PermissionRule[]>;
  /** Whether the tool stays usable in EXPLORE although it is not read-only. Defaults to false. */
  allowedInExplore?: boolean;
  /** Runs a call with the validated input. */
  execute?(input: InputValue<S>, call: ToolCallContext & Injected<K>): ToolReturn;
}

/** The type of a validated input. */
export type InputValue<S> = S extends undefined ? Record<string, unknown> : InputOf<S>;

/** The longest tool name. */
export const MAX_TOOL_NAME = 128;

/**
 * Defines a tool.
 *
 * @example
 * const weather = defineTool({
 *   name: "get_weather",
 *   description: "Tells the weather in a city.",
 *   input: v.object({ city: v.string() }),
 *   readOnly: true,
 *   execute: ({ city }) => `Sunny in ${city}`,
 * });
 *
 * @param definition The tool's facts and its function.
 * @throws HoldallError `TOOL_INVALID` for an illegal name or a missing function, `SCHEMA_INVALID` for its input.
 */
export function defineTool<const S extends ToolInput | undefined = undefined, const K extends InjectKeys = NoKeys>(
  definition: ToolDefinition<S, K>,
): Tool {
  const {
    input,
    inject,
    execute,
    middlewares,
    external = false,
    readOnly = false,
    concurrencySafe = true,
    ...facts
  } = definition;
  checkName(definition.name);
  if (external === (execute !== undefined)) {
    const fix = external ? "Leave out execute, or external: true" : "Give execute, or external: true";
    throw new HoldallError(
      "TOOL_INVALID",
      `${definition.name} ${external ? "is external and has" : "has no"} execute. ${fix}.`,
    );
  }
  if (inject !== undefined) checkInjectKeys(inject, definition.name);
  // The schema has checked the input before any of these functions sees it, so the wider type is the narrower one here.
  const tool = {
    ...facts,
    input: compileInput(input, definition.name),
    external,
    readOnly,
    concurrencySafe,
    middlewares: middlewares ?? [],
  } as Tool;
  if (execute === undefined) return tool;
  const run = execute as (input: unknown, call: ToolCallContext) => ToolReturn;
  tool.execute = inject === undefined ? run : (value, call) => run(value, injectValues(call, inject));
  return tool;
}

/** Refuses names that no provider could be given. */
export function checkName(name: string): void {
  if (/^[A-Za-z0-9_.-]{1,128}$/.test(name)) return;
  throw new HoldallError(
    "TOOL_INVALID",
    `${JSON.stringify(name)} is not a tool name. Use 1 to ${MAX_TOOL_NAME} letters, digits, "_", "-" or ".".`,
  );
}
