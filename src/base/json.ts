/** JSON values, and reading the JSON a model wrote. */

import { wellFormed } from "./text.ts";

/** A value that survives `JSON.parse(JSON.stringify(value))`. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

/** Tells whether a value is an object that is neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What reading a model's arguments gave. */
export type ParsedArguments =
  | {
      ok: true;
      value: Record<string, unknown>;
      /** Whether the text was not quite the JSON object it should have been. */
      repaired: boolean;
    }
  | {
      ok: false;
      /** What is wrong, without a full stop, such as `expected a JSON object, got array`. */
      error: string;
    };

/** The deepest nesting that is read and copied. */
export const MAX_JSON_DEPTH = 256;

/** The most values, at all levels together, that {@link toJsonValue} copies. */
export const MAX_JSON_VALUES = 250_000;

/**
 * Reads a text as a JSON object. Empty text is an empty object, a text encoded twice is decoded once more, `__proto__`
 * keys are dropped, halves of surrogate pairs become U+FFFD.
 *
 * @param text The text; null and undefined count as empty.
 */
export function parseObject(text: string | null | undefined): ParsedArguments {
  const source = (text ?? "").trim();
  if (source === "") return { ok: true, value: {}, repaired: false };
  const strict = tryParse(source);
  return strict.ok ? asArguments(strict.value) : strict;
}

/** Names the JSON type of a value the way a model knows it. */
export function describeJson(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

/** Tells whether a JSON value is nested deeper than {@link MAX_JSON_DEPTH}. */
export function exceedsJsonDepth(root: unknown): boolean {
  // Level by level, so that the stack does not grow with the nesting.
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === MAX_JSON_DEPTH) return true;
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== "object" || value === null) continue;
      for (const child of Object.values(value)) if (typeof child === "object" && child !== null) next.push(child);
    }
    level = next;
  }
  return false;
}

/**
 * Copies a value of any kind into JSON; it never throws.
 *
 * Errors keep name and message, bigints become text, `toJSON` is honoured, maps become objects and sets arrays. What
 * cannot be shown is named in brackets: functions, bytes, cycles, getters that throw, and whatever lies beyond
 * {@link MAX_JSON_DEPTH} or {@link MAX_JSON_VALUES}.
 */
export function toJsonValue(value: unknown): JsonValue {
  return copy(value, { above: new Set(), left: MAX_JSON_VALUES }, 0);
}

type Attempt = { ok: true; value: unknown } | { ok: false; error: string };

function tryParse(text: string): Attempt {
  try {
    const value: unknown = JSON.parse(text);
    // So deep a value takes at least two characters a level.
    if (text.length >= 2 * MAX_JSON_DEPTH && exceedsJsonDepth(value)) {
      return { ok: false, error: `nested deeper than ${MAX_JSON_DEPTH} levels` };
    }
    return { ok: true, value: mayBeUnclean(text) ? clean(value) : value };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
}

function asArguments(value: unknown): ParsedArguments {
  if (isRecord(value)) return { ok: true, value, repaired: false };
  if (value === null) return { ok: true, value: {}, repaired: true };
  if (typeof value === "string") {
    const inner = value.trim();
    if (inner === "") return { ok: true, value: {}, repaired: true };
    const decoded = tryParse(inner);
    if (decoded.ok && isRecord(decoded.value)) return { ok: true, value: decoded.value, repaired: true };
  }
  return { ok: false, error: `expected a JSON object, got ${describeJson(value)}` };
}

/** Whatever {@link clean} might change has one of these in its text: an escape, a half of a pair, or the key itself. */
const suspicious = /\\u|__proto__|[\ud800-\udfff]/;

/** A cheap look at the text that spares most values the walk of {@link clean}. */
function mayBeUnclean(text: string): boolean {
  return suspicious.test(text);
}

function clean(value: unknown): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (Array.isArray(value)) return value.map(clean);
  if (!isRecord(value)) return value;
  const cleaned: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) if (key !== "__proto__") cleaned[wellFormed(key)] = clean(child);
  return cleaned;
}

interface Copying {
  /** The objects that the value at hand lies in. */
  above: Set<object>;
  /** How many more values may be copied. */
  left: number;
}

function copy(value: unknown, copying: Copying, depth: number): JsonValue {
  copying.left -= 1;
  if (copying.left < 0) return "[too much]";
  switch (typeof value) {
    case "undefined":
      return null;
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "function":
      return "[function]";
    case "object":
      return value === null ? null : copyOnce(value, copying, depth);
    default:
      return String(value);
  }
}

function copyOnce(value: object, copying: Copying, depth: number): JsonValue {
  if (copying.above.has(value)) return "[circular]";
  if (depth >= MAX_JSON_DEPTH) return "[too deep]";
  copying.above.add(value);
  try {
    return copyObject(value, copying, depth + 1);
  } catch {
    // A getter, a proxy or a `toJSON` that throws.
    return "[unreadable]";
  } finally {
    copying.above.delete(value);
  }
}

function copyObject(value: object, copying: Copying, depth: number): JsonValue {
  if (value instanceof Error) return { name: String(value.name), message: String(value.message) };
  if ("toJSON" in value && typeof value.toJSON === "function") return copy(value.toJSON(), copying, depth);
  if (Array.isArray(value) || value instanceof Set) return Array.from(value, (child) => copy(child, copying, depth));
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  const result: JsonObject = {};
  for (const [key, child] of value instanceof Map ? value : Object.entries(value)) {
    const name = String(key);
    if (child === undefined || typeof child === "function" || name === "__proto__") continue;
    result[name] = copy(child, copying, depth);
  }
  return result;
}
