/** Asks the model once and turns its parts into events. */

import type { MakeId } from "../base/ids.ts";
import type { ChatModel, ModelPart, ModelRequest } from "../model/chat-model.ts";
import type { Usage } from "../message/message.ts";
import type { Emit } from "./emit.ts";

/** What asking the model needs. */
export interface ReasonOptions {
  model: ChatModel;
  request: ModelRequest;
  emit: Emit;
  makeId: MakeId;
  /** Whether a tool call of that id is in the conversation already. */
  isTaken(id: string): boolean;
}

/** What the model said: an answer or calls, only thoughts, or nothing. */
export type Said = "answer" | "thoughts" | "nothing";

type Kind = "text" | "thinking" | "data";

const names = { text: "TEXT_BLOCK", thinking: "THINKING_BLOCK", data: "DATA_BLOCK" } as const;

/**
 * Asks the model once. Ids of its parts may repeat from one answer to the next, so blocks and calls get ids that are
 * unique in the conversation.
 *
 * @throws What the model throws; blocks that were open are closed first.
 */
export async function reason(options: ReasonOptions): Promise<Said> {
  const { model, request, emit } = options;
  const blocks = new Map<string, { kind: Kind; id: string }>();
  const calls = new Map<string, string>();
  let open: { kind: Kind; id: string } | undefined;
  let usage: Usage | undefined;
  let said: Said = "nothing";
  const close = async (): Promise<void> => {
    if (open !== undefined) await emit({ type: `${names[open.kind]}_END`, blockId: open.id });
    open = undefined;
  };
  const enter = async (part: Extract<ModelPart, { type: Kind }>): Promise<string> => {
    const key = `${part.type} ${part.id}`;
    let block = blocks.get(key);
    if (block !== undefined) return block.id;
    await close();
    block = { kind: part.type, id: options.makeId() };
    blocks.set(key, block);
    open = block;
    if (part.type === "data") await emit({ type: "DATA_BLOCK_START", blockId: block.id, mediaType: part.mediaType, ...(part.name === undefined ? {} : { name: part.name }) });
    else await emit({ type: `${names[part.type]}_START`, blockId: block.id });
    return block.id;
  };
  const callId = (id: string): string => calls.get(id) ?? id;

  await emit({ type: "MODEL_CALL_START", modelName: model.name });
  try {
    for await (const part of model.stream(request)) {
      if (part.type === "thinking" && said === "nothing") said = "thoughts";
      else if (part.type !== "thinking" && part.type !== "finish") said = "answer";
      switch (part.type) {
        case "text":
          await emit({ type: "TEXT_BLOCK_DELTA", blockId: await enter(part), delta: part.delta });
          break;
        case "thinking":
          await emit({ type: "THINKING_BLOCK_DELTA", blockId: await enter(part), delta: part.delta, ...(part.signature === undefined ? {} : { signature: part.signature }) });
          break;
        case "data":
          await emit({ type: "DATA_BLOCK_DELTA", blockId: await enter(part), data: part.data });
          break;
        case "tool_call_start": {
          await close();
          const id = part.id === "" || options.isTaken(part.id) ? options.makeId() : part.id;
          calls.set(part.id, id);
          await emit({ type: "TOOL_CALL_START", toolCallId: id, toolCallName: part.name });
          break;
        }
        case "tool_call_delta":
          await emit({ type: "TOOL_CALL_DELTA", toolCallId: callId(part.id), delta: part.delta });
          break;
        case "tool_call_end":
          await emit({ type: "TOOL_CALL_END", toolCallId: callId(part.id) });
          break;
        case "finish":
          usage = part.usage;
      }
    }
  } finally {
    await close();
    await emit({ type: "MODEL_CALL_END", modelName: model.name, ...(usage === undefined ? {} : { usage }) });
  }
  return said;
}
