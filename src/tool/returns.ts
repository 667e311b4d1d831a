/** Turns whatever a tool returns or yields into chunks. */

import { HoldallError } from "../base/errors.ts";
import { isRecord, toJsonValue } from "../base/json.ts";
import { isAsyncIterable, isReadableStream, iterateStream, type Sink } from "../base/streams.ts";
import type { OutputBlock, ToolChunk } from "../message/blocks.ts";
import type { Attempt } from "./attempt.ts";
import type { Tool, ToolReturn } from "./tool.ts";

/**
 * Sends what a tool returned to a sink, piece by piece.
 *
 * @param returned What `execute` returned.
 * @param tool The tool, for its converter.
 * @param emit Takes the chunks; it is waited for before the next piece is asked for.
 * @param attempt The attempt; once it is over, no further piece is asked for.
 */
export function emitReturned(
  returned: ToolReturn,
  tool: Tool,
  emit: Sink<ToolChunk>,
  attempt: Attempt,
): void | Promise<void> {
  if (returned instanceof Promise) return returned.then((value) => emitValue(value, tool, emit, attempt));
  return emitValue(returned, tool, emit, attempt);
}

function emitValue(value: unknown, tool: Tool, emit: Sink<ToolChunk>, attempt: Attempt): void | Promise<void> {
  if (typeof value !== "object" || value === null) return emit(toChunk(value, tool));
  if (isPromiseLike(value)) return Promise.resolve(value).then((settled) => emitValue(settled, tool, emit, attempt));
  if (isReadableStream(value)) return emitAll(iterateStream(value, attempt.signal()), tool, emit, attempt);
  if (isAsyncIterable(value)) return emitAll(value[Symbol.asyncIterator](), tool, emit, attempt);
  if (isIterator(value)) return emitAll(value, tool, emit, attempt);
  return emit(toChunk(value, tool));
}

/** Makes one chunk of one value. */
export function toChunk(value: unknown, tool: Pick<Tool, "convert" | "name">): ToolChunk {
  if (typeof value === "string") return { content: [{ type: "text", text: value }] };
  if (isChunk(value)) return value;
  if (isOutputBlock(value)) return { content: [value] };
  if (Array.isArray(value) && value.length > 0 && value.every(isOutputBlock)) return { content: value };
  if (tool.convert !== undefined) {
    const converted = tool.convert(value);
    return Array.isArray(converted) ? { content: converted } : converted;
  }
  if (value === undefined || value === null) return { content: [] };
  if (typeof value === "function" || typeof value === "symbol") {
    throw new HoldallError(
      "TOOL_RETURN_INVALID",
      `${tool.name} returned a ${typeof value}. Return text, JSON, blocks or a ToolResult.`,
    );
  }
  return { content: [{ type: "text", text: jsonText(value) }] };
}

async function emitAll(
  iterator: AsyncIterator<unknown> | Iterator<unknown>,
  tool: Tool,
  emit: Sink<ToolChunk>,
  attempt: Attempt,
): Promise<void> {
  // An iterator whose `next` failed has ended by itself; one whose piece could not be passed on has not.
  let open = false;
  try {
    for (;;) {
      const step = await iterator.next();
      if (step.done === true) return step.value === undefined ? undefined : await emit(toChunk(await step.value, tool));
      open = true;
      const { value } = step;
      // Only what has to be waited for is waited for: of thousands of pieces, each needless turn would count.
      const sent = emit(toChunk(isPromiseLike(value) ? await value : value, tool));
      if (sent !== undefined) await sent;
      if (attempt.isOver()) return;
      open = false;
    }
  } finally {
    if (open) await iterator.return?.();
  }
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** A generator, but not an array or another collection, which is a JSON value. */
function isIterator(value: unknown): value is Iterator<unknown> {
  return (
    isRecord(value) &&
    typeof value.next === "function" &&
    Symbol.iterator in value &&
    !(value instanceof Map) &&
    !(value instanceof Set)
  );
}

function isOutputBlock(value: unknown): value is OutputBlock {
  if (!isRecord(value)) return false;
  if (value.type === "text") return typeof value.text === "string";
  if (value.type !== "data" || !isRecord(value.source)) return false;
  return value.source.type === "url"
    ? typeof value.source.url === "string"
    : value.source.type === "base64" && typeof value.source.data === "string";
}

const chunkKeys = new Set(["content", "state", "metadata"]);

function isChunk(value: unknown): value is ToolChunk {
  if (!isRecord(value) || !Array.isArray(value.content) || !value.content.every(isOutputBlock)) return false;
  if (value.content.length === 0 && value.state === undefined && value.metadata === undefined) return false;
  return Object.keys(value).every((key) => chunkKeys.has(key));
}

function jsonText(value: unknown): string {
  try {
    const text = JSON.stringify(value);
    if (text !== undefined && text !== "{}") return text;
  } catch {
    // Cycles and bigints: the careful copy below shows what can be shown.
  }
  return JSON.stringify(toJsonValue(value));
}
