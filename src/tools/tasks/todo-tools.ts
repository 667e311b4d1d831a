/** The todo_write tool, which replaces the whole list of a conversation, and the reminder of it. */

import { array, description, maxLength, nullish, object, pipe, string } from "valibot";
import type { Clock } from "../../base/ids.ts";
import type { AgentState } from "../../state/agent-state.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { Tool } from "../../tool/tool.ts";
import { ToolResult } from "../../tool/tool-result.ts";
import { answer } from "../answer.ts";
import { alwaysAllowed, requireState } from "./conversation.ts";
import { MAX_SUBJECT, MAX_TASKS, readTasks, type Task, type TaskList, writeTasks } from "./task-list.ts";
import { priorityOf, replaceTodos } from "./todo-list.ts";

/** How the tool is set up. */
export interface TodoToolsOptions {
  /** Tells when an item was created. Defaults to `Date.now`. */
  clock?: Clock;
}

/**
 * Makes todo_write. It keeps its items in the same place of the state as the task tools keep theirs, so a conversation
 * has one list whichever of the two a model is given.
 *
 * @example
 * const toolkit = new Toolkit({ tools: todoTools() });
 */
export function todoTools(options: TodoToolsOptions = {}): Tool[] {
  const clock = options.clock ?? Date.now;
  const tool = defineTool({
    name: "todo_write",
    description:
      "Keeps the todo list of this conversation: every call replaces the whole list, so give all items each time; what you leave out is gone. Use it for work of three or more steps. Keep exactly one item in_progress while you work, and mark it completed as soon as it is done.",
    input: todoInput(),
    concurrencySafe: false,
    checkPermissions: alwaysAllowed,
    execute: ({ todos }, call) =>
      answer(call, async () => {
        const state = requireState(call);
        const list = replaceTodos(readTasks(state), todos, clock());
        writeTasks(state, list);
        return ToolResult.success(todoText(list), { open: countOpen(list), total: list.tasks.length });
      }),
  });
  return [tool];
}

/** The most items that {@link todoReminder} writes out. */
export const MAX_REMINDED_TODOS = 100;

/**
 * Writes the list for a model that should not forget it, completed items included. Pure: an agent or a middleware puts
 * it into the request as a hint.
 *
 * @param state The conversation.
 * @returns Undefined when there is no list.
 */
export function todoReminder(state: AgentState): string | undefined {
  const list = readTasks(state);
  if (list.tasks.length === 0) return undefined;
  const left = list.tasks.length - MAX_REMINDED_TODOS;
  const more = left > 0 ? `\n… and ${left} more` : "";
  return `The todo list, ${todoText(list, MAX_REMINDED_TODOS)}${more}\nKeep it up to date with todo_write.`;
}

function todoInput() {
  const item = object({
    content: nullish(pipe(string(), maxLength(MAX_SUBJECT), description("What is to be done, in one line."))),
    status: nullish(pipe(string(), description("pending, in_progress or completed. Defaults to pending."))),
    priority: nullish(pipe(string(), description("high, medium or low. Left out: as it was."))),
  });
  return object({ todos: pipe(array(item), maxLength(MAX_TASKS), description("The whole list, in order.")) });
}

function todoText(list: TaskList, most = MAX_TASKS): string {
  if (list.tasks.length === 0) return "Todo list cleared (0 items).";
  return [`${countOpen(list)} open todo(s):`, ...list.tasks.slice(0, most).map(todoLine)].join("\n");
}

const markers = { pending: "[ ]", in_progress: "[~]", completed: "[x]" } as const;

function todoLine(task: Task): string {
  const priority = priorityOf(task);
  return `- ${markers[task.status]} ${task.subject}${priority === undefined ? "" : ` (priority: ${priority})`}`;
}

function countOpen(list: TaskList): number {
  return list.tasks.filter(({ status }) => status !== "completed").length;
}
