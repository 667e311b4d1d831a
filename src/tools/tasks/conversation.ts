/** What all tools over the task list share: the conversation they work on, and what they say to permissions. */

import type { ToolOpinion } from "../../permission/subject.ts";
import type { AgentState } from "../../state/agent-state.ts";
import type { ToolCallContext } from "../../tool/tool.ts";
import { refusal } from "../answer.ts";

/** The opinion of a tool that changes nothing but the conversation's own list: nobody needs to be asked. */
export function alwaysAllowed(): ToolOpinion {
  return { behavior: "allow", reason: "changes only the list of tasks of this conversation" };
}

/**
 * Gives the conversation of a call.
 *
 * @throws HoldallError that says that there is none.
 */
export function requireState(call: ToolCallContext): AgentState {
  if (call.state !== undefined) return call.state;
  throw refusal(
    `This is an error of the application, which gave ${call.name} no conversation state to keep the list in. Go on without a list.`,
  );
}
