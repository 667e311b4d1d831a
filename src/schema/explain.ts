/** Says what is wrong with a value so that a model can mend it: where, what was given, what is accepted. */

import type { OutputUnit } from "@cfworker/json-schema";
import { isRecord, type JsonObject } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { describeEnum, describeSchema, lengthOf, MAX_CHOICES, showValue } from "./describe-schema.ts";
import { pickFaults } from "./pick-faults.ts";
import { readPointer, valueAt } from "./pointer.ts";
import type { PreparedSchema } from "./prepare-schema.ts";
import { formatPath, type InputIssue, MAX_ISSUES } from "./validated.ts";

/**
 * Turns the reports of the validator into issues, the same issue once.
 *
 * Only scalars are shown, each at its own place: an object may hold values that the reader must not see.
 *
 * @param reports All reports; the validator also reports every parent of a fault.
 * @param schema The schema that the value was checked against.
 * @param value The value.
 */
export function explainFaults(reports: readonly OutputUnit[], schema: PreparedSchema, value: unknown): InputIssue[] {
  const issues = new Map<string, InputIssue>();
  for (const report of pickFaults(reports)) {
    if (issues.size === MAX_ISSUES) break;
    const issue = explain(report, schema, value);
    issues.set(`${issue.path}\n${issue.message}`, issue);
  }
  return [...issues.values()];
}

interface Fault {
  report: OutputUnit;
  /** The schema that holds the rule. */
  part: JsonObject;
  /** Where in the value. */
  keys: PropertyKey[];
  given: unknown;
  schema: PreparedSchema;
}

function explain(report: OutputUnit, schema: PreparedSchema, value: unknown): InputIssue {
  const part = partAt(report, schema);
  const keys = keysOf(value, readPointer(report.instanceLocation));
  const given = valueAt(value, readPointer(report.instanceLocation));
  if (part === undefined) return { path: formatPath(keys), message: withoutStop(report.error) };
  const fault: Fault = { report, part, keys, given, schema };
  return (
    explainMissing(fault) ??
    explainKind(fault) ?? { path: formatPath(keys), message: sentence(fault) ?? withoutStop(report.error) }
  );
}

function explainMissing({ report, part, keys, schema }: Fault): InputIssue | undefined {
  const name = report.keyword === "required" ? quoted(report.error) : undefined;
  if (name === undefined) return undefined;
  const wanted = isRecord(part.properties) ? describeSchema(part.properties[name], schema) : "";
  return { path: formatPath([...keys, name]), message: `is missing${wanted === "" ? "" : `, must be ${wanted}`}` };
}

/** Where forms are told apart by the constants of one property, that property is what is wrong. */
function explainKind({ report, part, keys, given, schema }: Fault): InputIssue | undefined {
  const forms = part[report.keyword];
  if (!isRecord(given) || !Array.isArray(forms) || matchCount(report) > 1) return undefined;
  const properties = forms.map((form) => {
    const own = isRecord(form) && form.$ref !== undefined ? schema.resolve(form as JsonObject) : form;
    return isRecord(own) && isRecord(own.properties) ? own.properties : {};
  });
  const isKind = (name: string): boolean =>
    properties.every((each) => Object.hasOwn(each, name) && constantsOf(each[name]) !== undefined);
  const name = Object.keys(properties[0] ?? {}).find(isKind);
  if (name === undefined) return undefined;
  const accepted = [...new Set(properties.flatMap((each) => constantsOf(each[name]) ?? []))];
  if (accepted.includes(given[name])) return undefined;
  const what = Object.hasOwn(given, name) ? `got ${showValue(given[name])}` : "is missing";
  return { path: formatPath([...keys, name]), message: `must be ${describeEnum(accepted)}, ${what}` };
}

function constantsOf(schema: unknown): unknown[] | undefined {
  if (!isRecord(schema)) return undefined;
  if (Array.isArray(schema.enum)) return schema.enum;
  return schema.const === undefined ? undefined : [schema.const];
}

function matchCount(report: OutputUnit): number {
  return Number(/\((\d+) matches\)/.exec(report.error)?.[1] ?? 0);
}

