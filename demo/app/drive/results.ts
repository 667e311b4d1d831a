/** What a script needs to know of the calls before it. */
import { type ModelRequest, outputText, type ToolResultState } from "holdall";

/** How a call ended. */
export interface Outcome {
  state: ToolResultState;
  text: string;
}

/** Gives the outcome of the last call of a tool in this reply. */
export function lastOutcome({ messages }: ModelRequest, tool: string): Outcome {
  const results = messages.at(-1)?.content.filter((block) => block.type === "tool_result") ?? [];
  const last = results.findLast(({ name }) => name === tool);
  return last === undefined ? { state: "error", text: "" } : { state: last.state, text: outputText(last.output) };
}
