/** Gives a tool further parameters. */

import { HoldallError } from "../base/errors.ts";
import { isRecord, type JsonObject } from "../base/json.ts";
import { type CompiledInput, compileInput, type ToolInput } from "../schema/input-schema.ts";
import type { Validated } from "../schema/validated.ts";
import type { Tool } from "./tool.ts";

/**
 * Makes a tool that has the parameters of another schema beside its own; `execute` gets both.
 *
 * @example
 * const search = extendTool(webSearch, v.object({ reason: v.string() }));
 *
 * @param tool The tool; it is not changed.
 * @param extension The further parameters, checked by their own schema.
 * @throws HoldallError `SCHEMA_CLASH` for a parameter or definition that the tool has already, `SCHEMA_INVALID` for an
 * extension that is no object schema.
 */
export function extendTool(tool: Tool, extension: ToolInput): Tool {
  // The tool may be an instance of a class, so it is put behind the new one instead of being copied.
  return Object.create(tool, { input: { value: extendInput(tool, extension), enumerable: true } }) as Tool;
}

/** Adds the parameters of another schema; each part is checked by its own. */
function extendInput(tool: Tool, extend: ToolInput): CompiledInput {
  const base = tool.input.jsonSchema;
  const extension = compileInput(extend, `${tool.name} (extension)`);
  const added = propertiesOf(extension.jsonSchema);
  const clash = Object.keys(added).find((name) => Object.hasOwn(propertiesOf(base), name));
  if (clash !== undefined) {
    throw new HoldallError(
      "SCHEMA_CLASH",
      `${tool.name} has a parameter ${clash} already. Name the added one differently.`,
      { data: { parameter: clash } },
    );
  }
  const required = [...listOf(base.required), ...listOf(extension.jsonSchema.required)];
  const definitions = mergeDefinitions(tool.name, base.$defs, extension.jsonSchema.$defs);
  return {
    jsonSchema: {
      ...base,
      ...definitions,
      properties: { ...propertiesOf(base), ...added },
      ...(required.length === 0 ? {} : { required }),
    },
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
  if (!own.ok || !more.ok)
    return { ok: false, issues: [...(own.ok ? [] : own.issues), ...(more.ok ? [] : more.issues)] };
  return { ok: true, value: isRecord(own.value) && isRecord(more.value) ? { ...own.value, ...more.value } : own.value };
}

function mergeDefinitions(name: string, base: unknown, added: unknown): JsonObject {
  if (!isRecord(base) && !isRecord(added)) return {};
  const [one, other] = [isRecord(base) ? base : {}, isRecord(added) ? added : {}];
  const clash = Object.keys(other).find(
    (key) => Object.hasOwn(one, key) && JSON.stringify(one[key]) !== JSON.stringify(other[key]),
  );
  if (clash === undefined) return { $defs: { ...one, ...other } as JsonObject };
  throw new HoldallError(
    "SCHEMA_CLASH",
    `${name} has a definition ${clash} already, with another content. Name the added one differently.`,
  );
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
