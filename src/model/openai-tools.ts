/** Tools and the choice among them as an OpenAI-compatible server is told. */

import { isRecord, type JsonObject } from "../base/json.ts";
import { wellFormed } from "../base/text.ts";
import type { ModelTool, ToolChoice } from "./chat-model.ts";
import type { ToolNames } from "./tool-names.ts";

/** One tool of a request. */
export interface OpenAiTool {
  type: "function";
  function: { name: string; description: string; parameters: JsonObject; strict?: true };
}

/** The choice among tools in a request. */
export type OpenAiToolChoice = "auto" | "none" | "required" | { type: "function"; function: { name: string } };

/** Writes a tool; its schema goes as it is, but always says that it is an object and has properties. */
export function toOpenAiTool(tool: ModelTool, names: ToolNames): OpenAiTool {
  const { inputSchema } = tool;
  return {
    type: "function",
    function: {
      name: names.toWire(tool.name),
      description: wellFormed(tool.description),
      parameters: {
        ...inputSchema,
        type: "object",
        properties: isRecord(inputSchema.properties) ? inputSchema.properties : {},
      },
      ...(tool.strict === true ? { strict: true } : {}),
    },
  };
}

/** Writes a choice. */
export function toOpenAiToolChoice(choice: ToolChoice, names: ToolNames): OpenAiToolChoice {
  return typeof choice === "string" ? choice : { type: "function", function: { name: names.toWire(choice.tool) } };
}