function sentence({ report, part, keys, given, schema }: Fault): string | undefined {
  const rule = part[report.keyword];
  switch (report.keyword) {
    case "type":
    case "enum":
    case "const":
      return `must be ${describeSchema({ [report.keyword]: rule }, schema)}, got ${showValue(given)}`;
    case "minimum":
      return `must be at least ${rule}, got ${showValue(given)}`;
    case "maximum":
      return `must be at most ${rule}, got ${showValue(given)}`;
    case "exclusiveMinimum":
      return `must be greater than ${rule}, got ${showValue(given)}`;
    case "exclusiveMaximum":
      return `must be less than ${rule}, got ${showValue(given)}`;
    case "multipleOf":
      return `must be a multiple of ${rule}, got ${showValue(given)}`;
    case "minLength":
      return `must have at least ${count(rule, "character")}, got ${showValue(given)}`;
    case "maxLength":
      return `must have at most ${count(rule, "character")}, got ${lengthOf(given)}`;
    case "pattern":
      return `must match the pattern ${rule}, got ${showValue(given)}`;
    case "format":
      return `must be a valid ${rule}, got ${showValue(given)}`;
    case "minItems":
      return `must have at least ${count(rule, "item")}, got ${lengthOf(given)}`;
    case "maxItems":
      return `must have at most ${count(rule, "item")}, got ${lengthOf(given)}`;
    case "uniqueItems":
      return "must not have the same item twice";
    case "contains":
      return `must have an item that is ${describeSchema(rule, schema) || "accepted"}`;
    case "propertyNames":
      return `must not have the name ${JSON.stringify(quoted(report.error))}`;
    case "minProperties":
      return `must have at least ${count(rule, "name")}`;
    case "maxProperties":
      return `must have at most ${count(rule, "name")}`;
    case "anyOf":
    case "oneOf":
      return describeChoice(report, keys, rule, given, schema);
    case "not":
      return `must not be like that, got ${showValue(given)}`;
    case "no additionalProperties":
    case "no unevaluatedProperties":
      return `is not accepted here${describeNames(keys, part)}`;
    case "no items":
    case "no additionalItems":
    case "no unevaluatedItems":
      return "is one item too many";
    case "no properties":
      return "is not accepted";
    default:
      return undefined;
  }
}

function describeChoice(
  report: OutputUnit,
  keys: readonly PropertyKey[],
  rule: unknown,
  given: unknown,
  schema: PreparedSchema,
): string {
  const matches = matchCount(report);
  if (matches > 1) return `must match exactly one of the accepted forms, but matches ${matches}`;
  // At the root, forms would tell the names of parameters that may be hidden.
  if (keys.length === 0 || !Array.isArray(rule)) return "matches none of the accepted forms";
  const forms = rule.map((form) => describeSchema(form, schema)).filter((form) => form !== "");
  return `must be ${[...new Set(forms)].slice(0, MAX_CHOICES).join(" or ")}, got ${showValue(given)}`;
}

/** Lists what is accepted, but not at the root: there, hidden parameters would show. */
function describeNames(keys: readonly PropertyKey[], part: JsonObject): string {
  if (keys.length <= 1 || !isRecord(part.properties)) return "";
  const names = Object.keys(part.properties).slice(0, MAX_CHOICES);
  return names.length === 0 ? "" : `, accepted: ${names.join(", ")}`;
}

/** Finds the schema that holds a rule; a reference on the way leads elsewhere. */
function partAt(report: OutputUnit, schema: PreparedSchema): JsonObject | undefined {
  let part: unknown = schema.root;
  for (const key of readPointer(report.keywordLocation).slice(0, -1)) {
    part = key === "$ref" && isRecord(part) ? schema.resolve(part as JsonObject) : valueAt(part, [key]);
  }
  return isRecord(part) ? (part as JsonObject) : undefined;
}

/** Tells indices from names. */
function keysOf(value: unknown, names: readonly string[]): PropertyKey[] {
  let current = value;
  return names.map((name) => {
    const key = Array.isArray(current) ? Number(name) : name;
    current = valueAt(current, [name]);
    return key;
  });
}

function count(rule: unknown, noun: string): string {
  return plural(Number(rule), noun);
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, "");
}

function quoted(text: string): string | undefined {
  return /"(.*)"/s.exec(text)?.[1];
}
