/** A call to make, and what belongs to it. */

import type { Timers } from "../base/abort.ts";
import type { Clock } from "../base/ids.ts";
import type { JsonValue } from "../base/json.ts";
import type { Sink } from "../base/streams.ts";
import type { EventBody } from "../event/events.ts";
import type { ToolCallBlock, ToolCallState } from "../message/blocks.ts";
import type { PermissionEngine } from "../permission/engine.ts";
import type { AgentState } from "../state/agent-state.ts";
import type { RuntimeContext } from "../state/runtime-context.ts";
import type { CallerAgent, RetryPolicy } from "./tool.ts";

/** A call to make; a block from a model fits. */
export interface ToolCallInput {
  /** Made up when missing or empty. */
  id?: string | null | undefined;
  name: string;
  /** JSON text or an object. Defaults to no arguments. */
  input?: unknown;
  /** `allowed` says that a person has confirmed this very call. */
  state?: ToolCallState;
}

/** What belongs to one call. */
export interface CallOptions {
  context?: RuntimeContext | undefined;
  state?: AgentState | undefined;
  /** Decides over the call. Left out: the call is the application's own and is not asked about. */
  permission?: PermissionEngine | undefined;
  signal?: AbortSignal | undefined;
  agent?: CallerAgent | undefined;
  /** Takes the events of the call; its promise is back-pressure. */
  onEvent?: Sink<EventBody> | undefined;
  /** Told when the tool really starts; what it throws is ignored. */
  onStart?: ((call: ToolCallBlock) => void) | undefined;
  /** Told about progress; what it throws is ignored. */
  onProgress?: ((call: ToolCallBlock, progress: JsonValue) => void) | undefined;
  /** Milliseconds for one attempt. Defaults to the tool's, then the toolkit's. */
  timeoutMs?: number | undefined;
  retry?: RetryPolicy | undefined;
  clock?: Clock | undefined;
  timers?: Timers | undefined;
}
