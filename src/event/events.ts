/** Everything that can be watched, as one discriminated union of plain JSON. */

import type { JsonObject, JsonValue } from "../base/json.ts";
import type { ToolCallBlock, ToolResultBlock, ToolResultState } from "../message/blocks.ts";
import type { FinishedReason, Role, Usage } from "../message/message.ts";
import type { PermissionRule } from "../message/permission-data.ts";

/** What every event carries. */
export interface EventBase {
  /** Unique within the process. */
  id: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** The id of the reply, which is also the id of the message it becomes. */
  replyId: string;
}

/** What an event is about, without the fields that every event carries. */
export type EventBody =
  | { type: "REPLY_START"; sessionId: string; name: string; role: Role }
  | { type: "REPLY_END"; sessionId: string; finishedReason: FinishedReason; error?: string }
  | { type: "MODEL_CALL_START"; modelName: string }
  | { type: "MODEL_CALL_END"; modelName: string; usage?: Usage }
  | { type: "TEXT_BLOCK_START"; blockId: string }
  | { type: "TEXT_BLOCK_DELTA"; blockId: string; delta: string }
  | { type: "TEXT_BLOCK_END"; blockId: string }
  | { type: "THINKING_BLOCK_START"; blockId: string }
  | { type: "THINKING_BLOCK_DELTA"; blockId: string; delta: string; signature?: string }
  | { type: "THINKING_BLOCK_END"; blockId: string }
  | { type: "DATA_BLOCK_START"; blockId: string; mediaType: string; name?: string }
  | { type: "DATA_BLOCK_DELTA"; blockId: string; data: string }
  | { type: "DATA_BLOCK_END"; blockId: string }
  | { type: "HINT_BLOCK"; blockId: string; hint: string; source?: string }
  | { type: "TOOL_CALL_START"; toolCallId: string; toolCallName: string }
  | { type: "TOOL_CALL_DELTA"; toolCallId: string; delta: string }
  | { type: "TOOL_CALL_END"; toolCallId: string }
  | { type: "TOOL_PROGRESS"; toolCallId: string; progress: JsonValue }
  | { type: "TOOL_RESULT_START"; toolCallId: string; toolCallName: string }
  | { type: "TOOL_RESULT_TEXT_DELTA"; toolCallId: string; delta: string; blockId?: string }
  | ToolResultDataDelta
  | { type: "TOOL_RESULT_END"; toolCallId: string; state: ToolResultState; metadata: JsonObject }
  | { type: "REQUIRE_USER_CONFIRM"; toolCalls: ToolCallBlock[]; decision?: JsonObject }
  | { type: "USER_CONFIRM_RESULT"; confirmResults: ConfirmResult[] }
  | { type: "REQUIRE_EXTERNAL_EXECUTION"; toolCalls: ToolCallBlock[] }
  | { type: "EXTERNAL_EXECUTION_RESULT"; executionResults: ToolResultBlock[] }
  | { type: "USER_INTERRUPT" }
  | { type: "EXCEED_MAX_ITERS"; maxIterations: number }
  | { type: "CUSTOM"; name: string; value: JsonValue };

/** A piece of data of a result: exactly one of `data` (base64) and `url`. */
export interface ToolResultDataDelta {
  type: "TOOL_RESULT_DATA_DELTA";
  toolCallId: string;
  blockId: string;
  mediaType?: string;
  data?: string;
  url?: string;
  name?: string;
}

/** One event. */
export type AgentEvent = EventBase & EventBody;

/** A person's answer to one question. */
export interface ConfirmResult {
  confirmed: boolean;
  /** The call that was asked about; its `input` may have been edited, its name must not. */
  toolCall: ToolCallBlock;
  /** Rules to remember; only taken when confirmed. */
  rules?: PermissionRule[];
  /** Words for the model, shown to it when the call was refused. */
  feedback?: string;
}
