/** The DashScope tools: what they ask in the published form, and what they make of the answers. */

import { describe, expect, test } from "vitest";
import {
  type DashScopeMultimodalOptions,
  dashScopeMultimodalTools,
} from "../../../src/tools/multimodal/dashscope-multimodal-tools.ts";
import { type Answer, base64, bytes, callTool, dataUrl, fakeProvider, json, samples, shortTimers } from "./desk.ts";

const base = "https://dashscope.aliyuncs.com/api/v1";
const taken = json({ request_id: "r1", output: { task_id: "task-1", task_status: "PENDING" } });
const done = (output: object): Answer =>
  json({ request_id: "r2", output: { task_id: "task-1", task_status: "SUCCEEDED", ...output }, usage: { count: 1 } });
const said = (content: unknown): Answer =>
  json({
    output: { choices: [{ finish_reason: "stop", message: { role: "assistant", content } }] },
    usage: { output_tokens: 3 },
    request_id: "r1",
  });

async function run(
  answers: Answer[],
  name: string,
  input: Record<string, unknown>,
  options: Partial<DashScopeMultimodalOptions> = {},
) {
  const { fetch, seen } = fakeProvider(...answers);
  const tools = dashScopeMultimodalTools({ apiKey: "sk-secret", fetch, timers: shortTimers(), ...options });
  return { ...(await callTool(tools, name, input)), seen };
}

const authorization = "Bearer sk-secret";
const unusable = (problem: string): string =>
  `The answer of dashscope.aliyuncs.com cannot be used: ${problem}. Ask in another way, or go on without it.`;

describe("dashscope_text_to_image", () => {
  const name = "dashscope_text_to_image";

  test("hands a task in, follows it and gives the images", async () => {
    const results = [
      { url: "https://oss.test/a.png?Expires=1" },
      { code: "DataInspectionFailed", message: "not allowed" },
    ];
    const { seen, state, text, data, metadata, progress } = await run([taken, done({ results })], name, {
      prompt: "a cat",
      n: 2,
    });
    expect(seen).toEqual([
      {
        method: "POST",
        url: `${base}/services/aigc/text2image/image-synthesis`,
        headers: { authorization, "content-type": "application/json", "x-dashscope-async": "enable" },
        body: { model: "wanx-v1", input: { prompt: "a cat" }, parameters: { n: 2, size: "1024*1024" } },
      },
      { method: "GET", url: `${base}/tasks/task-1`, headers: { authorization }, body: undefined },
    ]);
    expect({ state, text, data, metadata, progress }).toEqual({
      state: "success",
      text: "1 image by wanx-v1:\n- https://oss.test/a.png?Expires=1\nOne image could not be made: not allowed",
      data: [{ type: "url", url: "https://oss.test/a.png?Expires=1", mediaType: "image/png" }],
      metadata: { model: "wanx-v1", usage: { count: 1 }, taskId: "task-1" },
      progress: [{ taskId: "task-1", status: "SUCCEEDED", look: 1 }],
    });
  });

  test.each(["qwen-image-plus", "wan2.6-t2i", "z-image-turbo"])(
    "asks %s, which answers at once, with a message",
    async (model) => {
      const { seen, data } = await run([said([{ type: "image", image: "https://oss.test/b.webp" }])], name, {
        prompt: "a cat",
        model,
        size: "1280x720",
      });
      expect(seen).toEqual([
        {
          method: "POST",
          url: `${base}/services/aigc/multimodal-generation/generation`,
          headers: { authorization, "content-type": "application/json" },
          body: {
            model,
            input: { messages: [{ role: "user", content: [{ text: "a cat" }] }] },
            parameters: { n: 1, size: "1280*720" },
          },
        },
      ]);
      expect(data).toEqual([{ type: "url", url: "https://oss.test/b.webp", mediaType: "image/webp" }]);
    },
  );

  test("downloads when the call asks for data, without the key", async () => {
    const answers = [taken, done({ results: [{ url: "http://oss.test/a.png" }] }), bytes(samples.png, "image/png")];
    const { seen, text, data } = await run(answers, name, { prompt: "a", use_base64: true });
    expect(seen[2]).toEqual({ method: "GET", url: "https://oss.test/a.png", headers: {}, body: undefined });
    expect([text, data]).toEqual([
      "1 image by wanx-v1:\n- image.png (image/png, 96 bytes)",
      [{ type: "base64", mediaType: "image/png", data: base64(samples.png) }],
    ]);
  });

  test("downloads nothing where the application forbids it", async () => {
    const answers = [taken, done({ results: [{ url: "https://oss.test/a.png" }] })];
    const { seen, text } = await run(answers, name, { prompt: "a", use_base64: true }, { download: false });
    expect([seen.length, text]).toEqual([
      2,
      "1 image by wanx-v1:\n- https://oss.test/a.png\nDownloading is switched off here, so there are URLs only.",
    ]);
  });

  test.each([
    ["no image", done({ results: [] }), unusable("it has no image")],
    ["reasons only", done({ results: [{ code: "X", message: "too blue" }] }), unusable("too blue")],
  ])("says so when there are %s", async (_what, last, expected) => {
    const { state, text } = await run([taken, last], name, { prompt: "a" });
    expect(`${state}: ${text}`).toBe(`error: ${expected}`);
  });
});

