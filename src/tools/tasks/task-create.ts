/** The TaskCreate tool: adds a task to the list of the conversation. */

import { description, maxLength, object, optional, pipe, record, regex, string, unknown } from "valibot";
import type { Clock } from "../../base/ids.ts";
import type { AgentState } from "../../state/agent-state.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { Tool } from "../../tool/tool.ts";
import { ToolResult } from "../../tool/tool-result.ts";
import { answer, refusal } from "../answer.ts";
import { alwaysAllowed, requireState } from "./conversation.ts";
import { mergeMetadata } from "./metadata.ts";
import { MAX_DESCRIPTION, MAX_SUBJECT, MAX_TASKS, readTasks, type Task, toSubject, writeTasks } from "./task-list.ts";

/** What a new task is made of. */
interface TaskInput {
  subject: string;
  description: string;
  metadata?: Record<string, unknown> | undefined;
}

/** Makes the TaskCreate tool. */
export function taskCreateTool(clock: Clock): Tool {
  return defineTool({
    name: "TaskCreate",
    description:
      "Adds a task to the task list of this conversation; it starts as pending. Use the list for work of three or more steps, or when the user asks for several things; not for something done at once. Set a task to in_progress with TaskUpdate before you begin it and to completed when it is really done.",
    input: object({
      subject: pipe(
        string(),
        regex(/\S/, "It must not be blank."),
        maxLength(MAX_SUBJECT),
        description("What is to be done, in one line, such as `Fix the login redirect`."),
      ),
      description: pipe(
        string(),
        maxLength(MAX_DESCRIPTION),
        description("What belongs to it: details, and how to tell that it is done."),
      ),
      metadata: optional(
        pipe(record(string(), unknown()), description("Anything else to keep with the task, as JSON.")),
      ),
    }),
    concurrencySafe: false,
    checkPermissions: alwaysAllowed,
    execute: (input, call) =>
      answer(call, async () => {
        const task = addTask(requireState(call), input, clock());
        return ToolResult.success(`Task #${task.id} created: ${task.subject}`, { taskId: task.id });
      }),
  });
}

function addTask(state: AgentState, input: TaskInput, createdAt: number): Task {
  const list = readTasks(state);
  if (list.tasks.length >= MAX_TASKS) {
    throw refusal(
      `There are ${MAX_TASKS} tasks already, which is the most. Delete finished ones with TaskUpdate and the status deleted.`,
    );
  }
  const task: Task = {
    id: String(list.nextId),
    subject: toSubject(input.subject),
    description: input.description,
    status: "pending",
    owner: "",
    blockedBy: [],
    metadata: mergeMetadata({}, input.metadata ?? {}),
    createdAt,
  };
  writeTasks(state, { tasks: [...list.tasks, task], nextId: list.nextId + 1 });
  return task;
}
