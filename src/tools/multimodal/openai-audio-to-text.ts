/** The openai_audio_to_text tool. */

import { description, maxLength, maxValue, minValue, number, object, optional, picklist, pipe, string } from "valibot";
import { decodeUtf8 } from "../../base/bytes.ts";
import type { ToolChunk } from "../../message/blocks.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { Tool, ToolCallContext } from "../../tool/tool.ts";
import { ToolResult } from "../../tool/tool-result.ts";
import { answer, refusal } from "../answer.ts";
import { given, records, textOf } from "./fields.ts";
import { MAX_ANSWER, MAX_PROMPT } from "./limits.ts";
import { checkBytes, type MediaInput, readMedia } from "./media-input.ts";
import { facts } from "./media-output.ts";
import { sendPermission } from "./media-permission.ts";
import type { Provider } from "./provider.ts";
import { answerError } from "./provider-error.ts";
import { ask, type ProviderAnswer, readJson } from "./request.ts";

/** Fetches a URL that a model gave. */
export type LoadUrl = (url: string, options: { signal: AbortSignal }) => Promise<Uint8Array>;

type Format = "text" | "json" | "verbose_json" | "srt" | "vtt";

interface Input {
  audio_url: string;
  model?: string | undefined;
  language?: string | undefined;
  prompt?: string | undefined;
  response_format: Format;
  temperature?: number | undefined;
}

/**
 * Makes the tool.
 *
 * @param provider Whom to ask.
 * @param defaultModel The model when a call names none.
 * @param loadUrl Fetches http and https URLs; left out, they are refused.
 */
export function openAiAudioToText(provider: Provider, defaultModel: string, loadUrl: LoadUrl | undefined): Tool {
  const urls = loadUrl === undefined ? "" : "a URL, ";
  return defineTool({
    name: "openai_audio_to_text",
    description: "Writes down what is said in a sound or a video with a model of OpenAI.",
    input: object({
      audio_url: pipe(string(), description(`The sound: ${urls}a data: URL or a path.`)),
      model: optional(pipe(string(), description(`The model. Defaults to ${defaultModel}.`))),
      language: optional(pipe(string(), description("The language that is spoken, as a code such as en or zh."))),
      prompt: optional(
        pipe(string(), maxLength(MAX_PROMPT), description("Names and words that occur, or the text before.")),
      ),
      response_format: optional(
        pipe(
          picklist(["text", "json", "verbose_json", "srt", "vtt"]),
          description("text and json give the words; verbose_json adds times; srt and vtt are subtitles."),
        ),
        "text",
      ),
      temperature: optional(
        pipe(number(), minValue(0), maxValue(1), description("How freely to guess. Defaults to 0.")),
      ),
    }),
    ...sendPermission("openai_audio_to_text", provider, ({ audio_url }: { audio_url: string }) => [audio_url]),
    execute: (input, call) =>
      answer(call, () => transcribe(provider, { ...input, model: given(input.model) ?? defaultModel }, loadUrl, call)),
  });
}

async function transcribe(
  provider: Provider,
  input: Input & { model: string },
  loadUrl: LoadUrl | undefined,
  { signal }: ToolCallContext,
): Promise<ToolChunk> {
  const sound = await readSound(provider, input.audio_url, loadUrl, signal);
  const form = new FormData();
  form.append("file", new Blob([sound.bytes], { type: sound.mediaType }), sound.name);
  form.append("model", input.model);
  form.append("response_format", formatFor(input));
  for (const name of ["language", "prompt"] as const) {
    const value = given(input[name]);
    if (value !== undefined) form.append(name, value);
  }
  if (input.temperature !== undefined) form.append("temperature", String(input.temperature));
  const got = await ask(provider, { path: "/audio/transcriptions", form, maxBytes: MAX_ANSWER }, signal);
  const text = readText(provider, got, input.response_format);
  const words = text === "" ? "[Nothing was understood: no words in it.]" : provider.redact(text);
  return ToolResult.success(words, facts(provider, { model: input.model, bytes: sound.bytes.length }));
}

async function readSound(
  provider: Provider,
  text: string,
  loadUrl: LoadUrl | undefined,
  signal: AbortSignal,
): Promise<MediaInput & { type: "bytes" }> {
  const input = await readMedia(text, { kind: "audio", backend: provider.backend, signal });
  if (input.type === "bytes") return input;
  if (loadUrl === undefined) {
    throw refusal(
      `${provider.host} takes sounds as uploads only, and URLs are not fetched here. Give a data: URL or a path.`,
    );
  }
  const bytes = new Uint8Array(await loadUrl(input.url, { signal }));
  return checkBytes(bytes, "", "what lies behind the URL", { kind: "audio" });
}

/** Newer models give JSON only. */
function formatFor({ model, response_format }: Input & { model: string }): Format {
  return response_format === "text" && /^gpt-/.test(model) ? "json" : response_format;
}

function readText(provider: Provider, got: ProviderAnswer, format: Format): string {
  const isJson = got.mediaType.includes("json") || format === "verbose_json" || format === "json";
  if (!isJson) {
    if (got.mediaType === "text/html") throw answerError(provider.host, "it is a page of HTML, not a text");
    return decodeUtf8(got.bytes).trim();
  }
  const body = readJson(provider, got);
  if (typeof body.text !== "string") throw answerError(provider.host, "it has no text");
  const lines = format === "verbose_json" ? records(body.segments).map(segmentLine) : [];
  return lines.length === 0 ? body.text.trim() : lines.join("\n");
}

function segmentLine({ start, end, text }: Record<string, unknown>): string {
  const time = (value: unknown): string => (typeof value === "number" ? value.toFixed(2) : "?");
  return `[${time(start)}-${time(end)}] ${textOf(text)?.trim() ?? ""}`;
}
