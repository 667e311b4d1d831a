/** Checks values against raw JSON Schemas; the validator is loaded when the first one is checked. */

import type { JsonObject } from "../base/json.ts";
import { type InputIssue, MAX_ISSUES, type Validated } from "./validated.ts";

type Check = (value: unknown) => Validated;

/**
 * Makes a check for a raw JSON Schema. It never fetches a `$ref` and needs no `eval`.
 *
 * @param schema The schema, draft-07 or 2020-12.
 * @returns The check; its first call waits for the validator to load.
 */
export function jsonSchemaValidator(schema: JsonObject): (value: unknown) => Validated | Promise<Validated> {
  let check: Check | undefined;
  return (value) => {
    if (check !== undefined) return check(value);
    return load(schema).then((loaded) => {
      check = loaded;
      return loaded(value);
    });
  };
}

async function load(schema: JsonObject): Promise<Check> {
  const { Validator } = await import("@cfworker/json-schema");
  const validator = new Validator(schema, draftOf(schema), false);
  return (value) => {
    const result = validator.validate(value);
    return result.valid ? { ok: true, value } : { ok: false, issues: readErrors(result.errors) };
  };
}

function draftOf(schema: JsonObject): "7" | "2020-12" {
  return typeof schema.$schema === "string" && schema.$schema.includes("draft-07") ? "7" : "2020-12";
}

interface ValidatorError {
  keyword: string;
  instanceLocation: string;
  error: string;
}

/** The validator reports every parent of a fault too; only the innermost reports say something. */
function readErrors(errors: readonly ValidatorError[]): InputIssue[] {
  const wrappers = new Set(["properties", "items", "prefixItems", "additionalProperties", "$ref", "allOf"]);
  const inner = errors.filter((error) => !wrappers.has(error.keyword));
  const issues = (inner.length > 0 ? inner : errors).map((error) => ({
    path: pointerToPath(error.instanceLocation),
    message: error.error,
  }));
  return issues.slice(0, MAX_ISSUES);
}

function pointerToPath(pointer: string): string {
  let path = "";
  for (const raw of pointer.replace(/^#\/?/, "").split("/")) {
    if (raw === "") continue;
    const key = decodeURIComponent(raw).replaceAll("~1", "/").replaceAll("~0", "~");
    path += /^\d+$/.test(key) ? `[${key}]` : `${path === "" ? "" : "."}${key}`;
  }
  return path;
}
