/** The events of all replies as entries of a list; pieces of one block that follow each other become one entry. */
import type { AgentEvent } from "holdall";

/** What an event is about. */
export type Category = "reply" | "model" | "text" | "call" | "progress" | "permission";

/** One entry: an event, or several pieces of one block. */
export interface TimelineEntry {
  /** The id of its first event. */
  key: string;
  type: AgentEvent["type"];
  category: Category;
  /** Milliseconds since 1970. */
  at: number;
  replyId: string;
  callId?: string;
  /** How many events it stands for. */
  pieces: number;
  /** The pieces joined, or empty. */
  text: string;
  /** The last of its events. */
  event: AgentEvent;
}

/** The most entries that are kept; the oldest go first. */
export const MAX_ENTRIES = 3000;

/** The most characters of joined pieces that are kept of an entry. */
const MAX_TEXT = 4000;

/** Adds events to the end of a list. */
export function addEvents(entries: readonly TimelineEntry[], events: readonly AgentEvent[]): TimelineEntry[] {
  const all = [...entries];
  for (const event of events) {
    const last = all[all.length - 1];
    if (last !== undefined && isNextPiece(last, event)) all[all.length - 1] = join(last, event);
    else all.push(toEntry(event));
  }
  return all.slice(-MAX_ENTRIES);
}

/** Tells what an event is about. */
export function categoryOf(type: AgentEvent["type"]): Category {
  if (type.startsWith("MODEL_")) return "model";
  if (type === "TOOL_PROGRESS") return "progress";
  if (type.startsWith("TOOL_")) return "call";
  if (/^(?:TEXT|THINKING|DATA|HINT)_/.test(type)) return "text";
  return /CONFIRM|EXTERNAL/.test(type) ? "permission" : "reply";
}

function toEntry(event: AgentEvent): TimelineEntry {
  const { id, type, createdAt, replyId } = event;
  const callId = callOf(event);
  return {
    key: id,
    type,
    category: categoryOf(type),
    at: createdAt,
    replyId,
    ...(callId === undefined ? {} : { callId }),
    pieces: 1,
    text: "delta" in event ? event.delta : "",
    event,
  };
}

function callOf(event: AgentEvent): string | undefined {
  if ("toolCallId" in event) return event.toolCallId;
  if ("toolCalls" in event) return event.toolCalls[0]?.id;
  return "confirmResults" in event ? event.confirmResults[0]?.toolCall.id : undefined;
}

function isNextPiece({ type, event }: TimelineEntry, next: AgentEvent): boolean {
  if (type !== next.type || !(type.endsWith("_DELTA") || type === "TOOL_PROGRESS")) return false;
  if ("blockId" in event && "blockId" in next) return event.blockId === next.blockId;
  return "toolCallId" in event && "toolCallId" in next && event.toolCallId === next.toolCallId;
}

function join(entry: TimelineEntry, event: AgentEvent): TimelineEntry {
  const text = "delta" in event ? (entry.text + event.delta).slice(0, MAX_TEXT) : entry.text;
  return { ...entry, pieces: entry.pieces + 1, text, event };
}