describe("dashscope_image_to_text", () => {
  test("sends the images before the question", async () => {
    const { seen, state, text, metadata } = await run(
      [said([{ text: "A " }, { text: "cat." }])],
      "dashscope_image_to_text",
      {
        image_urls: ["https://p.test/a.png", dataUrl("image/png", samples.png)],
      },
    );
    expect(seen[0]).toMatchObject({
      url: `${base}/services/aigc/multimodal-generation/generation`,
      body: {
        model: "qwen3-vl-plus",
        input: {
          messages: [
            { role: "system", content: [{ text: "You are a helpful assistant." }] },
            {
              role: "user",
              content: [
                { image: "https://p.test/a.png" },
                { image: dataUrl("image/png", samples.png) },
                { text: "Describe the image" },
              ],
            },
          ],
        },
      },
    });
    expect({ state, text, metadata }).toEqual({
      state: "success",
      text: "A cat.",
      metadata: { model: "qwen3-vl-plus", usage: { output_tokens: 3 } },
    });
  });

  test.each([
    ["a plain text", said("A cat."), "success: A cat."],
    ["no text", said([]), `error: ${unusable("it has no text")}`],
    ["no output", json({ request_id: "r" }), `error: ${unusable("it has no output")}`],
    [
      "a fault with a good status",
      json({ code: "InvalidApiKey", message: "No." }),
      `error: ${unusable("it says InvalidApiKey: No")}`,
    ],
  ])("reads %s", async (_what, answer, expected) => {
    const { state, text } = await run([answer], "dashscope_image_to_text", { image_urls: "https://p.test/a.png" });
    expect(`${state}: ${text}`).toBe(expected);
  });
});

describe("dashscope_video_to_text", () => {
  test("sends the question before the video, with its frames", async () => {
    const { seen, text } = await run([said([{ text: "A run." }])], "dashscope_video_to_text", {
      video_url: dataUrl("video/mp4", samples.mp4),
    });
    expect([text, seen[0]?.body]).toEqual([
      "A run.",
      {
        model: "qwen3.5-plus",
        input: {
          messages: [
            {
              role: "user",
              content: [{ text: "Describe the video" }, { video: dataUrl("video/mp4", samples.mp4), fps: 2 }],
            },
          ],
        },
      },
    ]);
  });

  test("does not take an image for a video", async () => {
    const { seen, text } = await run([said([])], "dashscope_video_to_text", {
      video_url: dataUrl("video/mp4", samples.png),
    });
    expect([seen, text]).toEqual([
      [],
      "A video is needed, but the data given is of type image/png. Give video in a common format.",
    ]);
  });
});

