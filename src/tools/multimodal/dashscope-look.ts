/** The dashscope_image_to_text and dashscope_video_to_text tools. */

import {
  array,
  description,
  maxLength,
  maxValue,
  minValue,
  number,
  object,
  optional,
  pipe,
  string,
  union,
} from "valibot";
import type { JsonObject } from "../../base/json.ts";
import type { ToolChunk } from "../../message/blocks.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { Tool } from "../../tool/tool.ts";
import { ToolResult } from "../../tool/tool-result.ts";
import { answer } from "../answer.ts";
import { converse, messageText } from "./dashscope-conversation.ts";
import { given } from "./fields.ts";
import { MAX_PROMPT, MAX_SOURCES } from "./limits.ts";
import { readAllMedia, readMedia, toAddress } from "./media-input.ts";
import { facts } from "./media-output.ts";
import { sendPermission } from "./media-permission.ts";
import { splitSources } from "./media-source.ts";
import type { Provider } from "./provider.ts";
import { answerError } from "./provider-error.ts";

/**
 * Makes the tool that looks at images.
 *
 * @param provider Whom to ask.
 * @param defaultModel The model when a call names none.
 */
export function dashScopeImageToText(provider: Provider, defaultModel: string): Tool {
  return defineTool({
    name: "dashscope_image_to_text",
    description:
      "Looks at one or more images with a model of DashScope (Qwen-VL), and describes them or answers a question about them.",
    input: object({
      image_urls: pipe(
        union([array(string()), string()]),
        description(`The images, at most ${MAX_SOURCES}: URLs, data: URLs or paths.`),
      ),
      prompt: optional(
        pipe(string(), maxLength(MAX_PROMPT), description("What to tell about them.")),
        "Describe the image",
      ),
      model: optional(pipe(string(), description(`The model. Defaults to ${defaultModel}.`))),
    }),
    ...sendPermission("dashscope_image_to_text", provider, ({ image_urls }: { image_urls: string | string[] }) =>
      splitSources(image_urls),
    ),
    execute: ({ image_urls, prompt, model }, call) =>
      answer(call, async () => {
        const wanted = { kind: "image" as const, backend: provider.backend, signal: call.signal };
        const images = await readAllMedia(splitSources(image_urls), wanted);
        const addresses = await Promise.all(images.map(toAddress));
        const messages: JsonObject[] = [
          { role: "system", content: [{ text: "You are a helpful assistant." }] },
          {
            role: "user",
            content: [...addresses.map((image) => ({ image })), { text: given(prompt) ?? "Describe the image" }],
          },
        ];
        return tell(provider, given(model) ?? defaultModel, messages, call.signal);
      }),
  });
}

/**
 * Makes the tool that looks at a video.
 *
 * @param provider Whom to ask.
 * @param defaultModel The model when a call names none.
 */
export function dashScopeVideoToText(provider: Provider, defaultModel: string): Tool {
  return defineTool({
    name: "dashscope_video_to_text",
    description: "Looks at a video with a model of DashScope, and describes it or answers a question about it.",
    input: object({
      video_url: pipe(string(), description("The video: a URL, a data: URL or a path.")),
      prompt: optional(
        pipe(string(), maxLength(MAX_PROMPT), description("What to tell about it.")),
        "Describe the video",
      ),
      model: optional(pipe(string(), description(`The model. Defaults to ${defaultModel}.`))),
      fps: optional(pipe(number(), minValue(0.1), maxValue(10), description("Frames looked at in a second.")), 2),
    }),
    ...sendPermission("dashscope_video_to_text", provider, ({ video_url }: { video_url: string }) => [video_url]),
    execute: ({ video_url, prompt, model, fps }, call) =>
      answer(call, async () => {
        const wanted = { kind: "video" as const, backend: provider.backend, signal: call.signal };
        const video = await toAddress(await readMedia(video_url, wanted));
        const content: JsonObject[] = [{ text: given(prompt) ?? "Describe the video" }, { video, fps }];
        return tell(provider, given(model) ?? defaultModel, [{ role: "user", content }], call.signal);
      }),
  });
}

async function tell(
  provider: Provider,
  model: string,
  messages: JsonObject[],
  signal: AbortSignal,
): Promise<ToolChunk> {
  const { output, usage } = await converse(provider, model, { messages }, {}, signal);
  const text = messageText(output);
  if (text === undefined) throw answerError(provider.host, "it has no text");
  return ToolResult.success(provider.redact(text), facts(provider, { model, usage }));
}
