/** One call on its way through the layers, and what all its copies share. */

import type { JsonValue } from "../base/json.ts";
import type { Sink } from "../base/streams.ts";
import type { ToolChunk } from "../message/blocks.ts";
import type { AgentState } from "../state/agent-state.ts";
import { RuntimeContext } from "../state/runtime-context.ts";
import type { Attempt } from "./attempt.ts";
import type { CallOptions, ToolCallInput } from "./call-options.ts";
import type { ToolEntry } from "./entry.ts";
import type { ToolInvocation } from "./middleware.ts";
import type { Tool } from "./tool.ts";

/** What belongs to one attempt of a call, whatever the layers change. */
export interface RunningCall {
  readonly id: string;
  /** The call as it came in. */
  readonly call: ToolCallInput;
  readonly entry: ToolEntry;
  readonly options: CallOptions;
  /** Who let the call pass, for the dispatch record. */
  readonly decidedBy: string;
  readonly attempt: Attempt;
  /** Shows progress; never part of the result. */
  progress(progress: JsonValue): void;
}

/** The key under which an invocation carries what is shared, also through `{ ...invocation }`. */
export const shared: unique symbol = Symbol("holdall.call");

/** An invocation made here. */
export interface OwnInvocation extends ToolInvocation {
  readonly [shared]: RunningCall;
}

/** Makes the first invocation of an attempt. */
export function makeInvocation(call: RunningCall, input: unknown, emit: Sink<ToolChunk>): OwnInvocation {
  return new Invocation(call, input, emit);
}

/** A class for speed only: a call makes several copies, and few layers ask for signal or context. */
class Invocation implements OwnInvocation {
  readonly [shared]: RunningCall;
  readonly input: unknown;
  readonly emit: Sink<ToolChunk>;

  constructor(call: RunningCall, input: unknown, emit: Sink<ToolChunk>) {
    this[shared] = call;
    this.input = input;
    this.emit = emit;
  }

  get toolCallId(): string {
    return this[shared].id;
  }

  get toolName(): string {
    return this[shared].entry.tool.name;
  }

  get tool(): Tool {
    return this[shared].entry.tool;
  }

  get agentId(): string | undefined {
    return this[shared].options.agent?.id;
  }

  get agentName(): string | undefined {
    return this[shared].options.agent?.name;
  }

  get context(): RuntimeContext {
    return this[shared].options.context ?? new RuntimeContext();
  }

  get state(): AgentState | undefined {
    return this[shared].options.state;
  }

  get signal(): AbortSignal {
    return this[shared].attempt.signal();
  }

  withInput(input: unknown): ToolInvocation {
    return new Invocation(this[shared], input, this.emit);
  }

  withEmit(emit: Sink<ToolChunk>): ToolInvocation {
    return new Invocation(this[shared], this.input, emit);
  }
}
