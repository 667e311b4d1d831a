/** Runs the calls of one answer: neighbours that are safe beside each other together, the others alone, in order. */

import type { ToolResultBlock } from "../message/blocks.ts";
import type { ToolCallInput } from "../tool/call-options.ts";

/** How the calls of a batch are run. */
export interface BatchOptions {
  /** Whether calls may run beside each other at all. */
  parallel: boolean;
  /** The most calls that run at the same time. */
  concurrency: number;
  /** Whether a call may run beside its neighbours. */
  isSafe(call: ToolCallInput): boolean;
  /** Runs one call; it never rejects for what goes wrong in the call. */
  run(call: ToolCallInput): Promise<ToolResultBlock>;
  /** Told about each result as soon as it is there. */
  onResult?: ((result: ToolResultBlock, call: ToolCallInput) => void) | undefined;
}

/** The most calls that run at the same time when nothing else is said. */
export const DEFAULT_CONCURRENCY = 16;

/**
 * Runs calls and gives their results in call order.
 *
 * When one has to wait for somebody outside, the calls after its group are not started: their results are `suspended`
 * too, with `metadata.suspended` `"earlier call"`.
 */
export async function runBatch(calls: readonly ToolCallInput[], options: BatchOptions): Promise<ToolResultBlock[]> {
  const results: ToolResultBlock[] = [];
  let waiting = false;
  for (const group of groupCalls(calls, options)) {
    const finished: ToolResultBlock[] = waiting ? group.map(notStarted) : await runGroup(group, options);
    waiting ||= finished.some((result) => result.state === "suspended");
    results.push(...finished);
  }
  return results;
}

function groupCalls(calls: readonly ToolCallInput[], options: BatchOptions): ToolCallInput[][] {
  const groups: ToolCallInput[][] = [];
  let open: ToolCallInput[] | undefined;
  for (const call of calls) {
    const safe = options.parallel && options.isSafe(call);
    if (safe && open !== undefined) open.push(call);
    else groups.push([call]);
    open = safe ? (open ?? groups[groups.length - 1]) : undefined;
  }
  return groups;
}

async function runGroup(group: readonly ToolCallInput[], options: BatchOptions): Promise<ToolResultBlock[]> {
  const results: ToolResultBlock[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < group.length; index = next++) {
      const call = group[index];
      if (call === undefined) return;
      const result = await options.run(call);
      results[index] = result;
      options.onResult?.(result, call);
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.concurrency, group.length) }, worker));
  return results;
}

function notStarted(call: ToolCallInput): ToolResultBlock {
  return {
    type: "tool_result",
    id: call.id ?? "",
    name: call.name,
    output: [],
    state: "suspended",
    metadata: { suspended: "earlier call" },
  };
}
