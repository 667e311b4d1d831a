/** Makes a JSON Schema from anywhere safe to check with: nothing in it can fetch, loop for ever or throw. */

import type { dereference, Schema } from "@cfworker/json-schema";
import { isRecord, type JsonObject } from "../base/json.ts";
import { createPatternGuard } from "./pattern-guard.ts";
import { createUniqueGuard } from "./unique-guard.ts";

/** A schema that a validator can work with. */
export interface PreparedSchema {
  root: JsonObject;
  /** Schemas by address, for the validator. */
  lookup: Record<string, Schema | boolean>;
  /** Every schema within the root that is an object. */
  parts: JsonObject[];
  /** Gives what the `$ref` of a part leads to; undefined where there is none. */
  resolve(part: JsonObject): unknown;
  /**
   * Checks a value in a limited number of steps.
   *
   * @throws RangeError at the step that is one too many.
   */
  within<T>(steps: number, value: unknown, work: () => T): T;
}

/**
 * Prepares a schema.
 *
 * References that lead outside of it, or nowhere, accept anything: they are never fetched. Regular expressions that only
 * some dialects allow are rewritten where that is safe, else left unchecked; those that could take for ever are guarded.
 *
 * @param schema The schema; it is not changed.
 * @param addresses The validator's own way of giving parts an address.
 */
export function prepareSchema(schema: JsonObject, addresses: typeof dereference): PreparedSchema {
  const root = structuredClone(schema);
  const parts = collectParts(root);
  const guards = [createPatternGuard(), createUniqueGuard()] as const;
  for (const part of parts) {
    mendPatterns(part);
    for (const guard of guards) guard.take(part);
  }
  const lookup = addresses(root);
  const resolve = (part: JsonObject): unknown => {
    const { $ref } = part;
    return typeof $ref === "string" ? lookup[String(part.__absolute_ref__ ?? $ref)] : undefined;
  };
  for (const part of parts) if (part.$ref !== undefined && resolve(part) === undefined) delete part.$ref;
  let left = 0;
  const step = (): undefined => {
    left -= 1;
    if (left < 0) throw new RangeError("too many steps");
  };
  for (const part of parts) countSteps(part, step);
  const within = <T>(steps: number, value: unknown, work: () => T): T => {
    left = steps;
    return guards[0].during(value, () => guards[1].during(value, work));
  };
  return { root, lookup, parts, resolve, within };
}

/** Takes the addresses that a schema gives itself and its parts away, and with them what refers to them. */
export function withoutAddresses(schema: JsonObject): JsonObject {
  const root = structuredClone(schema);
  for (const part of collectParts(root)) {
    for (const name of ["$id", "id", "$anchor"]) if (typeof part[name] === "string") delete part[name];
  }
  return root;
}

const maps = ["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"];
const lists = ["allOf", "anyOf", "items", "oneOf", "prefixItems"];
const singles = [
  "additionalItems",
  "additionalProperties",
  "contains",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
];

function collectParts(schema: unknown, parts: JsonObject[] = []): JsonObject[] {
  if (!isRecord(schema)) return parts;
  const part = schema as JsonObject;
  parts.push(part);
  for (const name of maps) {
    const map = part[name];
    if (isRecord(map)) for (const child of Object.values(map)) collectParts(child, parts);
  }
  for (const name of lists) {
    const list = part[name];
    if (Array.isArray(list)) for (const child of list) collectParts(child, parts);
  }
  for (const name of singles) collectParts(part[name], parts);
  return parts;
}

/** The validator compiles patterns in unicode mode, which many that are in use are not written for. */
function mendPatterns(part: JsonObject): void {
  if (part.pattern !== undefined) {
    const pattern = typeof part.pattern === "string" ? mendPattern(part.pattern) : undefined;
    if (pattern === undefined) delete part.pattern;
    else part.pattern = pattern;
  }
  if (isRecord(part.patternProperties)) {
    const mended = Object.entries(part.patternProperties).map(([name, child]) => [mendPattern(name), child] as const);
    part.patternProperties = Object.fromEntries(mended.filter(([name]) => name !== undefined)) as JsonObject;
  }
}

function mendPattern(pattern: string): string | undefined {
  // Escapes that need not be there, such as `\-`, are mistakes in unicode mode.
  const plain = pattern.replace(/\\(.)/gs, (whole: string, escaped: string) =>
    /[A-Za-z0-9^$\\.*+?()[\]{}|/]/.test(escaped) ? whole : `\\u{${escaped.charCodeAt(0).toString(16)}}`,
  );
  return [pattern, plain].find(isPattern);
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u") !== undefined;
  } catch {
    return false;
  }
}

/** The validator reads every keyword of a schema that it enters, so a keyword that is hardly used can count for it. */
function countSteps(part: JsonObject, step: () => undefined): void {
  if (!Object.hasOwn(part, "$recursiveRef")) {
    Object.defineProperty(part, "$recursiveRef", { get: step, enumerable: false });
  }
}
