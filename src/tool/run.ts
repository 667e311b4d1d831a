/** Station 6 from the inside: interceptors, the dispatch record, middlewares, execute. Composed once per tool. */

import { isRecord, type JsonObject, toJsonValue } from "../base/json.ts";
import { type Layer, onion } from "../base/onion.ts";
import { createAccumulator } from "../message/accumulate.ts";
import type { ToolResultBlock } from "../message/blocks.ts";
import { recordDispatch } from "../state/agent-state.ts";
import { makeCallContext } from "./call-context.ts";
import type { PresetParameters } from "./entry.ts";
import { type OwnInvocation, type RunningCall, shared } from "./invocation.ts";
import type { ToolInterceptor, ToolInvocation } from "./middleware.ts";
import { emitReturned } from "./returns.ts";
import type { Tool } from "./tool.ts";

/**
 * Runs one attempt of a call. Without interceptors the result is what was emitted, and nothing is given back; without
 * middlewares too there is nothing to wait for when the tool has not waited.
 */
export type RunTool = (
  invocation: ToolInvocation,
) => ToolResultBlock | undefined | Promise<ToolResultBlock | undefined>;

/**
 * Composes all layers around a tool.
 *
 * @param tool The tool.
 * @param interceptors The toolkit's interceptors, outermost first.
 */
export function composeRun(tool: Tool, interceptors: readonly ToolInterceptor[]): RunTool {
  const bare = tool.middlewares.length === 0;
  const stream = onion<ToolInvocation, void>(tool.middlewares, async (invocation) => execute(tool, invocation));
  if (interceptors.length === 0) {
    return (invocation) => {
      record(sharedOf(invocation), invocation.input);
      const done = bare ? execute(tool, invocation) : stream(invocation);
      return done === undefined ? undefined : done.then(nothing);
    };
  }
  return onion(interceptors.map(toLayer), async (invocation) => {
    const call = sharedOf(invocation);
    record(call, invocation.input);
    const result = createAccumulator();
    const { emit } = invocation;
    await stream(
      invocation.withEmit((chunk) => {
        result.add(chunk);
        return emit(chunk);
      }),
    );
    return {
      type: "tool_result",
      id: call.id,
      name: tool.name,
      output: result.output,
      state: result.state,
      metadata: result.metadata,
    };
  });
}

function nothing(): undefined {}

function toLayer(interceptor: ToolInterceptor): Layer<ToolInvocation, ToolResultBlock> {
  return async (invocation, next) => {
    let passed = false;
    const result = await interceptor.intercept(invocation, (changed) => {
      passed = true;
      return next(changed);
    });
    if (!passed && result.state === "denied") recordDenial(sharedOf(invocation), interceptor.name ?? "interceptor");
    return result;
  };
}

function execute(tool: Tool, invocation: ToolInvocation): void | Promise<void> {
  const call = sharedOf(invocation);
  const run = tool.execute;
  if (run === undefined) throw new TypeError(`${tool.name} has no execute`);
  return emitReturned(run.call(tool, invocation.input, makeCallContext(call)), tool, invocation.emit, call.attempt);
}

function sharedOf(invocation: ToolInvocation): RunningCall {
  return (invocation as OwnInvocation)[shared];
}

function record(call: RunningCall, input: unknown): void {
  const { state, clock = Date.now } = call.options;
  if (state === undefined) return;
  const { tool } = call.entry;
  recordDispatch(state, {
    toolCallId: call.id,
    tool: tool.name,
    decision: "dispatched",
    by: call.decidedBy,
    input: visible(input, call.entry.preset),
    at: clock(),
  });
}

function recordDenial(call: RunningCall, by: string): void {
  const { state, clock = Date.now } = call.options;
  if (state === undefined) return;
  recordDispatch(state, { toolCallId: call.id, tool: call.entry.tool.name, decision: "denied", by, at: clock() });
}

/** What a record may show: everything but hidden parameters. */
function visible(input: unknown, preset: PresetParameters = {}): JsonObject {
  const copy = toJsonValue(input);
  if (!isRecord(copy)) return {};
  for (const name of Object.keys(preset)) delete copy[name];
  return copy as JsonObject;
}