describe("dashscope_text_to_audio", () => {
  const name = "dashscope_text_to_audio";
  const spoken = (audio: object): Answer =>
    json({ code: "", message: "", output: { audio }, usage: { characters: 2 } });

  test("speaks with Qwen and gives the URL", async () => {
    const { seen, text, data, metadata } = await run([spoken({ url: "https://oss.test/a.wav?x=1", data: "" })], name, {
      text: "Hi",
    });
    expect(seen[0]).toMatchObject({
      url: `${base}/services/aigc/multimodal-generation/generation`,
      body: { model: "qwen3-tts-flash", input: { text: "Hi", voice: "Cherry", language_type: "Chinese" } },
    });
    expect({ text, data, metadata }).toEqual({
      text: "1 audio file by qwen3-tts-flash:\n- https://oss.test/a.wav?x=1",
      data: [{ type: "url", url: "https://oss.test/a.wav?x=1", mediaType: "audio/wav" }],
      metadata: { model: "qwen3-tts-flash", voice: "Cherry", usage: { characters: 2 } },
    });
  });

  test("speaks with CosyVoice at its own endpoint", async () => {
    const { seen, data } = await run([spoken({ data: base64(samples.wav) })], name, {
      text: "Hi",
      model: "cosyvoice-v3-flash",
      voice: "longanyang",
      sample_rate: 16_000,
    });
    expect([seen[0], data]).toEqual([
      expect.objectContaining({
        url: `${base}/services/audio/tts/SpeechSynthesizer`,
        body: {
          model: "cosyvoice-v3-flash",
          input: { text: "Hi", voice: "longanyang", format: "wav", sample_rate: 16_000 },
        },
      }),
      [{ type: "base64", mediaType: "audio/wav", data: base64(samples.wav) }],
    ]);
  });

  test("names the models it can use when it is given another", async () => {
    const { seen, state, text } = await run([json({})], name, { text: "Hi", model: "sambert-zhichu-v1" });
    expect([
      seen,
      state,
      text.startsWith("sambert-zhichu-v1 cannot be used: models that speak over HTTP begin with"),
    ]).toEqual([[], "error", true]);
  });

  test.each([
    ["nothing", json({ output: { audio: {} } }), "it has no audio"],
    ["no base64", spoken({ data: "???" }), "the audio is not base64, or empty, or larger than 24 MiB"],
    ["a picture", spoken({ data: base64(samples.png) }), "it is of type image/png, not of audio"],
    ["a strange address", spoken({ url: "file:///etc/passwd" }), "the audio has no http or https address"],
  ])("does not take %s for a sound", async (_what, answer, problem) => {
    const { state, text } = await run([answer], name, { text: "Hi" });
    expect(`${state}: ${text}`).toBe(`error: ${unusable(problem)}`);
  });
});

