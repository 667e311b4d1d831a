/** Makes the entry of a tool: schema for the model, validation, layers and limits, all decided at registration. */

import { HoldallError } from "../base/errors.ts";
import { isRecord, type JsonObject } from "../base/json.ts";
import { DEFAULT_TIMEOUT } from "../tool/attempt.ts";
import type { PresetParameters, ToolEntry } from "../tool/entry.ts";
import type { ResultLimit } from "../tool/limit.ts";
import type { ToolInterceptor } from "../tool/middleware.ts";
import { composeRun } from "../tool/run.ts";
import type { RetryPolicy, Tool } from "../tool/tool.ts";

/** What a toolkit decides for all its tools. */
export interface EntryDefaults {
  /** Outermost first. */
  interceptors: readonly ToolInterceptor[];
  timeoutMs: number | undefined;
  retry: RetryPolicy | undefined;
  limit: ResultLimit | undefined;
}

/** What is decided for one tool. */
export interface EntryOptions {
  preset?: PresetParameters | undefined;
}

/**
 * Makes an entry.
 *
 * @throws HoldallError `PRESET_INVALID` for a hidden parameter that the tool lacks.
 */
export function makeEntry(tool: Tool, options: EntryOptions, defaults: EntryDefaults): ToolEntry {
  const { input } = tool;
  return {
    tool,
    preset: options.preset,
    inputSchema: hidePreset(tool.name, input.jsonSchema, options.preset),
    fullSchema: input.jsonSchema,
    validate: (value) => input.validate(value),
    run: composeRun(tool, defaults.interceptors),
    streams: defaults.interceptors.every((interceptor) => interceptor.streams === true),
    timeoutMs: tool.timeoutMs ?? defaults.timeoutMs ?? DEFAULT_TIMEOUT,
    retry: tool.retry ?? defaults.retry,
    limit: defaults.limit ?? {},
  };
}

function hidePreset(name: string, schema: JsonObject, preset: PresetParameters | undefined): JsonObject {
  if (preset === undefined) return schema;
  const known = propertiesOf(schema);
  const unknown = Object.keys(preset).find((parameter) => !Object.hasOwn(known, parameter));
  if (unknown !== undefined) {
    throw new HoldallError(
      "PRESET_INVALID",
      `${name} has no parameter ${unknown}. Use one of ${Object.keys(known).join(", ")}.`,
    );
  }
  const { required: _, ...rest } = schema;
  const shown = (parameter: string): boolean => !Object.hasOwn(preset, parameter);
  const required = listOf(schema.required).filter(shown);
  return { ...rest, properties: pick(known, shown) as JsonObject, ...(required.length === 0 ? {} : { required }) };
}

function propertiesOf(schema: JsonObject): Record<string, unknown> & JsonObject {
  return isRecord(schema.properties) ? (schema.properties as JsonObject) : {};
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

function pick(value: Record<string, unknown>, wanted: (name: string) => boolean): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => wanted(name)));
}
