/** The content blocks a message is made of: plain JSON, with `type` as the tag. */

import type { JsonObject } from "../base/json.ts";
import type { PermissionRule } from "./permission-data.ts";

/** Text. */
export interface TextBlock {
  type: "text";
  text: string;
  /** Chunks with the same id are joined; blocks without one are joined with the text before them. */
  id?: string;
}

/** Where the bytes of a data block are. */
export type DataSource =
  | { type: "base64"; mediaType: string; data: string }
  | { type: "url"; url: string; mediaType?: string };

/** An image, sound, video or any other file. */
export interface DataBlock {
  type: "data";
  source: DataSource;
  /** A file name to show. */
  name?: string;
  /** Base64 chunks with the same id are joined byte by byte. */
  id?: string;
}

/** What the model thought before it answered. */
export interface ThinkingBlock {
  type: "thinking";
  thinking: string;
  /** An opaque proof some providers want back unchanged. */
  signature?: string;
  id?: string;
}

/** Words to the model that are not the user's own, such as a reminder. */
export interface HintBlock {
  type: "hint";
  hint: string;
  /** Who says it. */
  source?: string;
  id?: string;
}

/**
 * Where a call stands: `pending` → `asking` (a person must confirm) → `allowed` → `submitted` (somebody outside
 * executes it) → `finished`.
 */
export type ToolCallState = "pending" | "asking" | "allowed" | "submitted" | "finished";

/** A tool call as the model wrote it. */
export interface ToolCallBlock {
  type: "tool_call";
  id: string;
  name: string;
  /** The arguments as JSON text, untouched. */
  input: string;
  state: ToolCallState;
  /** Rules that would have made a question unnecessary. */
  suggestedRules?: PermissionRule[];
  /** While the call is asked about: what the permission engine decided, with reason and trace. */
  decision?: JsonObject;
}

/** How a call ended; `running` stands only in chunks, `suspended` only until somebody answers. */
export type ToolResultState = "running" | "success" | "error" | "denied" | "interrupted" | "suspended";

/** What a tool can answer with. */
export type OutputBlock = TextBlock | DataBlock;

/** The one result of a call. */
export interface ToolResultBlock {
  type: "tool_result";
  /** The id of the call. */
  id: string;
  name: string;
  output: OutputBlock[];
  state: ToolResultState;
  /** Facts for programs and screens, such as a diff; never sent to the model. */
  metadata: JsonObject;
}

/** Any block. */
export type Block = TextBlock | DataBlock | ThinkingBlock | HintBlock | ToolCallBlock | ToolResultBlock;

/** A piece of a running result; pieces are joined by `accumulate`. */
export interface ToolChunk {
  content: OutputBlock[];
  /** `error`, once said, stays. Defaults to `running`. */
  state?: ToolResultState;
  metadata?: JsonObject;
}

/** Reads the text of an output, blocks joined by a line break; data blocks are left out. */
export function outputText(output: readonly OutputBlock[]): string {
  return output.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
