/** The tools of DashScope that make videos: of a text, of an image, and between a first and a last frame. */

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
  picklist,
  pipe,
  regex,
  string,
} from "valibot";
import type { JsonObject } from "../../base/json.ts";
import type { ToolChunk } from "../../message/blocks.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { Tool, ToolCallContext } from "../../tool/tool.ts";
import { answer } from "../answer.ts";
import { runTask, taskCallTimeout } from "./dashscope-task.ts";
import { given, present, starSize, textOf } from "./fields.ts";
import { MAX_PROMPT } from "./limits.ts";
import { readMedia, toAddress } from "./media-input.ts";
import { showMedia } from "./media-output.ts";
import { sendPermission } from "./media-permission.ts";
import type { MediaKind } from "./media-type.ts";
import type { Provider } from "./provider.ts";
import { answerError } from "./provider-error.ts";

const VIDEO_PATH = "/services/aigc/video-generation/video-synthesis";
const FRAMES_PATH = "/services/aigc/image2video/video-synthesis";

/**
 * Makes the tool that makes a video of a text.
 *
 * @param provider Whom to ask.
 * @param defaultModel The model when a call names none.
 */
export function dashScopeTextToVideo(provider: Provider, defaultModel: string): Tool {
  return defineTool({
    name: "dashscope_text_to_video",
    description:
      "Makes a short video from a description with a Wan model of DashScope; it takes minutes. Gives a URL or data.",
    input: object({
      prompt: pipe(
        string(),
        regex(/\S/, "It must not be blank."),
        maxLength(MAX_PROMPT),
        description("What happens in the video."),
      ),
      ...commonFields(defaultModel),
      audio_url: audioField(),
      size: optional(pipe(string(), description("Width and height, such as 1920*1080 or 1280*720.")), "1920*1080"),
      ...motionFields(),
    }),
    timeoutMs: taskCallTimeout(provider),
    ...sendPermission("dashscope_text_to_video", provider, ({ audio_url }: { audio_url?: string | undefined }) =>
      sources(audio_url),
    ),
    execute: ({ prompt, model, negative_prompt, audio_url, size, ...parameters }, call) =>
      answer(call, async () => {
        const media = await addresses(provider, call, { audio_url: ["audio", audio_url] });
        const input = present({ prompt, negative_prompt: given(negative_prompt), ...media });
        const json = {
          model: given(model) ?? defaultModel,
          input,
          parameters: present({ size: starSize(given(size) ?? "1920*1080"), ...parameters }),
        };
        return makeVideo(provider, VIDEO_PATH, json, call);
      }),
  });
}

/**
 * Makes the tool that makes a video of an image, which is its first frame.
 *
 * @param provider Whom to ask.
 * @param defaultModel The model when a call names none.
 */
export function dashScopeImageToVideo(provider: Provider, defaultModel: string): Tool {
  return defineTool({
    name: "dashscope_image_to_video",
    description:
      "Sets an image in motion with a Wan model of DashScope; it takes minutes. Gives the video as a URL or as data.",
    input: object({
      image_url: pipe(string(), description("The first frame: a URL, a data: URL or a path.")),
      prompt: promptField(),
      ...commonFields(defaultModel),
      audio_url: audioField(),
      template: templateField(),
      resolution: resolutionField(),
      audio: optional(pipe(boolean(), description("Whether the video has a sound.")), true),
      ...motionFields(),
    }),
    timeoutMs: taskCallTimeout(provider),
    ...sendPermission(
      "dashscope_image_to_video",
      provider,
      (input: { image_url: string; audio_url?: string | undefined }) => sources(input.image_url, input.audio_url),
    ),
    execute: ({ image_url, prompt, model, negative_prompt, audio_url, template, ...parameters }, call) =>
      answer(call, async () => {
        const media = await addresses(provider, call, {
          img_url: ["image", image_url],
          audio_url: ["audio", audio_url],
        });
        const texts = { prompt: given(prompt), negative_prompt: given(negative_prompt), template: given(template) };
        const json = {
          model: given(model) ?? defaultModel,
          input: present({ ...texts, ...media }),
          parameters: present(parameters),
        };
        return makeVideo(provider, VIDEO_PATH, json, call);
      }),
  });
}

/**
 * Makes the tool that makes a video between two images.
 *
 * @param provider Whom to ask.
 * @param defaultModel The model when a call names none.
 */
