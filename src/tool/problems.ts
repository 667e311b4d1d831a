/** What is done about calls that are not as they should be: arguments are mended, the rest is described to the model. */

import { isRecord } from "../base/json.ts";
import { parseArguments } from "../base/mend-json.ts";
import { cutText } from "../base/text.ts";
import { coerceArguments } from "../schema/coerce.ts";
import type { InputIssue, Validated } from "../schema/validated.ts";
import type { LookupProblem, ToolEntry } from "./entry.ts";

/** The most names that an answer to an unknown name lists. */
export const MAX_LISTED_NAMES = 40;

/** Says why a name gave no tool, and what to do. */
export function describeLookup(name: string, { group, activator, available }: LookupProblem): string {
  if (group !== undefined) {
    const how = activator === undefined ? "It cannot be used now." : `Activate the group with ${activator} first.`;
    return `The tool ${name} is in the group "${group}", which is not active. ${how}`;
  }
  const names = available();
  const listed = names.slice(0, MAX_LISTED_NAMES).join(", ");
  const more = names.length > MAX_LISTED_NAMES ? ` and ${names.length - MAX_LISTED_NAMES} more` : "";
  return `There is no tool named ${JSON.stringify(name.slice(0, 100))}. Available tools: ${listed || "none"}${more}.`;
}

export { parseArguments };

/** Mends arguments that failed by the schema and checks them once more. */
export async function mendInput(entry: ToolEntry, given: unknown): Promise<Validated> {
  const mended = coerceArguments(given, entry.fullSchema);
  return mended === given ? { ok: false, issues: [] } : entry.validate(mended);
}

/** Says that arguments are no JSON object, with what was given and what is accepted. */
export function describeUnreadable(entry: ToolEntry, error: string, text: unknown): string {
  const shown = typeof text === "string" ? text : "";
  const excerpt = shown.length <= 200 ? shown : `${cutText(shown, 100)}[…]${shown.slice(-100)}`;
  return `The arguments of ${entry.tool.name} are not a complete JSON object: ${error}. Got: ${excerpt}\nCall it again with one JSON object with ${expected(entry)}.`;
}

/** Says what is wrong with arguments, and what is accepted; hidden parameters are never named. */
export function describeIssues(entry: ToolEntry, issues: readonly InputIssue[]): string {
  const hidden = Object.keys(entry.preset ?? {});
  const own = issues.filter(
    (issue) =>
      !hidden.some(
        (name) => issue.path === name || issue.path.startsWith(`${name}.`) || issue.path.startsWith(`${name}[`),
      ),
  );
  if (own.length === 0)
    return `${entry.tool.name} is not set up correctly by the application, so it cannot be called. Go on without it.`;
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
  if (Array.isArray(schema.enum))
    return `one of ${schema.enum
      .slice(0, 12)
      .map((value) => JSON.stringify(value))
      .join(", ")}`;
  if (Array.isArray(schema.type)) return schema.type.join(" or ");
  return typeof schema.type === "string" ? schema.type : "any";
}
