/** Checks values against one JSON Schema, however hostile either is. */

import { dereference, type OutputUnit, type SchemaDraft, validate } from "@cfworker/json-schema";
import { errorText } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { fillDefaults } from "./defaults.ts";
import { explainFaults } from "./explain.ts";
import { type PreparedSchema, prepareSchema, withoutAddresses } from "./prepare-schema.ts";
import type { Validated } from "./validated.ts";

/** Checks one value and hands on what the schema made of it. */
export type Check = (value: unknown) => Validated;

/** The steps that any value may take: schemas that are entered while it is checked. */
const FEW_STEPS = 20_000;

/** The steps that each part of a large value may take; only a schema made to multiply itself takes more. */
const STEPS_PER_VALUE = 20;

/** The most steps that any value may take. */
const MAX_STEPS = 1_000_000;

/**
 * Makes a check.
 *
 * @param schema The schema; it must not be changed afterwards.
 * @param draft The `$schema` that it was declared with. Defaults to 2020-12.
 */
export function makeCheck(schema: JsonObject, draft?: unknown): Check {
  const prepared = prepare(schema);
  const known = draftOf(draft);
  const findFaults = (part: JsonObject, value: unknown, onlyFirst: boolean): OutputUnit[] => {
    const work = (): OutputUnit[] => validate(value, part, known, prepared.lookup, onlyFirst).errors;
    try {
      return prepared.within(FEW_STEPS, value, work);
    } catch (error) {
      const more = Math.min(countValues(value) * STEPS_PER_VALUE, MAX_STEPS);
      if (more <= FEW_STEPS) throw error;
      return prepared.within(more, value, work);
    }
  };
  keepGoodDefaults(prepared, (part, value) => findFaults(part, value, true).length === 0);
  const hasDefaults = prepared.parts.some((part) => part.default !== undefined);
  const check = (given: unknown): Validated => {
    const value = hasDefaults ? fillDefaults(prepared.root, given, prepared.resolve) : given;
    const first = findFaults(prepared.root, value, true);
    if (first.length === 0) return { ok: true, value };
    const faults = orElse(() => findFaults(prepared.root, value, false), first);
    return { ok: false, issues: explainFaults(faults, prepared, value) };
  };
  return (given) => {
    try {
      return check(given);
    } catch (error) {
      return secondTry(check, given, error);
    }
  };
}

function draftOf(uri: unknown): SchemaDraft {
  const name = /draft-0[467]|2019-09/.exec(typeof uri === "string" ? uri : "")?.[0];
  if (name === "draft-04") return "4";
  if (name === "2019-09") return "2019-09";
  return name === undefined ? "2020-12" : "7";
}

/** There may be so many faults that listing them fails. */
function orElse<T>(attempt: () => T, otherwise: T): T {
  try {
    return attempt();
  } catch {
    return otherwise;
  }
}

function prepare(schema: JsonObject): PreparedSchema {
  try {
    return prepareSchema(schema, dereference);
  } catch {
    // Addresses that are none, or that two parts share.
    return prepareSchema(withoutAddresses(schema), dereference);
  }
}

/** Generators write defaults that their own schema refuses, such as null for a list: those would spoil a good value. */
function keepGoodDefaults(prepared: PreparedSchema, isGood: (part: JsonObject, value: unknown) => boolean): void {
  const noReference = (): undefined => undefined;
  // From the inside to the outside: a default may need the defaults within it.
  for (const part of prepared.parts.toReversed()) {
    if (part.default === undefined) continue;
    const isUsable = orElse(() => isGood(part, fillDefaults(part, part.default, noReference)), false);
    if (!isUsable) delete part.default;
  }
}

/** Counts a value and all values in it, up to as many as matter here. */
function countValues(root: unknown): number {
  const open = [root];
  let count = 0;
  while (open.length > 0 && count * STEPS_PER_VALUE < MAX_STEPS) {
    const value = open.pop();
    count += 1;
    if (typeof value === "object" && value !== null) for (const child of Object.values(value)) open.push(child);
  }
  return count;
}

/** A value made by a program may hold what JSON leaves out; it is then checked, and handed on, as its JSON form. */
function secondTry(check: Check, given: unknown, failure: unknown): Validated {
  if (isExhausted(failure)) return refusal("is too large or nested too deep to be checked");
  try {
    return check(JSON.parse(JSON.stringify(given)));
  } catch (error) {
    return refusal(`cannot be checked: ${errorText(error)}`);
  }
}

/** Whether the steps or the stack ran out; one engine has an error of its own for that. */
function isExhausted(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof Error && error.name === "InternalError");
}

function refusal(message: string): Validated {
  return { ok: false, issues: [{ path: "", message }] };
}
