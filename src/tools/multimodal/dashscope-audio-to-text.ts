/** The dashscope_audio_to_text tool. */

import { description, object, optional, pipe, string } from "valibot";
import type { JsonObject } from "../../base/json.ts";
import type { ToolChunk } from "../../message/blocks.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { Tool, ToolCallContext } from "../../tool/tool.ts";
import { ToolResult } from "../../tool/tool-result.ts";
import { answer, refusal } from "../answer.ts";
import { converse, messageText } from "./dashscope-conversation.ts";
import { runTask, type TaskResult, taskCallTimeout } from "./dashscope-task.ts";
import { downloadFile } from "./download.ts";
import { given, present, records, textOf } from "./fields.ts";
import { MAX_ANSWER, MAX_URL } from "./limits.ts";
import { type MediaInput, readMedia, toAddress } from "./media-input.ts";
import { facts } from "./media-output.ts";
import { sendPermission } from "./media-permission.ts";
import type { Provider } from "./provider.ts";
import { answerError } from "./provider-error.ts";
import { readJson } from "./request.ts";

interface Input {
  audio_url: string;
  model: string;
  language: string | undefined;
}

/**
 * Makes the tool.
 *
 * @param provider Whom to ask.
 * @param defaultModel The model when a call names none.
 */
export function dashScopeAudioToText(provider: Provider, defaultModel: string): Tool {
  return defineTool({
    name: "dashscope_audio_to_text",
    description:
      "Writes down what is said in a sound or a video with a model of DashScope. Models whose name begins with qwen3-asr-flash take up to five minutes at once; qwen3-asr-flash-filetrans, paraformer and fun-asr models take hours, but only by URL.",
    input: object({
      audio_url: pipe(string(), description("The sound: a URL, a data: URL or a path.")),
      model: optional(pipe(string(), description(`The model. Defaults to ${defaultModel}.`))),
      language: optional(
        pipe(string(), description("The language that is spoken, as a code such as en or zh. Left out: found out.")),
      ),
    }),
    timeoutMs: taskCallTimeout(provider),
    ...sendPermission("dashscope_audio_to_text", provider, ({ audio_url }: { audio_url: string }) => [audio_url]),
    execute: ({ audio_url, model, language }, call) =>
      answer(call, () =>
        transcribe(provider, { audio_url, model: given(model) ?? defaultModel, language: given(language) }, call),
      ),
  });
}

async function transcribe(provider: Provider, input: Input, call: ToolCallContext): Promise<ToolChunk> {
  const { model } = input;
  if (model.includes("realtime")) {
    throw refusal(
      `${model} needs a WebSocket and cannot be used. Choose qwen3-asr-flash, or qwen3-asr-flash-filetrans or paraformer-v2 for long sounds by URL.`,
    );
  }
  const sound = await readMedia(input.audio_url, { kind: "audio", backend: provider.backend, signal: call.signal });
  const takesTask = model.includes("filetrans") || /^(paraformer|fun-asr|sensevoice)/.test(model);
  const heard = takesTask
    ? await hearAsTask(provider, input, sound, call)
    : await hearAtOnce(provider, input, sound, call);
  const words =
    heard.text.trim() === "" ? "[Nothing was understood: no words in it.]" : provider.redact(heard.text.trim());
  return ToolResult.success(words, facts(provider, { model, usage: heard.usage, taskId: heard.taskId }));
}

interface Heard {
  text: string;
  usage: unknown;
  taskId?: string;
}

async function hearAtOnce(provider: Provider, input: Input, sound: MediaInput, call: ToolCallContext): Promise<Heard> {
  const messages: JsonObject[] = [
    { role: "system", content: [{ text: "" }] },
    { role: "user", content: [{ audio: await toAddress(sound) }] },
  ];
  const asr_options = present({ language: input.language, enable_itn: false });
  const { output, usage } = await converse(provider, input.model, { messages }, { asr_options }, call.signal);
  if (records(output.choices).length === 0) throw answerError(provider.host, "it has no text");
  return { text: messageText(output) ?? "", usage };
}

async function hearAsTask(provider: Provider, input: Input, sound: MediaInput, call: ToolCallContext): Promise<Heard> {
  const { model, language } = input;
  if (sound.type !== "url") {
    throw refusal(`${model} takes sounds by URL only. Give an http or https URL, or choose qwen3-asr-flash.`);
  }
  // Known before anything is paid for.
  if (provider.download === false) {
    throw refusal(
      `${model} keeps its text behind a URL, and downloading is switched off here. Choose qwen3-asr-flash.`,
    );
  }
  const json = model.includes("filetrans")
    ? { model, input: { file_url: sound.url }, parameters: present({ channel_id: [0], language }) }
    : { model, input: { file_urls: [sound.url] }, parameters: present({ language_hints: language && [language] }) };
  const result = await runTask(provider, "/services/audio/asr/transcription", json, call);
  const text = await fetchTranscript(provider, result, call.signal);
  return { text, usage: result.usage, taskId: result.taskId };
}

async function fetchTranscript(provider: Provider, { output }: TaskResult, signal: AbortSignal): Promise<string> {
  const [result] = [...records([output.result]), ...records(output.results)];
  const address = textOf(result?.transcription_url) ?? "";
  if (address.length > MAX_URL || !URL.canParse(address)) {
    const problem = textOf(result?.message) ?? textOf(result?.code);
    throw answerError(provider.host, problem === undefined ? "it has no transcription" : provider.redact(problem));
  }
  const body = readJson(provider, await downloadFile(provider, new URL(address), MAX_ANSWER, signal));
  const lines = records(body.transcripts).flatMap(({ text }) => textOf(text) ?? []);
  return lines.join("\n");
}
