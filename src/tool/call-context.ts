/** Builds what `execute` gets beside the input. */

import { HoldallError } from "../base/errors.ts";
import type { JsonValue } from "../base/json.ts";
import type { AgentState } from "../state/agent-state.ts";
import { RuntimeContext, type TypedKey } from "../state/runtime-context.ts";
import type { RunningCall } from "./invocation.ts";
import type { CallerAgent, ToolCallContext, ToolEmitter } from "./tool.ts";

/** Names for typed values that a tool wants from the runtime context. */
export type InjectKeys = Readonly<Record<string, TypedKey<unknown>>>;

/** The values behind {@link InjectKeys}. */
export type Injected<K> = { readonly [N in keyof K]: K[N] extends TypedKey<infer T> ? T : never };

/** Makes the call context of one attempt. */
export function makeCallContext(call: RunningCall): ToolCallContext {
  return new CallContext(call);
}

/**
 * Adds the typed values a tool wants from the runtime context.
 *
 * @throws HoldallError `CONTEXT_MISSING` when the caller has put none in.
 */
export function injectValues(call: ToolCallContext, keys: InjectKeys): ToolCallContext {
  const values: Record<string, unknown> = {};
  for (const [name, key] of Object.entries(keys)) values[name] = call.context.require(key);
  return Object.assign(call, values);
}

/** Refuses names that the call context has already. */
export function checkInjectKeys(keys: InjectKeys, tool: string): void {
  const taken = Object.keys(keys).find((name) => name in CallContext.prototype);
  if (taken === undefined) return;
  throw new HoldallError(
    "TOOL_INVALID",
    `${tool} cannot inject a value named ${taken}: every call has that already. Choose another name.`,
  );
}

/** A class for speed only: getters on a prototype cost nothing until a tool asks, such as for its signal. */
class CallContext implements ToolCallContext {
  readonly #call: RunningCall;

  constructor(call: RunningCall) {
    this.#call = call;
  }

  get id(): string {
    return this.#call.id;
  }

  get name(): string {
    return this.#call.entry.tool.name;
  }

  get signal(): AbortSignal {
    return this.#call.attempt.signal();
  }

  get context(): RuntimeContext {
    return this.#call.options.context ?? new RuntimeContext();
  }

  get state(): AgentState | undefined {
    return this.#call.options.state;
  }

  get agent(): CallerAgent | undefined {
    return this.#call.options.agent;
  }

  get decidedBy(): string {
    return this.#call.decidedBy;
  }

  get emitter(): ToolEmitter {
    return { toolCallId: this.id, emit: (progress) => this.#call.progress(progress) };
  }

  progress(progress: JsonValue): void {
    this.#call.progress(progress);
  }

  emit(progress: JsonValue): void {
    this.#call.progress(progress);
  }
}
