/** All state of a conversation as one plain JSON value. */

import { HoldallError } from "../base/errors.ts";
import { makeId } from "../base/ids.ts";
import { isRecord, type JsonObject } from "../base/json.ts";
import type { Message } from "../message/message.ts";
import type { PermissionSettings } from "../message/permission-data.ts";
import { findStateFault } from "./check-state.ts";

/** What a tool read of a file, so that a write can tell whether the file has changed since. */
export interface FileRead {
  /** The version token of the file system. */
  version: string;
}

/** What tools keep between calls. */
export interface ToolContextState {
  /** The names of the active tool groups (`basic` is always active and not listed); null: as the groups themselves say. */
  activeGroups: string[] | null;
  /** Files the model has seen, by absolute path, oldest first. */
  readFiles: Record<string, FileRead>;
}

/** What really ran, or why it did not: written at the end of the interceptor chain. */
export interface DispatchRecord {
  toolCallId: string;
  tool: string;
  decision: "dispatched" | "denied";
  /** Who decided, such as `rule`, `mode`, `user` or an interceptor's name. */
  by: string;
  /** The arguments the tool got, without preset values; absent for a denial. */
  input?: JsonObject;
  /** Milliseconds since 1970. */
  at: number;
}

/** The reply that is under way. */
export interface ReplyState {
  /** The id of the message that the reply grows into. */
  replyId: string;
  /** How many times the model has been asked in this reply. */
  iteration: number;
}

/** The state of one conversation. It survives `JSON.parse(JSON.stringify(state))`, a reload and another process. */
export interface AgentState {
  /** The form of this value. */
  version: 1;
  sessionId: string;
  messages: Message[];
  /** Set while a reply runs or waits for an answer. */
  reply: ReplyState | null;
  permission: PermissionSettings;
  toolContext: ToolContextState;
  /** What really ran, newest last; at most {@link MAX_DISPATCHES}. */
  dispatches: DispatchRecord[];
  /** A place for tools and middleware of your own, one key each. */
  extra: JsonObject;
}

/** The most dispatch records kept; the oldest go first. */
export const MAX_DISPATCHES = 1000;

/** The most files remembered as read; the oldest go first. */
export const MAX_READ_FILES = 1000;

/** What a new state may start with. */
export type AgentStateInit = Partial<Omit<AgentState, "version">>;

/** Makes the state of a new conversation. */
export function createAgentState(init: AgentStateInit = {}): AgentState {
  return {
    version: 1,
    sessionId: init.sessionId ?? makeId(),
    messages: init.messages ?? [],
    reply: init.reply ?? null,
    permission: init.permission ?? { rules: [], workingDirectories: [] },
    toolContext: init.toolContext ?? { activeGroups: null, readFiles: {} },
    dispatches: init.dispatches ?? [],
    extra: init.extra ?? {},
  };
}

/**
 * Reads a state that was stored as JSON. What an older version left out starts as in a new state.
 *
 * @param value The parsed JSON; the state takes its parts over.
 * @throws HoldallError `STATE_INVALID` when it is not a state, is broken, or is of a version this package does not know.
 */
export function restoreAgentState(value: unknown): AgentState {
  if (!isRecord(value) || !("version" in value)) throw stateError("it is not an agent state");
  if (value.version !== 1) throw stateError(`it is of version ${JSON.stringify(value.version)}, and only 1 is known`);
  const fault = findStateFault(value);
  if (fault !== undefined) throw stateError(fault);
  // Every member has been looked at.
  return createAgentState(value as AgentStateInit);
}

/** Remembers that the model has seen a version of a file. */
export function rememberRead(state: AgentState, path: string, version: string): void {
  const files = state.toolContext.readFiles;
  delete files[path];
  files[path] = { version };
  const paths = Object.keys(files);
  for (const old of paths.slice(0, Math.max(0, paths.length - MAX_READ_FILES))) delete files[old];
}

/** Gives the version of a file that the model has seen, or undefined. */
export function readVersion(state: AgentState, path: string): string | undefined {
  return Object.hasOwn(state.toolContext.readFiles, path) ? state.toolContext.readFiles[path]?.version : undefined;
}

/** Writes down what ran or was refused. */
export function recordDispatch(state: AgentState, record: DispatchRecord): void {
  state.dispatches.push(record);
  if (state.dispatches.length > MAX_DISPATCHES) state.dispatches.splice(0, state.dispatches.length - MAX_DISPATCHES);
}

function stateError(what: string): HoldallError {
  return new HoldallError(
    "STATE_INVALID",
    `the stored state cannot be used: ${what}. Start a new conversation with createAgentState().`,
  );
}
