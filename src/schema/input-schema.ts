/** The input of a tool: any Standard Schema, or a raw JSON Schema; JSON Schema out; the validated value handed on. */

import { toJsonSchema } from "@valibot/to-json-schema";
import { HoldallError } from "../base/errors.ts";
import { isRecord, type JsonObject } from "../base/json.ts";
import { jsonSchemaValidator } from "./json-schema-validator.ts";
import { type InputIssue, MAX_ISSUES, type Validated } from "./validated.ts";
import type { StandardIssue, StandardResult, StandardSchema } from "./standard-schema.ts";

/** A raw JSON Schema (draft-07 or 2020-12) of type object. */
export interface RawJsonSchema {
  jsonSchema: JsonObject;
}

/**
 * What a tool may declare as its input. A Standard Schema whose library cannot tell its JSON Schema is given together
 * with one: `{ schema, jsonSchema }`.
 */
export type ToolInput = StandardSchema<unknown, unknown> | RawJsonSchema | (RawJsonSchema & { schema: StandardSchema<unknown, unknown> });

/** The type that `execute` gets for a declared input. */
export type InputOf<S> = S extends { schema: StandardSchema<unknown, infer Output> }
  ? Output
  : S extends StandardSchema<unknown, infer Output>
    ? Output
    : Record<string, unknown>;

/** A schema made ready: described once, checked often. */
export interface CompiledInput {
  /** The JSON Schema, always of type object. Made at the first use. */
  readonly jsonSchema: JsonObject;
  /** Checks a value and hands on what the schema made of it, defaults included. */
  validate(value: unknown): Validated | Promise<Validated>;
}

/**
 * Makes an input schema ready.
 *
 * @param input The declared input; undefined means no arguments.
 * @param owner The name of the tool, for errors.
 * @throws HoldallError `SCHEMA_INVALID` when it is neither kind of schema or not of type object.
 */
export function compileInput(input: ToolInput | undefined, owner: string): CompiledInput {
  if (input === undefined) return compileRaw({ type: "object", properties: {} }, owner);
  if ("~standard" in input) return compileStandard(input, () => standardJsonSchema(input, owner), owner);
  if ("schema" in input) return compileStandard(input.schema, () => input.jsonSchema, owner);
  if (isRecord(input) && isRecord(input.jsonSchema)) return compileRaw(input.jsonSchema, owner);
  throw schemaError(owner, "its input is neither a Standard Schema nor { jsonSchema }");
}

function compileStandard(schema: StandardSchema<unknown, unknown>, describe: () => JsonObject, owner: string): CompiledInput {
  const standard = schema["~standard"];
  if (typeof standard?.validate !== "function") throw schemaError(owner, "its input has no ~standard.validate");
  let described: JsonObject | undefined;
  const compiled = {
    get jsonSchema(): JsonObject {
      described ??= objectSchema(describe(), owner);
      return described;
    },
    validate(value: unknown): Validated | Promise<Validated> {
      const result = standard.validate(value);
      return result instanceof Promise ? result.then(fromStandard) : fromStandard(result);
    },
  };
  // A schema that cannot be described is the programmer's mistake: it shows when the tool is made, not when it is called.
  void compiled.jsonSchema;
  return compiled;
}

function compileRaw(jsonSchema: JsonObject, owner: string): CompiledInput {
  const schema = objectSchema(jsonSchema, owner);
  return { jsonSchema: schema, validate: jsonSchemaValidator(jsonSchema) };
}

function standardJsonSchema(schema: StandardSchema<unknown, unknown>, owner: string): JsonObject {
  const standard = schema["~standard"];
  try {
    if (standard.jsonSchema !== undefined) return standard.jsonSchema.input({ target: "draft-2020-12" }) as JsonObject;
    if (standard.vendor === "valibot") {
      return toJsonSchema(schema as never, { errorMode: "ignore", typeMode: "input" }) as JsonObject;
    }
  } catch (error) {
    throw schemaError(owner, `${standard.vendor} could not describe its input`, error);
  }
  throw schemaError(owner, `${standard.vendor} cannot describe its input as JSON Schema; give { schema, jsonSchema }`);
}

/** Gives the schema the type `object`; a schema of another type cannot take named arguments. */
function objectSchema(schema: JsonObject, owner: string): JsonObject {
  const { $schema: _, ...rest } = schema;
  if (rest.type === undefined) return { type: "object", properties: {}, ...rest };
  if (rest.type !== "object") throw schemaError(owner, `its input is of type ${JSON.stringify(rest.type)}, not object`);
  return rest.properties === undefined ? { ...rest, properties: {} } : rest;
}

function fromStandard(result: StandardResult<unknown>): Validated {
  if (result.issues === undefined) return { ok: true, value: result.value };
  return { ok: false, issues: result.issues.slice(0, MAX_ISSUES).map(toIssue) };
}

function toIssue(issue: StandardIssue): InputIssue {
  let path = "";
  for (const part of issue.path ?? []) {
    const key = typeof part === "object" ? part.key : part;
    path += typeof key === "number" ? `[${key}]` : `${path === "" ? "" : "."}${String(key)}`;
  }
  return { path, message: issue.message };
}

function schemaError(owner: string, what: string, cause?: unknown): HoldallError {
  return new HoldallError("SCHEMA_INVALID", `the tool ${owner} cannot be used: ${what}. Give an object schema of valibot, zod, arktype or { jsonSchema }.`, { cause });
}
