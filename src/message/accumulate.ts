/** Joins the pieces of a running tool into one result. */

import { concatBytes, fromBase64, toBase64 } from "../base/bytes.ts";
import type { JsonObject } from "../base/json.ts";
import type { OutputBlock, ToolChunk, ToolResultState } from "./blocks.ts";

/**
 * Adds one block to an output in place; the block itself is never changed.
 *
 * A block with the id of an earlier one joins it: text is appended, base64 is joined by bytes, the newer name and media
 * type win. Other text joins the text just before it. Everything else starts a block of its own.
 */
export function appendBlock(output: OutputBlock[], block: OutputBlock): void {
  const known = block.id === undefined ? undefined : output.find((other) => other.id === block.id);
  const last = output[output.length - 1];
  if (block.type === "text") {
    if (known?.type === "text") known.text += block.text;
    else if (last?.type === "text") last.text += block.text;
    else output.push({ ...block });
    return;
  }
  const { source } = block;
  if (known?.type === "data" && known.source.type === "base64" && source.type === "base64") {
    known.source = { ...source, mediaType: source.mediaType || known.source.mediaType, data: joinBase64(known.source.data, source.data) };
    if (block.name !== undefined) known.name = block.name;
    return;
  }
  output.push({ ...block, source: { ...source } });
}

/**
 * Gives the state after a chunk: `error` stays whatever comes, `running` and `success` change nothing.
 *
 * @param before The state so far.
 * @param said What the chunk says.
 */
export function nextState(before: ToolResultState, said: ToolResultState | undefined): ToolResultState {
  return said === undefined || said === "running" || said === "success" || before === "error" ? before : said;
}

/** A result that grows by chunks. */
export interface Accumulator {
  /** Adds a chunk; the chunk itself is never changed. */
  add(chunk: ToolChunk): void;
  readonly output: OutputBlock[];
  /** `success` unless a chunk said otherwise. */
  readonly state: ToolResultState;
  readonly metadata: JsonObject;
}

/** Starts an empty result. */
export function createAccumulator(): Accumulator {
  return new ChunkAccumulator();
}

/** A class for speed only: every call makes one. */
class ChunkAccumulator implements Accumulator {
  readonly output: OutputBlock[] = [];
  state: ToolResultState = "success";
  metadata: JsonObject = {};

  add(chunk: ToolChunk): void {
    for (const block of chunk.content) appendBlock(this.output, block);
    this.state = nextState(this.state, chunk.state);
    if (chunk.metadata !== undefined) this.metadata = { ...this.metadata, ...chunk.metadata };
  }
}

function joinBase64(first: string, second: string): string {
  // Whole groups of four without padding can be joined as text; that keeps long streams linear.
  if (first.length % 4 === 0 && !first.endsWith("=")) return first + second;
  const [left, right] = [fromBase64(first), fromBase64(second)];
  return left === undefined || right === undefined ? first + second : toBase64(concatBytes([left, right]));
}
