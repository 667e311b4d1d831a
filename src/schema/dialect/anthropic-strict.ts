/** Anthropic's strict form: closed objects, optional properties stay optional, few limits on values. */

import { isRecord, type JsonObject } from "../../base/json.ts";
import type { DialectRules } from "./filter.ts";
import { forbidStrict, lose, type Place } from "./report.ts";

const keywords = new Set([
  "type",
  "description",
  "enum",
  "anyOf",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "format",
  "minItems",
  "default",
]);
const formats = new Set(["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"]);

/** The rules of the strict form. */
export const anthropicStrictRules: DialectRules = { keywords, finish };

function finish(schema: JsonObject, place: Place): JsonObject {
  const copy = { ...schema };
  if (typeof copy.format === "string" && !formats.has(copy.format)) {
    lose(place, "format", "the provider does not know it");
    delete copy.format;
  }
  if (typeof copy.minItems === "number" && copy.minItems > 1) {
    lose(place, "minItems", "only 0 and 1 are possible");
    copy.minItems = 1;
  }
  if (copy.type !== "object" && !isRecord(copy.properties)) return copy;
  const open = isRecord(copy.additionalProperties) || copy.additionalProperties === true;
  const empty = !isRecord(copy.properties) || Object.keys(copy.properties).length === 0;
  if (open || (empty && place.path !== "" && copy.additionalProperties !== false))
    forbidStrict(place, "the object takes any property");
  return { ...copy, type: "object", additionalProperties: false };
}

/** The limits of one request. */
export const ANTHROPIC_STRICT_LIMITS: { tools: number; optional: number; unions: number } = {
  tools: 20,
  optional: 24,
  unions: 16,
};

/** What a strict schema takes of the limits of its request. */
export interface StrictCost {
  optional: number;
  unions: number;
}

/** Counts optional parameters and parameters with alternatives. */
export function strictCost(schema: unknown): StrictCost {
  const cost = { optional: 0, unions: 0 };
  addCost(schema, cost);
  return cost;
}

function addCost(schema: unknown, cost: StrictCost): void {
  if (!isRecord(schema)) return;
  if (Array.isArray(schema.type) || Array.isArray(schema.anyOf)) cost.unions += 1;
  if (isRecord(schema.properties)) {
    const required = Array.isArray(schema.required) ? schema.required : [];
    for (const [name, child] of Object.entries(schema.properties)) {
      if (!required.includes(name)) cost.optional += 1;
      addCost(child, cost);
    }
  }
  addCost(schema.items, cost);
  if (Array.isArray(schema.anyOf)) for (const choice of schema.anyOf) addCost(choice, cost);
}
