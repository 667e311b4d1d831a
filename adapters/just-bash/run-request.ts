/** What goes to a place that runs command lines, and what comes back; all of it can be cloned to another thread. */

import type { ShellOutput } from "holdall";
import type { FileFact, FileFacts } from "./file-facts.ts";
import type { ShellLimits } from "./limits.ts";
import type { SessionState } from "./session-state.ts";

/** One command line with all it needs to know. */
export interface RunRequest {
  command: string;
  stdin: string;
  /** Variables of this command line alone; they are exported. */
  env: Readonly<Record<string, string>>;
  /** The absolute path that was asked for; undefined stays where the session stands. */
  cwd: string | undefined;
  /** Folders that are there whether or not the file system has them. */
  folders: readonly string[];
  home: string;
  timeoutMs: number;
  maxOutputBytes: number;
  statCacheMs: number;
  limits: ShellLimits;
  state: SessionState;
  facts: FileFacts;
}

/** How a command line ended, and what the session and the shell know now. */
export interface RunOutcome {
  code: number;
  timedOut: boolean;
  truncated: boolean;
  state: SessionState;
  factChanges: [path: string, fact: FileFact | null][];
}

/** Runs one command line somewhere. Rejects with the signal's reason when it aborts. */
export type Runner = (
  request: RunRequest,
  emit: (piece: ShellOutput) => void,
  signal: AbortSignal,
) => Promise<RunOutcome>;
