/** Events in AgentScope's wire form, with snake_case names and ISO times, and back. */

import { isRecord, type JsonObject } from "../base/json.ts";
import { outputText } from "../message/blocks.ts";
import type { FinishedReason, Role, Usage } from "../message/message.ts";
import type { AgentEvent, ConfirmResult, EventBody } from "./events.ts";
import {
  readCall,
  readOutput,
  readResult,
  readRule,
  resultStates,
  writeCall,
  writeResult,
  writeRule,
} from "./wire-blocks.ts";
import {
  choice,
  type Field,
  json,
  list,
  object,
  optional,
  readList,
  readObject,
  readText,
  text,
} from "./wire-fields.ts";

/**
 * Writes an event as AgentScope does.
 *
 * What AgentScope has no field for (`TOOL_PROGRESS`, a thinking signature, a decision, feedback …) is written under its
 * snake_case name; its readers skip that.
 */
export function toWireEvent(event: AgentEvent): JsonObject {
  const { type, id, createdAt, replyId, ...body } = event;
  const time = new Date(createdAt).toISOString();
  const wire: JsonObject = { type, id, created_at: time, reply_id: replyId, metadata: {}, ...needed[type] };
  const values: Record<string, unknown> = body;
  for (const [name, field] of fieldsOf(type)) {
    if (values[name] !== undefined) Object.assign(wire, field.write(values[name]));
  }
  return wire;
}

/**
 * Reads an event from AgentScope's wire form. It never throws.
 *
 * @param wire The parsed JSON, from anywhere.
 * @returns The event; undefined for one that is not known, or that lacks what its kind needs. Parts that may be missing
 * and are not understood are left out.
 */
export function fromWireEvent(wire: unknown): AgentEvent | undefined {
  try {
    return isRecord(wire) ? readEvent(wire) : undefined;
  } catch {
    // Only a value that is no JSON can come here, such as one with getters.
    return undefined;
  }
}

function readEvent(wire: Record<string, unknown>): AgentEvent | undefined {
  const { type } = wire;
  const id = readText(wire.id);
  const createdAt = readTime(wire.created_at);
  // AgentScope's CUSTOM events belong to no reply.
  const replyId = readText(wire.reply_id) ?? (type === "CUSTOM" ? "" : undefined);
  if (!isKnown(type) || id === undefined || createdAt === undefined || replyId === undefined) return undefined;
  const event: Record<string, unknown> = { type, id, createdAt, replyId };
  for (const [name, field] of fieldsOf(type)) {
    const value = field.read(wire);
    if (value !== undefined) event[name] = value;
    else if (field.optional !== true) return undefined;
  }
  if (type === "TOOL_RESULT_DATA_DELTA" && "data" in event === "url" in event) return undefined;
  // The table below has a field for every member of the event, each with its type.
  return event as unknown as AgentEvent;
}

type FieldsOf<Body> = {
  [Name in Exclude<keyof Body, "type">]-?: undefined extends Body[Name]
    ? Field<Exclude<Body[Name], undefined>> & { optional: true }
    : Field<Body[Name]>;
};

/** The compiler sees to it that no member of any event is left out. */
type Table = { readonly [Type in EventBody["type"]]: FieldsOf<Extract<EventBody, { type: Type }>> };

const roles: readonly Role[] = ["system", "user", "assistant"];
const reasons: readonly FinishedReason[] = ["completed", "awaiting", "interrupted", "exceed_max_iters", "error"];

const blockId = text("block_id");
const delta = text("delta");
const modelName = text("model_name");
const sessionId = text("session_id");
const toolCallId = text("tool_call_id");
const toolCallName = text("tool_call_name");
const toolCalls = list("tool_calls", writeCall, readCall);

