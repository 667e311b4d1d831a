/** Checks values against raw JSON Schemas; all it takes to do so is loaded when the first one is checked. */

import type { JsonObject } from "../base/json.ts";
import type { Check } from "./json-schema-check.ts";
import type { Validated } from "./validated.ts";

/**
 * Makes a check for a raw JSON Schema. It never fetches a `$ref`, needs no `eval`, and hands on the value with the
 * defaults of the schema filled in. A value that is too large or nested too deep to be checked is refused.
 *
 * @param schema The schema, draft 4, 6, 7, 2019-09 or 2020-12; it must not be changed afterwards.
 * @param draft The `$schema` that it was declared with. Defaults to 2020-12.
 * @returns The check; its first calls wait for the validator to load.
 */
export function jsonSchemaValidator(
  schema: JsonObject,
  draft?: unknown,
): (value: unknown) => Validated | Promise<Validated> {
  let check: Check | undefined;
  let loading: Promise<Check> | undefined;
  const load = async (): Promise<Check> => {
    try {
      const { makeCheck } = await import("./json-schema-check.ts");
      check = makeCheck(schema, draft);
      return check;
    } finally {
      // After a failure, such as a lost connection, the next call tries again.
      loading = undefined;
    }
  };
  return (value) => {
    if (check !== undefined) return check(value);
    loading ??= load();
    return loading.then((loaded) => loaded(value));
  };
}
