/** The openai_text_to_image tool. */

import {
  description,
  integer,
  maxLength,
  maxValue,
  minValue,
  number,
  object,
  optional,
  picklist,
  pipe,
  regex,
  string,
} from "valibot";
import type { ToolChunk } from "../../message/blocks.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { Tool, ToolCallContext } from "../../tool/tool.ts";
import { answer } from "../answer.ts";
import { given, present, records, textOf } from "./fields.ts";
import { MAX_MEDIA_ANSWER, MAX_PROMPT } from "./limits.ts";
import { type MediaFound, showMedia } from "./media-output.ts";
import { sendPermission } from "./media-permission.ts";
import type { Provider } from "./provider.ts";
import { answerError } from "./provider-error.ts";
import { askJson } from "./request.ts";

interface Input {
  prompt: string;
  model?: string | undefined;
  n: number;
  size: string;
  quality?: string | undefined;
  response_format: "url" | "b64_json";
}

/**
 * Makes the tool.
 *
 * @param provider Whom to ask.
 * @param defaultModel The model when a call names none.
 */
export function openAiTextToImage(provider: Provider, defaultModel: string): Tool {
  return defineTool({
    name: "openai_text_to_image",
    description: "Makes images from a description with an image model of OpenAI, and gives them as URLs or as data.",
    input: object({
      prompt: pipe(
        string(),
        regex(/\S/, "It must not be blank."),
        maxLength(MAX_PROMPT),
        description("What the image shall show."),
      ),
      model: optional(pipe(string(), description(`The model. Defaults to ${defaultModel}.`))),
      n: optional(pipe(number(), integer(), minValue(1), maxValue(10), description("How many images.")), 1),
      size: optional(
        pipe(string(), description("Width and height, such as 1024x1024, 1792x1024 or 1024x1792.")),
        "1024x1024",
      ),
      quality: optional(
        pipe(
          string(),
          description("standard or hd for dall-e-3 (standard by default); low, medium or high for gpt-image models."),
        ),
      ),
      response_format: optional(
        pipe(picklist(["url", "b64_json"]), description("How the images come. gpt-image models always give data.")),
        "url",
      ),
    }),
    ...sendPermission("openai_text_to_image", provider, () => []),
    execute: (input, call) =>
      answer(call, () => makeImages(provider, { ...input, model: given(input.model) ?? defaultModel }, call)),
  });
}

async function makeImages(
  provider: Provider,
  input: Input & { model: string },
  call: ToolCallContext,
): Promise<ToolChunk> {
  const { model, prompt, n, size } = input;
  const json = { model, prompt, n, size: given(size) ?? "1024x1024", ...modelFields(input) };
  const request = { path: "/images/generations", json, maxBytes: MAX_MEDIA_ANSWER };
  const body = await askJson(provider, request, call.signal);
  const data = records(body.data);
  const found = data.flatMap(({ url, b64_json }): MediaFound[] => {
    if (textOf(b64_json) !== undefined) return [{ base64: textOf(b64_json) }];
    return textOf(url) === undefined ? [] : [{ url: textOf(url) }];
  });
  if (found.length === 0) throw answerError(provider.host, "it has no image");
  const revised = data.flatMap(({ revised_prompt }) => textOf(revised_prompt) ?? []);
  const shown = {
    kind: "image" as const,
    model,
    mediaType: "image/png",
    download: provider.download === true,
    notes: revised.slice(0, 1).map((text) => `The prompt was revised to: ${text}`),
    facts: { usage: body.usage, revisedPrompts: revised.length === 0 ? undefined : revised },
  };
  return showMedia(provider, found, shown, call.signal);
}

/** The models refuse each other's fields. */
function modelFields({ model, quality, response_format }: Input & { model: string }) {
  const isDallE3 = model === "dall-e-3";
  const isGptImage = /^(gpt-image|chatgpt-image)/.test(model);
  return present({
    quality: isDallE3 ? (given(quality) ?? "standard") : isGptImage ? given(quality) : undefined,
    response_format: isGptImage ? undefined : response_format,
  });
}
