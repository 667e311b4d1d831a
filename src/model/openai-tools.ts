/** Tools and the choice among them as an OpenAI-compatible server is told. */

import type { JsonObject } from "../base/json.ts";
import { wellFormed } from "../base/text.ts";
import { type DialectSchema, toDialect } from "../schema/dialect/dialect.ts";
import type { ModelTool, ToolChoice } from "./chat-model.ts";
import type { ToolNames } from "./tool-names.ts";

/** One tool of a request. */
export interface OpenAiTool {
  type: "function";
  function: { name: string; description: string; parameters: JsonObject; strict?: true };
}

/** The choice among tools in a request. */
export type OpenAiToolChoice = "auto" | "none" | "required" | { type: "function"; function: { name: string } };

/** Schemas are the same objects from one request to the next; each is converted once. */
const converted = { strict: new WeakMap<JsonObject, DialectSchema>(), plain: new WeakMap<JsonObject, DialectSchema>() };

/** Writes a tool in the provider's form; it is strict only where it asks for it and its schema allows it. */
export function toOpenAiTool(tool: ModelTool, names: ToolNames): OpenAiTool {
  const { schema, strict } = convert(tool.inputSchema, tool.strict === true);
  return {
    type: "function",
    function: {
      name: names.toWire(tool.name),
      description: wellFormed(tool.description),
      parameters: schema,
      ...(strict ? { strict: true } : {}),
    },
  };
}

function convert(schema: JsonObject, strict: boolean): DialectSchema {
  const known = strict ? converted.strict : converted.plain;
  const before = known.get(schema);
  if (before !== undefined) return before;
  const now = toDialect(schema, strict ? "openai_strict" : "openai");
  known.set(schema, now);
  return now;
}

/** Writes a choice. */
export function toOpenAiToolChoice(choice: ToolChoice, names: ToolNames): OpenAiToolChoice {
  return typeof choice === "string" ? choice : { type: "function", function: { name: names.toWire(choice.tool) } };
}