describe("dashscope_audio_to_text", () => {
  const name = "dashscope_audio_to_text";
  const audio_url = "https://p.test/a.mp3";
  const transcript = json({
    file_url: audio_url,
    transcripts: [
      { channel_id: 0, text: "Hello." },
      { channel_id: 1, text: "Bye." },
    ],
  });

  test("hears a short sound at once, as URL or as data", async () => {
    for (const [given, sent] of [
      [audio_url, audio_url],
      [dataUrl("audio/wav", samples.wav), dataUrl("audio/wav", samples.wav)],
    ]) {
      const { seen, text } = await run([said([{ text: " Hello. " }])], name, { audio_url: given, language: "en" });
      expect([text, seen]).toEqual([
        "Hello.",
        [
          expect.objectContaining({
            url: `${base}/services/aigc/multimodal-generation/generation`,
            body: {
              model: "qwen3-asr-flash",
              input: {
                messages: [
                  { role: "system", content: [{ text: "" }] },
                  { role: "user", content: [{ audio: sent }] },
                ],
              },
              parameters: { asr_options: { language: "en", enable_itn: false } },
            },
          }),
        ],
      ]);
    }
  });

  test("says when nothing was said", async () => {
    const { state, text } = await run([said([])], name, { audio_url });
    expect(`${state}: ${text}`).toBe("success: [Nothing was understood: no words in it.]");
  });

  const tasks: [string, object, object, object][] = [
    [
      "paraformer-v2",
      { file_urls: [audio_url] },
      { language_hints: ["en"] },
      { results: [{ file_url: audio_url, transcription_url: "https://oss.test/t.json", subtask_status: "SUCCEEDED" }] },
    ],
    [
      "qwen3-asr-flash-filetrans",
      { file_url: audio_url },
      { channel_id: [0], language: "en" },
      { result: { transcription_url: "https://oss.test/t.json" } },
    ],
  ];
  test.each(tasks)(
    "hears a long sound with %s as a task and fetches its text",
    async (model, input, parameters, output) => {
      const { seen, text, metadata } = await run([taken, done(output), transcript], name, {
        audio_url,
        model,
        language: "en",
      });
      expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
        `POST ${base}/services/audio/asr/transcription`,
        `GET ${base}/tasks/task-1`,
        "GET https://oss.test/t.json",
      ]);
      expect([seen[0]?.body, seen[2]?.headers, text, metadata]).toEqual([
        { model, input, parameters },
        {},
        "Hello.\nBye.",
        { model, usage: { count: 1 }, taskId: "task-1" },
      ]);
    },
  );

  const refused: [string, Record<string, unknown>, Partial<DashScopeMultimodalOptions>, string][] = [
    [
      "a realtime model",
      { audio_url, model: "paraformer-realtime-v2" },
      {},
      "Paraformer-realtime-v2 needs a WebSocket and cannot be used. Choose qwen3-asr-flash, or qwen3-asr-flash-filetrans or paraformer-v2 for long sounds by URL.",
    ],
    [
      "data for a model that takes URLs only",
      { audio_url: dataUrl("audio/wav", samples.wav), model: "fun-asr" },
      {},
      "fun-asr takes sounds by URL only. Give an http or https URL, or choose qwen3-asr-flash.",
    ],
    [
      "a model whose text may not be fetched",
      { audio_url, model: "paraformer-v2" },
      { download: false },
      "paraformer-v2 keeps its text behind a URL, and downloading is switched off here. Choose qwen3-asr-flash.",
    ],
  ];
  test.each(refused)("refuses %s before it asks", async (_what, input, options, problem) => {
    const { seen, text } = await run([json({})], name, input, options);
    expect([seen, text.toLowerCase()]).toEqual([[], problem.toLowerCase()]);
  });

  test.each([
    [
      "a subtask that failed",
      { results: [{ subtask_status: "FAILED", code: "FILE_404", message: "cannot be downloaded" }] },
      "cannot be downloaded",
    ],
    ["no address", { results: [] }, "it has no transcription"],
  ])("tells of %s", async (_what, output, problem) => {
    const { state, text } = await run([taken, done(output)], name, { audio_url, model: "paraformer-v2" });
    expect(`${state}: ${text}`).toBe(`error: ${unusable(problem)}`);
  });
});

