/** JSON values, and reading the JSON a model wrote. */

/** A value that survives `JSON.parse(JSON.stringify(value))`. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

/** Tells whether a value is a plain object (not null, not an array). */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What reading a model's arguments gave. */
export type ParsedArguments = { ok: true; value: Record<string, unknown>; repaired: boolean } | { ok: false; error: string };

/** The deepest nesting of arguments that is read. */
export const MAX_JSON_DEPTH = 256;

/**
 * Reads the arguments text of a tool call as an object.
 *
 * Empty text means no arguments. A text encoded twice is decoded once more, a fence around it and trailing commas
 * are dropped, and brackets left open behind a *complete* value are closed. A string or number that was cut is never
 * completed: acting on half an argument is worse than asking again. `__proto__` keys are dropped.
 *
 * @param text The arguments as the model wrote them; null and undefined count as empty.
 */
export function parseArguments(text: string | null | undefined): ParsedArguments {
  const source = (text ?? "").trim();
  if (source === "" || source === "null") return { ok: true, value: {}, repaired: source !== "" };
  const strict = tryParse(source);
  if (strict.ok && isRecord(strict.value)) return { ok: true, value: strict.value, repaired: false };
  if (strict.ok && typeof strict.value === "string") {
    const inner = tryParse(strict.value.trim());
    if (inner.ok && isRecord(inner.value)) return { ok: true, value: inner.value, repaired: true };
  }
  if (strict.ok) return { ok: false, error: `expected a JSON object, got ${describeJson(strict.value)}` };
  const mended = mend(source);
  if (mended !== undefined) {
    const again = tryParse(mended);
    if (again.ok && isRecord(again.value)) return { ok: true, value: again.value, repaired: true };
  }
  return { ok: false, error: strict.error };
}

/** Names the JSON type of a value the way a model knows it. */
export function describeJson(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

/** Copies a value of any kind into JSON: errors keep name and message, bigints become text, cycles are cut. */
export function toJsonValue(value: unknown): JsonValue {
  return copy(value, new Set(), 0);
}

type Attempt = { ok: true; value: unknown } | { ok: false; error: string };

function tryParse(text: string): Attempt {
  try {
    const value: unknown = JSON.parse(text);
    return depthOf(value) > MAX_JSON_DEPTH
      ? { ok: false, error: `nested deeper than ${MAX_JSON_DEPTH} levels` }
      : { ok: true, value: text.includes("__proto__") || text.includes("\\u") ? withoutProto(value) : value };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
}

function depthOf(root: unknown): number {
  let level: unknown[] = [root];
  let depth = 0;
  while (level.length > 0 && depth <= MAX_JSON_DEPTH) {
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value === "object" && value !== null) for (const child of Object.values(value)) next.push(child);
    }
    level = next;
    depth += 1;
  }
  return depth;
}

function withoutProto(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProto);
  if (!isRecord(value)) return value;
  const clean: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) if (key !== "__proto__") clean[key] = withoutProto(child);
  return clean;
}

/** Drops a code fence and trailing commas, and closes what is open behind a complete value. */
function mend(source: string): string | undefined {
  const text = source.replace(/^```(?:json)?\s*/i, "").replace(/\s*```$/, "");
  const open: string[] = [];
  let out = "";
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (inString) {
      out += character;
      if (character === "\\") out += text.charAt((at += 1));
      else if (character === '"') inString = false;
      continue;
    }
    if (character === '"') inString = true;
    else if (character === "{" || character === "[") open.push(character === "{" ? "}" : "]");
    else if (character === "}" || character === "]") {
      if (open.pop() !== character) return undefined;
      out = out.replace(/,\s*$/, "");
    }
    out += character;
  }
  if (inString) return undefined;
  const complete = out.trimEnd();
  if (open.length > 0 && !/(?:["\]}]|true|false|null)$/.test(complete)) return undefined;
  return complete + open.reverse().join("");
}

function copy(value: unknown, above: Set<object>, depth: number): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value !== "object") return String(value);
  if (above.has(value)) return "[circular]";
  if (depth >= MAX_JSON_DEPTH) return "[too deep]";
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "[invalid date]" : value.toISOString();
  above.add(value);
  const result = copyObject(value, above, depth);
  above.delete(value);
  return result;
}

function copyObject(value: object, above: Set<object>, depth: number): JsonValue {
  if (Array.isArray(value)) return value.map((child) => copy(child, above, depth + 1));
  if (value instanceof Map) return copy(Object.fromEntries(value), above, depth);
  if (value instanceof Set) return copy([...value], above, depth);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  const result: JsonObject = {};
  for (const [key, child] of Object.entries(value)) {
    if (child !== undefined && typeof child !== "function" && key !== "__proto__") result[key] = copy(child, above, depth + 1);
  }
  return result;
}
