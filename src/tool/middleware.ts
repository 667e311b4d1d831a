/** Layers around a tool: middlewares over its chunks, interceptors over its result. */

import type { Layer, Next } from "../base/onion.ts";
import { pull } from "../base/pull.ts";
import type { Sink } from "../base/streams.ts";
import type { ToolChunk, ToolResultBlock } from "../message/blocks.ts";
import type { AgentState } from "../state/agent-state.ts";
import type { RuntimeContext } from "../state/runtime-context.ts";
import type { Tool } from "./tool.ts";

/** One call on its way through the layers. Layers pass on changed copies, never change it in place. */
export interface ToolInvocation {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly tool: Tool;
  /** The exact arguments the tool will get, preset values included. */
  readonly input: unknown;
  /** The calling agent's id and name, where there is one. */
  readonly agentId: string | undefined;
  readonly agentName: string | undefined;
  /** What the caller handed along; empty when nothing was. */
  readonly context: RuntimeContext;
  /** The conversation's state, where there is a conversation. */
  readonly state: AgentState | undefined;
  /** Aborts with the caller's signal or when the deadline has passed. */
  readonly signal: AbortSignal;
  /** Takes the chunks; its promise is back-pressure. */
  readonly emit: Sink<ToolChunk>;
  /** A copy with other arguments; they are not validated again. */
  withInput(input: unknown): ToolInvocation;
  /** A copy whose chunks go elsewhere. */
  withEmit(emit: Sink<ToolChunk>): ToolInvocation;
}

/**
 * A layer around one tool. It resolves when all chunks have been emitted. It may pass on another input, send chunks
 * elsewhere, emit chunks of its own, skip `next` or call it again.
 */
export type ToolMiddleware = Layer<ToolInvocation, void>;

/**
 * A layer around every call of a toolkit, after validation and preset values, before the dispatch is recorded. It may
 * let the call pass, return a result of its own (`denied` leaves a denial in the record), pass on other arguments, or
 * throw `ToolSuspend`.
 */
export interface ToolInterceptor {
  /** Shown in the dispatch record. Defaults to `interceptor`. */
  name?: string;
  /** The greater, the further out; equal ones keep their order. Defaults to 0. */
  order?: number;
  /**
   * Promises that `intercept` never changes the output of a result, so that chunks may go out while the tool runs.
   * Without it chunks are held back until the result is final. Defaults to false.
   */
  streams?: boolean;
  intercept(invocation: ToolInvocation, next: Next<ToolInvocation, ToolResultBlock>): Promise<ToolResultBlock>;
}

/** Makes a middleware from a generator over the chunk stream, for layers that change or filter chunks one by one. */
export function streamMiddleware(
  layer: (
    invocation: ToolInvocation,
    next: (invocation: ToolInvocation) => AsyncIterable<ToolChunk>,
  ) => AsyncIterable<ToolChunk>,
): ToolMiddleware {
  return async (invocation, next) => {
    const inner = (changed: ToolInvocation): AsyncIterable<ToolChunk> =>
      pull(
        (emit) => next(changed.withEmit(emit)),
        () => {},
      );
    for await (const chunk of layer(invocation, inner)) await invocation.emit(chunk);
  };
}
