/** Says in a few words what a schema accepts and what a value is. */

import { describeJson, isRecord, type JsonObject } from "../base/json.ts";
import { cutText } from "../base/text.ts";
import type { PreparedSchema } from "./prepare-schema.ts";

/** The most choices that are listed. */
export const MAX_CHOICES = 32;

/** The longest text that is shown of a value. */
const MAX_SHOWN = 60;

/** Says in a few words what a schema accepts; empty when that is anything, or too much for a few words. */
export function describeSchema(schema: unknown, prepared: PreparedSchema, depth = 0): string {
  if (!isRecord(schema) || depth > 8) return "";
  if (schema.$ref !== undefined) return describeSchema(prepared.resolve(schema as JsonObject), prepared, depth + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return describeEnum(schema.enum);
  const forms = [schema.anyOf, schema.oneOf].find(Array.isArray);
  if (forms !== undefined) {
    const all = forms.map((form) => describeSchema(form, prepared, depth + 1)).filter((form) => form !== "");
    return [...new Set(all)].slice(0, MAX_CHOICES).join(" or ");
  }
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const names = types.filter((type) => typeof type === "string").join(" or ");
  const required = Array.isArray(schema.required) ? schema.required.slice(0, MAX_CHOICES).join(", ") : "";
  return names === "object" && required !== "" ? `object with ${required}` : names;
}

/** Lists choices; a single one stands alone. */
export function describeEnum(choices: readonly unknown[]): string {
  const shown = choices.slice(0, MAX_CHOICES).map((choice) => JSON.stringify(choice));
  const more = choices.length - shown.length;
  return `${shown.length === 1 ? "" : "one of "}${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Shows a scalar, and of anything else its type. */
export function showValue(value: unknown): string {
  if (typeof value === "string") {
    const shown = JSON.stringify(cutText(value, MAX_SHOWN));
    return `string ${shown}${value.length > MAX_SHOWN ? "…" : ""}`;
  }
  const type = describeJson(value);
  return type === "number" || type === "boolean" ? `${type} ${value}` : type;
}

/** Counts items, or characters as JSON Schema counts them. */
export function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : Array.from(String(value)).length;
}
