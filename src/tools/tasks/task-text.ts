/** Tasks in words: the lines a model reads. */

import { blockedTasks, openBlockers, type Task, type TaskList } from "./task-list.ts";

/** Writes a task as one line of a list, with the open tasks it waits for. */
export function taskLine(list: TaskList, task: Task): string {
  const owner = task.owner === "" ? "" : `(${task.owner})`;
  const blockers = openBlockers(list, task);
  return `${task.id} [${task.status}] ${task.subject}${owner}${blockers.length === 0 ? "" : `[blocked by ${blockers.join(", ")}]`}`;
}

/** Writes all about a task; what is empty is left out. */
export function taskDetails(list: TaskList, task: Task): string {
  const blocks = blockedTasks(list, task.id);
  const lines = [
    `Task (id=${task.id}): ${task.subject}`,
    `Status: ${task.status}`,
    `Description: ${task.description}`,
    ...(task.owner === "" ? [] : [`Owner: ${task.owner}`]),
    ...(task.blockedBy.length === 0 ? [] : [`Blocked by: ${numbers(task.blockedBy)}`]),
    ...(blocks.length === 0 ? [] : [`Blocks: ${numbers(blocks)}`]),
    ...(Object.keys(task.metadata).length === 0 ? [] : [`Metadata: ${JSON.stringify(task.metadata)}`]),
  ];
  return lines.join("\n");
}

/** Writes ids as they are shown: `#1, #2`. */
export function numbers(ids: readonly string[]): string {
  return ids.map((id) => `#${id}`).join(", ");
}
