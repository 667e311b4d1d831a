/** Finds the call that waits for the person. */
import type { JsonObject } from "holdall";
import type { Question, Store } from "../store/store.ts";

/** Gives the first call of the conversation that has to be allowed or denied. */
export function findQuestion({ conversation, events }: Store): Question | undefined {
  const reply = conversation.value.state.messages.at(-1);
  const call = reply?.content.find((block) => block.type === "tool_call" && block.state === "asking");
  if (call?.type !== "tool_call") return undefined;
  const asked = events.value.findLast(({ type, callId }) => type === "REQUIRE_USER_CONFIRM" && callId === call.id);
  const decision: JsonObject = asked?.event.type === "REQUIRE_USER_CONFIRM" ? (asked.event.decision ?? {}) : {};
  return { call, decision };
}
