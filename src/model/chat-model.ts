/** The chat model port: messages in, a stream of parts out. */

import type { JsonObject } from "../base/json.ts";
import type { Message, Usage } from "../message/message.ts";

/** A tool as a model is told about it. */
export interface ModelTool {
  name: string;
  description: string;
  /** A JSON Schema of type object. */
  inputSchema: JsonObject;
  /** Whether the provider shall hold the model to the schema, where it can. */
  strict?: boolean;
}

/** Whether and which tool the model must call. */
export type ToolChoice = "auto" | "none" | "required" | { tool: string };

/** One question to a model. */
export interface ModelRequest {
  /** Instructions that stand before the conversation. */
  system?: string;
  messages: readonly Message[];
  tools?: readonly ModelTool[];
  /** Defaults to `auto`. */
  toolChoice?: ToolChoice;
  /** Aborting ends the stream with the signal's reason. */
  signal?: AbortSignal;
}

/** Why a model stopped. */
export type StopReason = "stop" | "tool_calls" | "length" | "content_filter" | "other";

/**
 * A piece of an answer. Pieces of one block follow each other or interleave by `id`; a block starts with its first
 * piece. The last part of every complete answer is `finish`.
 */
export type ModelPart =
  | { type: "text"; id: string; delta: string }
  | { type: "thinking"; id: string; delta: string; signature?: string }
  | { type: "data"; id: string; mediaType: string; data: string; name?: string }
  | { type: "tool_call_start"; id: string; name: string }
  | { type: "tool_call_delta"; id: string; delta: string }
  | { type: "tool_call_end"; id: string }
  | { type: "finish"; reason: StopReason; usage?: Usage };

/** A model that can chat. */
export interface ChatModel {
  /** Shown to people and in events. */
  name: string;
  /** Media types the model takes in data blocks, such as `image/png`. Defaults to none. */
  inputTypes?: readonly string[];
  /**
   * Asks the model. Leaving the loop ends the request.
   *
   * @throws HoldallError `MODEL_HTTP` (data: status, body), `MODEL_NETWORK`, `MODEL_STREAM` (the answer broke off or
   * made no sense).
   */
  stream(request: ModelRequest): AsyncIterable<ModelPart>;
}
