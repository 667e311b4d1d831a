/** The port for keeping states between processes. */

import type { AgentState } from "./agent-state.ts";

/** Keeps states by session id. */
export interface StateStore {
  /** Gives undefined for a session that was never saved. */
  load(sessionId: string, options?: { signal?: AbortSignal }): Promise<AgentState | undefined>;
  save(state: AgentState, options?: { signal?: AbortSignal }): Promise<void>;
  remove(sessionId: string, options?: { signal?: AbortSignal }): Promise<void>;
}
