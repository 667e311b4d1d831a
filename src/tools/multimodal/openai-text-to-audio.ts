/** The openai_text_to_audio tool. */

import {
  description,
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
import { ToolResult } from "../../tool/tool-result.ts";
import { answer } from "../answer.ts";
import { given, present } from "./fields.ts";
import { MAX_MEDIA_OUT, MAX_PROMPT } from "./limits.ts";
import { facts, fromBytes } from "./media-output.ts";
import { sendPermission } from "./media-permission.ts";
import { MEDIA_HEAD, mediaTypeOf } from "./media-type.ts";
import type { Provider } from "./provider.ts";
import { answerError } from "./provider-error.ts";
import { ask } from "./request.ts";

const mediaTypes = {
  mp3: "audio/mpeg",
  opus: "audio/ogg",
  aac: "audio/aac",
  flac: "audio/flac",
  wav: "audio/wav",
  pcm: "audio/pcm",
} as const;

interface Input {
  text: string;
  model: string;
  voice: string;
  format: keyof typeof mediaTypes;
  speed: number | undefined;
}

/**
 * Makes the tool.
 *
 * @param provider Whom to ask.
 * @param defaultModel The model when a call names none.
 */
export function openAiTextToAudio(provider: Provider, defaultModel: string): Tool {
  return defineTool({
    name: "openai_text_to_audio",
    description: "Speaks a text with a voice of OpenAI, and gives the sound as data.",
    input: object({
      text: pipe(
        string(),
        regex(/\S/, "It must not be blank."),
        maxLength(MAX_PROMPT),
        description("What to say. OpenAI's own models take at most 4096 characters."),
      ),
      model: optional(pipe(string(), description(`The model. Defaults to ${defaultModel}.`))),
      voice: optional(
        pipe(string(), description("The voice, such as alloy, echo, fable, onyx, nova or shimmer.")),
        "alloy",
      ),
      response_format: optional(
        pipe(picklist(["mp3", "opus", "aac", "flac", "wav", "pcm"]), description("The format of the sound.")),
        "mp3",
      ),
      speed: optional(pipe(number(), minValue(0.25), maxValue(4), description("How fast. Defaults to 1."))),
    }),
    ...sendPermission("openai_text_to_audio", provider, () => []),
    execute: ({ text, model, voice, response_format: format, speed }, call) =>
      answer(call, () =>
        speak(
          provider,
          { text, model: given(model) ?? defaultModel, voice: given(voice) ?? "alloy", format, speed },
          call,
        ),
      ),
  });
}

async function speak(provider: Provider, input: Input, { signal }: ToolCallContext): Promise<ToolChunk> {
  const { text, model, voice, format, speed } = input;
  const json = present({ model, input: text, voice, response_format: format, speed });
  const { bytes, mediaType } = await ask(provider, { path: "/audio/speech", json, maxBytes: MAX_MEDIA_OUT }, signal);
  if (bytes.length === 0) throw answerError(provider.host, "it is empty");
  if (/^text\/|json|xml/.test(mediaType)) throw answerError(provider.host, `it is ${mediaType}, not a sound`);
  const { block, line } = await fromBytes(provider, bytes, "speech", "audio", soundType(bytes, format));
  return ToolResult.success(
    [{ type: "text", text: `Speech by ${model}, voice ${voice}:\n- ${line}` }, block],
    facts(provider, { model, voice }),
  );
}

/** Servers do not all obey; raw samples cannot be told from anything else. */
function soundType(bytes: Uint8Array, format: keyof typeof mediaTypes): string {
  const found = format === "pcm" ? undefined : mediaTypeOf(bytes.subarray(0, MEDIA_HEAD));
  return found ?? mediaTypes[format];
}
