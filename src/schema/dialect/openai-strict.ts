/** OpenAI's strict form: closed objects, every property required, optional ones nullable. */

import { isRecord, type JsonObject } from "../../base/json.ts";
import type { DialectRules } from "./filter.ts";
import { below, forbidStrict, type Place } from "./report.ts";

const keywords = new Set([
  ...["type", "description", "enum", "anyOf", "properties", "required", "additionalProperties", "items"],
  ...[
    "pattern",
    "format",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
  ],
]);

/** The rules of the strict form. */
export const openAiStrictRules: DialectRules = { keywords, finish };

function finish(schema: JsonObject, place: Place): JsonObject {
  const isObject = schema.type === "object" || isRecord(schema.properties);
  if (!isObject) {
    if (schema.type === undefined && schema.enum === undefined && schema.anyOf === undefined)
      forbidStrict(place, "anything may stand here");
    return schema;
  }
  if (isRecord(schema.additionalProperties) || schema.additionalProperties === true)
    forbidStrict(place, "the object takes any property");
  const properties = isRecord(schema.properties) ? (schema.properties as JsonObject) : {};
  const names = Object.keys(properties);
  if (names.length === 0 && place.path !== "" && schema.additionalProperties !== false)
    forbidStrict(place, "the object takes any property");
  const required = Array.isArray(schema.required) ? schema.required : [];
  const closed = names.map(
    (name) =>
      [
        name,
        required.includes(name) ? properties[name] : nullable(properties[name], below(place, "properties", name)),
      ] as const,
  );
  return {
    ...schema,
    type: "object",
    properties: Object.fromEntries(closed) as JsonObject,
    required: names,
    additionalProperties: false,
  };
}

/** An optional value is told as null, which comes back as absent. */
function nullable(schema: unknown, place: Place): JsonObject {
  if (!isRecord(schema)) return {};
  const copy = { ...schema } as JsonObject;
  if (Array.isArray(copy.anyOf))
    return copy.anyOf.some((choice) => isRecord(choice) && choice.type === "null")
      ? copy
      : { ...copy, anyOf: [...copy.anyOf, { type: "null" }] };
  if (copy.type === undefined) forbidStrict(place, "anything may stand here");
  const types = Array.isArray(copy.type) ? copy.type : copy.type === undefined ? [] : [copy.type];
  const withNull = types.includes("null") ? copy : { ...copy, type: [...types, "null"] };
  return Array.isArray(withNull.enum) && !withNull.enum.includes(null)
    ? { ...withNull, enum: [...withNull.enum, null] }
    : withNull;
}

/** The limits of one strict schema: properties in all, levels, characters of names and choices, choices in all. */
export const OPENAI_STRICT_LIMITS: { properties: number; levels: number; characters: number; choices: number } = {
  properties: 5000,
  levels: 10,
  characters: 120_000,
  choices: 1000,
};

/** Forbids the strict form of a schema that is over the limits. */
export function checkOpenAiLimits(schema: JsonObject, place: Place): void {
  const sum = { properties: 0, levels: 0, characters: 0, choices: 0 };
  count(schema, 1, sum);
  for (const [what, most] of Object.entries(OPENAI_STRICT_LIMITS)) {
    const has = sum[what as keyof typeof sum];
    if (has > most) forbidStrict(place, `${has} ${what}, ${most} are possible`);
  }
}

function count(
  schema: unknown,
  level: number,
  sum: { properties: number; levels: number; characters: number; choices: number },
): void {
  if (!isRecord(schema)) return;
  sum.levels = Math.max(sum.levels, level);
  if (Array.isArray(schema.enum)) {
    sum.choices += schema.enum.length;
    for (const choice of schema.enum) sum.characters += String(choice).length;
  }
  if (isRecord(schema.properties)) {
    for (const [name, child] of Object.entries(schema.properties)) {
      sum.properties += 1;
      sum.characters += name.length;
      count(child, level + 1, sum);
    }
  }
  count(schema.items, level + 1, sum);
  if (Array.isArray(schema.anyOf)) for (const choice of schema.anyOf) count(choice, level, sum);
}
