/** A chat model behind any server that speaks the chat completions protocol of OpenAI. */

import { openBody } from "./body.ts";
import type { ChatModel, ModelPart, ModelRequest } from "./chat-model.ts";
import { postJson } from "./http.ts";
import { type Answer, createAnswer } from "./openai-answer.ts";
import { type OpenAiCompatibleOptions, type OpenAiSettings, resolveOptions } from "./openai-options.ts";
import { chatRequestBody } from "./openai-request.ts";
import { withRetry } from "./retry.ts";
import { createToolNames } from "./tool-names.ts";

/** The most bytes of one answer that are read. */
export const MAX_ANSWER_BYTES: number = 64 * 1024 * 1024;

/**
 * Makes a chat model of a server that speaks the chat completions protocol: OpenAI, Ollama, LM Studio, vLLM, DeepSeek,
 * OpenRouter and many others.
 *
 * Answers are streamed; a server that answers in one JSON document is understood as well. A request that fails before
 * its answer begins is tried again (see {@link OpenAiCompatibleOptions.retry}). Cookies are never sent, redirects
 * never followed, and neither the key nor the values of own headers appear in an error.
 *
 * @param options The server and the model.
 * @returns The model. It keeps nothing between requests, so it may answer any number of them at once.
 * @throws HoldallError `MODEL_INVALID` when an option cannot be meant.
 * @example
 * const model = openAiCompatible({ baseUrl: "http://localhost:11434/v1", model: "qwen3" });
 * for await (const part of model.stream({ messages: [userMessage("Hello")] })) console.log(part);
 */
export function openAiCompatible(options: OpenAiCompatibleOptions): ChatModel {
  const settings = resolveOptions(options);
  return {
    name: settings.name,
    inputTypes: settings.defaults.inputTypes,
    stream: (request) => ask(settings, request),
  };
}

async function* ask(settings: OpenAiSettings, request: ModelRequest): AsyncGenerator<ModelPart, void, undefined> {
  const { signal } = request;
  if (signal?.aborted) throw signal.reason;
  const names = createToolNames((request.tools ?? []).map((tool) => tool.name));
  const json = chatRequestBody(request, settings.defaults, names);
  const response = await withRetry(() => postJson(settings.target, json, signal), settings.retry, signal);
  const { idleMs, timers, redact } = settings.target;
  const body = openBody(response, { idleMs, maxBytes: MAX_ANSWER_BYTES, timers }, signal);
  const answer = createAnswer({ names, takenIds: callIds(request), makeId: settings.makeId, redact });
  try {
    for (;;) {
      const bytes = answer.done
        ? undefined
        : await body.next().catch((error: unknown) => endOrThrow(error, answer, signal));
      for (const part of bytes === undefined ? answer.end() : answer.feed(bytes)) {
        if (signal?.aborted) throw signal.reason;
        yield part;
      }
      if (bytes === undefined) return;
    }
  } finally {
    body.close();
  }
}

/** A connection that breaks when the model is done takes nothing away. */
function endOrThrow(error: unknown, answer: Answer, signal: AbortSignal | undefined): undefined {
  if (signal?.aborted || !answer.complete) throw error;
  return undefined;
}

function callIds(request: ModelRequest): Set<string> {
  const ids = new Set<string>();
  for (const message of request.messages) {
    for (const block of message.content) if (block.type === "tool_call") ids.add(block.id);
  }
  return ids;
}
