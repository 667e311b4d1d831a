/** The commands in the background of a conversation, as plain data: one place in its state, read with care. */

import { isRecord, type JsonObject } from "../base/json.ts";
import { cutText } from "../base/text.ts";
import type { AgentState } from "../state/agent-state.ts";
import { MAX_ENDED_RUNS } from "./limits.ts";

/** Where a command in the background stands; `lost` means that the process it ran in is gone, and with it its output. */
export type BackgroundStatus = "running" | "ended" | "stopped" | "failed" | "lost";

/** One command in the background. */
export interface BackgroundRun {
  /** Unique in its conversation, such as `bash_1`. */
  id: string;
  /** The command line, cut to {@link MAX_SHOWN_COMMAND}. */
  command: string;
  status: BackgroundStatus;
  /** How it ended, in words that follow "has"; empty while it runs. */
  ending: string;
  /** The exit code, for one that ended by itself. */
  exitCode: number | null;
  /** Whether the model has been told of its end. */
  seen: boolean;
  /** Milliseconds since 1970. */
  startedAt: number;
}

/** All of a conversation, oldest first. */
export interface BackgroundList {
  runs: BackgroundRun[];
  /** The number of the next one's id. */
  nextId: number;
}

/** The key of the list in {@link AgentState.extra}. */
export const BACKGROUND_KEY = "background";

/** UTF-16 units of a command line that are remembered. */
export const MAX_SHOWN_COMMAND = 200;

/** The highest number that an id is read with. */
const MAX_NUMBER = 999_999_999;

const statuses: readonly BackgroundStatus[] = ["running", "ended", "stopped", "failed", "lost"];

/** Reads the list of a conversation; whatever was stored, what comes back is sound, and a copy. */
export function readRuns(state: AgentState | undefined): BackgroundList {
  const stored = isRecord(state?.extra) ? state.extra[BACKGROUND_KEY] : undefined;
  if (!isRecord(stored)) return { runs: [], nextId: 1 };
  const runs = new Map<string, BackgroundRun>();
  for (const entry of Array.isArray(stored.runs) ? stored.runs.slice(0, 1000) : []) {
    const run = toRun(entry);
    if (run !== undefined) runs.set(run.id, run);
  }
  const { nextId } = stored;
  const sound = typeof nextId === "number" && Number.isSafeInteger(nextId) && nextId > 0 && nextId <= MAX_NUMBER;
  return { runs: [...runs.values()], nextId: sound ? nextId : runs.size + 1 };
}

/** Stores the list of a conversation. */
export function writeRuns(state: AgentState | undefined, { runs, nextId }: BackgroundList): void {
  if (state === undefined) return;
  // A state that somebody else stored may hold anything here.
  if (!isRecord(state.extra)) state.extra = {};
  state.extra[BACKGROUND_KEY] = { runs: inOrder(runs).map((run): JsonObject => ({ ...run })), nextId };
}

/** Puts commands in the order they were started; of those that do not run, the last {@link MAX_ENDED_RUNS} stay. */
export function inOrder(runs: readonly BackgroundRun[]): BackgroundRun[] {
  const sorted = [...runs].sort((one, other) => numberOf(one) - numberOf(other));
  const ended = new Set(sorted.filter(({ status }) => status !== "running").slice(-MAX_ENDED_RUNS));
  return sorted.filter((run) => run.status === "running" || ended.has(run));
}

/** Gives the number in an id. */
export function numberOf({ id }: BackgroundRun): number {
  return Number(id.slice("bash_".length));
}

/** Tells where a command stands, in one sentence without its full stop. */
export function describeRun({ id, status, ending }: BackgroundRun): string {
  return status === "running" ? `${id} is running` : `${id} has ${ending}`;
}

/** Lists the commands, one a line, for a model. */
export function listRuns(runs: readonly BackgroundRun[]): string {
  return runs.map((run) => `- ${describeRun(run)}: ${run.command.replaceAll("\n", " ")}`).join("\n");
}

/** Marks a command as lost whose process is not there any more. */
export function asLost(run: BackgroundRun): BackgroundRun {
  return { ...run, status: "lost", ending: "been lost with the process it ran in, and what it printed with it" };
}

function toRun(entry: unknown): BackgroundRun | undefined {
  if (!isRecord(entry) || typeof entry.id !== "string" || !/^bash_[1-9]\d{0,8}$/.test(entry.id)) return undefined;
  const status = statuses.find((one) => one === entry.status);
  if (status === undefined) return undefined;
  return {
    id: entry.id,
    command: cutText(textOf(entry.command), MAX_SHOWN_COMMAND),
    status,
    ending: cutText(textOf(entry.ending), MAX_SHOWN_COMMAND) || (status === "running" ? "" : "ended"),
    exitCode: Number.isSafeInteger(entry.exitCode) ? Number(entry.exitCode) : null,
    seen: entry.seen === true,
    startedAt: typeof entry.startedAt === "number" ? entry.startedAt : 0,
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
