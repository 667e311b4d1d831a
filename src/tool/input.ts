/** Station 2 and 5: the model's text becomes a validated input; hidden parameters are merged in. */

import { describeJson, isRecord, type ParsedArguments, parseObject } from "../base/json.ts";
import type { InputIssue, Validated } from "../schema/validated.ts";
import { RuntimeContext } from "../state/runtime-context.ts";
import type { PresetParameters, ToolEntry } from "./entry.ts";

/** A validated input in its two forms, or what to tell the model. */
export type PreparedInput =
  | {
      ok: true;
      /** What the tool gets: hidden parameters included. */
      full: unknown;
      /** What everybody else may see: the model's own part. */
      own: unknown;
    }
  | { ok: false; problem: string };

/**
 * Reads, completes and checks the arguments of a call.
 *
 * Hidden parameters are merged before the check, since the schema asks for them; everything that is shown or decided
 * on afterwards goes by `own`, which lacks them.
 *
 * @param entry The tool.
 * @param text The arguments as the model wrote them, or already an object.
 * @param context What functions of hidden parameters get.
 */
export function prepareInput(
  entry: ToolEntry,
  text: unknown,
  context: RuntimeContext | undefined,
): PreparedInput | Promise<PreparedInput> {
  const read = readArguments(text);
  return read.ok ? check(entry, read.value, context) : mendText(entry, text, read.error, context);
}

function check(
  entry: ToolEntry,
  value: Record<string, unknown>,
  context: RuntimeContext | undefined,
): PreparedInput | Promise<PreparedInput> {
  const { preset } = entry;
  const given = preset === undefined ? value : { ...value, ...resolvePreset(preset, context) };
  const checked = entry.validate(given);
  if (checked instanceof Promise) return checked.then((settled) => conclude(entry, given, settled));
  return conclude(entry, given, checked);
}

// What deals with faults is loaded when there is one: most calls have none.

async function mendText(
  entry: ToolEntry,
  text: unknown,
  error: string,
  context: RuntimeContext | undefined,
): Promise<PreparedInput> {
  const { parseArguments, describeUnreadable } = await import("./problems.ts");
  const read = typeof text === "string" ? parseArguments(text) : undefined;
  return read?.ok ? check(entry, read.value, context) : { ok: false, problem: describeUnreadable(entry, error, text) };
}

async function mend(entry: ToolEntry, given: unknown, issues: readonly InputIssue[]): Promise<PreparedInput> {
  const { mendInput, describeIssues } = await import("./problems.ts");
  const mended = await mendInput(entry, given);
  return mended.ok ? conclude(entry, given, mended) : { ok: false, problem: describeIssues(entry, issues) };
}

function conclude(entry: ToolEntry, given: unknown, checked: Validated): PreparedInput | Promise<PreparedInput> {
  if (!checked.ok) return mend(entry, given, checked.issues);
  const { preset } = entry;
  const { value } = checked;
  return { ok: true, full: value, own: preset === undefined ? value : without(value, preset) };
}

function readArguments(text: unknown): ParsedArguments {
  if (isRecord(text)) return { ok: true, value: text, repaired: false };
  if (typeof text === "string" || text === null || text === undefined) return parseObject(text);
  return { ok: false, error: `expected a JSON object, got ${describeJson(text)}` };
}

function resolvePreset(preset: PresetParameters, context: RuntimeContext | undefined): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(preset))
    values[name] = typeof value === "function" ? value(context ?? new RuntimeContext()) : value;
  return values;
}

function without(value: unknown, preset: PresetParameters): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !Object.hasOwn(preset, name)));
}
