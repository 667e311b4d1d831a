/** What belongs to one reply while it runs. */

import type { ConfirmResult } from "../event/events.ts";
import type { ToolResultBlock } from "../message/blocks.ts";
import type { Message } from "../message/message.ts";
import type { AgentState } from "../state/agent-state.ts";
import type { RuntimeContext } from "../state/runtime-context.ts";
import type { ToolRequest } from "../toolkit/request-view.ts";
import type { Emit } from "./emit.ts";
import type { AgentSetup } from "./setup.ts";

/** An answer to what a reply waits for. */
export type ReplyAnswer =
  | { type: "USER_CONFIRM_RESULT"; confirmResults: ConfirmResult[] }
  | { type: "EXTERNAL_EXECUTION_RESULT"; executionResults: ToolResultBlock[] }
  | { type: "USER_INTERRUPT" };

/** What a reply may start or go on with. */
export type ReplyInput = string | Message | readonly Message[] | ReplyAnswer;

/** What belongs to one reply. */
export interface ReplyOptions {
  /** The conversation; it is changed in place. Defaults to a new one. */
  state?: AgentState;
  /** Handed to every tool call of the reply. */
  context?: RuntimeContext;
  /** External tools of this reply, executed by the caller. */
  request?: ToolRequest;
  /** Aborting interrupts the reply: open calls get an interrupted result. */
  signal?: AbortSignal;
}

/** One reply on its way. */
export interface Turn {
  setup: AgentSetup;
  state: AgentState;
  options: ReplyOptions;
  reply: Message;
  emit: Emit;
}
