/** All state of the page in one place. Components read it; the functions of the other folders change it. */
import { type Signal, signal } from "@preact/signals";
import {
  type Agent,
  type AgentState,
  createAgentState,
  errorText,
  type JsonObject,
  type Message,
  type ToolCallBlock,
  type Toolkit,
} from "holdall";
import type { Session } from "../drive/session.ts";
import type { OpenDocument } from "../editor/document.ts";
import { createKeeper, type Keeper } from "../editor/keeper.ts";
import { sentence } from "../text/format.ts";
import type { TimelineEntry } from "../timeline/entries.ts";
import type { Collected } from "../workspace/collect-files.ts";
import { ROOT } from "../workspace/limits.ts";
import type { FileChange } from "../workspace/recorded-files.ts";
import type { Entry, FileStatus, Workspace } from "../workspace/workspace.ts";
import { type Endpoint, readEndpoint, readTheme, type Theme } from "./settings.ts";

/** Who decides what is done next. */
export type Driver = "script" | "endpoint" | "you";

/** The part of the page that a narrow screen shows. */
export type Pane = "files" | "editor" | "events" | "agent";

/** Something to tell, with details on demand. */
export interface Notice {
  tone: "plain" | "bad";
  text: string;
  details?: readonly string[];
}

/** The conversation; a new object each time something in its state has changed. */
export interface Conversation {
  /** What the agent works on; it is changed in place. */
  state: AgentState;
  /** What is drawn. A message that has changed is another object than before. */
  messages: readonly Message[];
}

/** A reply that is under way. */
export interface Run {
  agent: Agent;
  controller: AbortController;
  driver: Driver;
}

/** A call that somebody must allow or deny. */
export interface Question {
  call: ToolCallBlock;
  /** Why it is asked, as the permission engine said it. */
  decision: JsonObject;
}

/** The state of the page. */
export interface Store {
  workspace: Signal<Workspace>;
  toolkit: Signal<Toolkit>;
  entries: Signal<readonly Entry[]>;
  statuses: Signal<ReadonlyMap<string, FileStatus>>;
  expanded: Signal<ReadonlySet<string>>;
  notice: Signal<Notice | undefined>;
  /** Files that wait until the person has said whether they are added or replace the others. */
  offer: Signal<Collected | undefined>;
  document: Signal<OpenDocument | undefined>;
  saving: Signal<"saved" | "editing" | "conflict">;
  editorView: Signal<"text" | "changes">;
  conversation: Signal<Conversation>;
  run: Signal<Run | undefined>;
  question: Signal<Question | undefined>;
  /** The command that the person asks about before anybody runs it; there while the dialog is open. */
  outlook: Signal<string | undefined>;
  /** What went wrong with the last reply. */
  problem: Signal<string | undefined>;
  driver: Signal<Driver>;
  endpoint: Signal<Endpoint>;
  /** The last progress of each running call. */
  progress: Signal<ReadonlyMap<string, string>>;
  /** What each call changed. */
  changes: Signal<ReadonlyMap<string, readonly FileChange[]>>;
  events: Signal<readonly TimelineEntry[]>;
  pane: Signal<Pane>;
  theme: Signal<Theme>;
  /** What a screen reader is told. */
  announcement: Signal<string>;
  keeper: Keeper;
}

/** Makes the state of a page that has just been opened. */
export function createStore({ workspace, toolkit }: Session): Store {
  const store: Omit<Store, "keeper"> = {
    workspace: signal(workspace),
    toolkit: signal(toolkit),
    entries: signal([]),
    statuses: signal(new Map()),
    expanded: signal(new Set()),
    notice: signal(undefined),
    offer: signal(undefined),
    document: signal(undefined),
    saving: signal("saved"),
    editorView: signal("text"),
    conversation: signal(startConversation()),
    run: signal(undefined),
    question: signal(undefined),
    outlook: signal(undefined),
    problem: signal(undefined),
    driver: signal("script"),
    endpoint: signal(readEndpoint()),
    progress: signal(new Map()),
    changes: signal(new Map()),
    events: signal([]),
    pane: signal("agent"),
    theme: signal(readTheme()),
    announcement: signal(""),
  };
  return Object.assign(store, { keeper: createKeeper(store as Store) });
}

/** Starts a conversation; the mode and the rules of an earlier one may be kept. */
export function startConversation(permission?: AgentState["permission"]): Conversation {
  const settings = permission ?? { mode: "default", rules: [], workingDirectories: [ROOT] };
  return { state: createAgentState({ permission: settings }), messages: [] };
}

/** Tells the page that something in the conversation's state has changed. Only the last message ever does. */
export function touchConversation(store: Store): void {
  const { state, messages } = store.conversation.value;
  const earlier = messages.length === state.messages.length ? messages.slice(0, -1) : state.messages.slice(0, -1);
  const last = state.messages.at(-1);
  store.conversation.value = { state, messages: last === undefined ? [] : [...earlier, copyMessage(last)] };
}

function copyMessage(message: Message): Message {
  const content = message.content.map((block) =>
    block.type === "tool_result" ? { ...block, output: block.output.map((one) => ({ ...one })) } : { ...block },
  );
  return { ...message, content };
}

/** Starts something that takes its time; what goes wrong with it is told. */
export function attempt(store: Store, work: Promise<void>): void {
  work.catch((error: unknown) => {
    store.notice.value = { tone: "bad", text: sentence(errorText(error)) };
  });
}
