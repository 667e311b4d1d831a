/** Turns the chunks of a chat answer, parsed from JSON, into the parts of the model port. */

import type { MakeId } from "../base/ids.ts";
import { isRecord } from "../base/json.ts";
import type { Usage } from "../message/message.ts";
import { createAnswerBlocks } from "./answer-blocks.ts";
import type { ModelPart, StopReason } from "./chat-model.ts";
import { errorMessage, isRetryableStatus, quote, type Redact, streamError } from "./model-error.ts";
import { createCalls } from "./openai-calls.ts";
import type { ToolNames } from "./tool-names.ts";

/** What an answer is read with. */
export interface AnswerOptions {
  names: ToolNames;
  /** Ids that calls of this conversation bear already; those of the answer are added. */
  takenIds: Set<string>;
  makeId: MakeId;
  redact: Redact;
}

/** The chunks of one answer. */
export interface Chunks {
  /** Whether the model said anything, be it that it has nothing to say. */
  readonly started: boolean;
  /** Whether the model said why it stopped. */
  readonly complete: boolean;
  /**
   * Takes a chunk: one with `delta`, or a whole answer with `message`.
   *
   * @throws HoldallError `MODEL_STREAM` when the chunk reports an error or is no chunk.
   */
  take(chunk: unknown): Iterable<ModelPart>;
  /** Ends every call and finishes. */
  finish(): Iterable<ModelPart>;
}

/** Starts with no chunk. */
export function createChunks(options: AnswerOptions): Chunks {
  const calls = createCalls(options);
  const blocks = createAnswerBlocks(options.makeId);
  let started = false;
  let reason: string | undefined;
  let usage: Usage | undefined;

  function* takeMessage(message: Record<string, unknown>): Generator<ModelPart> {
    yield* blocks.take(message);
    const announced = calls.count;
    if (Array.isArray(message.tool_calls)) yield* calls.take(message.tool_calls);
    else if (isRecord(message.function_call)) yield* calls.take([{ function: message.function_call }]);
    // Words behind a new call are another block; words between the pieces of running calls are not.
    if (calls.count > announced) blocks.close();
  }

  return {
    get started() {
      return started;
    },
    get complete() {
      return reason !== undefined;
    },
    *take(chunk) {
      const choice = choiceOf(chunk, options.redact);
      usage = usageOf(chunk) ?? usageOf(choice) ?? usage;
      if (choice === undefined) return;
      started = true;
      const message = isRecord(choice.delta) ? choice.delta : choice.message;
      if (isRecord(message)) yield* takeMessage(message);
      if (choice.finish_reason === "error") throw reportedError("it gives no reason", options.redact);
      if (typeof choice.finish_reason === "string" && choice.finish_reason !== "") reason = choice.finish_reason;
    },
    *finish() {
      yield* calls.close();
      yield { type: "finish", reason: stopReason(reason, calls.count > 0), ...(usage === undefined ? {} : { usage }) };
    },
  };
}

/** Finds the first choice; a chunk without one, such as the last with the usage, gives undefined. */
function choiceOf(chunk: unknown, redact: Redact): Record<string, unknown> | undefined {
  if (!isRecord(chunk)) {
    throw streamError("the server sent something that is not a chunk of an answer", "Check baseUrl.");
  }
  throwReported(chunk, redact);
  if (!Array.isArray(chunk.choices)) return undefined;
  const choice: unknown = chunk.choices.find((one) => isRecord(one) && (one.index === undefined || one.index === 0));
  if (!isRecord(choice)) return undefined;
  throwReported(choice, redact);
  return choice;
}

function throwReported(chunk: Record<string, unknown>, redact: Redact): void {
  const reported = chunk.object === "error" ? chunk : chunk.error;
  if (reported !== undefined && reported !== null && reported !== false && reported !== "") {
    throw reportedError(reported, redact);
  }
}

/** The error for what a server reports in the middle of an answer. */
export function reportedError(reported: unknown, redact: Redact): Error {
  const inner = isRecord(reported) && isRecord(reported.error) ? reported.error : reported;
  const code = isRecord(inner) ? Number(inner.code ?? inner.status) : Number.NaN;
  const words = quote(redact(errorMessage(reported) ?? JSON.stringify(reported)));
  const data = code >= 100 ? { status: code } : {};
  return streamError(
    `the server reported an error while the model answered (${words})`,
    "Ask again, or change the request as the server says.",
    {
      data,
      retryable: isRetryableStatus(code),
    },
  );
}

function stopReason(reason: string | undefined, hasCalls: boolean): StopReason {
  if (reason === "length" || reason === "max_tokens") return "length";
  if (reason === "content_filter") return "content_filter";
  // What was called counts, not what the server says of it: many say "stop" or nothing.
  if (hasCalls) return "tool_calls";
  return reason === undefined || reason === "stop" ? "stop" : "other";
}

function usageOf(holder: unknown): Usage | undefined {
  const usage = isRecord(holder) ? holder.usage : undefined;
  if (!isRecord(usage)) return undefined;
  return { inputTokens: tokens(usage.prompt_tokens), outputTokens: tokens(usage.completion_tokens) };
}

function tokens(count: unknown): number {
  return typeof count === "number" && Number.isFinite(count) && count > 0 ? count : 0;
}