describe("the tools that make videos", () => {
  const video = done({ video_url: "https://oss.test/v.mp4?Expires=1", actual_prompt: "x" });
  const png = dataUrl("image/png", samples.png);

  const videos: [string, Record<string, unknown>, string, object][] = [
    [
      "dashscope_text_to_video",
      { prompt: "a run" },
      "/services/aigc/video-generation/video-synthesis",
      {
        model: "wan2.6-t2v",
        input: { prompt: "a run" },
        parameters: { size: "1920*1080", shot_type: "single", prompt_extend: true, watermark: false },
      },
    ],
    [
      "dashscope_text_to_video",
      {
        prompt: "a run",
        model: "wan2.5-t2v-preview",
        negative_prompt: "rain",
        audio_url: dataUrl("audio/mpeg", samples.mp3),
        size: "1280x720",
        duration: 5,
        shot_type: "multi",
        prompt_extend: false,
        watermark: true,
        seed: 0,
      },
      "/services/aigc/video-generation/video-synthesis",
      {
        model: "wan2.5-t2v-preview",
        input: { prompt: "a run", negative_prompt: "rain", audio_url: dataUrl("audio/mpeg", samples.mp3) },
        parameters: {
          size: "1280*720",
          duration: 5,
          shot_type: "multi",
          prompt_extend: false,
          watermark: true,
          seed: 0,
        },
      },
    ],
    [
      "dashscope_image_to_video",
      { image_url: png, prompt: "" },
      "/services/aigc/video-generation/video-synthesis",
      {
        model: "wan2.6-i2v-flash",
        input: { img_url: png },
        parameters: { resolution: "720P", audio: true, shot_type: "single", prompt_extend: true, watermark: false },
      },
    ],
    [
      "dashscope_image_to_video",
      {
        image_url: "https://p.test/a.png",
        prompt: "it waves",
        template: "flying",
        audio_url: "https://p.test/a.mp3",
        audio: false,
        duration: 10,
      },
      "/services/aigc/video-generation/video-synthesis",
      {
        model: "wan2.6-i2v-flash",
        input: {
          img_url: "https://p.test/a.png",
          prompt: "it waves",
          template: "flying",
          audio_url: "https://p.test/a.mp3",
        },
        parameters: {
          resolution: "720P",
          audio: false,
          duration: 10,
          shot_type: "single",
          prompt_extend: true,
          watermark: false,
        },
      },
    ],
    [
      "dashscope_first_and_last_frame_image_to_video",
      { first_frame_url: png, last_frame_url: "https://p.test/b.png", resolution: "480P", seed: 7 },
      "/services/aigc/image2video/video-synthesis",
      {
        model: "wan2.2-kf2v-flash",
        input: { first_frame_url: png, last_frame_url: "https://p.test/b.png" },
        parameters: { resolution: "480P", prompt_extend: true, watermark: false, seed: 7 },
      },
    ],
    [
      "dashscope_first_and_last_frame_image_to_video",
      { first_frame_url: png, template: "hug" },
      "/services/aigc/image2video/video-synthesis",
      {
        model: "wan2.2-kf2v-flash",
        input: { first_frame_url: png, template: "hug" },
        parameters: { resolution: "720P", prompt_extend: true, watermark: false },
      },
    ],
  ];
  test.each(videos)("%s asks for %j", async (name, input, path, body) => {
    const { seen, state, text, data, names, metadata } = await run([taken, video], name, input);
    expect(seen[0]).toEqual({
      method: "POST",
      url: base + path,
      headers: { authorization, "content-type": "application/json", "x-dashscope-async": "enable" },
      body,
    });
    const model = JSON.parse(JSON.stringify(body)).model;
    expect({ state, text, data, names, metadata }).toEqual({
      state: "success",
      text: `1 video by ${model}:\n- https://oss.test/v.mp4?Expires=1`,
      data: [{ type: "url", url: "https://oss.test/v.mp4?Expires=1", mediaType: "video/mp4" }],
      names: ["video.mp4"],
      metadata: { model, taskId: "task-1", usage: { count: 1 } },
    });
  });

  test("download the video where the application wants it", async () => {
    const answers = [taken, video, bytes(samples.mp4, "video/mp4")];
    const { data } = await run(answers, "dashscope_text_to_video", { prompt: "a" }, { download: true });
    expect(data).toEqual([{ type: "base64", mediaType: "video/mp4", data: base64(samples.mp4) }]);
  });

  test("say so when there is none", async () => {
    const { text } = await run([taken, done({})], "dashscope_text_to_video", { prompt: "a" });
    expect(text).toBe(unusable("it has no video"));
  });

  test("give a whole call more time than the task and its requests take", () => {
    const tools = dashScopeMultimodalTools({ apiKey: "k", waiting: { timeoutMs: 1000 }, requestTimeoutMs: 100 });
    expect(tools.map(({ name, timeoutMs }) => [name, timeoutMs])).toEqual([
      ["dashscope_text_to_image", 121_300],
      ["dashscope_image_to_text", undefined],
      ["dashscope_text_to_audio", undefined],
      ["dashscope_audio_to_text", 121_300],
      ["dashscope_text_to_video", 121_300],
      ["dashscope_image_to_video", 121_300],
      ["dashscope_first_and_last_frame_image_to_video", 121_300],
      ["dashscope_video_to_text", undefined],
    ]);
  });
});
