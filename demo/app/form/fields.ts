/** Makes form fields out of the JSON Schema of a tool's input. */
import type { JsonObject, JsonValue } from "holdall";

/** How a field is filled in. */
export type FieldKind = "text" | "long-text" | "number" | "integer" | "boolean" | "choice" | "json";

/** One field of a form. */
export interface Field {
  name: string;
  kind: FieldKind;
  isRequired: boolean;
  description: string;
  /** The default, as text; empty for none. */
  fallback: string;
  /** What can be chosen; for `choice` only. */
  choices: readonly JsonValue[];
  minimum: number | undefined;
  maximum: number | undefined;
  /** What JSON is wanted, such as `array of string`; for `json` only. */
  shape: string;
}

/** Strings of these names tend to have several lines. */
const LONG = /content|command|string$|text|prompt|code|body|message/i;

/** Lists the fields of an input; required ones first, otherwise in the order of the schema. */
export function fieldsOf(schema: JsonObject): Field[] {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = Object.entries(properties).map(([name, property]) =>
    toField(name, isObject(property) ? property : {}, required.includes(name)),
  );
  return fields.sort((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

function toField(name: string, schema: JsonObject, isRequired: boolean): Field {
  const plain = withoutNull(schema);
  const choices = Array.isArray(plain.enum) ? plain.enum : [];
  return {
    name,
    kind: choices.length > 0 ? "choice" : kindOf(name, plain),
    isRequired,
    description: textOf(schema.description ?? plain.description),
    fallback: schema.default === undefined ? "" : toText(schema.default),
    choices,
    minimum: numberOf(plain.minimum ?? plain.exclusiveMinimum),
    maximum: numberOf(plain.maximum ?? plain.exclusiveMaximum),
    shape: shapeOf(plain),
  };
}

/** A field that may be null is left out instead, so only the other half counts. */
function withoutNull(schema: JsonObject): JsonObject {
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== "null");
    return types.length === 1 && types[0] !== undefined ? { ...schema, type: types[0] } : schema;
  }
  const variants = [schema.anyOf, schema.oneOf]
    .find(Array.isArray)
    ?.filter((one) => !(isObject(one) && one.type === "null"));
  const only = variants?.length === 1 ? variants[0] : undefined;
  return isObject(only) ? only : schema;
}

function kindOf(name: string, { type, maxLength }: JsonObject): FieldKind {
  if (type === "string")
    return LONG.test(name) && !(typeof maxLength === "number" && maxLength < 200) ? "long-text" : "text";
  if (type === "number" || type === "integer" || type === "boolean") return type;
  return "json";
}

function shapeOf({ type, items }: JsonObject): string {
  if (type !== "array") return type === "object" ? "object" : "any JSON value";
  return isObject(items) && typeof items.type === "string" ? `array of ${items.type}` : "array";
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function toText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}
