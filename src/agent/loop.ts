/** The one loop of an agent: reason, act, repeat; pause when somebody outside must answer. */

import { errorText, HoldallError } from "../base/errors.ts";
import type { Sink } from "../base/streams.ts";
import type { AgentEvent, ConfirmResult } from "../event/events.ts";
import type { ToolResultBlock } from "../message/blocks.ts";
import { type FinishedReason, type Message, toolCalls, userMessage } from "../message/message.ts";
import type { AgentState } from "../state/agent-state.ts";
import type { RuntimeContext } from "../state/runtime-context.ts";
import { INTERRUPTED_TEXT } from "../tool/outlet.ts";
import { awaitedCalls, checkAnswers, closeCall, openCalls, runnableCalls, takeResults } from "./calls.ts";
import { createEmit, type Emit } from "./emit.ts";
import { reason, type Said } from "./reason.ts";
import type { AgentSetup } from "./setup.ts";

/** What a reply may start or go on with. */
export type ReplyInput =
  | string
  | Message
  | readonly Message[]
  | { type: "USER_CONFIRM_RESULT"; confirmResults: ConfirmResult[] }
  | { type: "EXTERNAL_EXECUTION_RESULT"; executionResults: ToolResultBlock[] }
  | { type: "USER_INTERRUPT" };

/** What belongs to one reply. */
export interface ReplyOptions {
  /** The conversation; it is changed in place. Defaults to a new one. */
  state?: AgentState;
  /** Handed to every tool call of the reply. */
  context?: RuntimeContext;
  /** Aborting interrupts the reply: open calls get an interrupted result. */
  signal?: AbortSignal;
}

interface Turn {
  setup: AgentSetup;
  state: AgentState;
  options: ReplyOptions;
  reply: Message;
  emit: Emit;
}

/**
 * Runs a reply until it is complete, interrupted, or waits for somebody outside.
 *
 * @returns The reply as far as it goes; `finishedReason` tells how it ended.
 * @throws HoldallError `REPLY_AWAITING`, `REPLY_NOT_AWAITING`, `ANSWER_INVALID` for an input that does not fit, and
 * what the model throws, after a `REPLY_END` with the reason `error`.
 */
export async function runReply(setup: AgentSetup, input: ReplyInput, state: AgentState, options: ReplyOptions, sink?: Sink<AgentEvent>): Promise<Message> {
  const turn = await enter(setup, input, state, options, sink);
  try {
    return await goOn(turn, isInput(input, "USER_INTERRUPT"));
  } catch (error) {
    if (options.signal?.aborted) return finish(turn, "interrupted");
    await finish(turn, "error", errorText(error));
    throw error;
  }
}

async function goOn(turn: Turn, interrupted: boolean): Promise<Message> {
  const { setup, state, options, reply } = turn;
  for (;;) {
    if (interrupted || options.signal?.aborted) return finish(turn, "interrupted");
    if (runnableCalls(reply).length > 0) await act(turn);
    else if (awaitedCalls(reply).length > 0) return reply;
    else {
      if ((state.reply?.iteration ?? 0) >= setup.maxIterations) {
        await turn.emit({ type: "EXCEED_MAX_ITERS", maxIterations: setup.maxIterations });
        return finish(turn, "exceed_max_iters");
      }
      const before = toolCalls(reply).length;
      const said = await ask(turn);
      // A model that only thought is asked again; one that said nothing at all has nothing to add.
      if (said !== "thoughts" && toolCalls(reply).length === before) return finish(turn, "completed");
    }
  }
}

/** Takes the input in: starts a reply, or gives an answer to the one that waits. */
async function enter(setup: AgentSetup, input: ReplyInput, state: AgentState, options: ReplyOptions, sink: Sink<AgentEvent> | undefined): Promise<Turn> {
  const running = state.reply === null ? undefined : state.messages.find((message) => message.id === state.reply?.replyId);
  if (isAnswer(input)) {
    if (running === undefined) throw notAwaiting(input.type);
    const turn = { setup, state, options, reply: running, emit: createEmit(running, sink, setup.clock, setup.makeId) };
    await answer(turn, input);
    return turn;
  }
  if (running !== undefined) await leaveBehind(setup, state, running);
  state.messages.push(...toMessages(input));
  const reply: Message = { id: setup.makeId(), role: "assistant", name: setup.name, content: [], createdAt: setup.clock() };
  state.messages.push(reply);
  state.reply = { replyId: reply.id, iteration: 0 };
  const emit = createEmit(reply, sink, setup.clock, setup.makeId);
  await emit({ type: "REPLY_START", sessionId: state.sessionId, name: setup.name, role: "assistant" });
  return { setup, state, options, reply, emit };
}

