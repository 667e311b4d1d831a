/** The input of a tool: any Standard Schema, or a raw JSON Schema; JSON Schema out; the validated value handed on. */

import { toJsonSchema } from "@valibot/to-json-schema";
import type { JsonObject } from "../base/json.ts";
import { jsonSchemaValidator } from "./json-schema-validator.ts";
import { copySchema, objectSchema, schemaError } from "./object-schema.ts";
import type { StandardIssue, StandardResult, StandardSchema } from "./standard-schema.ts";
import { formatPath, type InputIssue, MAX_ISSUES, type Validated } from "./validated.ts";

/** A raw JSON Schema (draft-07 or 2020-12) of type object; `true` and `{}` take any arguments. */
export interface RawJsonSchema {
  jsonSchema: JsonObject | true;
}

/**
 * What a tool may declare as its input. A Standard Schema whose library cannot tell its JSON Schema is given together
 * with one: `{ schema, jsonSchema }`.
 */
export type ToolInput =
  | StandardSchema<unknown, unknown>
  | RawJsonSchema
  | (RawJsonSchema & { schema: StandardSchema<unknown, unknown> });

/** The type that `execute` gets for a declared input. */
export type InputOf<S> = S extends { schema: StandardSchema<unknown, infer Output> }
  ? Output
  : S extends StandardSchema<unknown, infer Output>
    ? Output
    : Record<string, unknown>;

/** A schema made ready: described once, checked often. */
export interface CompiledInput {
  /** The JSON Schema, always of type object and with `properties`. */
  readonly jsonSchema: JsonObject;
  /**
   * Checks a value and hands on what the schema made of it, defaults included. The first checks of a raw schema wait
   * for its validator.
   */
  validate(value: unknown): Validated | Promise<Validated>;
}

/**
 * Makes an input schema ready.
 *
 * A Standard Schema without a validator of its own is checked by the JSON Schema it tells.
 *
 * @param input The declared input; undefined means no arguments.
 * @param owner The name of the tool, for errors.
 * @throws HoldallError `SCHEMA_INVALID` when it is neither kind of schema, cannot be described, or is not of type object.
 */
export function compileInput(input: ToolInput | undefined, owner: string): CompiledInput {
  if (input === undefined) return noArguments;
  const kind = typeof input;
  if ((kind !== "object" && kind !== "function") || input === null) {
    throw schemaError(owner, "its input is neither a Standard Schema nor { jsonSchema }");
  }
  if ("~standard" in input) return compileStandard(input, () => describeStandard(input, owner), owner);
  if ("schema" in input) return compileStandard(input.schema, () => copySchema(input.jsonSchema, owner), owner);
  return compileRaw(copySchema(input.jsonSchema, owner), owner);
}

/** Nothing is asked for, so nothing has to be loaded to check it. */
const noArguments: CompiledInput = {
  jsonSchema: { type: "object", properties: {} },
  validate: (value) => ({ ok: true, value }),
};

function compileStandard(
  schema: StandardSchema<unknown, unknown>,
  describe: () => JsonObject,
  owner: string,
): CompiledInput {
  const standard = schema?.["~standard"];
  if (typeof standard?.validate !== "function") {
    if (standard?.jsonSchema !== undefined) return compileRaw(describe(), owner);
    throw schemaError(owner, "its input has no ~standard.validate");
  }
  return {
    // A schema that cannot be described is the programmer's mistake: it shows when the tool is made, not when it is called.
    jsonSchema: objectSchema(describe(), owner),
    validate(value) {
      const result = standard.validate(value);
      return "then" in result ? Promise.resolve(result).then(fromStandard) : fromStandard(result);
    },
  };
}

function compileRaw(schema: JsonObject, owner: string): CompiledInput {
  const jsonSchema = objectSchema(schema, owner);
  return { jsonSchema, validate: jsonSchemaValidator(jsonSchema, schema.$schema) };
}

function describeStandard(schema: StandardSchema<unknown, unknown>, owner: string): JsonObject {
  const standard = schema["~standard"];
  try {
    if (standard?.jsonSchema !== undefined) return standard.jsonSchema.input({ target: "draft-2020-12" }) as JsonObject;
    if (standard?.vendor === "valibot") {
      return toJsonSchema(schema as never, { errorMode: "ignore", typeMode: "input" }) as JsonObject;
    }
  } catch (error) {
    throw schemaError(owner, `${standard.vendor} could not describe its input`, error);
  }
  throw schemaError(
    owner,
    `${standard?.vendor ?? "its library"} cannot describe its input as JSON Schema; give { schema, jsonSchema }`,
  );
}

function fromStandard(result: StandardResult<unknown>): Validated {
  if (result.issues === undefined) return { ok: true, value: result.value };
  return { ok: false, issues: result.issues.slice(0, MAX_ISSUES).map(toIssue) };
}

function toIssue(issue: StandardIssue): InputIssue {
  const keys = (issue.path ?? []).map((part) => (typeof part === "object" ? part.key : part));
  return { path: formatPath(keys), message: issue.message };
}
