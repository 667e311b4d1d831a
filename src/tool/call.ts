/** The conductor: one call from text to result, station by station, top to bottom. */

import { errorText, HoldallError } from "../base/errors.ts";
import { makeId } from "../base/ids.ts";
import { type JsonObject, type JsonValue, toJsonValue } from "../base/json.ts";
import type { Sink } from "../base/streams.ts";
import type { ToolCallBlock, ToolCallState, ToolChunk, ToolResultBlock } from "../message/blocks.ts";
import type { PermissionDecision } from "../permission/decision.ts";
import { recordDispatch } from "../state/agent-state.ts";
import { runAttempts } from "./attempt.ts";
import type { CallOptions, ToolCallInput } from "./call-options.ts";
import type { FindTool, ToolEntry } from "./entry.ts";
import { prepareInput } from "./input.ts";
import { makeInvocation, type RunningCall } from "./invocation.ts";
import { type Outlet, openOutlet } from "./outlet.ts";
import type { RunTool } from "./run.ts";
import { ToolSuspend } from "./suspend.ts";

/**
 * Makes one call and gives its one result. What goes wrong in the call is a result, never a rejection.
 *
 * @param find Looks the tool up in the view of the request.
 * @param call The call.
 * @param options What belongs to it.
 * @param sink Takes the chunks; its promise is back-pressure.
 */
export async function callTool(
  find: FindTool,
  call: ToolCallInput,
  options: CallOptions,
  sink?: Sink<ToolChunk>,
): Promise<ToolResultBlock> {
  const id = call.id || makeId();
  const outlet = openOutlet(id, call.name, options.onEvent, sink);
  try {
    // 1. find
    const { entry, problem } = find(call.name);
    if (entry === undefined)
      return await outlet.refuse("error", (await import("./problems.ts")).describeLookup(call.name, problem));
    outlet.limit(entry);
    // 2. input
    const preparing = prepareInput(entry, call.input, options.context);
    const prepared = preparing instanceof Promise ? await preparing : preparing;
    if (!prepared.ok) return await outlet.refuse("error", prepared.problem);
    // 3. permission
    const { permission, state, context } = options;
    const decision =
      permission &&
      (await permission.check(entry.tool, prepared.own, { state, context, confirmed: call.state === "allowed" }));
    if (options.signal?.aborted) return await outlet.interrupt();
    if (decision?.behavior === "deny") return await deny(outlet, entry, decision, id, options);
    if (decision?.behavior === "ask") return await askFirst(outlet, call, id, decision);
    // 4. external
    if (entry.tool.external) return await handOut(outlet, call, id, {});
    // 5. preset (merged before validation; from here on the tool's own form goes on) and 6. layers and execution
    const started = outlet.start();
    if (started !== undefined) await started;
    const decidedBy = decision?.reason ?? "application";
    const running = perform(outlet, entry, prepared.full, { id, call, options, decidedBy });
    const result = running instanceof Promise ? await running : running;
    // 7. result
    const finished = outlet.finish(result, options.signal);
    return finished instanceof Promise ? await finished : finished;
  } catch (error) {
    if (error instanceof ToolSuspend)
      return handOut(outlet, call, id, { reason: errorText(error), ...toDetails(error) });
    if (options.signal?.aborted) return outlet.interrupt();
    return outlet.fail(failureText(call.name, error));
  }
}

/** Station 6: all layers around the tool, under deadline and retry. */
function perform(outlet: Outlet, entry: ToolEntry, input: unknown, performance: Performance): ReturnType<RunTool> {
  const { id, call, options, decidedBy } = performance;
  if (options.onStart !== undefined) notify(options.onStart, toBlock(call, id, "allowed"));
  const progress = (value: JsonValue): void => showProgress(outlet, performance, value);
  return runAttempts(
    (attempt) => {
      // Written out: a spread would cost more than all the rest here.
      const running: RunningCall = { id, call, entry, options, decidedBy, attempt, progress };
      return entry.run(makeInvocation(running, input, entry.streams ? outlet.send : outlet.hold()));
    },
    {
      name: entry.tool.name,
      timeoutMs: options.timeoutMs ?? entry.timeoutMs,
      retry: options.retry ?? entry.retry,
      signal: options.signal,
      mayRepeat: () => !outlet.hasSent,
      timers: options.timers,
    },
  );
}

type Performance = Pick<RunningCall, "id" | "call" | "options" | "decidedBy">;

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

function deny(
  outlet: Outlet,
  entry: ToolEntry,
  decision: PermissionDecision,
  id: string,
  options: CallOptions,
): Promise<ToolResultBlock> {
  if (options.state !== undefined) {
    recordDispatch(options.state, {
      toolCallId: id,
      tool: entry.tool.name,
      decision: "denied",
      by: decision.reason,
      at: (options.clock ?? Date.now)(),
    });
  }
  return outlet.refuse("denied", decision.message, { decision: describeDecision(decision) });
}

async function askFirst(
  outlet: Outlet,
  call: ToolCallInput,
  id: string,
  decision: PermissionDecision,
): Promise<ToolResultBlock> {
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
