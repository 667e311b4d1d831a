/** Where the chunks of one call go: through the limit, into the one result, to the events and to the caller. */

import { makeId } from "../base/ids.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import type { Sink } from "../base/streams.ts";
import type { EventBody } from "../event/events.ts";
import { type Accumulator, createAccumulator } from "../message/accumulate.ts";
import type { OutputBlock, ToolChunk, ToolResultBlock, ToolResultState } from "../message/blocks.ts";
import type { ToolEntry } from "./entry.ts";
import { createLimiter, type Limiter } from "./limit.ts";

/** What the model reads when a call was ended from outside. */
export const INTERRUPTED_TEXT = "The call was interrupted by the user before it was finished.";

/** The way out of one call. Whatever happens, exactly one of its results is given, and nothing goes out afterwards. */
export interface Outlet {
  /** Whether a piece of the result has gone out. */
  readonly hasSent: boolean;
  /** Sets how large the result may be. */
  limit(entry: ToolEntry): void;
  /** Tells that the tool starts. */
  start(): void | Promise<void>;
  /** Sends a chunk on at once. */
  send: Sink<ToolChunk>;
  /** Gives a sink that keeps chunks until the result is final, or the call has failed. */
  hold(): Sink<ToolChunk>;
  /** Shows progress; never part of the result. */
  progress(progress: JsonValue): void;
  announce(event: EventBody): Promise<void>;
  /** Ends with what the layers returned. */
  finish(
    result: ToolResultBlock | undefined,
    signal: AbortSignal | undefined,
  ): ToolResultBlock | Promise<ToolResultBlock>;
  /** Ends without having run. */
  refuse(state: ToolResultState, text: string, metadata?: JsonObject): Promise<ToolResultBlock>;
  /** Ends after a failure; what was sent or held so far stays. */
  fail(text: string): Promise<ToolResultBlock>;
  /** Ends because the caller's signal aborted. */
  interrupt(): Promise<ToolResultBlock>;
  /** Ends for now; the call comes back with an answer. */
  suspend(metadata: JsonObject): ToolResultBlock;
}

/** Opens the way out of one call. */
export function openOutlet(
  id: string,
  name: string,
  onEvent: Sink<EventBody> | undefined,
  sink: Sink<ToolChunk> | undefined,
): Outlet {
  return new CallOutlet(id, name, onEvent, sink);
}

/** A class for speed only: one object a call instead of ten closures. */
class CallOutlet implements Outlet {
  hasSent = false;
  readonly #id: string;
  readonly #name: string;
  readonly #onEvent: Sink<EventBody> | undefined;
  readonly #sink: Sink<ToolChunk> | undefined;
  readonly #result: Accumulator = createAccumulator();
  #entry: ToolEntry | undefined;
  #limiter: Limiter | undefined;
  #held: Accumulator | undefined;
  #started = false;
  #closed = false;

  constructor(id: string, name: string, onEvent: Sink<EventBody> | undefined, sink: Sink<ToolChunk> | undefined) {
    this.#id = id;
    this.#name = name;
    this.#onEvent = onEvent;
    this.#sink = sink;
  }

  limit(entry: ToolEntry): void {
    this.#entry = entry;
  }

