/** Puts the entries of one call together, and leaves out what is not wanted. */
import type { AgentEvent } from "holdall";
import type { Category, TimelineEntry } from "./entries.ts";

/** An entry of its own, or all entries of one call. */
export type TimelineItem =
  | { kind: "entry"; key: string; entry: TimelineEntry }
  | {
      kind: "call";
      key: string;
      name: string;
      state: string;
      startedAt: number;
      endedAt: number | undefined;
      entries: TimelineEntry[];
    };

/** What is wanted. */
export interface TimelineFilter {
  hidden: ReadonlySet<Category>;
  /** Found in the type or the text, whatever the case. */
  text: string;
}

/** Groups entries by call; a call stands where its first entry does. */
export function groupEntries(entries: readonly TimelineEntry[], filter: TimelineFilter): TimelineItem[] {
  const items: TimelineItem[] = [];
  const calls = new Map<string, Extract<TimelineItem, { kind: "call" }>>();
  for (const entry of entries) {
    if (!isWanted(entry, filter)) continue;
    const { callId, key, at } = entry;
    if (callId === undefined) {
      items.push({ kind: "entry", key, entry });
      continue;
    }
    const known = calls.get(callId);
    const call = known ?? {
      kind: "call" as const,
      key: callId,
      name: "call",
      state: "running",
      startedAt: at,
      endedAt: undefined,
      entries: [],
    };
    if (known === undefined) {
      calls.set(callId, call);
      items.push(call);
    }
    call.entries.push(entry);
    Object.assign(call, learn(entry));
  }
  return items;
}

/** What an entry tells of the call it belongs to. */
function learn({ event, at }: TimelineEntry): { name?: string; state?: string; endedAt?: number } {
  if (event.type === "TOOL_CALL_START" || event.type === "TOOL_RESULT_START")
    return { name: event.toolCallName, state: "running" };
  if (event.type === "TOOL_RESULT_END") return { state: event.state, endedAt: at };
  if (event.type === "REQUIRE_USER_CONFIRM") return { name: event.toolCalls[0]?.name ?? "call", state: "asking" };
  return {};
}

function isWanted({ category, type, text, event }: TimelineEntry, filter: TimelineFilter): boolean {
  if (filter.hidden.has(category)) return false;
  const wanted = filter.text.trim().toLowerCase();
  return wanted === "" || [type, text, factsOf(event)].some((one) => one.toLowerCase().includes(wanted));
}

/** Says in a few words what an event carries beside its type. */
export function factsOf(event: AgentEvent): string {
  switch (event.type) {
    case "REPLY_START":
      return event.name;
    case "REPLY_END":
      return event.error ?? event.finishedReason;
    case "MODEL_CALL_START":
      return event.modelName;
    case "MODEL_CALL_END":
      return event.usage === undefined
        ? event.modelName
        : `${event.usage.inputTokens} in, ${event.usage.outputTokens} out`;
    case "TOOL_CALL_START":
    case "TOOL_RESULT_START":
      return event.toolCallName;
    case "TOOL_PROGRESS":
      return typeof event.progress === "string" ? event.progress : JSON.stringify(event.progress);
    case "TOOL_RESULT_END":
      return event.state;
    case "REQUIRE_USER_CONFIRM":
      return typeof event.decision?.reason === "string" ? event.decision.reason : "";
    case "USER_CONFIRM_RESULT":
      return event.confirmResults.map(({ confirmed }) => (confirmed ? "allowed" : "denied")).join(", ");
    case "CUSTOM":
      return event.name;
    default:
      return "";
  }
}
