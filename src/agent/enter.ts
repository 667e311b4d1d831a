/** Takes the input of a reply in: starts one, or gives an answer to the one that waits. */

import { HoldallError } from "../base/errors.ts";
import type { Sink } from "../base/streams.ts";
import type { AgentEvent } from "../event/events.ts";
import { type Message, userMessage } from "../message/message.ts";
import type { AgentState } from "../state/agent-state.ts";
import { INTERRUPTED_TEXT } from "../tool/outlet.ts";
import { awaitedCalls, checkAnswers, closeCall, openCalls, takeResults } from "./calls.ts";
import { createEmit } from "./emit.ts";
import type { AgentSetup } from "./setup.ts";
import type { ReplyAnswer, ReplyInput, ReplyOptions, Turn } from "./turn.ts";

/**
 * Takes the input in.
 *
 * @throws HoldallError `REPLY_AWAITING`, `REPLY_NOT_AWAITING`, `ANSWER_INVALID` for an input that does not fit; the
 * state is then as before.
 */
export async function enter(
  setup: AgentSetup,
  input: ReplyInput,
  state: AgentState,
  options: ReplyOptions,
  sink: Sink<AgentEvent> | undefined,
): Promise<Turn> {
  const running =
    state.reply === null ? undefined : state.messages.find((message) => message.id === state.reply?.replyId);
  if (isAnswer(input)) {
    if (running === undefined) throw notAwaiting(input.type);
    const turn = { setup, state, options, reply: running, emit: createEmit(running, sink, setup.clock, setup.makeId) };
    await answer(turn, input);
    return turn;
  }
  if (running !== undefined) await leaveBehind(setup, state, running);
  const reply: Message = {
    id: setup.makeId(),
    role: "assistant",
    name: setup.name,
    content: [],
    createdAt: setup.clock(),
  };
  state.messages.push(...toMessages(input), reply);
  state.reply = { replyId: reply.id, iteration: 0 };
  const emit = createEmit(reply, sink, setup.clock, setup.makeId);
  await emit({ type: "REPLY_START", sessionId: state.sessionId, name: setup.name, role: "assistant" });
  return { setup, state, options, reply, emit };
}

/** Tells an answer from a message. */
export function isAnswer(input: ReplyInput): input is ReplyAnswer {
  return typeof input === "object" && "type" in input;
}

/** A reply that broke off with its process leaves calls without results, which no model accepts. */
async function leaveBehind(setup: AgentSetup, state: AgentState, running: Message): Promise<void> {
  const waiting = awaitedCalls(running);
  if (waiting.length > 0) {
    const names = waiting.map((call) => `${call.name} (${call.id})`).join(", ");
    throw new HoldallError(
      "REPLY_AWAITING",
      `the reply waits for an answer about ${names}. Pass a USER_CONFIRM_RESULT, an EXTERNAL_EXECUTION_RESULT or a USER_INTERRUPT.`,
    );
  }
  const emit = createEmit(running, undefined, setup.clock, setup.makeId);
  for (const call of openCalls(running)) await closeCall(emit, call, "interrupted", INTERRUPTED_TEXT);
  running.finishedReason = "interrupted";
  state.reply = null;
}

async function answer({ reply, emit, state }: Turn, input: ReplyAnswer): Promise<void> {
  if (input.type === "USER_CONFIRM_RESULT") {
    checkAnswers(reply, input.confirmResults);
    await emit(input);
    for (const { confirmed, toolCall, rules = [], feedback } of input.confirmResults) {
      if (confirmed) state.permission.rules.push(...rules);
      else
        await closeCall(
          emit,
          toolCall,
          "denied",
          `The user refused this call.${feedback === undefined ? "" : ` They said: ${feedback}`}`,
        );
    }
  } else if (input.type === "EXTERNAL_EXECUTION_RESULT") {
    await emit({ ...input, executionResults: await takeResults(reply, input.executionResults) });
  } else await emit({ type: "USER_INTERRUPT" });
}

function toMessages(input: string | Message | readonly Message[]): readonly Message[] {
  if (typeof input === "string") return [userMessage(input)];
  return "role" in input ? [input] : input;
}

function notAwaiting(type: string): HoldallError {
  return new HoldallError("REPLY_NOT_AWAITING", `no reply waits for a ${type}. Pass a message to start one.`);
}
