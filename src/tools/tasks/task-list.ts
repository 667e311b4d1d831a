/** The list of tasks of a conversation: one place in its state, read with care and written whole. */

import { isRecord, type JsonObject, toJsonValue } from "../../base/json.ts";
import { cutText, wellFormed } from "../../base/text.ts";
import type { AgentState } from "../../state/agent-state.ts";
import { refusal } from "../answer.ts";

/** Where a task stands. */
export type TaskStatus = "pending" | "in_progress" | "completed";

/** One task, as it stands in the state. */
export interface Task {
  /** Unique in its conversation, also among tasks that were deleted. */
  id: string;
  /** One line. */
  subject: string;
  description: string;
  status: TaskStatus;
  /** Who works on it; empty when nobody does. */
  owner: string;
  /** The ids of the tasks that must be completed before this one; the other direction is derived. */
  blockedBy: string[];
  metadata: JsonObject;
  /** Milliseconds since 1970. */
  createdAt: number;
}

/** All tasks of a conversation, in the order they were made. */
export interface TaskList {
  tasks: Task[];
  /** The number that the next task gets as its id. */
  nextId: number;
}

/** The key of the list in {@link AgentState.extra}. */
export const TASKS_KEY = "tasks";

/** All statuses, in the order of a task's life. */
export const TASK_STATUSES: readonly TaskStatus[] = ["pending", "in_progress", "completed"];

/** The most tasks of a conversation; the completed ones among them count. */
export const MAX_TASKS = 500;

/** The longest subject, in UTF-16 units. */
export const MAX_SUBJECT = 500;

/** The longest description, in UTF-16 units. */
export const MAX_DESCRIPTION = 10_000;

/** The longest owner, in UTF-16 units. */
export const MAX_OWNER = 200;

/** The longest metadata of a task, in UTF-16 units of JSON. */
export const MAX_METADATA = 10_000;

/** Ids that an error names. */
const MAX_KNOWN = 50;

/**
 * Reads the tasks of a conversation.
 *
 * Whatever was stored, the list that comes back is sound: entries that are no tasks are left out, ids are unique,
 * relations name tasks of the list and make no cycle, and texts are no longer than the limits.
 *
 * @param state The conversation.
 * @returns A copy; {@link writeTasks} stores it.
 */
export function readTasks(state: AgentState): TaskList {
  const stored = storedList(state);
  const tasks = new Map<string, Task>();
  for (const entry of Array.isArray(stored.tasks) ? stored.tasks : []) {
    const task = toTask(entry);
    if (task !== undefined && !tasks.has(task.id) && tasks.size < MAX_TASKS) tasks.set(task.id, task);
  }
  return { tasks: withSoundRelations([...tasks.values()]), nextId: nextId(stored.nextId, tasks.keys()) };
}

/** Stores the tasks of a conversation, in place of those it had. */
export function writeTasks(state: AgentState, list: TaskList): void {
  // A state that somebody else stored may hold anything here.
  if (!isRecord(state.extra)) state.extra = {};
  const tasks = list.tasks.map((task): JsonObject => ({ ...task, blockedBy: [...task.blockedBy] }));
  state.extra[TASKS_KEY] = { tasks, nextId: list.nextId };
}

/**
 * Gives the task of an id, which a model may have written with the `#` it is shown with.
 *
 * @throws HoldallError that names the ids there are.
 */
