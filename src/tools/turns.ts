/**
 * Changes of one file in one conversation, one after the other. Models ask for several at once; between the writing of one
 * and the memory of what it wrote, another would find a file that nobody has read.
 */

import { abortable, onAbort } from "../base/abort.ts";
import type { AgentState } from "../state/agent-state.ts";

/** The last change of each file that is under way. */
const turns = /* @__PURE__ */ new WeakMap<AgentState, Map<string, Promise<unknown>>>();

/**
 * Makes a change when all earlier ones of the same file have ended.
 *
 * @param state The conversation; without one nobody waits.
 * @param path The absolute path.
 * @param signal Ends the waiting, and lets the next one go on when a change does not end by itself.
 */
export async function inTurn<Result>(
  state: AgentState | undefined,
  path: string,
  signal: AbortSignal,
  change: () => Promise<Result>,
): Promise<Result> {
  if (state === undefined) return change();
  const files = turns.get(state) ?? new Map<string, Promise<unknown>>();
  turns.set(state, files);
  const before = files.get(path);
  let end = (): void => {};
  const ownEnd = new Promise<void>((resolve) => {
    end = resolve;
  });
  // One that gives up waiting lets nobody pass.
  const turn = Promise.all([before, ownEnd]);
  files.set(path, turn);
  const leave = onAbort(signal, end);
  try {
    await abortable(Promise.resolve(before), signal);
    return await change();
  } finally {
    leave();
    end();
    if (files.get(path) === turn) files.delete(path);
  }
}

/** Tells whether a file is being changed. */
export function isInTurn(state: AgentState, path: string): boolean {
  return turns.get(state)?.has(path) ?? false;
}
