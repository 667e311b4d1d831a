/** Messages as the chat messages of an OpenAI-compatible server. */

import { parseArguments } from "../base/mend-json.ts";
import { wellFormed } from "../base/text.ts";
import type { DataBlock, HintBlock, TextBlock, ToolCallBlock, ToolResultBlock } from "../message/blocks.ts";
import type { Message } from "../message/message.ts";
import { type AnsweredCall, type AssistantTurn, type SpokenTurn, toTurns } from "./conversation.ts";
import { dataContent, dataPlaceholder, hintText, type OpenAiContent } from "./openai-content.ts";
import type { ToolNames } from "./tool-names.ts";

/** A tool call in a chat message. */
export interface OpenAiToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

/** One chat message. */
export type OpenAiMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: string | OpenAiContent[] }
  | { role: "assistant"; content: string | null; reasoning_content?: string; tool_calls?: OpenAiToolCall[] }
  | { role: "tool"; tool_call_id: string; content: string };

/** How messages are written. */
export interface ToOpenAiOptions {
  names: ToolNames;
  /** Goes before everything else. */
  system?: string;
  /** The media types the model takes. Defaults to none. */
  inputTypes?: readonly string[];
  /** Whether thinking goes back as `reasoning_content`. Defaults to false. */
  sendThinking?: boolean;
}

/**
 * Writes messages as chat messages.
 *
 * Every call is followed by exactly one result; what cannot be paired is left out (see `toTurns`). Data of a tool
 * result follows in a user message, since a tool message takes text only. Messages with nothing to say are left out.
 */
export function toOpenAiMessages(messages: readonly Message[], options: ToOpenAiOptions): OpenAiMessage[] {
  const chat: OpenAiMessage[] = [];
  if (options.system !== undefined && options.system !== "") {
    chat.push({ role: "system", content: wellFormed(options.system) });
  }
  for (const turn of toTurns(messages)) {
    if (turn.role === "assistant") addAssistant(chat, turn, options);
    else addSpoken(chat, turn, options);
  }
  return chat;
}

const interrupted = "The call was interrupted before it had a result.";
const notTaken = "not shown, this model does not take it";

function addSpoken(chat: OpenAiMessage[], turn: SpokenTurn, options: ToOpenAiOptions): void {
  const inputTypes = turn.role === "user" ? options.inputTypes : undefined;
  const content = turn.blocks.map((block) => spokenContent(block, inputTypes ?? []));
  const texts = content.flatMap((piece) => (piece.type === "text" ? [piece.text] : []));
  if (texts.length < content.length) {
    chat.push({ role: "user", content: content.filter((piece) => piece.type !== "text" || piece.text !== "") });
  } else if (texts.some((text) => text !== "")) {
    chat.push({ role: turn.role, content: texts.join("\n") });
  }
}

function spokenContent(block: TextBlock | DataBlock | HintBlock, inputTypes: readonly string[]): OpenAiContent {
  if (block.type === "text") return { type: "text", text: wellFormed(block.text) };
  if (block.type === "hint") return { type: "text", text: hintText(block) };
  return dataContent(block, inputTypes) ?? { type: "text", text: dataPlaceholder(block, notTaken) };
}

function addAssistant(chat: OpenAiMessage[], turn: AssistantTurn, options: ToOpenAiOptions): void {
  const texts: string[] = [];
  const thoughts: string[] = [];
  for (const block of turn.blocks) {
    if (block.type === "thinking") thoughts.push(wellFormed(block.thinking));
    else texts.push(block.type === "text" ? wellFormed(block.text) : dataPlaceholder(block, "made by the assistant"));
  }
  const content = texts.filter((text) => text !== "").join("\n");
  const thinking = options.sendThinking === true ? thoughts.join("\n") : "";
  if (content === "" && turn.calls.length === 0) return;
  chat.push({
    role: "assistant",
    content: content === "" ? null : content,
    ...(thinking === "" ? {} : { reasoning_content: thinking }),
    ...(turn.calls.length === 0 ? {} : { tool_calls: turn.calls.map(({ call }) => toolCall(call, options.names)) }),
  });
  addResults(chat, turn.calls, options.inputTypes ?? []);
}

function toolCall(call: ToolCallBlock, names: ToolNames): OpenAiToolCall {
  return {
    id: wellFormed(call.id),
    type: "function",
    function: { name: names.toWire(call.name), arguments: argumentsText(call.input) },
  };
}

/** Servers that put arguments into a template refuse the whole conversation for one malformed call. */
function argumentsText(input: string): string {
  const parsed = parseArguments(input);
  if (!parsed.ok) return "{}";
  return wellFormed(parsed.repaired || input.trim() === "" ? JSON.stringify(parsed.value) : input);
}

function addResults(chat: OpenAiMessage[], calls: readonly AnsweredCall[], inputTypes: readonly string[]): void {
  const shown: OpenAiContent[] = [];
  for (const { call, result } of calls) {
    const { text, data } = result === undefined ? { text: interrupted, data: [] } : resultContent(result, inputTypes);
    chat.push({ role: "tool", tool_call_id: wellFormed(call.id), content: text });
    if (data.length > 0) {
      shown.push({ type: "text", text: wellFormed(`Output of ${call.name} (${call.id}):`) }, ...data);
    }
  }
  if (shown.length > 0) chat.push({ role: "user", content: shown });
}

function resultContent(
  result: ToolResultBlock,
  inputTypes: readonly string[],
): { text: string; data: OpenAiContent[] } {
  const data: OpenAiContent[] = [];
  const lines = result.output.map((block) => {
    if (block.type === "text") return wellFormed(block.text);
    const content = dataContent(block, inputTypes);
    if (content !== undefined) data.push(content);
    return dataPlaceholder(block, content === undefined ? notTaken : "shown in the next message");
  });
  const text = lines.join("\n");
  return { text: text === "" ? emptyOutput(result) : text, data };
}

function emptyOutput(result: ToolResultBlock): string {
  return result.state === "success" ? "(no output)" : `(${result.state}, no output)`;
}
