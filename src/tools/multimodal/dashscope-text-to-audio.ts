/** The dashscope_text_to_audio tool. */

import {
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
import { isRecord } from "../../base/json.ts";
import type { ToolChunk } from "../../message/blocks.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { Tool, ToolCallContext } from "../../tool/tool.ts";
import { answer, refusal } from "../answer.ts";
import { CONVERSATION_PATH } from "./dashscope-conversation.ts";
import { given, textOf } from "./fields.ts";
import { MAX_MEDIA_ANSWER, MAX_PROMPT } from "./limits.ts";
import { showMedia } from "./media-output.ts";
import { sendPermission } from "./media-permission.ts";
import type { Provider } from "./provider.ts";
import { answerError } from "./provider-error.ts";
import { askJson } from "./request.ts";

interface Input {
  text: string;
  model: string;
  voice: string;
  language: string;
  sampleRate: number;
}

/**
 * Makes the tool.
 *
 * @param provider Whom to ask.
 * @param defaultModel The model when a call names none.
 */
export function dashScopeTextToAudio(provider: Provider, defaultModel: string): Tool {
  return defineTool({
    name: "dashscope_text_to_audio",
    description:
      "Speaks a text with a voice of DashScope (Qwen-TTS, CosyVoice), and gives the sound as a URL or as data.",
    input: object({
      text: pipe(string(), regex(/\S/, "It must not be blank."), maxLength(MAX_PROMPT), description("What to say.")),
      model: optional(pipe(string(), description(`The model. Defaults to ${defaultModel}.`))),
      voice: optional(pipe(string(), description("The voice; the names depend on the model.")), "Cherry"),
      language: optional(
        pipe(
          string(),
          description("The language of the text, such as Chinese or English; Auto finds out. For Qwen-TTS."),
        ),
        "Chinese",
      ),
      sample_rate: optional(
        pipe(number(), integer(), minValue(8000), maxValue(48_000), description("Samples in a second. For CosyVoice.")),
        24_000,
      ),
    }),
    ...sendPermission("dashscope_text_to_audio", provider, () => []),
    execute: ({ text, model, voice, language, sample_rate: sampleRate }, call) =>
      answer(call, () =>
        speak(
          provider,
          {
            text,
            model: given(model) ?? defaultModel,
            voice: given(voice) ?? "Cherry",
            language: given(language) ?? "Chinese",
            sampleRate,
          },
          call,
        ),
      ),
  });
}

async function speak(provider: Provider, input: Input, { signal }: ToolCallContext): Promise<ToolChunk> {
  const { model, voice } = input;
  const request = { ...speechRequest(input), maxBytes: MAX_MEDIA_ANSWER };
  const body = await askJson(provider, request, signal);
  const audio = isRecord(body.output) && isRecord(body.output.audio) ? body.output.audio : {};
  const [url, base64] = [textOf(audio.url), textOf(audio.data)];
  if (url === undefined && base64 === undefined) throw answerError(provider.host, "it has no audio");
  const shown = {
    kind: "audio" as const,
    model,
    mediaType: "audio/wav",
    download: provider.download === true,
    facts: { voice, usage: body.usage },
  };
  return showMedia(provider, [url === undefined ? { base64 } : { url }], shown, signal);
}

/** The two families that speak over HTTP, each with its own endpoint and fields. */
function speechRequest({ text, model, voice, language, sampleRate }: Input) {
  if (/^qwen3?-(omni-)?tts/.test(model)) {
    return { path: CONVERSATION_PATH, json: { model, input: { text, voice, language_type: language } } };
  }
  if (/^(cosyvoice|qwen-audio)/.test(model)) {
    const input = { text, voice, format: "wav", sample_rate: sampleRate };
    return { path: "/services/audio/tts/SpeechSynthesizer", json: { model, input } };
  }
  throw refusal(
    `${model} cannot be used: models that speak over HTTP begin with qwen3-tts, qwen-tts, cosyvoice or qwen-audio; Sambert and realtime models need a WebSocket. Choose another model.`,
  );
}