export function dashScopeFramesToVideo(provider: Provider, defaultModel: string): Tool {
  const { prompt_extend, watermark, seed } = motionFields();
  return defineTool({
    name: "dashscope_first_and_last_frame_image_to_video",
    description:
      "Makes a video that leads from one image to another with a Wan model of DashScope; it takes minutes. Gives a URL or data.",
    input: object({
      first_frame_url: pipe(string(), description("The first frame: a URL, a data: URL or a path.")),
      last_frame_url: optional(pipe(string(), description("The last frame. Not needed with a template."))),
      prompt: promptField(),
      ...commonFields(defaultModel),
      template: templateField(),
      resolution: resolutionField(),
      prompt_extend,
      watermark,
      seed,
    }),
    timeoutMs: taskCallTimeout(provider),
    ...sendPermission(
      "dashscope_first_and_last_frame_image_to_video",
      provider,
      (input: { first_frame_url: string; last_frame_url?: string | undefined }) =>
        sources(input.first_frame_url, input.last_frame_url),
    ),
    execute: ({ first_frame_url, last_frame_url, prompt, model, negative_prompt, template, ...parameters }, call) =>
      answer(call, async () => {
        const media = await addresses(provider, call, {
          first_frame_url: ["image", first_frame_url],
          last_frame_url: ["image", last_frame_url],
        });
        const texts = { prompt: given(prompt), negative_prompt: given(negative_prompt), template: given(template) };
        const json = {
          model: given(model) ?? defaultModel,
          input: present({ ...texts, ...media }),
          parameters: present(parameters),
        };
        return makeVideo(provider, FRAMES_PATH, json, call);
      }),
  });
}

function commonFields(defaultModel: string) {
  return {
    model: optional(pipe(string(), description(`The model. Defaults to ${defaultModel}.`))),
    negative_prompt: optional(pipe(string(), maxLength(MAX_PROMPT), description("What shall not be in the video."))),
  };
}

function motionFields() {
  return {
    duration: optional(
      pipe(number(), integer(), minValue(1), maxValue(60), description("Seconds; which ones depends on the model.")),
    ),
    shot_type: optional(
      pipe(picklist(["single", "multi"]), description("One shot or several; for several, prompt_extend must be true.")),
      "single",
    ),
    prompt_extend: optional(pipe(boolean(), description("Whether the model may make the prompt richer.")), true),
    watermark: optional(pipe(boolean(), description("Whether a mark says that it was made by a machine.")), false),
    seed: optional(
      pipe(
        number(),
        integer(),
        minValue(0),
        maxValue(2_147_483_647),
        description("The same seed gives similar videos."),
      ),
    ),
  };
}

function promptField() {
  return optional(pipe(string(), maxLength(MAX_PROMPT), description("What happens in the video.")));
}

function audioField() {
  return optional(pipe(string(), description("A sound to make the video to: a URL, a data: URL or a path.")));
}

function templateField() {
  return optional(pipe(string(), description("The name of an effect, instead of a prompt.")));
}

function resolutionField() {
  return optional(
    pipe(picklist(["480P", "720P", "1080P"]), description("The resolution; which ones depends on the model.")),
    "720P",
  );
}

/** The media that were really given. */
function sources(...texts: (string | undefined)[]): string[] {
  return texts.flatMap((text) => given(text) ?? []);
}

/** Makes the addresses of the media that were given. */
async function addresses(
  { backend }: Provider,
  { signal }: ToolCallContext,
  media: Record<string, [kind: MediaKind, text: string | undefined]>,
): Promise<JsonObject> {
  const made: JsonObject = {};
  for (const [field, [kind, text]] of Object.entries(media)) {
    if (given(text) !== undefined)
      made[field] = await toAddress(await readMedia(text ?? "", { kind, backend, signal }));
  }
  return made;
}

async function makeVideo(
  provider: Provider,
  path: string,
  json: JsonObject & { model: string },
  call: ToolCallContext,
): Promise<ToolChunk> {
  const { output, usage, taskId } = await runTask(provider, path, json, call);
  const url = textOf(output.video_url);
  if (url === undefined) throw answerError(provider.host, "it has no video");
  const shown = {
    kind: "video" as const,
    model: json.model,
    mediaType: "video/mp4",
    download: provider.download === true,
    facts: { taskId, usage },
  };
  return showMedia(provider, [{ url }], shown, call.signal);
}
