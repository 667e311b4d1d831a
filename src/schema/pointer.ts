/** JSON Pointers: how schemas and faults name places in a value. */

import { isRecord } from "../base/json.ts";

/**
 * Reads a pointer in its fragment form, such as `#/properties/a~1b/items/0`.
 *
 * @returns The keys, outermost first.
 */
export function readPointer(pointer: string): string[] {
  const keys = pointer.replace(/^#/, "").split("/").slice(1);
  return keys.map((key) => decode(key).replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Gives what stands at a place of a JSON value; undefined when there is nothing. */
export function valueAt(root: unknown, keys: readonly string[]): unknown {
  let value = root;
  for (const key of keys) {
    if (!(isRecord(value) || Array.isArray(value)) || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
