/** Asks the model once and turns its parts into events. */

import type { MakeId } from "../base/ids.ts";
import type { HintBlock } from "../message/blocks.ts";
import { type Message, toolCalls, type Usage } from "../message/message.ts";
import type { ModelPart, ModelRequest } from "../model/chat-model.ts";
import type { AgentState } from "../state/agent-state.ts";
import type { Emit } from "./emit.ts";
import type { AgentSetup } from "./setup.ts";
import type { Turn } from "./turn.ts";

/** What the model said: an answer or calls, only thoughts, or nothing. */
export type Said = "answer" | "thoughts" | "nothing";

/**
 * Asks the model once. Ids of its parts may repeat from one answer to the next, so blocks and calls get ids that are
 * unique in the conversation.
 *
 * @throws What the model throws; blocks that were open are closed first.
 */
export async function reason(turn: Turn): Promise<Said> {
  const { setup, state, emit } = turn;
  if (state.reply !== null) state.reply.iteration += 1;
  const blocks = createBlocks(emit, setup.makeId);
  const callIds = createCallIds(turn);
  let usage: Usage | undefined;
  let said: Said = "nothing";
  await emit({ type: "MODEL_CALL_START", modelName: setup.model.name });
  try {
    for await (const part of setup.model.stream(toRequest(turn))) {
      if (part.type === "finish") usage = part.usage;
      else if (part.type !== "thinking") said = "answer";
      else if (said === "nothing") said = "thoughts";
      if (part.type === "text" || part.type === "thinking" || part.type === "data") await blocks.add(part);
      else if (part.type !== "finish") await addCall(part);
    }
  } finally {
    await blocks.close();
    await emit({ type: "MODEL_CALL_END", modelName: setup.model.name, ...(usage === undefined ? {} : { usage }) });
  }
  return said;

  async function addCall(part: CallPart): Promise<void> {
    if (part.type === "tool_call_start") {
      await blocks.close();
      await emit({ type: "TOOL_CALL_START", toolCallId: callIds.open(part.id), toolCallName: part.name });
    } else if (part.type === "tool_call_delta") {
      await emit({ type: "TOOL_CALL_DELTA", toolCallId: callIds.of(part.id), delta: part.delta });
    } else await emit({ type: "TOOL_CALL_END", toolCallId: callIds.of(part.id) });
  }
}

type BlockPart = Extract<ModelPart, { type: "text" | "thinking" | "data" }>;
type CallPart = Extract<ModelPart, { type: "tool_call_start" | "tool_call_delta" | "tool_call_end" }>;

function toRequest({ setup, state, options }: Turn): ModelRequest {
  return {
    ...(setup.system === undefined ? {} : { system: setup.system }),
    messages: withReminders(setup, state),
    tools: setup.toolkit.schemas({ state, request: options.request }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
}

function withReminders(setup: AgentSetup, state: AgentState): readonly Message[] {
  const hints = setup.reminders.flatMap((remind): HintBlock[] => {
    const hint = remind(state);
    return hint === undefined ? [] : [{ type: "hint", hint }];
  });
  return hints.length === 0
    ? state.messages
    : [...state.messages, { id: setup.makeId(), role: "user", content: hints }];
}

const names = { text: "TEXT_BLOCK", thinking: "THINKING_BLOCK", data: "DATA_BLOCK" } as const;

interface Blocks {
  add(part: BlockPart): Promise<void>;
  /** Ends the block that is open. */
  close(): Promise<void>;
}

function createBlocks(emit: Emit, makeId: MakeId): Blocks {
  const ids = new Map<string, string>();
  let open: { type: BlockPart["type"]; blockId: string } | undefined;
  const close = async (): Promise<void> => {
    if (open !== undefined) await emit({ type: `${names[open.type]}_END`, blockId: open.blockId });
    open = undefined;
  };
  const start = async (part: BlockPart): Promise<string> => {
    await close();
    const blockId = makeId();
    ids.set(`${part.type} ${part.id}`, blockId);
    open = { type: part.type, blockId };
    if (part.type !== "data") await emit({ type: `${names[part.type]}_START`, blockId });
    else {
      const name = part.name === undefined ? {} : { name: part.name };
      await emit({ type: "DATA_BLOCK_START", blockId, mediaType: part.mediaType, ...name });
    }
    return blockId;
  };
  return {
    close,
    async add(part) {
      const blockId = ids.get(`${part.type} ${part.id}`) ?? (await start(part));
      if (part.type === "text") await emit({ type: "TEXT_BLOCK_DELTA", blockId, delta: part.delta });
      else if (part.type === "data") await emit({ type: "DATA_BLOCK_DELTA", blockId, data: part.data });
      else {
        const signature = part.signature === undefined ? {} : { signature: part.signature };
        await emit({ type: "THINKING_BLOCK_DELTA", blockId, delta: part.delta, ...signature });
      }
    },
  };
}

interface CallIds {
  /** Gives a new call its id in the conversation. */
  open(partId: string): string;
  of(partId: string): string;
}

function createCallIds({ setup, state }: Turn): CallIds {
  const taken = new Set(state.messages.flatMap((message) => toolCalls(message).map((call) => call.id)));
  const ids = new Map<string, string>();
  return {
    open(partId) {
      const id = partId === "" || taken.has(partId) ? setup.makeId() : partId;
      taken.add(id);
      ids.set(partId, id);
      return id;
    },
    of: (partId) => ids.get(partId) ?? partId,
  };
}
