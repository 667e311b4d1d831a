/** Joins the pieces of a running tool into one result. */

import { joinBase64, type OpenBase64 } from "../base/base64.ts";
import type { JsonObject } from "../base/json.ts";
import type { DataBlock, DataSource, OutputBlock, ToolChunk, ToolResultState } from "./blocks.ts";

/**
 * Adds one block to an output in place; the block itself is never changed.
 *
 * A block with the id of an earlier one of its kind joins it: text is appended, base64 is joined by bytes, the newer
 * name and media type win. Other text joins the text just before it, whatever its id. Everything else starts a block of
 * its own, without an id when that id is taken: a block behind a URL cannot be joined.
 *
 * @param output The blocks so far.
 * @param block The next one.
 */
export function appendBlock(output: OutputBlock[], block: OutputBlock): void {
  const known = findById(output, block.id);
  const last = output[output.length - 1];
  if (block.type === "text") {
    if (known?.type === "text") known.text += block.text;
    else if (last?.type === "text") last.text += block.text;
    else output.push(known === undefined && block.id ? { ...block } : { type: "text", text: block.text });
  } else if (known?.type !== "data" || !appendData(known, block.source, block.name)) {
    const { id: _, ...rest } = block;
    output.push({ ...(known === undefined ? block : rest), source: { ...block.source } });
  }
}

/**
 * Joins more bytes to a data block in place.
 *
 * @param block The block so far.
 * @param more The next bytes.
 * @param name The newest name; an empty one changes nothing.
 * @returns Whether the two could be joined: not where either is behind a URL.
 */
export function appendData(block: DataBlock, more: DataSource, name?: string): boolean {
  const before = block.source;
  if (before.type !== "base64" || more.type !== "base64") return false;
  const open = joinBase64(openedOf(block, before.data), more.data);
  block.source = {
    type: "base64",
    mediaType: more.mediaType || before.mediaType,
    data: open.body + open.end,
  };
  opened.set(block, { open, source: block.source });
  if (name) block.name = name;
  return true;
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
  /** The blocks so far; the array and its blocks go on growing. */
  readonly output: OutputBlock[];
  /** `success` unless a chunk said otherwise. */
  readonly state: ToolResultState;
  /** What the chunks said, the newest value of each key. */
  readonly metadata: JsonObject;
}

/** Starts an empty result. */
export function createAccumulator(): Accumulator {
  return new ChunkAccumulator();
}

/** A class for speed only: every call makes one, and an object literal with getters is slow to make. */
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

/** Goes backwards: the block that goes on is nearly always the last one. */
function findById(output: readonly OutputBlock[], id: string | undefined): OutputBlock | undefined {
  return id === undefined ? undefined : output.findLast((block) => block.id === id);
}

/** The two parts of what was joined last; only there for speed. */
const opened = /* @__PURE__ */ new WeakMap<DataBlock, { open: OpenBase64; source: DataSource }>();

function openedOf(block: DataBlock, data: string): OpenBase64 {
  const known = opened.get(block);
  // Somebody else may have changed the block since; a change of its length is the cheapest sign.
  const isCurrent = known?.source === block.source && known.open.body.length + known.open.end.length === data.length;
  return isCurrent ? known.open : joinBase64(undefined, data);
}
