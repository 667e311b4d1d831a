/** The one loop of an agent: reason, act, repeat; pause when somebody outside must answer. */

import { errorText } from "../base/errors.ts";
import type { Sink } from "../base/streams.ts";
import type { AgentEvent } from "../event/events.ts";
import { type FinishedReason, type Message, toolCalls } from "../message/message.ts";
import type { AgentState } from "../state/agent-state.ts";
import { INTERRUPTED_TEXT } from "../tool/outlet.ts";
import { act } from "./act.ts";
import { awaitedCalls, closeCall, openCalls, runnableCalls } from "./calls.ts";
import { enter, isAnswer } from "./enter.ts";
import { reason } from "./reason.ts";
import type { AgentSetup } from "./setup.ts";
import type { ReplyInput, ReplyOptions, Turn } from "./turn.ts";

/**
 * Runs a reply until it is complete, interrupted, or waits for somebody outside.
 *
 * @returns The reply as far as it goes; `finishedReason` tells how it ended.
 * @throws HoldallError `REPLY_AWAITING`, `REPLY_NOT_AWAITING`, `ANSWER_INVALID` for an input that does not fit, and
 * what the model throws, after a `REPLY_END` with the reason `error`.
 */
export async function runReply(
  setup: AgentSetup,
  input: ReplyInput,
  state: AgentState,
  options: ReplyOptions,
  sink?: Sink<AgentEvent>,
): Promise<Message> {
  const turn = await enter(setup, input, state, options, sink);
  try {
    if (isAnswer(input) && input.type === "USER_INTERRUPT") return await finish(turn, "interrupted");
    return await goOn(turn);
  } catch (error) {
    if (options.signal?.aborted) return finish(turn, "interrupted");
    await finish(turn, "error", errorText(error));
    throw error;
  }
}

async function goOn(turn: Turn): Promise<Message> {
  const { setup, state, options, reply } = turn;
  for (;;) {
    if (options.signal?.aborted) return finish(turn, "interrupted");
    if (runnableCalls(reply).length > 0) {
      await act(turn);
      continue;
    }
    if (awaitedCalls(reply).length > 0) return reply;
    if ((state.reply?.iteration ?? 0) >= setup.maxIterations) {
      await turn.emit({ type: "EXCEED_MAX_ITERS", maxIterations: setup.maxIterations });
      return finish(turn, "exceed_max_iters");
    }
    const before = toolCalls(reply).length;
    const said = await reason(turn);
    // A model that only thought is asked again; one that said nothing at all has nothing to add.
    if (said !== "thoughts" && toolCalls(reply).length === before) return finish(turn, "completed");
  }
}

async function finish(turn: Turn, finishedReason: FinishedReason, error?: string): Promise<Message> {
  const { state, reply, emit } = turn;
  for (const call of openCalls(reply)) await closeCall(emit, call, "interrupted", INTERRUPTED_TEXT);
  state.reply = null;
  await emit({
    type: "REPLY_END",
    sessionId: state.sessionId,
    finishedReason,
    ...(error === undefined ? {} : { error }),
  });
  return reply;
}
