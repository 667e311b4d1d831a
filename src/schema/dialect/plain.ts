/** Brings any schema into a plain form: no booleans, no references, no `allOf`, alternatives only as `anyOf`. */

import { isRecord, type JsonObject, type JsonValue } from "../../base/json.ts";
import { below, forbidStrict, lose, MAX_SCHEMA_DEPTH, MAX_SCHEMA_NODES, type Place } from "./report.ts";

/** A schema in plain form. */
export type PlainSchema = JsonObject;

/**
 * Makes a plain copy of a tool's schema. The root is always an object: alternatives at the root are merged into one
 * object with the properties of all of them, of which only those that all require stay required.
 *
 * @param schema The schema; anything that is not one accepts anything.
 * @param place Where losses are noted.
 */
export function toPlain(schema: unknown, place: Place): PlainSchema {
  const root = isRecord(schema) ? (schema as JsonObject) : {};
  const plain = plainOf(root, { root, open: [] }, place);
  const { $schema: _, $defs: __, definitions: ___, ...rest } = plain;
  const single = mergeRootChoices(rest, place);
  return {
    ...single,
    type: "object",
    properties: isRecord(single.properties) ? (single.properties as JsonObject) : {},
  };
}

interface Source {
  root: JsonObject;
  /** References that are being followed, to notice recursion. */
  open: readonly string[];
}

function plainOf(schema: unknown, source: Source, place: Place): PlainSchema {
  if (schema === true || schema === undefined) return {};
  if (!isRecord(schema)) {
    if (schema === false) lose(place, "false", "nothing may stand here, which cannot be said");
    return {};
  }
  place.report.nodes += 1;
  if (place.depth > MAX_SCHEMA_DEPTH || place.report.nodes > MAX_SCHEMA_NODES) {
    if (place.report.nodes <= MAX_SCHEMA_NODES + 1) lose(place, "depth", "the schema is too deep or too large");
    forbidStrict(place, "the schema is too deep or too large");
    return {};
  }
  if (typeof schema.$ref === "string") return followRef(schema, schema.$ref, source, place);
  return mergeAll(children(schema as JsonObject, source, place), place);
}

function followRef(schema: Record<string, unknown>, reference: string, source: Source, place: Place): PlainSchema {
  const { $ref: _, ...siblings } = schema;
  if (!reference.startsWith("#")) {
    lose(place, "$ref", "a reference to elsewhere is never fetched");
    return children(siblings as JsonObject, source, place);
  }
  if (source.open.includes(reference)) {
    lose(place, "$ref", "a schema that contains itself is cut here");
    forbidStrict(place, "the schema contains itself");
    return {};
  }
  const target = followPointer(reference, source.root);
  if (target === undefined) lose(place, "$ref", "the reference leads nowhere");
  const resolved = plainOf(target, { ...source, open: [...source.open, reference] }, place);
  return { ...resolved, ...children(siblings as JsonObject, source, place) };
}

/** Makes the schemas inside a schema plain. */
function children(schema: JsonObject, source: Source, place: Place): JsonObject {
  const copy: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "properties" || keyword === "patternProperties")
      copy[keyword] = mapValues(value, (child, name) => plainOf(child, source, below(place, keyword, name)));
    else if (keyword === "items" && !Array.isArray(value)) copy.items = plainOf(value, source, below(place, "items"));
    else if (keyword === "anyOf" || keyword === "oneOf" || keyword === "allOf" || keyword === "prefixItems")
      copy[keyword] = mapItems(value, (child, index) => plainOf(child, source, below(place, keyword, index)));
    else if (keyword === "additionalProperties" && isRecord(value))
      copy[keyword] = plainOf(value, source, below(place, keyword));
    else copy[keyword] = value;
  }
  if (Array.isArray(copy.oneOf)) {
    copy.anyOf = [...(Array.isArray(copy.anyOf) ? copy.anyOf : []), ...copy.oneOf];
    delete copy.oneOf;
    lose(place, "oneOf", "said as anyOf");
  }
  if ("const" in copy && copy.const !== undefined) {
    copy.enum = [copy.const];
    delete copy.const;
  }
  return tidyTypes(copy);
}

/** Keywords of another type than the schema's say nothing, and some providers refuse them. */
function tidyTypes(schema: JsonObject): JsonObject {
  const types = Array.isArray(schema.type) ? schema.type : schema.type === undefined ? undefined : [schema.type];
  if (types === undefined) return schema;
  const copy = { ...schema };
  if (!types.includes("object"))
    for (const keyword of ["properties", "required", "additionalProperties"]) delete copy[keyword];
  if (!types.includes("array")) for (const keyword of ["items", "minItems", "maxItems"]) delete copy[keyword];
  else if (copy.items === undefined && copy.prefixItems === undefined) copy.items = {};
  return copy;
}

function mergeAll(schema: JsonObject, place: Place): JsonObject {
  if (!Array.isArray(schema.allOf)) return schema;
  const { allOf, ...rest } = schema;
  let merged: JsonObject = rest;
  for (const part of allOf) if (isRecord(part)) merged = mergeTwo(merged, part as JsonObject, place);
  return merged;
}

function mergeTwo(one: JsonObject, other: JsonObject, place: Place): JsonObject {
  const merged: JsonObject = { ...one };
  for (const [keyword, value] of Object.entries(other)) {
    const before = merged[keyword];
    if (before === undefined) merged[keyword] = value;
    else if (keyword === "properties" && isRecord(before) && isRecord(value))
      merged[keyword] = { ...before, ...value } as JsonObject;
    else if (keyword === "required" && Array.isArray(before) && Array.isArray(value))
      merged[keyword] = [...new Set([...before, ...value])];
    else if (JSON.stringify(before) !== JSON.stringify(value))
      lose(place, keyword, "two parts of allOf differ; the first is told");
  }
  return merged;
}

function mergeRootChoices(schema: JsonObject, place: Place): JsonObject {
  const { anyOf, not, if: _if, then: _then, else: _else, ...rest } = schema;
  for (const keyword of ["not", "if"])
    if (schema[keyword] !== undefined) lose(place, keyword, "not possible at the root");
  if (!Array.isArray(anyOf)) return rest;
  lose(place, "anyOf", "alternatives at the root are told as one object");
  const choices = anyOf.filter(isRecord) as JsonObject[];
  const always = choices
    .map((choice) => namesIn(choice.required))
    .reduce((common, names) => common.filter((name) => names.includes(name)), namesIn(choices[0]?.required));
  const properties = Object.assign({}, ...choices.map((choice) => choice.properties), rest.properties) as JsonObject;
  return {
    ...rest,
    properties,
    required: [...new Set([...namesIn(rest.required), ...always])].filter((name) => Object.hasOwn(properties, name)),
  };
}

function namesIn(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

function mapValues(value: JsonValue | undefined, map: (child: unknown, name: string) => JsonObject): JsonObject {
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([name, child]) => [name, map(child, name)]))
    : {};
}

function mapItems(value: JsonValue | undefined, map: (child: unknown, index: number) => JsonObject): JsonObject[] {
  return Array.isArray(value) ? value.map(map) : [];
}

function followPointer(reference: string, root: JsonObject): unknown {
  let current: unknown = root;
  for (const raw of reference.replace(/^#\/?/, "").split("/")) {
    if (raw === "") continue;
    const key = raw.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!(isRecord(current) || Array.isArray(current)) || !Object.hasOwn(current, key)) return undefined;
    current = Reflect.get(current, key);
  }
  return current;
}
