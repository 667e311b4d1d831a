/** How an agent is set up. */

import type { Clock, MakeId } from "../base/ids.ts";
import type { ChatModel } from "../model/chat-model.ts";
import type { PermissionEngine } from "../permission/engine.ts";
import type { AgentState } from "../state/agent-state.ts";
import type { Toolkit } from "../toolkit/toolkit.ts";

/** How an agent is set up. */
export interface AgentOptions {
  /** Shown in events and messages. */
  name: string;
  model: ChatModel;
  /** Defaults to an empty one. */
  toolkit?: Toolkit;
  /** Instructions that stand before the conversation. */
  system?: string;
  /**
   * Told to the model before each of its turns, as it stands then, and not kept in the conversation; undefined says
   * nothing. Defaults to none.
   */
  reminders?: readonly ((state: AgentState) => string | undefined)[];
  /** Decides over every call. Defaults to the mode `default` without rules: what is not read-only asks. */
  permission?: PermissionEngine;
  /** How often the model may be asked in one reply. Defaults to 50. */
  maxIterations?: number;
  /** Defaults to a made-up one. */
  id?: string;
  /** Defaults to `Date.now`. */
  clock?: Clock;
  /** Makes ids of messages, blocks and events. Defaults to a counter with a random start. */
  makeId?: MakeId;
}

/** The setup with its defaults. */
export type AgentSetup = Required<Omit<AgentOptions, "system">> & { system: string | undefined };

/** How often the model may be asked in one reply when nothing else is said. */
export const DEFAULT_MAX_ITERATIONS = 50;
