/** The dashscope_text_to_image tool. */

import {
  boolean,
  description,
  integer,
  maxLength,
  maxValue,
  minValue,
  number,
  object,
  optional,
  pipe,
  regex,
  string,
} from "valibot";
import type { ToolChunk } from "../../message/blocks.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { Tool, ToolCallContext } from "../../tool/tool.ts";
import { answer } from "../answer.ts";
import { converse, messageParts } from "./dashscope-conversation.ts";
import { runTask, taskCallTimeout } from "./dashscope-task.ts";
import { given, records, starSize, textOf } from "./fields.ts";
import { MAX_PROMPT } from "./limits.ts";
import { showMedia } from "./media-output.ts";
import { sendPermission } from "./media-permission.ts";
import type { Provider } from "./provider.ts";
import { answerError } from "./provider-error.ts";

interface Input {
  prompt: string;
  model: string;
  n: number;
  size: string;
  useBase64: boolean;
}

/**
 * Makes the tool.
 *
 * @param provider Whom to ask.
 * @param defaultModel The model when a call names none.
 */
export function dashScopeTextToImage(provider: Provider, defaultModel: string): Tool {
  return defineTool({
    name: "dashscope_text_to_image",
    description:
      "Makes images from a description with an image model of DashScope (Wan, Qwen-Image), and gives them as URLs or as data.",
    input: object({
      prompt: pipe(
        string(),
        regex(/\S/, "It must not be blank."),
        maxLength(MAX_PROMPT),
        description("What the image shall show."),
      ),
      model: optional(pipe(string(), description(`The model. Defaults to ${defaultModel}.`))),
      n: optional(pipe(number(), integer(), minValue(1), maxValue(6), description("How many images.")), 1),
      size: optional(
        pipe(string(), description("Width and height, such as 1024*1024, 720*1280 or 1280*720.")),
        "1024*1024",
      ),
      use_base64: optional(pipe(boolean(), description("Whether the images come as data instead of as URLs.")), false),
    }),
    timeoutMs: taskCallTimeout(provider),
    ...sendPermission("dashscope_text_to_image", provider, () => []),
    execute: ({ prompt, model, n, size, use_base64: useBase64 }, call) => {
      const measured = starSize(given(size) ?? "1024*1024");
      return answer(call, () =>
        makeImages(provider, { prompt, model: given(model) ?? defaultModel, n, size: measured, useBase64 }, call),
      );
    },
  });
}

async function makeImages(provider: Provider, input: Input, call: ToolCallContext): Promise<ToolChunk> {
  const { model, useBase64 } = input;
  const made = answersAtOnce(model) ? await makeAtOnce(provider, input, call) : await makeAsTask(provider, input, call);
  if (made.urls.length === 0) {
    throw answerError(
      provider.host,
      made.problems[0] === undefined ? "it has no image" : provider.redact(made.problems[0]),
    );
  }
  const notes = made.problems.map((problem) => `One image could not be made: ${problem}`);
  if (useBase64 && provider.download === false) notes.push("Downloading is switched off here, so there are URLs only.");
  const shown = {
    kind: "image" as const,
    model,
    mediaType: "image/png",
    download: provider.download ?? useBase64,
    notes,
    facts: { usage: made.usage, taskId: made.taskId },
  };
  return showMedia(
    provider,
    made.urls.map((url) => ({ url })),
    shown,
    call.signal,
  );
}

interface Made {
  urls: string[];
  /** Why images are missing. */
  problems: string[];
  usage: unknown;
  taskId?: string;
}

/** The models that take messages; the others take a prompt and make a task of it. */
function answersAtOnce(model: string): boolean {
  return /^(qwen-image|z-image|wan2\.[6-9]|wan[3-9])/.test(model);
}

async function makeAtOnce(provider: Provider, { prompt, model, n, size }: Input, call: ToolCallContext): Promise<Made> {
  const input = { messages: [{ role: "user", content: [{ text: prompt }] }] };
  const { output, usage } = await converse(provider, model, input, { n, size }, call.signal);
  return { urls: messageParts(output).flatMap(({ image }) => textOf(image) ?? []), problems: [], usage };
}

async function makeAsTask(provider: Provider, { prompt, model, n, size }: Input, call: ToolCallContext): Promise<Made> {
  const json = { model, input: { prompt }, parameters: { n, size } };
  const { output, usage, taskId } = await runTask(provider, "/services/aigc/text2image/image-synthesis", json, call);
  const results = records(output.results);
  return {
    urls: results.flatMap(({ url }) => textOf(url) ?? []),
    problems: results.flatMap(({ url, code, message }) =>
      textOf(url) === undefined ? [textOf(message) ?? textOf(code) ?? "no reason was given"] : [],
    ),
    usage,
    taskId,
  };
}
