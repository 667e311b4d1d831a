/** The public surface of `holdall`, named one by one; nothing else is promised. */

// The agent.
export { Agent } from "./agent/agent.ts";
export type { AgentOptions } from "./agent/setup.ts";
export type { ReplyAnswer, ReplyInput, ReplyOptions } from "./agent/turn.ts";
// The ground: file systems and shells.
export type {
  Backend,
  ShellFactory,
  ShellGround,
  StartWorker,
  WorkerHandle,
  WorkerListener,
} from "./backend/backend.ts";
export { type BackendParts, createBackend } from "./backend/create-backend.ts";
export { createFileSystem, type FileSystemLimits } from "./backend/create-file-system.ts";
export type {
  DirEntry,
  FileKind,
  FileStat,
  FileSystem,
  FileSystemParts,
  FsChange,
  FsOptions,
  ReadOptions,
  ReadResult,
  RemoveOptions,
  StatOptions,
  WalkEntry,
  WalkOptions,
  WriteOptions,
} from "./backend/file-system.ts";
export { type FsErrorCode, fsError } from "./backend/fs-error.ts";
export type {
  GlobMatch,
  GlobQuery,
  GlobResult,
  GrepFile,
  GrepLine,
  GrepMode,
  GrepQuery,
  GrepResult,
  GrepSkipped,
} from "./backend/search.ts";
export {
  type FileFacts,
  type FilesAhead,
  type GlobHost,
  globFiles,
  grepFiles,
  type LongText,
  type SearchHost,
} from "./backend/search-files.ts";
export {
  DEFAULT_SHELL_OUTPUT,
  DEFAULT_SHELL_TIMEOUT,
  SHELL_ENVIRONMENT,
  type Shell,
  type ShellExit,
  type ShellOptions,
  type ShellOutput,
  type ShellRun,
} from "./backend/shell.ts";
export { createSharedWatchers, createWatchers, type Watchers } from "./backend/watchers.ts";
export {
  abortable,
  delay,
  hostTimers,
  type JoinedSignal,
  joinSignals,
  onAbort,
  type Timers,
} from "./base/abort.ts";
// Errors and small things that adapters need.
export { equalBytes } from "./base/bytes.ts";
export { type UnifiedDiff, type UnifiedDiffOptions, unifiedDiff } from "./base/diff.ts";
export { errorText, HoldallError, type HoldallErrorOptions } from "./base/errors.ts";
export { compileGlob, type GlobOptions } from "./base/glob.ts";
export type { JsonObject, JsonValue } from "./base/json.ts";
export {
  baseName,
  childPath,
  extension,
  isInside,
  joinPath,
  parentPath,
  relativePath,
  resolvePath,
} from "./base/path.ts";
// What can be watched.
export { applyEvent } from "./event/apply-event.ts";
export { fromWireEvent, toWireEvent } from "./event/codec.ts";
export type { AgentEvent, ConfirmResult, EventBase, EventBody } from "./event/events.ts";
// What is said: blocks and messages.
export type {
  Block,
  DataBlock,
  DataSource,
  HintBlock,
  OutputBlock,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolCallState,
  ToolChunk,
  ToolResultBlock,
  ToolResultState,
} from "./message/blocks.ts";
export { outputText } from "./message/blocks.ts";
export {
  type FinishedReason,
  type Message,
  messageText,
  type Role,
  toolCalls,
  toolResult,
  type Usage,
  userMessage,
} from "./message/message.ts";
// Permission.
export type { PermissionMode, PermissionRule, PermissionSettings } from "./message/permission-data.ts";
export type { ChatModel, ModelPart, ModelRequest, ModelTool, StopReason, ToolChoice } from "./model/chat-model.ts";
export {
  MAX_TRACE_FINDINGS,
  type PermissionDecision,
  type PermissionFinding,
  type TraceStep,
} from "./permission/decision.ts";
export { type PermissionCheckOptions, PermissionEngine, type PermissionEngineOptions } from "./permission/engine.ts";
export type { PermissionCheck, PermissionSubject, ToolOpinion } from "./permission/subject.ts";
// Schemas.
export type { InputOf, RawJsonSchema, ToolInput } from "./schema/input-schema.ts";
export type { StandardSchema } from "./schema/standard-schema.ts";
// State and context.
export { type AgentState, createAgentState, type DispatchRecord, restoreAgentState } from "./state/agent-state.ts";
export { type ContextKey, contextKey, RuntimeContext } from "./state/runtime-context.ts";
export type { StateStore } from "./state/state-store.ts";
// Tools.
export type { CallOptions, ToolCallInput } from "./tool/call-options.ts";
export { defineTool, type ToolDefinition } from "./tool/define-tool.ts";
export type { PresetParameters } from "./tool/entry.ts";
export { extendTool } from "./tool/extend-tool.ts";
export { functionTool } from "./tool/function-tool.ts";
export type { ResultLimit, SpillText } from "./tool/limit.ts";
export { type MethodFacts, methodTools, tool } from "./tool/method-tools.ts";
export { streamMiddleware, type ToolInterceptor, type ToolInvocation, type ToolMiddleware } from "./tool/middleware.ts";
export { type SchemaToolDefinition, schemaTool } from "./tool/schema-tool.ts";
export { spillTo } from "./tool/spill.ts";
export { ToolSuspend } from "./tool/suspend.ts";
export type { CallerAgent, RetryPolicy, Tool, ToolCallContext, ToolEmitter, ToolReturn } from "./tool/tool.ts";
export { ToolBase, type ToolBaseOptions } from "./tool/tool-base.ts";
export { ToolResult } from "./tool/tool-result.ts";
// The toolkit.
export { type ToolGroup, type ToolSchema, toolGroup } from "./toolkit/group.ts";
export { type ToolRequest, type ToolRequestOptions, toolRequest } from "./toolkit/request-view.ts";
export {
  type AddToolOptions,
  type BatchCallOptions,
  Toolkit,
  type ToolkitCallOptions,
  type ToolkitOptions,
  type ViewOptions,
} from "./toolkit/toolkit.ts";
