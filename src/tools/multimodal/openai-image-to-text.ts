/** The openai_image_to_text tool. */

import {
  array,
  description,
  integer,
  maxLength,
  minValue,
  number,
  object,
  optional,
  pipe,
  string,
  union,
} from "valibot";
import { isRecord, type JsonObject } from "../../base/json.ts";
import type { ToolChunk } from "../../message/blocks.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { Tool, ToolCallContext } from "../../tool/tool.ts";
import { ToolResult } from "../../tool/tool-result.ts";
import { answer } from "../answer.ts";
import { given, records, textOf } from "./fields.ts";
import { MAX_ANSWER, MAX_PROMPT, MAX_SOURCES } from "./limits.ts";
import { readAllMedia, toAddress } from "./media-input.ts";
import { facts } from "./media-output.ts";
import { sendPermission } from "./media-permission.ts";
import { splitSources } from "./media-source.ts";
import type { Provider } from "./provider.ts";
import { answerError } from "./provider-error.ts";
import { askJson } from "./request.ts";

interface Input {
  images: string[];
  prompt: string;
  model: string;
  maxTokens: number;
}

/**
 * Makes the tool.
 *
 * @param provider Whom to ask.
 * @param defaultModel The model when a call names none.
 */
export function openAiImageToText(provider: Provider, defaultModel: string): Tool {
  return defineTool({
    name: "openai_image_to_text",
    description:
      "Looks at one or more images with a model of OpenAI, and describes them or answers a question about them.",
    input: object({
      image_urls: pipe(
        union([array(string()), string()]),
        description(
          `The images, at most ${MAX_SOURCES}: URLs, data: URLs or paths. Also one text with URLs between commas.`,
        ),
      ),
      prompt: optional(
        pipe(string(), maxLength(MAX_PROMPT), description("What to tell about them.")),
        "Describe the image(s) in detail.",
      ),
      model: optional(pipe(string(), description(`The model. Defaults to ${defaultModel}.`))),
      max_tokens: optional(pipe(number(), integer(), minValue(1), description("The longest answer, in tokens.")), 300),
    }),
    ...sendPermission("openai_image_to_text", provider, ({ image_urls }: { image_urls: string | string[] }) =>
      splitSources(image_urls),
    ),
    execute: ({ image_urls, prompt, model, max_tokens }, call) =>
      answer(call, () =>
        describeImages(
          provider,
          {
            images: splitSources(image_urls),
            prompt: given(prompt) ?? "Describe the image(s) in detail.",
            model: given(model) ?? defaultModel,
            maxTokens: max_tokens,
          },
          call,
        ),
      ),
  });
}

async function describeImages(provider: Provider, input: Input, { signal }: ToolCallContext): Promise<ToolChunk> {
  const images = await readAllMedia(input.images, { kind: "image", backend: provider.backend, signal });
  const addresses = await Promise.all(images.map(toAddress));
  const content: JsonObject[] = [
    { type: "text", text: input.prompt },
    ...addresses.map((url) => ({ type: "image_url", image_url: { url } })),
  ];
  const limit = provider.base.hostname === "api.openai.com" ? "max_completion_tokens" : "max_tokens";
  const json = { model: input.model, messages: [{ role: "user", content }], [limit]: input.maxTokens };
  const body = await askJson(provider, { path: "/chat/completions", json, maxBytes: MAX_ANSWER }, signal);
  const [choice] = records(body.choices);
  const isCut = choice?.finish_reason === "length";
  const text = readText(provider, choice?.message, isCut);
  const note = isCut ? `\n\n[Cut at ${input.maxTokens} tokens. Ask again with a larger max_tokens for more.]` : "";
  return ToolResult.success(provider.redact(text) + note, facts(provider, { model: input.model, usage: body.usage }));
}

function readText(provider: Provider, message: unknown, isCut: boolean): string {
  const { content, refusal } = isRecord(message) ? message : {};
  const text =
    textOf(content) ??
    textOf(
      records(content)
        .map((part) => textOf(part.text) ?? "")
        .join(""),
    );
  if (text !== undefined) return text;
  const refused = textOf(refusal);
  if (refused !== undefined) throw answerError(provider.host, `the model refused (${provider.redact(refused).trim()})`);
  throw answerError(provider.host, isCut ? "max_tokens was used up before the first word" : "it has no text");
}
