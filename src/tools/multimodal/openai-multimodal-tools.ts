/** The four multimodal tools over the endpoints of OpenAI, or of a server that speaks them. */

import type { Tool } from "../../tool/tool.ts";
import { openAiAudioToText } from "./openai-audio-to-text.ts";
import { openAiImageToText } from "./openai-image-to-text.ts";
import { openAiTextToAudio } from "./openai-text-to-audio.ts";
import { openAiTextToImage } from "./openai-text-to-image.ts";
import { openProvider, type ProviderOptions } from "./provider.ts";

/** The models that are used when a call names none. */
export interface OpenAiMediaModels {
  /** Defaults to `dall-e-3`. */
  textToImage?: string;
  /** Defaults to `gpt-4o`. */
  imageToText?: string;
  /** Defaults to `tts-1`. */
  textToAudio?: string;
  /** Defaults to `whisper-1`. */
  audioToText?: string;
}

/** How the tools are set up. */
export interface OpenAiMultimodalOptions extends ProviderOptions {
  models?: OpenAiMediaModels;
  /**
   * Fetches the http or https URL of a sound that a model gave, since OpenAI takes sounds as uploads only. Whoever
   * passes it decides which addresses may be reached from here, and reads no more than 25 MiB. Left out: such URLs are
   * refused.
   */
  loadUrl?(url: string, options: { signal: AbortSignal }): Promise<Uint8Array>;
}

/** The address of OpenAI itself. */
export const OPENAI_URL = "https://api.openai.com/v1";

/**
 * Makes `openai_text_to_image`, `openai_image_to_text`, `openai_text_to_audio` and `openai_audio_to_text`.
 *
 * A medium is given as a URL, a data: URL, base64 or, with a `backend`, a path; URLs go to the provider, nobody here
 * fetches them. Results are data blocks, media as URL or base64. Every call is asked about unless a rule or the mode
 * allows it. Limits: 25 MiB for one medium in, 24 MiB out.
 *
 * @example
 * const toolkit = new Toolkit({ tools: openAiMultimodalTools({ apiKey, backend }) });
 *
 * @throws HoldallError `TOOL_INVALID` for an option that cannot be used.
 */
export function openAiMultimodalTools(options: OpenAiMultimodalOptions): Tool[] {
  const provider = openProvider(options, OPENAI_URL);
  const models = options.models ?? {};
  return [
    openAiTextToImage(provider, models.textToImage ?? "dall-e-3"),
    openAiImageToText(provider, models.imageToText ?? "gpt-4o"),
    openAiTextToAudio(provider, models.textToAudio ?? "tts-1"),
    openAiAudioToText(provider, models.audioToText ?? "whisper-1", options.loadUrl),
  ];
}
