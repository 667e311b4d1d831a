/** What a tool is: facts for the model and the permission engine, and one function that runs. */

import type { JsonObject, JsonValue } from "../base/json.ts";
import type { OutputBlock, ToolChunk } from "../message/blocks.ts";
import type { PermissionSubject } from "../permission/subject.ts";
import type { CompiledInput } from "../schema/input-schema.ts";
import type { AgentState } from "../state/agent-state.ts";
import type { RuntimeContext } from "../state/runtime-context.ts";
import type { ToolMiddleware } from "./middleware.ts";

/** Who calls: an agent's identity, never the agent itself. */
export interface CallerAgent {
  id: string;
  name: string;
}

/** Shows progress of a running call to people and programs; nothing of it reaches the model. */
export interface ToolEmitter {
  /** The id of the call that the emitter belongs to. */
  readonly toolCallId: string;
  /** Sends one progress value. */
  emit(progress: JsonValue): void;
}

/** What `execute` gets beside the input. */
export interface ToolCallContext {
  /** The id of the call. */
  readonly id: string;
  /** The name of the tool. */
  readonly name: string;
  /** Aborts with the caller's signal or when the deadline has passed. */
  readonly signal: AbortSignal;
  /** What the caller handed along; empty when nothing was. */
  readonly context: RuntimeContext;
  /** The conversation's state, where there is a conversation. */
  readonly state: AgentState | undefined;
  /** The calling agent, where there is one. */
  readonly agent: CallerAgent | undefined;
  /** Why the call may run: the reason of the permission decision, or `application` where there is no permission. */
  readonly decidedBy: string;
  readonly emitter: ToolEmitter;
  /** Short for `emitter.emit`. */
  progress(progress: JsonValue): void;
  /** Short for `emitter.emit`. */
  emit(progress: JsonValue): void;
}

/** One thing a tool may return or yield. */
export type ToolValue =
  | string
  | number
  | boolean
  | bigint
  | null
  | undefined
  | object
  | OutputBlock
  | readonly OutputBlock[]
  | ToolChunk;

/**
 * What `execute` may return: a value, a promise of one, or a stream of them (async iterable, generator, or
 * `ReadableStream`). What a generator returns at its end counts as its last piece.
 */
export type ToolReturn = ToolValue | Promise<ToolValue> | AsyncIterable<ToolValue> | ReadableStream<ToolValue>;

/** When and how often a failed call is tried again. */
export interface RetryPolicy {
  /** How often it is tried in all. Defaults to 1. */
  attempts?: number;
  /** Milliseconds before the second attempt; each further wait doubles. Defaults to 500. */
  backoffMs?: number;
  /** Whether a failure is worth another attempt. Defaults to errors marked `retryable`. */
  retryable?: (error: unknown) => boolean;
}

/** How calls of a tool are run. */
export interface ToolRunOptions {
  /** Milliseconds a call may take, `Infinity` for no limit. Defaults to the toolkit's, which defaults to five minutes. */
  timeoutMs?: number | undefined;
  /** Defaults to the toolkit's, which defaults to one attempt. */
  retry?: RetryPolicy | undefined;
}

/** A tool, ready to be put into a toolkit. */
export interface Tool extends PermissionSubject, ToolRunOptions {
  name: string;
  /** Said to the model. */
  description: string;
  /** The input, described and checked. */
  input: CompiledInput;
  /** Whether providers shall hold the model to the schema. Defaults to undefined: the provider decides. */
  strict?: boolean | undefined;
  /** Whether no call changes anything. */
  readOnly: boolean;
  /** Whether calls may run beside each other. */
  concurrencySafe: boolean;
  /** Whether somebody outside executes the calls; such a tool has no `execute`. */
  external: boolean;
  /** The MCP server it comes from. */
  mcpName?: string | undefined;
  /** JSON Schema of `structuredContent`, where the tool promises one. */
  outputSchema?: JsonObject | undefined;
  /** Layers around `execute`, outermost first. */
  middlewares: readonly ToolMiddleware[];
  /** Turns other values than text and blocks into blocks. Defaults to JSON text. */
  convert?: ((value: unknown) => OutputBlock[] | ToolChunk) | undefined;
  /** Runs a call. Absent for external tools. */
  execute?(input: unknown, call: ToolCallContext): ToolReturn;
}
