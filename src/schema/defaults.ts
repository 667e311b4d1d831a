/** Fills the defaults of a JSON Schema into a value. */

import { isRecord, type JsonObject } from "../base/json.ts";

/** Gives what the `$ref` of a schema leads to; undefined where there is none. */
export type ResolveRef = (schema: JsonObject) => unknown;

/** The most schemas that are visited for one value; a schema that multiplies itself is left where it stands. */
const MAX_VISITS = 100_000;

/**
 * Fills in the defaults of properties that are missing, at every level that the value has: an object that is missing
 * without a default of its own stays missing.
 *
 * It follows `properties`, `items`, `allOf` and local references. Alternatives (`anyOf`, `oneOf`, `if`) are not followed:
 * which of them applies is known only after the check.
 *
 * @param schema The schema.
 * @param value The value; it is never changed.
 * @param resolve Follows references.
 * @returns The value itself when nothing was missing, else a copy of what had to change.
 */
export function fillDefaults(schema: unknown, value: unknown, resolve: ResolveRef): unknown {
  return fill(schema, value, { resolve, left: MAX_VISITS, inserted: false }, 0);
}

interface Filling {
  resolve: ResolveRef;
  left: number;
  /** Whether the value is a default itself. A default may hold its own schema again, so references end there. */
  inserted: boolean;
}

/** Deeper than any value that is read from JSON, with a reference or two at each level. */
const MAX_DEPTH = 1024;

function fill(schema: unknown, value: unknown, filling: Filling, depth: number): unknown {
  filling.left -= 1;
  if (!isRecord(schema) || typeof value !== "object" || value === null) return value;
  if (filling.left < 0 || depth > MAX_DEPTH) return value;
  let filled = value;
  if (schema.$ref !== undefined && !filling.inserted) {
    filled = fill(filling.resolve(schema as JsonObject), filled, filling, depth + 1) as object;
  }
  if (Array.isArray(schema.allOf)) {
    for (const part of schema.allOf) filled = fill(part, filled, filling, depth + 1) as object;
  }
  return Array.isArray(filled)
    ? fillItems(schema.items, filled, filling, depth + 1)
    : fillProperties(schema.properties, filled as Record<string, unknown>, filling, depth + 1);
}

function fillItems(items: unknown, value: readonly unknown[], filling: Filling, depth: number): readonly unknown[] {
  if (!isRecord(items)) return value;
  const filled = value.map((item) => fill(items, item, filling, depth));
  return filled.some((item, index) => item !== value[index]) ? filled : value;
}

function fillProperties(
  properties: unknown,
  value: Record<string, unknown>,
  filling: Filling,
  depth: number,
): Record<string, unknown> {
  if (!isRecord(properties)) return value;
  let filled = value;
  for (const [name, schema] of Object.entries(properties)) {
    if (name === "__proto__") continue;
    const isMissing = !Object.hasOwn(value, name) || value[name] === undefined;
    const child = isMissing ? makeDefault(schema, filling, depth) : fill(schema, value[name], filling, depth);
    if (child === undefined || (!isMissing && child === value[name])) continue;
    if (filled === value) filled = { ...value };
    filled[name] = child;
  }
  return filled;
}

function makeDefault(schema: unknown, filling: Filling, depth: number): unknown {
  if (!isRecord(schema) || schema.default === undefined) return undefined;
  const { inserted } = filling;
  filling.inserted = true;
  const value = fill(schema, structuredClone(schema.default), filling, depth);
  filling.inserted = inserted;
  return value;
}
