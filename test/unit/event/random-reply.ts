/** Makes random replies and the events that tell them. */

import { toBase64 } from "../../../src/base/bytes.ts";
import type { AgentEvent, EventBody } from "../../../src/event/events.ts";
import type { Block, OutputBlock, ToolResultBlock } from "../../../src/message/blocks.ts";
import type { Message } from "../../../src/message/message.ts";
import { type Random, randomObject, randomText, split } from "../property.ts";

/** A finished reply and one way in which it may have come about. */
export interface RandomReply {
  message: Message;
  events: AgentEvent[];
}

/** Makes a reply with blocks of every kind, its text split anywhere and its calls answered in any order. */
export function randomReply(random: Random): RandomReply {
  const bodies: EventBody[] = [];
  const message: Message = { id: "reply", role: "assistant", name: "Ada", createdAt: 1000, content: [] };
  bodies.push({ type: "REPLY_START", sessionId: "session", name: "Ada", role: "assistant" });
  for (let round = random.below(3); round >= 0; round -= 1) addRound(random, message, bodies);
  message.finishedReason = "completed";
  bodies.push({ type: "REPLY_END", sessionId: "session", finishedReason: "completed" });
  return { message, events: stamp(bodies, message.id) };
}

/** Gives events their common fields. */
export function stamp(bodies: readonly EventBody[], replyId = "reply"): AgentEvent[] {
  return bodies.map((body, index) => ({ id: `e${index}`, createdAt: 1000 + index, replyId, ...body }));
}

function addRound(random: Random, message: Message, bodies: EventBody[]): void {
  const usage = { inputTokens: 1 + random.below(9), outputTokens: random.below(9) };
  bodies.push({ type: "MODEL_CALL_START", modelName: "m" });
  const answers: ((message: Message) => EventBody[])[] = [];
  for (let count = random.below(5); count > 0; count -= 1) {
    const id = `b${message.content.length}`;
    const add = random.pick([addText, addThinking, addData, addHint, addCall]);
    const [block, told, result] = add(random, id);
    message.content.push(block);
    bodies.push(...told);
    if (result !== undefined) answers.push(result);
  }
  bodies.push({ type: "MODEL_CALL_END", modelName: "m", usage });
  message.usage = {
    inputTokens: (message.usage?.inputTokens ?? 0) + usage.inputTokens,
    outputTokens: (message.usage?.outputTokens ?? 0) + usage.outputTokens,
  };
  bodies.push(
    ...interleave(
      random,
      answers.map((answer) => answer(message)),
    ),
  );
}

type Told = [block: Block, events: EventBody[], result?: (message: Message) => EventBody[]];

function addText(random: Random, blockId: string): Told {
  const text = randomText(random, 20);
  const deltas = split(text, random).map((delta) => ({ type: "TEXT_BLOCK_DELTA", blockId, delta }) as const);
  return [
    { type: "text", text, id: blockId },
    [{ type: "TEXT_BLOCK_START", blockId }, ...deltas, { type: "TEXT_BLOCK_END", blockId }],
  ];
}

function addThinking(random: Random, blockId: string): Told {
  const thinking = randomText(random, 20);
  const deltas: EventBody[] = split(thinking, random).map((delta) => ({
    type: "THINKING_BLOCK_DELTA",
    blockId,
    delta,
  }));
  const signature = random.once(2) ? { signature: "proof" } : {};
  if (signature.signature !== undefined)
    deltas.push({ type: "THINKING_BLOCK_DELTA", blockId, delta: "", ...signature });
  return [
    { type: "thinking", thinking, id: blockId, ...signature },
    [{ type: "THINKING_BLOCK_START", blockId }, ...deltas, { type: "THINKING_BLOCK_END", blockId }],
  ];
}

function addData(random: Random, blockId: string): Told {
  const bytes = Uint8Array.from({ length: random.below(20) }, () => random.below(256));
  const name = random.once(2) ? { name: "a.png" } : {};
  const deltas = split(bytes, random).map(
    (piece) => ({ type: "DATA_BLOCK_DELTA", blockId, data: toBase64(piece) }) as const,
  );
  return [
    {
      type: "data",
      source: { type: "base64", mediaType: "image/png", data: toBase64(bytes) },
      id: blockId,
      ...name,
    },
    [
      { type: "DATA_BLOCK_START", blockId, mediaType: "image/png", ...name },
      ...deltas,
      { type: "DATA_BLOCK_END", blockId },
    ],
  ];
}

function addHint(random: Random, blockId: string): Told {
  const source = random.once(2) ? { source: "system" } : {};
  const hint = randomText(random);
  return [{ type: "hint", hint, id: blockId, ...source }, [{ type: "HINT_BLOCK", blockId, hint, ...source }]];
}

function addCall(random: Random, id: string): Told {
  const input = JSON.stringify(randomObject(random, 1));
  const told: EventBody[] = [
    { type: "TOOL_CALL_START", toolCallId: id, toolCallName: "Read" },
    ...split(input, random).map((delta) => ({ type: "TOOL_CALL_DELTA", toolCallId: id, delta }) as const),
    { type: "TOOL_CALL_END", toolCallId: id },
  ];
  const call: Block = { type: "tool_call", id, name: "Read", input, state: "finished" };
  return [call, told, (message) => addResult(random, message, id)];
}

function addResult(random: Random, message: Message, id: string): EventBody[] {
  const state = random.pick(["success", "error", "denied", "interrupted"]);
  const metadata = randomObject(random, 1);
  const output: OutputBlock[] = [];
  const result: ToolResultBlock = { type: "tool_result", id, name: "Read", output, state, metadata };
  message.content.push(result);
  const told: EventBody[] = [{ type: "TOOL_RESULT_START", toolCallId: id, toolCallName: "Read" }];
  for (let count = random.below(4); count > 0; count -= 1) {
    if (random.once(3)) told.push({ type: "TOOL_PROGRESS", toolCallId: id, progress: randomObject(random, 1) });
    const blockId = `d${count}`;
    const url = { url: `https://a.example/${count}` };
    if (output.at(-1)?.type !== "text" && random.once(2)) {
      const text = `${count}${randomText(random)}`;
      output.push({ type: "text", text });
      for (const delta of split(text, random)) told.push({ type: "TOOL_RESULT_TEXT_DELTA", toolCallId: id, delta });
    } else {
      output.push({ type: "data", source: { type: "url", ...url }, id: blockId });
      told.push({ type: "TOOL_RESULT_DATA_DELTA", toolCallId: id, blockId, ...url });
    }
  }
  told.push({ type: "TOOL_RESULT_END", toolCallId: id, state, metadata });
  return told;
}

/** The first event of each list, which makes its block, keeps its place; all others mix. */
function interleave(random: Random, lists: EventBody[][]): EventBody[] {
  const mixed = lists.flatMap((list) => list.splice(0, 1));
  for (;;) {
    const open = lists.filter((list) => list.length > 0);
    if (open.length === 0) return mixed;
    mixed.push(...(open[random.below(open.length)]?.splice(0, 1) ?? []));
  }
}
