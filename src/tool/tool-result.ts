/** What a tool can answer with, beside plain values. */

import type { JsonObject } from "../base/json.ts";
import type { DataBlock, OutputBlock, ToolChunk, ToolResultState } from "../message/blocks.ts";

type Content = string | OutputBlock | readonly OutputBlock[];

/** Makes answers with an explicit state. */
export interface ToolResultFactory {
  /** A call that went well. */
  success(content: Content, metadata?: JsonObject): ToolChunk;
  /** A call that failed; the text shall say what went wrong and what to do instead. */
  error(content: Content, metadata?: JsonObject): ToolChunk;
  /** A call that a policy forbids. */
  denied(content: Content, metadata?: JsonObject): ToolChunk;
  /** A piece of a running answer; as the last one it counts as success. */
  text(text: string, metadata?: JsonObject): ToolChunk;
  /** Bytes as base64. */
  data(base64: string, mediaType: string, name?: string): ToolChunk;
  /** Bytes behind a URL. */
  url(url: string, mediaType?: string, name?: string): ToolChunk;
  /** The same answer with another state. */
  withState(answer: ToolChunk, state: ToolResultState): ToolChunk;
}

/** Makes answers with an explicit state, such as `ToolResult.error("no such city")`. */
export const ToolResult: ToolResultFactory = {
  success: (content, metadata) => make(content, "success", metadata),
  error: (content, metadata) => make(content, "error", metadata),
  denied: (content, metadata) => make(content, "denied", metadata),
  text: (text, metadata) => make(text, "running", metadata),
  data: (base64, mediaType, name) => make(dataBlock({ type: "base64", data: base64, mediaType }, name), "running"),
  url: (url, mediaType, name) =>
    make(dataBlock({ type: "url", url, ...(mediaType === undefined ? {} : { mediaType }) }, name), "running"),
  withState: (answer, state) => ({ ...answer, state }),
};

function make(content: Content, state: ToolResultState, metadata?: JsonObject): ToolChunk {
  const blocks =
    typeof content === "string"
      ? [{ type: "text" as const, text: content }]
      : "type" in content
        ? [content]
        : [...content];
  return metadata === undefined ? { content: blocks, state } : { content: blocks, state, metadata };
}

function dataBlock(source: DataBlock["source"], name: string | undefined): DataBlock {
  return name === undefined ? { type: "data", source } : { type: "data", source, name };
}
