/** What the tests of the task tools share: one conversation, and calls through a toolkit. */

import { type AgentState, createAgentState, outputText, type Tool, Toolkit } from "holdall";
import type { Task } from "../../../src/tools/tasks/task-list.ts";
import { readTasks } from "../../../src/tools/tasks/task-list.ts";

/** A conversation with task tools. */
export interface TaskDesk {
  state: AgentState;
  /** Calls a tool and gives its state and text. */
  say(name: string, input: Record<string, unknown>): Promise<string>;
  tasks(): Task[];
}

/** Starts a conversation; what has been stored before is given as JSON. */
export function openTaskDesk(tools: readonly Tool[], extra: AgentState["extra"] = {}): TaskDesk {
  const toolkit = new Toolkit({ tools });
  const state = createAgentState({ sessionId: "s", extra });
  return {
    state,
    say: async (name, input) => {
      const result = await toolkit.run({ name, input }, { state });
      return `${result.state}: ${outputText(result.output)}`;
    },
    tasks: () => readTasks(createAgentState({ extra: JSON.parse(JSON.stringify(state.extra)) })).tasks,
  };
}
