/** Messages: who said which blocks. */

import { makeId } from "../base/ids.ts";
import type { JsonObject } from "../base/json.ts";
import type { Block, ToolCallBlock, ToolResultBlock } from "./blocks.ts";

/** Who speaks. */
export type Role = "system" | "user" | "assistant";

/** Why a reply ended. */
export type FinishedReason = "completed" | "awaiting" | "interrupted" | "exceed_max_iters" | "error";

/** Tokens a model counted. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
}

/** One message; a whole reply with all its calls and results is one assistant message. */
export interface Message {
  id: string;
  role: Role;
  name?: string;
  content: Block[];
  /** Milliseconds since 1970. */
  createdAt?: number;
  /** Set on a reply; `awaiting` means that a person or another system must answer first. */
  finishedReason?: FinishedReason;
  usage?: Usage;
  metadata?: JsonObject;
}

/** Makes a user message from text or blocks. */
export function userMessage(content: string | Block[]): Message {
  return {
    id: makeId(),
    role: "user",
    content: typeof content === "string" ? [{ type: "text", text: content }] : content,
  };
}

/** Reads the text of a message, blocks joined by a line break. */
export function messageText(message: Message): string {
  return message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

/** Lists the tool calls of a message in order. */
export function toolCalls(message: Message): ToolCallBlock[] {
  return message.content.filter((block) => block.type === "tool_call");
}

/** Finds the result of a call in a message. */
export function toolResult(message: Message, id: string): ToolResultBlock | undefined {
  return message.content.find((block): block is ToolResultBlock => block.type === "tool_result" && block.id === id);
}