  start(): void | Promise<void> {
    if (this.#started) return;
    this.#started = true;
    return this.#onEvent?.({ type: "TOOL_RESULT_START", toolCallId: this.#id, toolCallName: this.#name });
  }

  readonly send: Sink<ToolChunk> = (chunk) => {
    if (this.#closed) return;
    this.#limiter ??= createLimiter(this.#id, this.#entry?.limit ?? {});
    return this.#deliver(this.#limiter.pass(chunk));
  };

  hold(): Sink<ToolChunk> {
    const held = createAccumulator();
    this.#held = held;
    return (chunk) => held.add(chunk);
  }

  progress(progress: JsonValue): void {
    if (this.#closed) return;
    // A progress listener that fails or is slow must not touch the call.
    void Promise.resolve(this.#onEvent?.({ type: "TOOL_PROGRESS", toolCallId: this.#id, progress })).catch(() => {});
  }

  async announce(event: EventBody): Promise<void> {
    await this.#onEvent?.(event);
  }

  finish(
    result: ToolResultBlock | undefined,
    signal: AbortSignal | undefined,
  ): ToolResultBlock | Promise<ToolResultBlock> {
    if (result === undefined && this.#limiter?.holds !== true) return this.#end(this.#result.state);
    return this.#finishWith(result, signal);
  }

  async #finishWith(result: ToolResultBlock | undefined, signal: AbortSignal | undefined): Promise<ToolResultBlock> {
    if (result !== undefined) {
      const { state, metadata } = result;
      // What went out while the tool ran stands; only state and facts can still be added to it.
      const content = this.#entry?.streams === true ? [] : result.output;
      const sent = this.send({ content, state, metadata });
      if (sent !== undefined) await sent;
    }
    await this.#flush(signal);
    return this.#end(this.#result.state);
  }

  async refuse(state: ToolResultState, text: string, metadata?: JsonObject): Promise<ToolResultBlock> {
    await this.start();
    await this.#deliver({ content: [{ type: "text", text }], state, ...(metadata === undefined ? {} : { metadata }) });
    return this.#end(state);
  }

  async fail(text: string): Promise<ToolResultBlock> {
    return this.#breakOff("error", text);
  }

  interrupt(): Promise<ToolResultBlock> {
    return this.#breakOff("interrupted", INTERRUPTED_TEXT);
  }

  suspend(metadata: JsonObject): ToolResultBlock {
    this.#closed = true;
    return { type: "tool_result", id: this.#id, name: this.#name, output: [], state: "suspended", metadata };
  }

  async #breakOff(state: ToolResultState, text: string): Promise<ToolResultBlock> {
    await this.start();
    const held = this.#held;
    if (held !== undefined && held.output.length > 0)
      await this.send({ content: held.output, metadata: held.metadata });
    await this.#flush(undefined);
    const separated = this.#result.output.length > 0 ? `\n${text}` : text;
    await this.#deliver({ content: [{ type: "text", text: separated }], state });
    return this.#end(state);
  }

  async #flush(signal: AbortSignal | undefined): Promise<void> {
    const rest = await this.#limiter?.finish(signal);
    if (rest !== undefined) await this.#deliver(rest);
  }

  #deliver(chunk: ToolChunk): void | Promise<void> {
    this.#result.add(chunk);
    if (chunk.content.length === 0) return;
    this.hasSent = true;
    if (this.#onEvent !== undefined) return this.#tell(this.#onEvent, chunk);
    return this.#sink?.(chunk);
  }

  #tell(onEvent: Sink<EventBody>, chunk: ToolChunk): void | Promise<void> {
    const { content } = chunk;
    const only = content.length === 1 ? content[0] : undefined;
    if (only === undefined) return this.#tellAll(onEvent, chunk);
    const told = onEvent(toEvent(this.#id, only));
    if (told === undefined) return this.#sink?.(chunk);
    return told.then(() => this.#sink?.(chunk));
  }

  async #tellAll(onEvent: Sink<EventBody>, chunk: ToolChunk): Promise<void> {
    for (const block of chunk.content) await onEvent(toEvent(this.#id, block));
    await this.#sink?.(chunk);
  }

  #end(state: ToolResultState): ToolResultBlock | Promise<ToolResultBlock> {
    this.#closed = true;
    const { output, metadata } = this.#result;
    const result: ToolResultBlock = { type: "tool_result", id: this.#id, name: this.#name, output, state, metadata };
    const told = this.#onEvent?.({ type: "TOOL_RESULT_END", toolCallId: this.#id, state, metadata });
    return told === undefined ? result : told.then(() => result);
  }
}

function toEvent(toolCallId: string, block: OutputBlock): EventBody {
  const { id } = block;
  if (block.type === "text") {
    const event: EventBody = { type: "TOOL_RESULT_TEXT_DELTA", toolCallId, delta: block.text };
    return id === undefined ? event : { ...event, blockId: id };
  }
  const { source, name } = block;
  return {
    type: "TOOL_RESULT_DATA_DELTA",
    toolCallId,
    blockId: id ?? makeId(),
    ...(source.mediaType === undefined ? {} : { mediaType: source.mediaType }),
    ...(source.type === "url" ? { url: source.url } : { data: source.data }),
    ...(name === undefined ? {} : { name }),
  };
}
