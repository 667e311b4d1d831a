/** Rebuilds a reply from its events alone. */

import type { JsonObject } from "../base/json.ts";
import { appendBlock, appendData } from "../message/accumulate.ts";
import type { Block, OutputBlock, ToolCallBlock, ToolResultBlock } from "../message/blocks.ts";
import type { Message } from "../message/message.ts";
import type { AgentEvent, ToolResultDataDelta } from "./events.ts";

/**
 * Adds what an event tells to the message it belongs to.
 *
 * `TOOL_PROGRESS` is for showing only and changes nothing; so do events of another reply, answers to questions that are
 * not open, and whatever is said about blocks that are not there. Applying all events of a reply to an empty message
 * gives the message that the agent keeps. The message takes over what the event carries, so neither may be changed by
 * anybody else afterwards.
 *
 * @param message The message to change; its id is the reply's.
 * @param event The next event of the reply.
 */
export function applyEvent(message: Message, event: AgentEvent): void {
  if (event.replyId !== message.id) return;
  switch (event.type) {
    case "REPLY_START":
      Object.assign(message, { role: event.role, name: event.name, createdAt: event.createdAt });
      return;
    case "REPLY_END":
      message.finishedReason = event.finishedReason;
      return;
    case "MODEL_CALL_END":
      if (event.usage !== undefined) message.usage = addUsage(message.usage, event.usage);
      return;
    case "REQUIRE_USER_CONFIRM":
      for (const call of event.toolCalls) parkCall(message, call, "asking", event.decision);
      settleAwaiting(message);
      return;
    case "USER_CONFIRM_RESULT":
      for (const answer of event.confirmResults) answerCall(message, answer.toolCall, answer.confirmed);
      settleAwaiting(message);
      return;
    case "REQUIRE_EXTERNAL_EXECUTION":
      for (const call of event.toolCalls) parkCall(message, call, "submitted");
      settleAwaiting(message);
      return;
    case "EXTERNAL_EXECUTION_RESULT":
      for (const result of event.executionResults) takeResult(message, result);
      settleAwaiting(message);
      return;
    default:
      applyBlockEvent(message, event);
  }
}

function applyBlockEvent(message: Message, event: AgentEvent): void {
  const content = message.content;
  switch (event.type) {
    case "TEXT_BLOCK_START":
      content.push({ type: "text", text: "", id: event.blockId });
      return;
    case "TEXT_BLOCK_DELTA": {
      const block = findLast(content, isBlock("text", event.blockId));
      if (block !== undefined) block.text += event.delta;
      return;
    }
    case "THINKING_BLOCK_START":
      content.push({ type: "thinking", thinking: "", id: event.blockId });
      return;
    case "THINKING_BLOCK_DELTA": {
      const block = findLast(content, isBlock("thinking", event.blockId));
      if (block !== undefined) block.thinking += event.delta;
      if (block !== undefined && event.signature !== undefined) block.signature = event.signature;
      return;
    }
    case "DATA_BLOCK_START":
      content.push({
        type: "data",
        source: { type: "base64", mediaType: event.mediaType, data: "" },
        id: event.blockId,
        ...(event.name === undefined ? {} : { name: event.name }),
      });
      return;
    case "DATA_BLOCK_DELTA": {
      const block = findLast(content, isBlock("data", event.blockId));
      if (block !== undefined) appendData(block, { type: "base64", mediaType: "", data: event.data });
      return;
    }
    case "HINT_BLOCK":
      content.push({
        type: "hint",
        hint: event.hint,
        id: event.blockId,
        ...(event.source === undefined ? {} : { source: event.source }),
      });
      return;
    default:
      applyToolEvent(message, event);
  }
}

function applyToolEvent(message: Message, event: AgentEvent): void {
  switch (event.type) {
    case "TOOL_CALL_START":
      message.content.push({
        type: "tool_call",
        id: event.toolCallId,
        name: event.toolCallName,
        input: "",
        state: "pending",
      });
      return;
    case "TOOL_CALL_DELTA": {
      const call = findCall(message, event.toolCallId);
      if (call !== undefined) call.input += event.delta;
      return;
    }
    case "TOOL_RESULT_START":
      if (findResult(message, event.toolCallId) === undefined)
        message.content.push(emptyResult(event.toolCallId, event.toolCallName));
      return;
    case "TOOL_RESULT_TEXT_DELTA":
      addOutput(message, event.toolCallId, {
        type: "text",
        text: event.delta,
        ...(event.blockId === undefined ? {} : { id: event.blockId }),
      });
      return;
    case "TOOL_RESULT_DATA_DELTA":
      addOutput(message, event.toolCallId, dataBlock(event));
      return;
    case "TOOL_RESULT_END": {
      const result = findResult(message, event.toolCallId);
      if (result !== undefined) Object.assign(result, { state: event.state, metadata: event.metadata });
      const call = findCall(message, event.toolCallId);
      if (call !== undefined) call.state = "finished";
      settleAwaiting(message);
      return;
    }
    default:
  }
}

