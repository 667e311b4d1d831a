/** How a call stands, in a word. */
import type { ToolCallBlock, ToolResultBlock } from "holdall";

/** Where a call can stand. */
export type CallState = "writing" | "asking" | "running" | "success" | "error" | "denied" | "interrupted" | "suspended";

const words: Readonly<Record<CallState, string>> = {
  writing: "Called",
  asking: "Asks you",
  running: "Running",
  success: "Done",
  error: "Failed",
  denied: "Denied",
  interrupted: "Stopped",
  suspended: "Waiting",
};

/** Reads the state off a call and its result. */
export function stateOf(call: ToolCallBlock, result: ToolResultBlock | undefined): CallState {
  if (result !== undefined) return result.state;
  if (call.state === "asking") return "asking";
  return call.state === "allowed" ? "running" : "writing";
}

/** Draws the word. */
export function StatePill({ state }: { state: CallState }) {
  return <span class={`pill ${state}`}>{words[state]}</span>;
}
