/** The conductor: one call from text to result, station by station, top to bottom. */

import { errorText, HoldallError } from "../base/errors.ts";
import { type Clock, makeId } from "../base/ids.ts";
import { type JsonObject, type JsonValue, toJsonValue } from "../base/json.ts";
import type { Timers } from "../base/abort.ts";
import type { Sink } from "../base/streams.ts";
import type { EventBody } from "../event/events.ts";
import type { ToolCallBlock, ToolCallState, ToolChunk, ToolResultBlock } from "../message/blocks.ts";
import type { PermissionDecision } from "../permission/decision.ts";
import type { PermissionEngine } from "../permission/engine.ts";
import { type AgentState, recordDispatch } from "../state/agent-state.ts";
import type { RuntimeContext } from "../state/runtime-context.ts";
import { type Attempt, runAttempts } from "./attempt.ts";
import type { FindTool, ToolEntry } from "./entry.ts";
import { prepareInput } from "./input.ts";
import { type CallShared, makeInvocation } from "./invocation.ts";
import { type Outlet, openOutlet } from "./outlet.ts";
import { ToolSuspend } from "./suspend.ts";
import type { CallerAgent, RetryPolicy, Tool } from "./tool.ts";

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

/**
 * Makes one call and gives its one result. What goes wrong in the call is a result, never a rejection.
 *
 * @param find Looks the tool up in the view of the request.
 * @param call The call.
 * @param options What belongs to it.
 * @param sink Takes the chunks; its promise is back-pressure.
 */
export async function callTool(find: FindTool, call: ToolCallInput, options: CallOptions, sink?: Sink<ToolChunk>): Promise<ToolResultBlock> {
  const id = call.id || makeId();
  const outlet = openOutlet(id, call.name, options.onEvent, sink);
  try {
    // 1. find
    const { entry, problem } = find(call.name);
    if (entry === undefined) return await outlet.refuse("error", problem);
    outlet.limit(entry);
    // 2. input
    const preparing = prepareInput(entry, call.input, options.context);
    const prepared = preparing instanceof Promise ? await preparing : preparing;
    if (!prepared.ok) return await outlet.refuse("error", prepared.problem);
    // 3. permission
    const decision = options.permission && (await options.permission.check(entry.tool, prepared.own, { ...options, confirmed: call.state === "allowed" }));
    if (options.signal?.aborted) return await outlet.interrupt();
    if (decision?.behavior === "deny") return await deny(outlet, entry, decision, id, options);
    if (decision?.behavior === "ask") return await askFirst(outlet, call, id, decision);
    // 4. external
    if (entry.tool.external) return await handOut(outlet, call, id, {});
    // 5. preset (merged before validation; from here on the tool's own form goes on) and 6. layers and execution
    return await perform(outlet, entry, prepared.full, { id, call, options, decidedBy: decision?.reason ?? "application" });
  } catch (error) {
    if (error instanceof ToolSuspend) return handOut(outlet, call, id, { reason: errorText(error), ...toDetails(error) });
    if (options.signal?.aborted) return outlet.interrupt();
    return outlet.fail(failureText(call.name, error));
  }
}

interface Performance {
  id: string;
  call: ToolCallInput;
  options: CallOptions;
  decidedBy: string;
}

/** Stations 6 and 7: all layers around the tool, under deadline and retry; then the one result. */
async function perform(outlet: Outlet, entry: ToolEntry, input: unknown, performance: Performance): Promise<ToolResultBlock> {
  const { options } = performance;
  const started = outlet.start();
  if (started !== undefined) await started;
  if (options.onStart !== undefined) notify(options.onStart, toBlock(performance.call, performance.id, "allowed"));
  const result = await runAttempts(
    (attempt) => entry.run(makeInvocation(new RunningCall(outlet, entry, performance, attempt), input, entry.streams ? outlet.send : outlet.hold())),
    {
      name: entry.tool.name,
      timeoutMs: options.timeoutMs ?? entry.timeoutMs,
      retry: options.retry ?? entry.retry,
      signal: options.signal,
      mayRepeat: () => !outlet.hasSent,
      timers: options.timers,
    },
  );
  return outlet.finish(result, options.signal);
}

