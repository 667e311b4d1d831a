/** Walks a plain schema and keeps only the keywords that a dialect knows. */

import { isRecord, type JsonObject } from "../../base/json.ts";
import type { PlainSchema } from "./plain.ts";
import { below, lose, type Place } from "./report.ts";

/** What a dialect does at each schema. */
export interface DialectRules {
  /** Every keyword that may stay. */
  keywords: ReadonlySet<string>;
  /** Rewrites a schema whose children are done. */
  finish(schema: JsonObject, place: Place): JsonObject;
}

/** Keywords that explain nothing a model needs, so leaving them out is no loss. */
const silent = new Set([
  "title",
  "$id",
  "$comment",
  "$anchor",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "default",
  "additionalProperties",
]);

/** Converts a schema from the inside out. */
export function applyRules(schema: PlainSchema, rules: DialectRules, place: Place): JsonObject {
  const copy: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (value === undefined) continue;
    if (!rules.keywords.has(keyword)) {
      if (!silent.has(keyword)) lose(place, keyword, "the provider does not know it");
      continue;
    }
    if (keyword === "properties" && isRecord(value)) {
      copy.properties = Object.fromEntries(
        Object.entries(value).map(([name, child]) => [name, convert(child, rules, below(place, keyword, name))]),
      );
    } else if (keyword === "items") copy.items = convert(value, rules, below(place, keyword));
    else if (keyword === "additionalProperties" && isRecord(value))
      copy[keyword] = convert(value, rules, below(place, keyword));
    else if (keyword === "anyOf" && Array.isArray(value))
      copy.anyOf = value.map((child, index) => convert(child, rules, below(place, keyword, index)));
    else copy[keyword] = value;
  }
  return rules.finish(copy, place);
}

function convert(schema: unknown, rules: DialectRules, place: Place): JsonObject {
  return applyRules(isRecord(schema) ? (schema as JsonObject) : {}, rules, place);
}
