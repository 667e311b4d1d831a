/** The TaskGet and TaskList tools: show the tasks of the conversation. */

import { description, object, pipe, string } from "valibot";
import { defineTool } from "../../tool/define-tool.ts";
import type { Tool } from "../../tool/tool.ts";
import { ToolResult } from "../../tool/tool-result.ts";
import { answer } from "../answer.ts";
import { requireState } from "./conversation.ts";
import { readTasks, requireTask } from "./task-list.ts";
import { taskDetails, taskLine } from "./task-text.ts";

/** Makes the TaskGet tool. */
export function taskGetTool(): Tool {
  return defineTool({
    name: "TaskGet",
    description:
      "Shows all about one task of this conversation: subject, status, description, owner, relations and metadata. Look at a task before you begin it.",
    input: object({ task_id: pipe(string(), description("The id of the task, as TaskList shows it.")) }),
    readOnly: true,
    execute: ({ task_id }, call) =>
      answer(call, async () => {
        const list = readTasks(requireState(call));
        const task = requireTask(list, task_id);
        return ToolResult.success(taskDetails(list, task), { taskId: task.id });
      }),
  });
}

/** Makes the TaskList tool. */
export function taskListTool(): Tool {
  return defineTool({
    name: "TaskList",
    description:
      "Lists the tasks of this conversation, one per line: id, status, subject, owner and the open tasks it is blocked by. Use it to find what to do next: a pending task that nothing blocks, the lowest id first.",
    input: object({}),
    readOnly: true,
    execute: (_input, call) =>
      answer(call, async () => {
        const list = readTasks(requireState(call));
        const open = list.tasks.filter(({ status }) => status !== "completed").length;
        const lines = list.tasks.map((task) => taskLine(list, task));
        return ToolResult.success(lines.join("\n") || "No tasks available.", { open, total: list.tasks.length });
      }),
  });
}