/** A class for speed only: what an attempt shares with its layers, most of which nobody asks for. */
class RunningCall implements CallShared {
  readonly #outlet: Outlet;
  readonly #entry: ToolEntry;
  readonly #performance: Performance;
  readonly #attempt: Attempt;

  constructor(outlet: Outlet, entry: ToolEntry, performance: Performance, attempt: Attempt) {
    this.#outlet = outlet;
    this.#entry = entry;
    this.#performance = performance;
    this.#attempt = attempt;
  }

  get id(): string {
    return this.#performance.id;
  }

  get tool(): Tool {
    return this.#entry.tool;
  }

  get agent(): CallerAgent | undefined {
    return this.#performance.options.agent;
  }

  get state(): AgentState | undefined {
    return this.#performance.options.state;
  }

  get givenContext(): RuntimeContext | undefined {
    return this.#performance.options.context;
  }

  get decidedBy(): string {
    return this.#performance.decidedBy;
  }

  get hidden(): readonly string[] {
    return this.#entry.preset === undefined ? noNames : Object.keys(this.#entry.preset);
  }

  get clock(): Clock {
    return this.#performance.options.clock ?? Date.now;
  }

  signal(): AbortSignal {
    return this.#attempt.signal();
  }

  isOver(): boolean {
    return this.#attempt.isOver();
  }

  progress(progress: JsonValue): void {
    showProgress(this.#outlet, this.#performance, progress);
  }
}

const noNames: readonly string[] = [];

function showProgress(outlet: Outlet, { id, call, options }: Performance, progress: JsonValue): void {
  outlet.progress(progress);
  if (options.onProgress !== undefined) notify(options.onProgress, toBlock(call, id, "allowed"), progress);
}

/** A listener that fails must not touch the call. */
function notify<A extends unknown[]>(listener: (...args: A) => void, ...args: A): void {
  try {
    listener(...args);
  } catch {
    // The caller's own affair.
  }
}

function deny(outlet: Outlet, entry: ToolEntry, decision: PermissionDecision, id: string, options: CallOptions): Promise<ToolResultBlock> {
  if (options.state !== undefined) {
    recordDispatch(options.state, { toolCallId: id, tool: entry.tool.name, decision: "denied", by: decision.reason, at: (options.clock ?? Date.now)() });
  }
  return outlet.refuse("denied", decision.message, { decision: describeDecision(decision) });
}

async function askFirst(outlet: Outlet, call: ToolCallInput, id: string, decision: PermissionDecision): Promise<ToolResultBlock> {
  const { suggestedRules } = decision;
  await outlet.announce({
    type: "REQUIRE_USER_CONFIRM",
    toolCalls: [{ ...toBlock(call, id, "asking"), suggestedRules }],
    decision: describeDecision(decision),
  });
  return outlet.suspend({ suspended: "confirm", decision: describeDecision(decision) });
}

async function handOut(outlet: Outlet, call: ToolCallInput, id: string, details: JsonObject): Promise<ToolResultBlock> {
  await outlet.announce({ type: "REQUIRE_EXTERNAL_EXECUTION", toolCalls: [toBlock(call, id, "submitted")] });
  return outlet.suspend({ suspended: "external", ...details });
}

/** Makes the block of a call that is shown to whoever shall answer. */
export function toBlock(call: ToolCallInput, id: string, state: ToolCallState): ToolCallBlock {
  const input = typeof call.input === "string" ? call.input : JSON.stringify(toJsonValue(call.input ?? {}));
  return { type: "tool_call", id, name: call.name, input, state };
}

function describeDecision(decision: PermissionDecision): JsonObject {
  return toJsonValue(decision) as JsonObject;
}

function toDetails(error: ToolSuspend): JsonObject {
  const details: JsonValue = toJsonValue(error.data.details);
  return { details };
}

function failureText(name: string, error: unknown): string {
  return HoldallError.is(error, "TIMEOUT") ? `${errorText(error)}` : `${name} failed: ${errorText(error)}`;
}
