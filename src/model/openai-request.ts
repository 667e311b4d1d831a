/** Writes the body of a chat request. */

import type { JsonObject } from "../base/json.ts";
import { wellFormed } from "../base/text.ts";
import type { ModelRequest } from "./chat-model.ts";
import { toOpenAiTool, toOpenAiToolChoice } from "./openai-tools.ts";
import { toOpenAiMessages } from "./to-openai.ts";
import type { ToolNames } from "./tool-names.ts";

/** What every request of a model says. */
export interface RequestDefaults {
  model: string;
  inputTypes: readonly string[];
  sendThinking: boolean;
  /** Fields of the body; they win over all others. */
  body: JsonObject;
}

/** Writes a request as JSON text. */
export function chatRequestBody(request: ModelRequest, defaults: RequestDefaults, names: ToolNames): string {
  const { system, messages, tools, toolChoice } = request;
  const { model, inputTypes, sendThinking, body } = defaults;
  const hasTools = tools !== undefined && tools.length > 0;
  return wellFormedJson({
    model,
    messages: toOpenAiMessages(messages, {
      names,
      inputTypes,
      sendThinking,
      ...(system === undefined ? {} : { system }),
    }),
    stream: true,
    stream_options: { include_usage: true },
    ...(hasTools ? { tools: tools.map((tool) => toOpenAiTool(tool, names)) } : {}),
    // Servers refuse a choice among nothing.
    ...(hasTools && toolChoice !== undefined ? { tool_choice: toOpenAiToolChoice(toolChoice, names) } : {}),
    ...body,
  });
}

/** A schema from a stranger's server may hold half a character, which many servers refuse to parse. */
function wellFormedJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!/\\ud[89a-f]/i.test(json)) return json;
  return JSON.stringify(value, (_key, child: unknown) => {
    if (typeof child === "string") return wellFormed(child);
    if (typeof child !== "object" || child === null || Array.isArray(child)) return child;
    return Object.fromEntries(Object.entries(child).map(([key, inner]) => [wellFormed(key), inner]));
  });
}
