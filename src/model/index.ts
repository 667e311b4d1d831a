/** The public surface of `holdall/model`: the model port, the providers' forms of schemas, the OpenAI-compatible client and the scripted model. */

export {
  type DialectSchema,
  type DialectTool,
  type SchemaDialect,
  toDialect,
  toDialects,
} from "../schema/dialect/dialect.ts";
export { MAX_SCHEMA_DEPTH, MAX_SCHEMA_NODES, type SchemaLoss } from "../schema/dialect/report.ts";
export type { ChatModel, ModelPart, ModelRequest, ModelTool, StopReason, ToolChoice } from "./chat-model.ts";
export { type AnsweredCall, type AssistantTurn, type SpokenTurn, type Turn, toTurns } from "./conversation.ts";
export type { ModelFetch } from "./http.ts";
export { MAX_ERROR_BODY } from "./model-error.ts";
export { MAX_CALLS } from "./openai-calls.ts";
export { MAX_ANSWER_BYTES, openAiCompatible } from "./openai-compatible.ts";
export type { ModelTimeouts, OpenAiCompatibleOptions } from "./openai-options.ts";
export type { RetryOptions } from "./retry.ts";
export {
  type ScriptedAnswer,
  type ScriptedCall,
  type ScriptedModelOptions,
  type ScriptedStep,
  scriptedModel,
} from "./scripted-model.ts";
export { MAX_EVENT_LENGTH } from "./server-events.ts";
export { createToolNames, MAX_WIRE_NAME, type ToolNames } from "./tool-names.ts";
