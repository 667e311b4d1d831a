/** Makes what a tool declares as its input a JSON Schema of type object. */

import { HoldallError } from "../base/errors.ts";
import { exceedsJsonDepth, isRecord, type JsonObject, MAX_JSON_DEPTH } from "../base/json.ts";
import { readPointer, valueAt } from "./pointer.ts";

/**
 * Copies a raw schema, so that later changes of the original change nothing.
 *
 * @param schema The schema; `true` accepts anything.
 * @param owner The name of the tool, for errors.
 * @throws HoldallError `SCHEMA_INVALID` when it is no JSON, or nested deeper than any schema has to be.
 */
export function copySchema(schema: unknown, owner: string): JsonObject {
  if (schema === true) return {};
  if (!isRecord(schema)) throw schemaError(owner, "its input is neither a Standard Schema nor { jsonSchema }");
  let copy: unknown;
  try {
    copy = JSON.parse(JSON.stringify(schema));
  } catch (error) {
    throw schemaError(owner, "its JSON Schema is not plain JSON", error);
  }
  if (exceedsJsonDepth(copy))
    throw schemaError(owner, `its JSON Schema is nested deeper than ${MAX_JSON_DEPTH} levels`);
  return copy as JsonObject;
}

/**
 * Gives a schema the type `object`; a schema of another type cannot take named arguments.
 *
 * A root that only refers to a definition is replaced by it, and `properties` is always there.
 *
 * @param schema The schema; it is not changed.
 * @param owner The name of the tool, for errors.
 * @throws HoldallError `SCHEMA_INVALID` when it is of another type.
 */
export function objectSchema(schema: JsonObject, owner: string): JsonObject {
  const { $schema: _, type, properties = {}, required, ...rest } = inlineRoot(schema);
  if (type !== undefined && type !== "object" && !(Array.isArray(type) && type.includes("object"))) {
    throw schemaError(owner, `its input is of type ${JSON.stringify(type)}, not object`);
  }
  if (!isRecord(properties)) throw schemaError(owner, "the properties of its input are not an object");
  return { type: "object", properties, ...(Array.isArray(required) ? { required } : {}), ...rest };
}

/** Makes the error for a declared input that cannot be used. */
export function schemaError(owner: string, what: string, cause?: unknown): HoldallError {
  return new HoldallError(
    "SCHEMA_INVALID",
    `the tool ${owner} cannot be used: ${what}. Give an object schema of valibot, zod, arktype or { jsonSchema }.`,
    { cause },
  );
}

/** What a recursive type looks like: `{ $ref: "#/$defs/Node", $defs: { Node: … } }`. */
function inlineRoot(schema: JsonObject): JsonObject {
  let root = schema;
  // As many hops as there are definitions; a circle of references ends it.
  for (let hops = 0; typeof root.$ref === "string" && root.$ref.startsWith("#/") && hops < 16; hops += 1) {
    const target = valueAt(schema, readPointer(root.$ref));
    if (!isRecord(target)) break;
    const { $ref: _, ...rest } = root;
    root = { ...(target as JsonObject), ...rest };
  }
  return root;
}
