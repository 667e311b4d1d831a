/** Which calls of a reply are still open, and closing them. */

import { HoldallError } from "../base/errors.ts";
import type { ConfirmResult } from "../event/events.ts";
import type { ToolCallBlock, ToolResultBlock, ToolResultState } from "../message/blocks.ts";
import { type Message, toolCalls, toolResult } from "../message/message.ts";
import { createLimiter } from "../tool/limit.ts";
import type { Emit } from "./emit.ts";

/** Lists the calls that have no result yet. */
export function openCalls(reply: Message): ToolCallBlock[] {
  return toolCalls(reply).filter((call) => {
    const result = toolResult(reply, call.id);
    return result === undefined || result.state === "running";
  });
}

/** Lists the calls that wait for somebody outside. */
export function awaitedCalls(reply: Message): ToolCallBlock[] {
  return openCalls(reply).filter((call) => call.state === "asking" || call.state === "submitted");
}

/** Lists the calls that can run now: confirmed ones, and new ones while nothing is waited for. */
export function runnableCalls(reply: Message): ToolCallBlock[] {
  const open = openCalls(reply);
  const waiting = open.some((call) => call.state === "asking" || call.state === "submitted");
  return open.filter((call) => call.state === "allowed" || (call.state === "pending" && !waiting));
}

/** Gives a call a result that no tool made. */
export async function closeCall(emit: Emit, call: ToolCallBlock, state: ToolResultState, text: string): Promise<void> {
  await emit({ type: "TOOL_RESULT_START", toolCallId: call.id, toolCallName: call.name });
  await emit({ type: "TOOL_RESULT_TEXT_DELTA", toolCallId: call.id, delta: text });
  await emit({ type: "TOOL_RESULT_END", toolCallId: call.id, state, metadata: {} });
}

/**
 * Checks a person's answers against what was asked.
 *
 * @throws HoldallError `ANSWER_INVALID` for a call that was not asked about, asked twice, or renamed.
 */
export function checkAnswers(reply: Message, answers: readonly ConfirmResult[]): void {
  const asked = new Map(
    awaitedCalls(reply)
      .filter((call) => call.state === "asking")
      .map((call) => [call.id, call]),
  );
  for (const { toolCall } of answers) {
    const call = asked.get(toolCall.id);
    asked.delete(toolCall.id);
    if (call === undefined) throw invalidAnswer(`the call ${toolCall.id} is not waiting for a confirmation`);
    if (call.name !== toolCall.name)
      throw invalidAnswer(
        `the confirmation of ${call.id} names ${toolCall.name} instead of ${call.name}; only the input may be edited`,
      );
  }
}

/**
 * Checks results from outside against what was handed out, and keeps them within the result limit.
 *
 * @throws HoldallError `ANSWER_INVALID` for a call that was not handed out.
 */
export async function takeResults(reply: Message, results: readonly ToolResultBlock[]): Promise<ToolResultBlock[]> {
  const submitted = new Map(
    awaitedCalls(reply)
      .filter((call) => call.state === "submitted")
      .map((call) => [call.id, call]),
  );
  const taken: ToolResultBlock[] = [];
  for (const result of results) {
    const call = submitted.get(result.id);
    submitted.delete(result.id);
    if (call === undefined) throw invalidAnswer(`the call ${result.id} is not waiting for a result`);
    const limiter = createLimiter(result.id, {});
    const first = limiter.pass({ content: result.output });
    const rest = await limiter.finish(undefined);
    const state = result.state === "running" || result.state === "suspended" ? "success" : result.state;
    taken.push({ ...result, name: call.name, output: [...first.content, ...(rest?.content ?? [])], state });
  }
  return taken;
}

function invalidAnswer(what: string): HoldallError {
  return new HoldallError(
    "ANSWER_INVALID",
    `${what}. Answer the calls of the last REQUIRE_USER_CONFIRM or REQUIRE_EXTERNAL_EXECUTION events.`,
  );
}
