/** Station 2 and 5: the model's text becomes a validated input; hidden parameters are merged in. */

import { describeJson, isRecord, parseArguments } from "../base/json.ts";
import { cutText } from "../base/text.ts";
import { coerceArguments } from "../schema/coerce.ts";
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
export function prepareInput(entry: ToolEntry, text: unknown, context: RuntimeContext | undefined): PreparedInput | Promise<PreparedInput> {
  const read = readArguments(text);
  if (!read.ok) return { ok: false, problem: unreadable(entry, read.error, text) };
  const { preset } = entry;
  const given = preset === undefined ? read.value : { ...read.value, ...resolvePreset(preset, context) };
  const checked = entry.validate(given);
  return checked instanceof Promise ? checked.then((validated) => secondTry(entry, given, validated)) : secondTry(entry, given, checked);
}

/** Arguments that fail are mended by the schema and checked once more; what fails again is reported as it was given. */
function secondTry(entry: ToolEntry, given: unknown, first: Validated): PreparedInput | Promise<PreparedInput> {
  if (first.ok) return conclude(entry, first);
  const mended = coerceArguments(given, entry.fullSchema);
  if (mended === given) return conclude(entry, first);
  const second = entry.validate(mended);
  if (second instanceof Promise) return second.then((again) => conclude(entry, again.ok ? again : first));
  return conclude(entry, second.ok ? second : first);
}

function conclude(entry: ToolEntry, validated: Validated): PreparedInput {
  const { preset } = entry;
  if (!validated.ok) return { ok: false, problem: invalid(entry, validated.issues) };
  return { ok: true, full: validated.value, own: preset === undefined ? validated.value : without(validated.value, preset) };
}

function readArguments(text: unknown): ReturnType<typeof parseArguments> {
  if (isRecord(text)) return { ok: true, value: text, repaired: false };
  if (typeof text === "string" || text === null || text === undefined) return parseArguments(text);
  return { ok: false, error: `expected a JSON object, got ${describeJson(text)}` };
}

function resolvePreset(preset: PresetParameters, context: RuntimeContext | undefined): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(preset)) values[name] = typeof value === "function" ? value(context ?? new RuntimeContext()) : value;
  return values;
}

function without(value: unknown, preset: PresetParameters): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !Object.hasOwn(preset, name)));
}

function unreadable(entry: ToolEntry, error: string, text: unknown): string {
  const shown = typeof text === "string" ? text : "";
  const excerpt = shown.length <= 200 ? shown : `${cutText(shown, 100)}[…]${shown.slice(-100)}`;
  return `The arguments of ${entry.tool.name} are not a complete JSON object: ${error}. Got: ${excerpt}\nCall it again with one JSON object with ${expected(entry)}.`;
}

function invalid(entry: ToolEntry, issues: readonly InputIssue[]): string {
  const hidden = Object.keys(entry.preset ?? {});
  const own = issues.filter((issue) => !hidden.some((name) => issue.path === name || issue.path.startsWith(`${name}.`) || issue.path.startsWith(`${name}[`)));
  if (own.length === 0) return `${entry.tool.name} is not set up correctly by the application, so it cannot be called. Go on without it.`;
  const lines = own.map((issue) => `- ${issue.path === "" ? "" : `${issue.path}: `}${issue.message}`);
  return `The arguments of ${entry.tool.name} are not valid:\n${lines.join("\n")}\nIt takes ${expected(entry)}.`;
}

/** Lists the parameters a model may give, such as `city (string, required), unit (one of "c", "f")`. */
function expected(entry: ToolEntry): string {
  const { properties, required } = entry.inputSchema;
  if (!isRecord(properties) || Object.keys(properties).length === 0) return "no arguments";
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties)
    .slice(0, 32)
    .map(([name, schema]) => `${name} (${describeType(schema)}${needed.has(name) ? ", required" : ""})`)
    .join(", ");
}

function describeType(schema: unknown): string {
  if (!isRecord(schema)) return "any";
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.slice(0, 12).map((value) => JSON.stringify(value)).join(", ")}`;
  if (Array.isArray(schema.type)) return schema.type.join(" or ");
  return typeof schema.type === "string" ? schema.type : "any";
}