export function requireTask(list: TaskList, id: string): Task {
  const wanted = id.trim().replace(/^#/, "");
  const task = list.tasks.find((one) => one.id === wanted);
  if (task !== undefined) return task;
  throw refusal(`Task not found: ${JSON.stringify(cutText(id, 80))}. ${knownIds(list)}`);
}

/** Gives the ids of the tasks that wait for a task. */
export function blockedTasks(list: TaskList, id: string): string[] {
  return list.tasks.filter((task) => task.blockedBy.includes(id)).map((task) => task.id);
}

/** Gives the ids of the tasks that a task still waits for. */
export function openBlockers(list: TaskList, task: Task): string[] {
  const open = new Set(list.tasks.filter(({ status }) => status !== "completed").map(({ id }) => id));
  return task.blockedBy.filter((id) => open.has(id));
}

/** Takes tasks out of a list, and their ids out of the relations of the others. */
export function dropTasks(list: TaskList, gone: ReadonlySet<string>): void {
  list.tasks = list.tasks.filter(({ id }) => !gone.has(id));
  for (const task of list.tasks) task.blockedBy = task.blockedBy.filter((id) => !gone.has(id));
}

/** Makes a subject one line within its limit; a longer one is cut. */
export function toSubject(text: string): string {
  return cutText(wellFormed(text).replace(/\s+/g, " ").trim(), MAX_SUBJECT);
}

/** Names the tasks there are, for a model that asked for one there is not; long lists are cut. */
function knownIds(list: TaskList): string {
  const ids = list.tasks.map(({ id }) => `#${id}`);
  if (ids.length === 0) return "There are no tasks yet. Use TaskCreate to make one.";
  const more = ids.length > MAX_KNOWN ? " and more; use TaskList to see all" : "";
  return `Known ids: ${ids.slice(0, MAX_KNOWN).join(", ")}${more}.`;
}

function storedList(state: AgentState): Record<string, unknown> {
  const extra: unknown = state.extra;
  const stored = isRecord(extra) && Object.hasOwn(extra, TASKS_KEY) ? extra[TASKS_KEY] : undefined;
  return isRecord(stored) ? stored : {};
}

function toTask(entry: unknown): Task | undefined {
  if (!isRecord(entry)) return undefined;
  const { id, subject, status, createdAt, blockedBy } = entry;
  if (typeof id !== "string" || !/^[\w.-]{1,64}$/.test(id) || typeof subject !== "string") return undefined;
  const title = toSubject(subject);
  if (title === "") return undefined;
  return {
    id,
    subject: title,
    description: text(entry.description, MAX_DESCRIPTION),
    status: TASK_STATUSES.find((known) => known === status) ?? "pending",
    owner: text(entry.owner, MAX_OWNER),
    blockedBy: Array.isArray(blockedBy) ? blockedBy.filter((one) => typeof one === "string") : [],
    metadata: toMetadata(entry.metadata),
    createdAt: typeof createdAt === "number" && Number.isFinite(createdAt) ? createdAt : 0,
  };
}

function text(value: unknown, limit: number): string {
  return typeof value === "string" ? cutText(wellFormed(value), limit) : "";
}

function toMetadata(value: unknown): JsonObject {
  const copy = toJsonValue(isRecord(value) ? value : {});
  return isRecord(copy) && JSON.stringify(copy).length <= MAX_METADATA ? copy : {};
}

/** Keeps the relations that name another task and close no cycle; each is looked at once. */
function withSoundRelations(tasks: Task[]): Task[] {
  const known = new Map(tasks.map((task) => [task.id, task]));
  const above = new Set<string>();
  const done = new Set<string>();
  const visit = (task: Task): void => {
    above.add(task.id);
    task.blockedBy = [...new Set(task.blockedBy)].filter((id) => {
      const blocker = known.get(id);
      if (blocker === undefined || above.has(id)) return false;
      if (!done.has(id)) visit(blocker);
      return true;
    });
    above.delete(task.id);
    done.add(task.id);
  };
  for (const task of tasks) if (!done.has(task.id)) visit(task);
  return tasks;
}

function nextId(stored: unknown, ids: Iterable<string>): number {
  let next = Number.isSafeInteger(stored) && Number(stored) > 0 ? Number(stored) : 1;
  for (const id of ids) if (/^\d{1,15}$/.test(id)) next = Math.max(next, Number(id) + 1);
  return next;
}
