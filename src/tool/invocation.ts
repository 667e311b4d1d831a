/** One call on its way through the layers, and what all its copies share. */

import type { Clock } from "../base/ids.ts";
import type { JsonValue } from "../base/json.ts";
import type { Sink } from "../base/streams.ts";
import type { ToolChunk } from "../message/blocks.ts";
import type { AgentState } from "../state/agent-state.ts";
import { RuntimeContext } from "../state/runtime-context.ts";
import type { ToolInvocation } from "./middleware.ts";
import type { CallerAgent, Tool } from "./tool.ts";

/** What belongs to the whole call, whatever the layers change. */
export interface CallShared {
  readonly id: string;
  readonly tool: Tool;
  readonly agent: CallerAgent | undefined;
  readonly state: AgentState | undefined;
  readonly givenContext: RuntimeContext | undefined;
  /** Who let the call pass, for the dispatch record. */
  readonly decidedBy: string;
  /** Names of hidden parameters, which no record may show. */
  readonly hidden: readonly string[];
  readonly clock: Clock;
  /** Gives the signal of the running attempt, making it at the first request. */
  signal(): AbortSignal;
  /** Whether the attempt was ended from outside, so that nobody waits for it any more. */
  isOver(): boolean;
  progress(progress: JsonValue): void;
}

/** The key under which an invocation carries what is shared, also through `{ ...invocation }`. */
export const shared: unique symbol = Symbol("holdall.call");

/** An invocation made here. */
export interface OwnInvocation extends ToolInvocation {
  readonly [shared]: CallShared;
}

/** Makes the first invocation of an attempt. */
export function makeInvocation(call: CallShared, input: unknown, emit: Sink<ToolChunk>): OwnInvocation {
  return new Invocation(call, input, emit);
}

/** A class for speed only: a call makes several copies, and few layers ask for signal or context. */
class Invocation implements OwnInvocation {
  readonly [shared]: CallShared;
  readonly input: unknown;
  readonly emit: Sink<ToolChunk>;

  constructor(call: CallShared, input: unknown, emit: Sink<ToolChunk>) {
    this[shared] = call;
    this.input = input;
    this.emit = emit;
  }

  get toolCallId(): string {
    return this[shared].id;
  }

  get toolName(): string {
    return this[shared].tool.name;
  }

  get tool(): Tool {
    return this[shared].tool;
  }

  get agentId(): string | undefined {
    return this[shared].agent?.id;
  }

  get agentName(): string | undefined {
    return this[shared].agent?.name;
  }

  get context(): RuntimeContext {
    return this[shared].givenContext ?? new RuntimeContext();
  }

  get state(): AgentState | undefined {
    return this[shared].state;
  }

  get signal(): AbortSignal {
    return this[shared].signal();
  }

  withInput(input: unknown): ToolInvocation {
    return new Invocation(this[shared], input, this.emit);
  }

  withEmit(emit: Sink<ToolChunk>): ToolInvocation {
    return new Invocation(this[shared], this.input, emit);
  }
}
