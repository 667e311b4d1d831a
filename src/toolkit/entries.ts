/** Makes the entry of a tool: schema for the model, validation, layers and limits, all decided at registration. */

import { HoldallError } from "../base/errors.ts";
import { isRecord, type JsonObject } from "../base/json.ts";
import { type CompiledInput, compileInput, type ToolInput } from "../schema/input-schema.ts";
import type { Validated } from "../schema/validated.ts";
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
  extend?: ToolInput | undefined;
}

/**
 * Makes an entry.
 *
 * @throws HoldallError `PRESET_INVALID` for a hidden parameter that the tool lacks, `SCHEMA_CLASH` for an extension
 * that names a parameter the tool has, `SCHEMA_INVALID` for an extension that is no object schema.
 */
export function makeEntry(tool: Tool, options: EntryOptions, defaults: EntryDefaults): ToolEntry {
  const input = options.extend === undefined ? tool.input : extendInput(tool, options.extend);
  return {
    tool,
    preset: options.preset,
    extend: options.extend,
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

/** Adds the parameters of another schema; each part is checked by its own. */
function extendInput(tool: Tool, extend: ToolInput): CompiledInput {
  const base = tool.input.jsonSchema;
  const extension = compileInput(extend, `${tool.name} (extension)`);
  const added = propertiesOf(extension.jsonSchema);
  const clash = Object.keys(added).find((name) => Object.hasOwn(propertiesOf(base), name));
  if (clash !== undefined) {
    throw new HoldallError("SCHEMA_CLASH", `${tool.name} has a parameter ${clash} already. Name the added one differently.`, { data: { parameter: clash } });
  }
  const required = [...listOf(base.required), ...listOf(extension.jsonSchema.required)];
  const definitions = mergeDefinitions(tool.name, base.$defs, extension.jsonSchema.$defs);
  return {
    jsonSchema: { ...base, ...definitions, properties: { ...propertiesOf(base), ...added }, ...(required.length === 0 ? {} : { required }) },
    async validate(value) {
      if (!isRecord(value)) return tool.input.validate(value);
      const isAdded = (name: string): boolean => Object.hasOwn(added, name);
      const own = await tool.input.validate(pick(value, (name) => !isAdded(name)));
      const more = await extension.validate(pick(value, isAdded));
      return join(own, more);
    },
  };
}

function join(own: Validated, more: Validated): Validated {
  if (!own.ok || !more.ok) return { ok: false, issues: [...(own.ok ? [] : own.issues), ...(more.ok ? [] : more.issues)] };
  return { ok: true, value: isRecord(own.value) && isRecord(more.value) ? { ...own.value, ...more.value } : own.value };
}

function mergeDefinitions(name: string, base: unknown, added: unknown): JsonObject {
  if (!isRecord(base) && !isRecord(added)) return {};
  const [one, other] = [isRecord(base) ? base : {}, isRecord(added) ? added : {}];
  const clash = Object.keys(other).find((key) => Object.hasOwn(one, key) && JSON.stringify(one[key]) !== JSON.stringify(other[key]));
  if (clash === undefined) return { $defs: { ...one, ...other } as JsonObject };
  throw new HoldallError("SCHEMA_CLASH", `${name} has a definition ${clash} already, with another content. Name the added one differently.`);
}

function hidePreset(name: string, schema: JsonObject, preset: PresetParameters | undefined): JsonObject {
  if (preset === undefined) return schema;
  const known = propertiesOf(schema);
  const unknown = Object.keys(preset).find((parameter) => !Object.hasOwn(known, parameter));
  if (unknown !== undefined) {
    throw new HoldallError("PRESET_INVALID", `${name} has no parameter ${unknown}. Use one of ${Object.keys(known).join(", ")}.`);
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