/** Makes a result that nothing has been added to yet. */
export function emptyResult(id: string, name: string): ToolResultBlock {
  return { type: "tool_result", id, name, output: [], state: "running", metadata: {} };
}

function addOutput(message: Message, id: string, block: OutputBlock): void {
  const output = findResult(message, id)?.output;
  if (output !== undefined) appendBlock(output, block);
}

function dataBlock(event: ToolResultDataDelta): OutputBlock {
  const mediaType = event.mediaType;
  return {
    type: "data",
    source:
      event.url === undefined
        ? { type: "base64", mediaType: mediaType ?? "application/octet-stream", data: event.data ?? "" }
        : { type: "url", url: event.url, ...(mediaType === undefined ? {} : { mediaType }) },
    id: event.blockId,
    ...(event.name === undefined ? {} : { name: event.name }),
  };
}

/**
 * Takes a result from outside; one that is there already stays, unless it was only begun. A result of no call is
 * dropped: no model would accept it.
 */
function takeResult(message: Message, result: ToolResultBlock): void {
  const call = findCall(message, result.id);
  if (call === undefined) return;
  const begun = findResult(message, result.id);
  if (begun === undefined) message.content.push(structuredClone(result));
  else if (begun.state === "running") Object.assign(begun, structuredClone(result));
  call.state = "finished";
}

function findCall(message: Message, id: string): ToolCallBlock | undefined {
  return findLast(message.content, isBlock("tool_call", id));
}

function findResult(message: Message, id: string): ToolResultBlock | undefined {
  return findLast(message.content, isBlock("tool_result", id));
}

type BlockOf<T extends Block["type"]> = Extract<Block, { type: T }>;

function isBlock<T extends Block["type"]>(type: T, id: string): (block: Block) => block is BlockOf<T> {
  return (block): block is BlockOf<T> => block.type === type && block.id === id;
}

/** The block looked for is nearly always the last one, so the search goes backwards. */
function findLast<T extends Block>(blocks: readonly Block[], test: (block: Block) => block is T): T | undefined {
  for (let at = blocks.length - 1; at >= 0; at -= 1) {
    const block = blocks[at];
    if (block !== undefined && test(block)) return block;
  }
  return undefined;
}

/** Hands a call to somebody outside; one that is finished is not opened again. */
function parkCall(message: Message, parked: ToolCallBlock, state: "asking" | "submitted", decision?: JsonObject): void {
  const { id, suggestedRules } = parked;
  const call = findCall(message, id);
  if (call === undefined || call.state === "finished") return;
  call.state = state;
  if (decision !== undefined) call.decision = decision;
  if (suggestedRules !== undefined) call.suggestedRules = suggestedRules;
}

/** Only a call that is being asked about can be answered; a stale answer changes nothing. */
function answerCall(message: Message, answered: ToolCallBlock, confirmed: boolean): void {
  const call = findCall(message, answered.id);
  if (call?.state !== "asking") return;
  call.state = confirmed ? "allowed" : "finished";
  delete call.decision;
  if (confirmed) call.input = answered.input;
}

/** `awaiting` stands exactly as long as one of the calls waits for somebody outside. */
function settleAwaiting(message: Message): void {
  const waits = message.content.some(
    (block) => block.type === "tool_call" && (block.state === "asking" || block.state === "submitted"),
  );
  if (waits) message.finishedReason = "awaiting";
  else if (message.finishedReason === "awaiting") delete message.finishedReason;
}

function addUsage(sum: Message["usage"], more: NonNullable<Message["usage"]>): NonNullable<Message["usage"]> {
  return {
    inputTokens: (sum?.inputTokens ?? 0) + more.inputTokens,
    outputTokens: (sum?.outputTokens ?? 0) + more.outputTokens,
  };
}
