/** The four tools that keep a list of tasks for a conversation, and the reminder of it. */

import type { Clock } from "../../base/ids.ts";
import { plural } from "../../base/text.ts";
import type { AgentState } from "../../state/agent-state.ts";
import type { Tool } from "../../tool/tool.ts";
import { taskCreateTool } from "./task-create.ts";
import { readTasks } from "./task-list.ts";
import { taskGetTool, taskListTool } from "./task-read.ts";
import { taskLine } from "./task-text.ts";
import { taskUpdateTool } from "./task-update.ts";

/** How the tools are set up. */
export interface TaskToolsOptions {
  /** Tells when a task was created. Defaults to `Date.now`. */
  clock?: Clock;
}

/** The most open tasks that {@link taskReminder} names. */
export const MAX_REMINDED_TASKS = 20;

/**
 * Makes TaskCreate, TaskGet, TaskList and TaskUpdate. They hold nothing: the tasks are in the state of the conversation
 * (`readTasks`), so they survive a reload, and one set of tools serves any number of conversations.
 *
 * They are never asked about; in the mode `explore` TaskGet and TaskList stay usable. Ids are never used again, also
 * not after a task was deleted.
 *
 * @example
 * const toolkit = new Toolkit({ tools: taskTools() });
 */
export function taskTools(options: TaskToolsOptions = {}): Tool[] {
  return [taskCreateTool(options.clock ?? Date.now), taskGetTool(), taskListTool(), taskUpdateTool()];
}

/**
 * Writes what a model should not forget: the open tasks, and the one it works on. Pure: an agent or a middleware puts
 * it into the request as a hint.
 *
 * @param state The conversation.
 * @returns Undefined when no task is open.
 */
export function taskReminder(state: AgentState): string | undefined {
  const list = readTasks(state);
  const open = list.tasks.filter(({ status }) => status !== "completed");
  if (open.length === 0) return undefined;
  const current = open.filter(({ status }) => status === "in_progress");
  // What is under way must not fall off the end of a long list.
  const shown = [...current, ...open.filter(({ status }) => status === "pending")].slice(0, MAX_REMINDED_TASKS);
  const left = open.length - shown.length;
  const now =
    current.length === 0
      ? "None is in progress: set one to in_progress with TaskUpdate before you begin it."
      : `In progress: ${current
          .slice(0, MAX_REMINDED_TASKS)
          .map(({ id }) => `#${id}`)
          .join(", ")}. Set it to completed with TaskUpdate as soon as it is done.`;
  return [
    `${plural(open.length, "open task")} of ${list.tasks.length}:`,
    ...shown.map((task) => taskLine(list, task)),
    ...(left === 0 ? [] : [`… and ${left} more; TaskList shows all.`]),
    now,
  ].join("\n");
}
