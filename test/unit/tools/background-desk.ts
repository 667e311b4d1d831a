/** The tools for commands in the background, over a shell, and calls of them as a model makes them. */

import { type AgentState, createAgentState, outputText, type Shell, Toolkit, type ToolResultBlock } from "holdall";
import { memoryBackend } from "holdall/memory";
import { type BackgroundRunsOptions, backgroundRuns, codingTools } from "holdall/tools";
import { settle } from "./hand-shell.ts";

/** Opens them in a session of their own, in which the time is always 5. */
export function backgroundDesk(shell: Shell, options: BackgroundRunsOptions = {}) {
  const background = backgroundRuns({ clock: () => 5, ...options });
  const toolkit = new Toolkit({
    tools: codingTools({ backend: memoryBackend({ shell }), background, env: { CI: "1" } }),
  });
  const state = createAgentState({ sessionId: "s1" });
  const call = (name: string, input: object, at: AgentState = state): Promise<ToolResultBlock> =>
    toolkit.run({ name, input }, { state: at });
  const say = async (name: string, input: object, at: AgentState = state): Promise<string> => {
    const result = await call(name, input, at);
    return `${result.state}: ${outputText(result.output)}`;
  };
  const start = (command = "x", at: AgentState = state): Promise<string> =>
    say("Bash", { command, run_in_background: true }, at);
  const output = async (bash_id: string, filter?: string): Promise<string> => {
    await settle();
    return say("BashOutput", filter === undefined ? { bash_id } : { bash_id, filter });
  };
  const kill = (shell_id: string, at: AgentState = state): Promise<string> => say("KillShell", { shell_id }, at);
  return { background, toolkit, state, call, say, start, output, kill };
}
