/** Messages as turns that any provider can be told: every call with its one result, nothing dangling. */

import type {
  DataBlock,
  HintBlock,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResultBlock,
} from "../message/blocks.ts";
import type { Message } from "../message/message.ts";

/** What a person or the program says. */
export interface SpokenTurn {
  role: "system" | "user";
  blocks: (TextBlock | DataBlock | HintBlock)[];
}

/** One answer of a model and the results of the calls it made. */
export interface AssistantTurn {
  role: "assistant";
  blocks: (TextBlock | DataBlock | ThinkingBlock)[];
  calls: AnsweredCall[];
}

/** A call and its result; without one, the call was interrupted. */
export interface AnsweredCall {
  call: ToolCallBlock;
  result: ToolResultBlock | undefined;
}

/** One turn of a conversation. */
export type Turn = SpokenTurn | AssistantTurn;

/**
 * Splits messages into turns.
 *
 * One assistant message may hold several rounds; each becomes a turn of its own. A result goes to the last call
 * before it with its id, wherever it stands. Results without a call, second results of a call, repeated calls and
 * calls without an id are left out: nobody could tell whose they are. A hint inside a reply becomes a user turn.
 *
 * @param messages The conversation; it is not changed.
 */
export function toTurns(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = [];
  const calls = new Map<string, AnsweredCall>();
  for (const message of messages) {
    if (message.role === "assistant") addReply(turns, calls, message);
    else addSpoken(turns, calls, message.role, message);
  }
  return turns;
}

function addSpoken(turns: Turn[], calls: Map<string, AnsweredCall>, role: SpokenTurn["role"], message: Message): void {
  const turn: SpokenTurn = { role, blocks: [] };
  turns.push(turn);
  for (const block of message.content) {
    if (block.type === "tool_result") answer(calls, block);
    else if (block.type === "text" || block.type === "data" || block.type === "hint") turn.blocks.push(block);
  }
}

function addReply(turns: Turn[], calls: Map<string, AnsweredCall>, message: Message): void {
  const last = (): Turn | undefined => turns[turns.length - 1];
  const started = turns.length;
  const current = (): AssistantTurn => {
    const turn = last();
    if (turns.length > started && turn?.role === "assistant" && turn.calls.every((one) => one.result === undefined)) {
      return turn;
    }
    const next: AssistantTurn = { role: "assistant", blocks: [], calls: [] };
    turns.push(next);
    return next;
  };
  for (const block of message.content) {
    if (block.type === "text" || block.type === "data" || block.type === "thinking") current().blocks.push(block);
    else if (block.type === "tool_call") addCall(current, calls, block);
    else if (block.type === "tool_result") answer(calls, block);
    else if (block.type === "hint") {
      const turn = last();
      if (turns.length > started && turn?.role === "user") turn.blocks.push(block);
      else turns.push({ role: "user", blocks: [block] });
    }
  }
}

function addCall(current: () => AssistantTurn, calls: Map<string, AnsweredCall>, call: ToolCallBlock): void {
  if (call.id === "") return;
  const turn = current();
  if (turn.calls.some((one) => one.call.id === call.id)) return;
  const answered: AnsweredCall = { call, result: undefined };
  turn.calls.push(answered);
  calls.set(call.id, answered);
}

function answer(calls: ReadonlyMap<string, AnsweredCall>, result: ToolResultBlock): void {
  const waiting = calls.get(result.id);
  if (waiting !== undefined && (waiting.result === undefined || !isSettled(waiting.result))) waiting.result = result;
}

function isSettled(result: ToolResultBlock): boolean {
  return result.state !== "running" && result.state !== "suspended";
}
