/** What a model keeps with a task: small, plain JSON. */

import { type JsonObject, toJsonValue } from "../../base/json.ts";
import { refusal } from "../answer.ts";
import { MAX_METADATA } from "./task-list.ts";

/**
 * Changes metadata key by key; null takes a key out.
 *
 * @param old What there is; it is not changed.
 * @param changes The keys to set.
 * @throws HoldallError when the result is larger than {@link MAX_METADATA}.
 */
export function mergeMetadata(old: JsonObject, changes: Readonly<Record<string, unknown>>): JsonObject {
  const merged: JsonObject = { ...old };
  for (const [key, value] of Object.entries(changes)) {
    // Assigning this key would change the object's prototype instead.
    if (key === "__proto__") continue;
    if (value === null || value === undefined) delete merged[key];
    else merged[key] = toJsonValue(value);
  }
  const size = JSON.stringify(merged).length;
  if (size <= MAX_METADATA) return merged;
  throw refusal(`The metadata would be ${size} characters of JSON; at most ${MAX_METADATA} are kept. Store less.`);
}
