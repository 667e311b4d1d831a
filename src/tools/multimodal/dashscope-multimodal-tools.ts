/** The eight multimodal tools over DashScope (Alibaba Cloud Model Studio). */

import type { Tool } from "../../tool/tool.ts";
import { dashScopeAudioToText } from "./dashscope-audio-to-text.ts";
import { dashScopeImageToText, dashScopeVideoToText } from "./dashscope-look.ts";
import { dashScopeTextToAudio } from "./dashscope-text-to-audio.ts";
import { dashScopeTextToImage } from "./dashscope-text-to-image.ts";
import { dashScopeFramesToVideo, dashScopeImageToVideo, dashScopeTextToVideo } from "./dashscope-video.ts";
import { openProvider, type ProviderOptions, type TaskWaiting } from "./provider.ts";

/** The models that are used when a call names none. */
export interface DashScopeMediaModels {
  /** Defaults to `wanx-v1`. */
  textToImage?: string;
  /** Defaults to `qwen3-vl-plus`. */
  imageToText?: string;
  /** Defaults to `qwen3-tts-flash`. */
  textToAudio?: string;
  /** Defaults to `qwen3-asr-flash`. */
  audioToText?: string;
  /** Defaults to `wan2.6-t2v`. */
  textToVideo?: string;
  /** Defaults to `wan2.6-i2v-flash`. */
  imageToVideo?: string;
  /** Defaults to `wan2.2-kf2v-flash`. */
  framesToVideo?: string;
  /** Defaults to `qwen3.5-plus`. */
  videoToText?: string;
}

/** How the tools are set up. */
export interface DashScopeMultimodalOptions extends ProviderOptions {
  models?: DashScopeMediaModels;
  /** How tasks (images, videos, long sounds) are waited for. */
  waiting?: TaskWaiting;
}

/** The address of DashScope itself, in the region China (Beijing); keys of other regions need another. */
export const DASHSCOPE_URL = "https://dashscope.aliyuncs.com/api/v1";

/**
 * Makes `dashscope_text_to_image`, `dashscope_image_to_text`, `dashscope_text_to_audio`, `dashscope_audio_to_text`,
 * `dashscope_text_to_video`, `dashscope_image_to_video`, `dashscope_first_and_last_frame_image_to_video` and
 * `dashscope_video_to_text`.
 *
 * A medium is given as a URL, a data: URL, base64 or, with a `backend`, a path; URLs go to the provider, nobody here
 * fetches them. Results are data blocks, media as URL or base64. What takes long is a task there: it is looked at from
 * time to time, each look is shown as progress (`{ taskId, status, look }`), and an abort cancels it. Every call is
 * asked about unless a rule or the mode allows it. Limits: 25 MiB for one medium in, 24 MiB out.
 *
 * @example
 * const toolkit = new Toolkit({ tools: dashScopeMultimodalTools({ apiKey, backend }) });
 *
 * @throws HoldallError `TOOL_INVALID` for an option that cannot be used.
 */
export function dashScopeMultimodalTools(options: DashScopeMultimodalOptions): Tool[] {
  const provider = openProvider(options, DASHSCOPE_URL, options.waiting);
  const models = options.models ?? {};
  return [
    dashScopeTextToImage(provider, models.textToImage ?? "wanx-v1"),
    dashScopeImageToText(provider, models.imageToText ?? "qwen3-vl-plus"),
    dashScopeTextToAudio(provider, models.textToAudio ?? "qwen3-tts-flash"),
    dashScopeAudioToText(provider, models.audioToText ?? "qwen3-asr-flash"),
    dashScopeTextToVideo(provider, models.textToVideo ?? "wan2.6-t2v"),
    dashScopeImageToVideo(provider, models.imageToVideo ?? "wan2.6-i2v-flash"),
    dashScopeFramesToVideo(provider, models.framesToVideo ?? "wan2.2-kf2v-flash"),
    dashScopeVideoToText(provider, models.videoToText ?? "qwen3.5-plus"),
  ];
}
