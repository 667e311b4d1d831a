/** Gemini's `parameters`: a subset of OpenAPI. */

import { isRecord, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { DialectRules } from "./filter.ts";
import { lose, type Place } from "./report.ts";

const keywords = new Set([
  ...[
    "type",
    "format",
    "title",
    "description",
    "nullable",
    "enum",
    "items",
    "properties",
    "required",
    "anyOf",
    "default",
    "example",
  ],
  ...[
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "pattern",
    "propertyOrdering",
  ],
]);

/** The rules of the subset. */
export const geminiRules: DialectRules = { keywords, finish: (schema, place) => oneType(stringChoices(schema, place)) };

/** Choices are strings there. */
function stringChoices(schema: JsonObject, place: Place): JsonObject {
  if (!Array.isArray(schema.enum)) return schema;
  const { enum: choices, ...rest } = schema;
  const nullable = choices.includes(null) ? { nullable: true } : {};
  const values = choices.filter((choice) => choice !== null);
  if (values.every((choice) => typeof choice === "string"))
    return { ...rest, ...nullable, type: rest.type ?? "string", enum: values };
  lose(place, "enum", "only choices of strings are possible");
  const listed = `One of ${values.map((choice) => JSON.stringify(choice)).join(", ")}.`;
  const description = typeof rest.description === "string" ? `${rest.description} ${listed}` : listed;
  return { ...rest, ...nullable, type: rest.type ?? typeName(values[0]), description };
}

function typeName(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return "array";
  return value !== null && typeof value === "object" ? "object" : typeof value;
}

/** A schema has one type there; null is a flag. */
function oneType(schema: JsonObject): JsonObject {
  const choices = Array.isArray(schema.anyOf)
    ? schema.anyOf.filter((choice) => !(isRecord(choice) && choice.type === "null"))
    : undefined;
  if (choices !== undefined && Array.isArray(schema.anyOf) && choices.length < schema.anyOf.length) {
    const { anyOf: _, ...rest } = schema;
    const [only] = choices;
    return oneType(
      choices.length === 1 && isRecord(only)
        ? ({ ...only, ...rest, nullable: true } as JsonObject)
        : { ...rest, anyOf: choices, nullable: true },
    );
  }
  if (!Array.isArray(schema.type)) return schema;
  const { type, ...rest } = schema;
  const types = type.filter((one) => one !== "null");
  const nullable = types.length < type.length ? { nullable: true } : {};
  if (types.length === 1 && types[0] !== undefined) return { ...rest, ...nullable, type: types[0] };
  return { ...rest, ...nullable, anyOf: types.map((one) => ({ type: one })) };
}
