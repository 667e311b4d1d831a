/** Blocks and rules in AgentScope's snake_case wire form, and back; whatever is read may be hostile. */

import { isRecord, type JsonObject } from "../base/json.ts";
import type {
  DataSource,
  OutputBlock,
  ToolCallBlock,
  ToolCallState,
  ToolResultBlock,
  ToolResultState,
} from "../message/blocks.ts";
import type { PermissionRule, RuleBehavior } from "../message/permission-data.ts";
import { readChoice, readList, readObject, readText } from "./wire-fields.ts";

const behaviors: readonly RuleBehavior[] = ["allow", "deny", "ask"];
const callStates: readonly ToolCallState[] = ["pending", "asking", "allowed", "submitted", "finished"];

/** All states of a result. */
export const resultStates: readonly ToolResultState[] = [
  "running",
  "success",
  "error",
  "denied",
  "interrupted",
  "suspended",
];

/** Writes a rule. */
export function writeRule(rule: PermissionRule): JsonObject {
  return {
    tool_name: rule.tool,
    rule_content: rule.content ?? null,
    behavior: rule.behavior,
    source: rule.source ?? "",
  };
}

/** Reads a rule; undefined when it is none. */
export function readRule(wire: unknown): PermissionRule | undefined {
  if (!isRecord(wire)) return undefined;
  const [tool, content, source] = [readText(wire.tool_name), readText(wire.rule_content), readText(wire.source)];
  const behavior = readChoice(wire.behavior, behaviors);
  // A content that is no text must not widen the rule to the whole tool.
  const isUnclear = content === undefined && wire.rule_content !== undefined && wire.rule_content !== null;
  if (!tool || behavior === undefined || isUnclear) return undefined;
  return { tool, ...(content === undefined ? {} : { content }), behavior, ...(source ? { source } : {}) };
}

/** Writes a tool call. */
export function writeCall(call: ToolCallBlock): JsonObject {
  const { type, id, name, input, state, suggestedRules } = call;
  const rules = suggestedRules === undefined ? {} : { suggested_rules: suggestedRules.map(writeRule) };
  return { type, id, name, input, state, ...rules };
}

/** Reads a tool call; undefined when it is none. */
export function readCall(wire: unknown): ToolCallBlock | undefined {
  if (!isRecord(wire) || (wire.type !== undefined && wire.type !== "tool_call")) return undefined;
  const [id, name, input] = [readText(wire.id), readText(wire.name), readText(wire.input)];
  const state = wire.state === undefined ? "pending" : readChoice(wire.state, callStates);
  const rules = readList(wire.suggested_rules, readRule);
  if (id === undefined || name === undefined || input === undefined || state === undefined) return undefined;
  return { type: "tool_call", id, name, input, state, ...(rules === undefined ? {} : { suggestedRules: rules }) };
}

/** Writes a tool result. */
export function writeResult(result: ToolResultBlock): JsonObject {
  return { ...result, output: result.output.map(writeOutput) };
}

/** Reads a tool result; undefined when it is none. An output that is plain text becomes one block. */
export function readResult(wire: unknown): ToolResultBlock | undefined {
  if (!isRecord(wire) || (wire.type !== undefined && wire.type !== "tool_result")) return undefined;
  const [id, name] = [readText(wire.id), readText(wire.name)];
  const state = wire.state === undefined ? "running" : readChoice(wire.state, resultStates);
  const output = typeof wire.output === "string" ? textOutput(wire.output) : readList(wire.output, readOutput);
  if (id === undefined || name === undefined || state === undefined || output === undefined) return undefined;
  return { type: "tool_result", id, name, output, state, metadata: readObject(wire.metadata) ?? {} };
}

/** Reads a block of text or data; undefined when it is neither. */
export function readOutput(wire: unknown): OutputBlock | undefined {
  if (!isRecord(wire)) return undefined;
  const [id, name, text] = [readText(wire.id), readText(wire.name), readText(wire.text)];
  const idPart = id === undefined ? {} : { id };
  if (wire.type === "text") return text === undefined ? undefined : { type: "text", text, ...idPart };
  const source = wire.type === "data" ? readSource(wire.source) : undefined;
  if (source === undefined) return undefined;
  return { type: "data", source, ...(name === undefined ? {} : { name }), ...idPart };
}

function textOutput(text: string): OutputBlock[] {
  return text === "" ? [] : [{ type: "text", text }];
}

function writeOutput(block: OutputBlock): JsonObject {
  return block.type === "text" ? { ...block } : { ...block, source: writeSource(block.source) };
}

function writeSource(source: DataSource): JsonObject {
  // AgentScope wants a media type behind a URL too.
  const media_type = source.mediaType ?? "";
  return source.type === "base64"
    ? { type: "base64", data: source.data, media_type }
    : { type: "url", url: source.url, media_type };
}

function readSource(wire: unknown): DataSource | undefined {
  if (!isRecord(wire)) return undefined;
  const [data, url, mediaType] = [readText(wire.data), readText(wire.url), readText(wire.media_type)];
  if (wire.type === "base64" && data !== undefined) return { type: "base64", mediaType: mediaType ?? "", data };
  if (wire.type === "url" && url !== undefined) return { type: "url", url, ...(mediaType ? { mediaType } : {}) };
  return undefined;
}
