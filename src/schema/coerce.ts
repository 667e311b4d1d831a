/** Mends arguments that say the right thing in the wrong JSON type, guided by the schema. */

import { isRecord, type JsonObject } from "../base/json.ts";

/** How deep schemas and values are followed. */
export const MAX_COERCE_DEPTH = 32;

/**
 * Mends what models commonly get wrong: a number, boolean, array or object written as a string, a null for an optional
 * property, the whole of an array item by item. Strings that shall be strings are never touched, an empty string never
 * becomes a number, and nothing is mended where the value already has an accepted type.
 *
 * To be used only on arguments that failed validation, and followed by another validation.
 *
 * @param value The arguments; they are not changed.
 * @param schema The JSON Schema of the arguments.
 * @returns The mended copy, or the value itself when there was nothing to mend.
 */
export function coerceArguments(value: unknown, schema: JsonObject): unknown {
  return coerce(value, schema, { root: schema, depth: 0 });
}

interface Place {
  root: JsonObject;
  depth: number;
}

function coerce(value: unknown, schema: unknown, place: Place): unknown {
  if (place.depth > MAX_COERCE_DEPTH) return value;
  const resolved = resolveRef(schema, place.root);
  if (resolved === undefined) return value;
  const deeper = { ...place, depth: place.depth + 1 };
  const choices = [resolved.anyOf, resolved.oneOf].find(Array.isArray);
  if (choices !== undefined) return coerceChoice(value, choices, deeper);
  const types = typesOf(resolved);
  const mended = types.length === 0 || types.some((type) => hasType(value, type)) ? value : coerceLeaf(value, types);
  if (Array.isArray(mended)) return coerceItems(mended, resolved, deeper);
  return isRecord(mended) ? coerceProperties(mended, resolved, deeper) : mended;
}

/** The first alternative whose type the value has is taken; else the first that the value can be mended to. */
function coerceChoice(value: unknown, choices: readonly unknown[], place: Place): unknown {
  const schemas = choices.map((choice) => resolveRef(choice, place.root)).filter((schema) => schema !== undefined);
  const fitting = schemas.find((schema) => typesOf(schema).some((type) => hasType(value, type)));
  if (fitting !== undefined) return coerce(value, fitting, place);
  for (const schema of schemas) {
    const mended = coerce(value, schema, place);
    if (mended !== value) return mended;
  }
  return value;
}

function coerceProperties(value: Record<string, unknown>, schema: JsonObject, place: Place): Record<string, unknown> {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  let copy: Record<string, unknown> | undefined;
  for (const [name, child] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name)
      ? properties[name]
      : isRecord(schema.additionalProperties)
        ? schema.additionalProperties
        : undefined;
    if (known === undefined) continue;
    if (child === null && !required.includes(name) && !accepts(known, "null", place)) {
      copy ??= { ...value };
      delete copy[name];
      continue;
    }
    const mended = coerce(child, known, place);
    if (mended === child) continue;
    copy ??= { ...value };
    copy[name] = mended;
  }
  return copy ?? value;
}

function coerceItems(value: readonly unknown[], schema: JsonObject, place: Place): readonly unknown[] {
  if (!isRecord(schema.items)) return value;
  const items = value.map((item) => coerce(item, schema.items, place));
  return items.some((item, index) => item !== value[index]) ? items : value;
}

function coerceLeaf(value: unknown, types: readonly string[]): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim();
  for (const type of types) {
    const mended = readAs(text, type);
    if (mended !== undefined) return mended;
  }
  return value;
}

function readAs(text: string, type: string): unknown {
  switch (type) {
    case "integer":
    case "number": {
      // A number that would lose digits stays text: the schema then says what it wants.
      const number = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
      if (!Number.isFinite(number) || (Number.isInteger(number) && !Number.isSafeInteger(number))) return undefined;
      return type === "integer" && !Number.isInteger(number) ? undefined : number;
    }
    case "boolean":
      return /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : undefined;
    case "null":
      return text === "null" ? null : undefined;
    case "array":
    case "object":
      return readJson(text, type);
    default:
      return undefined;
  }
}

function readJson(text: string, type: "array" | "object"): unknown {
  if (!text.startsWith(type === "array" ? "[" : "{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return hasType(value, type) ? value : undefined;
  } catch {
    return undefined;
  }
}

function accepts(schema: unknown, type: string, place: Place): boolean {
  const resolved = resolveRef(schema, place.root);
  if (resolved === undefined) return true;
  const choices = [resolved.anyOf, resolved.oneOf].find(Array.isArray);
  if (choices !== undefined)
    return choices.some((choice) => accepts(choice, type, { ...place, depth: place.depth + 1 }));
  const types = typesOf(resolved);
  return types.length === 0 ? !Array.isArray(resolved.enum) || resolved.enum.includes(null) : types.includes(type);
}

function typesOf(schema: JsonObject): string[] {
  const { type } = schema;
  if (typeof type === "string") return [type];
  return Array.isArray(type) ? type.filter((one) => typeof one === "string") : [];
}

function hasType(value: unknown, type: string): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isRecord(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

/** Follows local references; anything else that is not a plain schema is left alone. */
function resolveRef(schema: unknown, root: JsonObject): JsonObject | undefined {
  let current = schema;
  for (let hops = 0; hops < MAX_COERCE_DEPTH; hops += 1) {
    if (!isRecord(current)) return undefined;
    if (typeof current.$ref !== "string") return current as JsonObject;
    current = followPointer(current.$ref, root);
  }
  return undefined;
}

function followPointer(reference: string, root: JsonObject): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let current: unknown = root;
  for (const raw of reference.slice(2).split("/")) {
    const key = raw.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isRecord(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}
