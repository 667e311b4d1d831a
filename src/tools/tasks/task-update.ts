/** The TaskUpdate tool: changes, links, finishes and deletes a task. */

import { array, description, maxLength, object, optional, picklist, pipe, record, string, unknown } from "valibot";
import type { AgentState } from "../../state/agent-state.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { Tool } from "../../tool/tool.ts";
import { ToolResult } from "../../tool/tool-result.ts";
import { answer } from "../answer.ts";
import { changeTask, type TaskChanges } from "./change-task.ts";
import { alwaysAllowed, requireState } from "./conversation.ts";
import {
  blockedTasks,
  dropTasks,
  MAX_DESCRIPTION,
  MAX_OWNER,
  MAX_SUBJECT,
  MAX_TASKS,
  openBlockers,
  readTasks,
  requireTask,
  TASK_STATUSES,
  type Task,
  type TaskList,
  writeTasks,
} from "./task-list.ts";
import { numbers } from "./task-text.ts";

/** Makes the TaskUpdate tool. */
export function taskUpdateTool(): Tool {
  return defineTool({
    name: "TaskUpdate",
    description:
      "Changes a task of this conversation: only the fields you give. Set the status to in_progress before you begin a task and to completed only when it is fully done; deleted takes it out of the list for good. add_blocked_by and add_blocks say which tasks must be completed first. Nothing is changed when any part is not possible.",
    input: updateInput(),
    concurrencySafe: false,
    checkPermissions: alwaysAllowed,
    execute: ({ task_id, ...changes }, call) =>
      answer(call, async () => {
        const state = requireState(call);
        const list = readTasks(state);
        const task = requireTask(list, task_id);
        const text =
          changes.status === "deleted" ? deleteTask(state, list, task) : updateTask(state, list, task, changes);
        return ToolResult.success(text, { taskId: task.id });
      }),
  });
}

function updateInput() {
  const ids = pipe(array(string()), maxLength(MAX_TASKS));
  return object({
    task_id: pipe(string(), description("The id of the task, as TaskList shows it.")),
    subject: optional(pipe(string(), maxLength(MAX_SUBJECT), description("The new subject, in one line."))),
    description: optional(pipe(string(), maxLength(MAX_DESCRIPTION), description("The new description."))),
    status: optional(pipe(picklist([...TASK_STATUSES, "deleted"]), description("The new status."))),
    owner: optional(
      pipe(string(), maxLength(MAX_OWNER), description("Who works on it, such as an agent's name. Empty: nobody.")),
    ),
    add_blocks: optional(pipe(ids, description("Ids of tasks that must wait for this one."))),
    add_blocked_by: optional(pipe(ids, description("Ids of tasks that this one must wait for."))),
    metadata: optional(pipe(record(string(), unknown()), description("Keys to set; null takes a key out."))),
  });
}

function deleteTask(state: AgentState, list: TaskList, task: Task): string {
  dropTasks(list, new Set([task.id]));
  writeTasks(state, list);
  return `Task #${task.id} deleted: ${task.subject}`;
}

function updateTask(state: AgentState, list: TaskList, task: Task, changes: TaskChanges): string {
  const wasCompleted = task.status === "completed";
  const fields = changeTask(list, task, changes);
  if (fields.length === 0) {
    return `Nothing to change in task #${task.id}: give at least one field with a new value (subject, description, status, owner, add_blocks, add_blocked_by, metadata).`;
  }
  writeTasks(state, list);
  const blockers = openBlockers(list, task);
  const notes = [`Update task (id=${task.id}) ${fields.join(", ")}.`];
  if (task.status === "in_progress" && blockers.length > 0) {
    notes.push(`It is still blocked by ${numbers(blockers)}: complete that first.`);
  }
  if (task.status === "completed" && !wasCompleted) notes.push(nextStep(list, task));
  return notes.join("\n\n");
}

/** What a model should look at when a task is done. */
function nextStep(list: TaskList, done: Task): string {
  const freed = blockedTasks(list, done.id).filter((id) =>
    list.tasks.some((task) => task.id === id && task.status !== "completed" && openBlockers(list, task).length === 0),
  );
  const free = freed.length === 0 ? "" : ` Nothing blocks ${numbers(freed)} any more.`;
  return `Task completed.${free} Call TaskList to find the next task.`;
}
