/** The endpoint of DashScope that takes messages of several media and answers at once. */

import { isRecord, type JsonObject } from "../../base/json.ts";
import { records, textOf } from "./fields.ts";
import { MAX_ANSWER } from "./limits.ts";
import type { Provider } from "./provider.ts";
import { answerError } from "./provider-error.ts";
import { askJson } from "./request.ts";

/** What is behind the base address. */
export const CONVERSATION_PATH = "/services/aigc/multimodal-generation/generation";

/** An answer: the parts of the first message, and what it cost. */
export interface ConversationAnswer {
  output: Record<string, unknown>;
  usage: unknown;
}

/** Asks, with the input and the parameters of the model at hand. */
export async function converse(
  provider: Provider,
  model: string,
  input: JsonObject,
  parameters: JsonObject,
  signal: AbortSignal,
): Promise<ConversationAnswer> {
  const json = { model, input, ...(Object.keys(parameters).length === 0 ? {} : { parameters }) };
  const body = await askJson(provider, { path: CONVERSATION_PATH, json, maxBytes: MAX_ANSWER }, signal);
  if (!isRecord(body.output)) throw answerError(provider.host, "it has no output");
  return { output: body.output, usage: body.usage };
}

/** Gives the parts of all messages of an output; a message that is a plain text is one part. */
export function messageParts(output: Record<string, unknown>): Record<string, unknown>[] {
  return records(output.choices).flatMap(({ message }) => {
    const content = isRecord(message) ? message.content : undefined;
    return typeof content === "string" ? [{ text: content }] : records(content);
  });
}

/** Joins the text of all parts; undefined when there is none. */
export function messageText(output: Record<string, unknown>): string | undefined {
  return textOf(
    messageParts(output)
      .map(({ text }) => (typeof text === "string" ? text : ""))
      .join(""),
  );
}