/** A reply that broke off with its process leaves calls without results, which no model accepts. */
async function leaveBehind(setup: AgentSetup, state: AgentState, running: Message): Promise<void> {
  const waiting = awaitedCalls(running);
  if (waiting.length > 0) {
    const names = waiting.map((call) => `${call.name} (${call.id})`).join(", ");
    throw new HoldallError("REPLY_AWAITING", `the reply waits for an answer about ${names}. Pass a USER_CONFIRM_RESULT, an EXTERNAL_EXECUTION_RESULT or a USER_INTERRUPT.`);
  }
  const emit = createEmit(running, undefined, setup.clock, setup.makeId);
  for (const call of openCalls(running)) await closeCall(emit, call, "interrupted", INTERRUPTED_TEXT);
  running.finishedReason = "interrupted";
  state.reply = null;
}

type Answer = Extract<ReplyInput, { type: string }>;

async function answer(turn: Turn, input: Answer): Promise<void> {
  const { reply, emit, state } = turn;
  if (input.type === "USER_CONFIRM_RESULT") {
    checkAnswers(reply, input.confirmResults);
    await emit(input);
    for (const { confirmed, toolCall, rules = [], feedback } of input.confirmResults) {
      if (confirmed) state.permission.rules.push(...rules);
      else await closeCall(emit, toolCall, "denied", `The user refused this call.${feedback === undefined ? "" : ` They said: ${feedback}`}`);
    }
  } else if (input.type === "EXTERNAL_EXECUTION_RESULT") {
    await emit({ ...input, executionResults: await takeResults(reply, input.executionResults) });
  } else await emit({ type: "USER_INTERRUPT" });
}

async function ask(turn: Turn): Promise<Said> {
  const { setup, state, options, emit } = turn;
  if (state.reply !== null) state.reply.iteration += 1;
  const taken = new Set(state.messages.flatMap((message) => toolCalls(message).map((call) => call.id)));
  return reason({
    model: setup.model,
    request: {
      ...(setup.system === undefined ? {} : { system: setup.system }),
      messages: state.messages,
      tools: setup.toolkit.schemas(state),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    },
    emit,
    makeId: setup.makeId,
    isTaken: (id) => {
      const known = taken.has(id);
      taken.add(id);
      return known;
    },
  });
}

async function act(turn: Turn): Promise<void> {
  const { setup, state, options, reply, emit } = turn;
  await setup.toolkit.runAll(runnableCalls(reply), {
    context: options.context,
    state,
    permission: setup.permission,
    signal: options.signal,
    agent: { id: setup.id, name: setup.name },
    onEvent: emit,
    clock: setup.clock,
  });
}

async function finish(turn: Turn, finishedReason: FinishedReason, error?: string): Promise<Message> {
  const { state, reply, emit } = turn;
  for (const call of openCalls(reply)) await closeCall(emit, call, "interrupted", INTERRUPTED_TEXT);
  state.reply = null;
  await emit({ type: "REPLY_END", sessionId: state.sessionId, finishedReason, ...(error === undefined ? {} : { error }) });
  return reply;
}

function toMessages(input: string | Message | readonly Message[]): readonly Message[] {
  if (typeof input === "string") return [userMessage(input)];
  return "role" in input ? [input] : input;
}

function isAnswer(input: ReplyInput): input is Answer {
  return typeof input === "object" && "type" in input;
}

function isInput(input: ReplyInput, type: Answer["type"]): boolean {
  return isAnswer(input) && input.type === type;
}

function notAwaiting(type: string): HoldallError {
  return new HoldallError("REPLY_NOT_AWAITING", `no reply waits for a ${type}. Pass a message to start one.`);
}
