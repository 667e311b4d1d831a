/** Replaces the whole list of tasks by what a model wrote, keeping the tasks it names again. */

import { cutText } from "../../base/text.ts";
import { refusal } from "../answer.ts";
import { dropTasks, TASK_STATUSES, type Task, type TaskList, type TaskStatus, toSubject } from "./task-list.ts";

/** One item as a model writes it; every field may be missing. */
export interface TodoItem {
  content?: string | null | undefined;
  status?: string | null | undefined;
  priority?: string | null | undefined;
}

/** How important an item is. */
export type TodoPriority = "high" | "medium" | "low";

const PRIORITIES: readonly TodoPriority[] = ["high", "medium", "low"];

/**
 * Checks the items and makes them into the new list. A task of the same content keeps its id, its description, its
 * owner, its relations and its metadata, each task once; tasks that are not named again are gone.
 *
 * @param list The list before; it is not changed.
 * @param items The items, in their new order.
 * @param createdAt The time for new tasks, in milliseconds since 1970.
 * @throws HoldallError that says which item is wrong.
 */
export function replaceTodos(list: TaskList, items: readonly TodoItem[], createdAt: number): TaskList {
  const wanted = items.map(toWanted);
  const active = wanted.filter(({ status }) => status === "in_progress").length;
  if (active > 1) {
    throw invalid(
      `at most one task may be in_progress at a time, but ${active} were given. Keep exactly one in_progress`,
    );
  }
  const left = list.tasks.map((task) => ({ ...task }));
  let { nextId } = list;
  const tasks = wanted.map(({ subject, status, priority }): Task => {
    const at = left.findIndex((task) => task.subject === subject);
    const [kept] = at === -1 ? [] : left.splice(at, 1);
    if (kept !== undefined) return { ...kept, status, metadata: { ...kept.metadata, ...priority } };
    nextId += 1;
    const id = String(nextId - 1);
    return {
      id,
      subject,
      description: subject,
      status,
      owner: "",
      blockedBy: [],
      metadata: { ...priority },
      createdAt,
    };
  });
  const replaced = { tasks, nextId };
  dropTasks(replaced, new Set(left.map(({ id }) => id)));
  return replaced;
}

/** Reads the priority of a task; undefined when it has none. */
export function priorityOf(task: Task): TodoPriority | undefined {
  return PRIORITIES.find((known) => known === task.metadata.priority);
}

interface Wanted {
  subject: string;
  status: TaskStatus;
  priority: { priority?: TodoPriority };
}

function toWanted({ content, status, priority }: TodoItem): Wanted {
  const subject = toSubject(content ?? "");
  const wanted = (status ?? "").trim().toLowerCase() || "pending";
  const known = TASK_STATUSES.find((one) => one === wanted);
  if (known === undefined) {
    const item = subject === "" ? "an item" : JSON.stringify(cutText(subject, 80));
    throw invalid(
      `invalid status ${JSON.stringify(cutText(wanted, 40))} for ${item}. Allowed: ${TASK_STATUSES.join(", ")}`,
    );
  }
  if (subject === "") throw invalid("every todo must have non-blank content");
  const importance = PRIORITIES.find((one) => one === (priority ?? "").trim().toLowerCase());
  return { subject, status: known, priority: importance === undefined ? {} : { priority: importance } };
}

function invalid(problem: string): Error {
  return refusal(`The list was not changed: ${problem}.`);
}
