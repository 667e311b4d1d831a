/** Collects events for a moment, so that a fast stream is drawn a few dozen times a second, not once per event. */
import { type AgentEvent, outputText, toolCalls, toolResult } from "holdall";
import { type Store, touchConversation } from "../store/store.ts";
import { oneLine } from "../text/format.ts";
import { addEvents } from "../timeline/entries.ts";

/** Milliseconds between two drawings. */
const INTERVAL = 24;

/** Takes events and puts them into the store. */
export interface EventBuffer {
  add(event: AgentEvent): void;
  /** Puts in at once what has been collected. */
  flush(): void;
}

/** Makes the buffer of one run. */
export function createEventBuffer(store: Store): EventBuffer {
  let waiting: AgentEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    const events = waiting;
    waiting = [];
    store.events.value = addEvents(store.events.value, events);
    for (const event of events) apply(store, event);
    touchConversation(store);
  };
  return {
    flush,
    add(event) {
      waiting.push(event);
      timer ??= setTimeout(flush, INTERVAL);
    },
  };
}

function apply(store: Store, event: AgentEvent): void {
  const announcement = announce(store, event);
  if (announcement !== undefined) store.announcement.value = announcement;
  if (event.type === "TOOL_PROGRESS") {
    const { progress } = event;
    const text = typeof progress === "string" ? progress : JSON.stringify(progress);
    store.progress.value = new Map(store.progress.value).set(event.toolCallId, text);
  }
  if (event.type === "TOOL_RESULT_END" && store.progress.value.has(event.toolCallId)) {
    store.progress.value = new Map([...store.progress.value].filter(([id]) => id !== event.toolCallId));
  }
}

/** Says what a screen reader shall read out: whole texts and outcomes, not every piece of a stream. */
function announce(store: Store, event: AgentEvent): string | undefined {
  const reply = store.conversation.value.state.messages.find(({ id }) => id === event.replyId);
  if (reply === undefined) return undefined;
  if (event.type === "TEXT_BLOCK_END") {
    const block = reply.content.find((one) => one.type === "text" && one.id === event.blockId);
    return block?.type === "text" ? block.text : undefined;
  }
  if (event.type === "TOOL_RESULT_END") {
    const name = toolCalls(reply).find(({ id }) => id === event.toolCallId)?.name ?? "The tool";
    const output = outputText(toolResult(reply, event.toolCallId)?.output ?? []);
    return `${name}: ${event.state}. ${oneLine(output, 160)}`;
  }
  if (event.type === "REPLY_END") return `The reply has ended: ${event.finishedReason.replaceAll("_", " ")}.`;
  return undefined;
}