const table: Table = {
  REPLY_START: { sessionId, name: text("name"), role: choice("role", roles) },
  REPLY_END: {
    sessionId,
    finishedReason: choice("finished_reason", reasons),
    error: optional({ write: writeError, read: readError }),
  },
  MODEL_CALL_START: { modelName },
  MODEL_CALL_END: { modelName, usage: optional({ write: writeUsage, read: readUsage }) },
  TEXT_BLOCK_START: { blockId },
  TEXT_BLOCK_DELTA: { blockId, delta },
  TEXT_BLOCK_END: { blockId },
  THINKING_BLOCK_START: { blockId },
  THINKING_BLOCK_DELTA: { blockId, delta, signature: optional(text("signature")) },
  THINKING_BLOCK_END: { blockId },
  DATA_BLOCK_START: { blockId, mediaType: text("media_type"), name: optional(text("name")) },
  DATA_BLOCK_DELTA: { blockId, data: text("data") },
  DATA_BLOCK_END: { blockId },
  HINT_BLOCK: { blockId, hint: { ...text("hint"), read: readHint }, source: optional(text("source")) },
  TOOL_CALL_START: { toolCallId, toolCallName },
  TOOL_CALL_DELTA: { toolCallId, delta },
  TOOL_CALL_END: { toolCallId },
  TOOL_PROGRESS: { toolCallId, progress: json("progress") },
  TOOL_RESULT_START: { toolCallId, toolCallName },
  TOOL_RESULT_TEXT_DELTA: { toolCallId, delta, blockId: optional(blockId) },
  TOOL_RESULT_DATA_DELTA: {
    toolCallId,
    blockId,
    mediaType: optional({
      write: (type) => ({ media_type: type }),
      read: (wire) => readText(wire.media_type) || undefined,
    }),
    data: optional(text("data")),
    url: optional(text("url")),
    name: optional(text("name")),
  },
  TOOL_RESULT_END: {
    toolCallId,
    state: choice("state", resultStates),
    metadata: { ...object("metadata"), read: (wire) => readObject(wire.metadata) ?? {} },
  },
  REQUIRE_USER_CONFIRM: { toolCalls, decision: optional(object("decision")) },
  USER_CONFIRM_RESULT: { confirmResults: list("confirm_results", writeConfirm, readConfirm) },
  REQUIRE_EXTERNAL_EXECUTION: { toolCalls },
  EXTERNAL_EXECUTION_RESULT: { executionResults: list("execution_results", writeResult, readResult) },
  USER_INTERRUPT: {},
  EXCEED_MAX_ITERS: {
    maxIterations: { write: (count) => ({ max_iters: count }), read: (wire) => readCount(wire.max_iters) ?? 0 },
  },
  CUSTOM: { name: text("name"), value: json("value") },
};

/** What AgentScope's readers insist on where an event here may have nothing to say. */
const needed: { readonly [Type in EventBody["type"]]?: JsonObject } = {
  DATA_BLOCK_DELTA: { media_type: "" },
  EXCEED_MAX_ITERS: { name: "" },
  MODEL_CALL_END: { input_tokens: 0, output_tokens: 0 },
  TOOL_RESULT_DATA_DELTA: { media_type: "" },
};

type AnyField = Field<unknown> & { optional?: boolean };

function isKnown(type: unknown): type is EventBody["type"] {
  return typeof type === "string" && Object.hasOwn(table, type);
}

/** Every field is only given values of its own kind, which is more than the compiler can follow here. */
function fieldsOf(type: EventBody["type"]): [name: string, field: AnyField][] {
  return Object.entries(table[type]) as [string, AnyField][];
}

/** AgentScope's own times have microseconds and no zone, which means the local one. */
function readTime(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value.replace(/(\.\d{3})\d+/, "$1")) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function readCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function writeError(message: string): JsonObject {
  return { error: { type: "unknown", message } };
}

function readError({ error }: Record<string, unknown>): string | undefined {
  return isRecord(error) ? readText(error.message) : undefined;
}

function writeUsage(usage: Usage): JsonObject {
  return { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens };
}

/** AgentScope writes zeros where nothing was counted. */
function readUsage(wire: Record<string, unknown>): Usage | undefined {
  const [inputTokens, outputTokens] = [readCount(wire.input_tokens) ?? 0, readCount(wire.output_tokens) ?? 0];
  return inputTokens + outputTokens === 0 ? undefined : { inputTokens, outputTokens };
}

/** Of a hint made of blocks, the text is kept. */
function readHint({ hint }: Record<string, unknown>): string | undefined {
  const blocks = readList(hint, readOutput);
  return blocks === undefined ? readText(hint) : outputText(blocks);
}

function writeConfirm({ confirmed, toolCall, rules, feedback }: ConfirmResult): JsonObject {
  return {
    confirmed,
    tool_call: writeCall(toolCall),
    rules: rules?.map(writeRule) ?? null,
    ...(feedback === undefined ? {} : { feedback }),
  };
}

function readConfirm(wire: unknown): ConfirmResult | undefined {
  if (!isRecord(wire) || typeof wire.confirmed !== "boolean") return undefined;
  const toolCall = readCall(wire.tool_call);
  const [rules, feedback] = [readList(wire.rules, readRule), readText(wire.feedback)];
  if (toolCall === undefined) return undefined;
  const rest = { ...(rules === undefined ? {} : { rules }), ...(feedback === undefined ? {} : { feedback }) };
  return { confirmed: wire.confirmed, toolCall, ...rest };
}
