/** What a tool tells a model: failures of files and searches become error results instead of exceptions. */

import { errorText, HoldallError } from "../base/errors.ts";
import type { ToolChunk } from "../message/blocks.ts";
import type { ToolCallContext } from "../tool/tool.ts";
import { ToolResult } from "../tool/tool-result.ts";

/**
 * Runs the work of a call and turns what a model can act on into an error result. Aborts, failures that may be tried
 * again and failures nobody foresaw go on as exceptions; the pipeline knows what to do with them.
 *
 * @param call The call.
 * @param work What to do; it gives the text or the whole answer.
 */
export async function answer(
  call: ToolCallContext,
  work: () => Promise<string | ToolChunk>,
): Promise<string | ToolChunk> {
  try {
    return await work();
  } catch (error) {
    if (!HoldallError.is(error) || error.retryable || call.signal.aborted) throw error;
    return ToolResult.error(sentenceCase(errorText(error)));
  }
}

/**
 * Makes the exception that {@link answer} turns into an error result.
 *
 * @param message What happened, and what to do.
 */
export function refusal(message: string): HoldallError {
  return new HoldallError("TOOL_REFUSED", message);
}

/** Paths keep their case: only a plain word at the start is raised. */
function sentenceCase(text: string): string {
  return /^[a-z]+ /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
