/** The OpenAI tools: what they ask in the published form, and what they make of the answers. */

import { memoryBackend } from "holdall/memory";
import { describe, expect, test } from "vitest";
import {
  type OpenAiMultimodalOptions,
  openAiMultimodalTools,
} from "../../../src/tools/multimodal/openai-multimodal-tools.ts";
import { type Answer, base64, bytes, callTool, dataUrl, fakeProvider, json, samples, shortTimers } from "./desk.ts";

const image = { created: 1, data: [{ url: "https://files.test/a.png?sig=1" }] };
const chat = (content: unknown, more: object = {}): Answer =>
  json({
    choices: [{ index: 0, message: { role: "assistant", content, ...more }, finish_reason: "stop" }],
    usage: { total_tokens: 9 },
  });

async function run(
  answers: Answer[],
  name: string,
  input: Record<string, unknown>,
  options: Partial<OpenAiMultimodalOptions> = {},
) {
  const { fetch, seen } = fakeProvider(...answers);
  const tools = openAiMultimodalTools({ apiKey: "sk-secret", fetch, timers: shortTimers(), ...options });
  return { ...(await callTool(tools, name, input)), seen };
}

describe("openai_text_to_image", () => {
  test("asks with its defaults and gives the URL in the text and as a block", async () => {
    const { seen, state, text, data, names, metadata } = await run([json(image)], "openai_text_to_image", {
      prompt: "a cat",
    });
    expect(seen).toEqual([
      {
        method: "POST",
        url: "https://api.openai.com/v1/images/generations",
        headers: { authorization: "Bearer sk-secret", "content-type": "application/json" },
        body: {
          model: "dall-e-3",
          prompt: "a cat",
          n: 1,
          size: "1024x1024",
          quality: "standard",
          response_format: "url",
        },
      },
    ]);
    expect({ state, text, data, names, metadata }).toEqual({
      state: "success",
      text: "1 image by dall-e-3:\n- https://files.test/a.png?sig=1",
      data: [{ type: "url", url: "https://files.test/a.png?sig=1", mediaType: "image/png" }],
      names: ["image.png"],
      metadata: { model: "dall-e-3" },
    });
  });

  test("gives data with the media type that the bytes tell, several of them with numbers", async () => {
    const body = {
      data: [{ b64_json: base64(samples.jpeg), revised_prompt: "A cat, sitting" }, { b64_json: base64(samples.png) }],
      usage: { total_tokens: 5 },
    };
    const { text, data, names, metadata } = await run([json(body)], "openai_text_to_image", {
      prompt: "a cat",
      n: 2,
      response_format: "b64_json",
    });
    expect({ text, data, names, metadata }).toEqual({
      text: "2 images by dall-e-3:\n- image-1.jpg (image/jpeg, 96 bytes)\n- image-2.png (image/png, 96 bytes)\nThe prompt was revised to: A cat, sitting",
      data: [
        { type: "base64", mediaType: "image/jpeg", data: base64(samples.jpeg) },
        { type: "base64", mediaType: "image/png", data: base64(samples.png) },
      ],
      names: ["image-1.jpg", "image-2.png"],
      metadata: { model: "dall-e-3", usage: { total_tokens: 5 }, revisedPrompts: ["A cat, sitting"] },
    });
  });

  const bodies: [Record<string, unknown>, object][] = [
    [
      { model: "dall-e-2", quality: "hd" },
      { model: "dall-e-2", response_format: "url" },
    ],
    [
      { model: "dall-e-3", quality: "hd", response_format: "b64_json" },
      { model: "dall-e-3", quality: "hd", response_format: "b64_json" },
    ],
    [
      { model: "gpt-image-1", quality: "high" },
      { model: "gpt-image-1", quality: "high" },
    ],
    [{ model: "gpt-image-1" }, { model: "gpt-image-1" }],
    [
      { model: " ", size: "", quality: "" },
      { model: "dall-e-3", quality: "standard", response_format: "url" },
    ],
    [
      { model: null, n: "1" },
      { model: "dall-e-3", quality: "standard", response_format: "url" },
    ],
  ];
  test.each(bodies)("sends for %j the fields the model knows", async (input, expected) => {
    const { seen } = await run([json(image)], "openai_text_to_image", { prompt: "a cat", ...input });
    expect(seen[0]?.body).toEqual({ prompt: "a cat", n: 1, size: "1024x1024", ...expected });
  });
});

describe("openai_image_to_text", () => {
  const url = "https://pictures.test/a,b.png?x=1,2";

  test("hands URLs on without fetching them, and sends data along", async () => {
    const { seen, state, text, metadata } = await run([chat("Two cats.")], "openai_image_to_text", {
      image_urls: [url, ` ${dataUrl("image/gif", samples.png)} `, base64(samples.jpeg)],
      prompt: "How many?",
      max_tokens: 50,
    });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      url: "https://api.openai.com/v1/chat/completions",
      body: {
        model: "gpt-4o",
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "How many?" },
              { type: "image_url", image_url: { url } },
              { type: "image_url", image_url: { url: dataUrl("image/png", samples.png) } },
              { type: "image_url", image_url: { url: dataUrl("image/jpeg", samples.jpeg) } },
            ],
          },
        ],
        max_completion_tokens: 50,
      },
    });
    expect({ state, text, metadata }).toEqual({
      state: "success",
      text: "Two cats.",
      metadata: { model: "gpt-4o", usage: { total_tokens: 9 } },
    });
  });

  test("takes one text with URLs between commas, without breaking data: URLs", async () => {
    const given = `${url}, https://b.test/c.png,${dataUrl("image/png", samples.png)}`;
    const { seen } = await run(
      [chat("ok")],
      "openai_image_to_text",
      { image_urls: given },
      { baseUrl: "https://proxy.test/openai/v1/" },
    );
    const [{ body, url: asked } = { body: {}, url: "" }] = seen;
    const content = JSON.parse(JSON.stringify(body)).messages[0].content;
    expect([asked, content.map((part: { image_url?: { url: string } }) => part.image_url?.url)]).toEqual([
      "https://proxy.test/openai/v1/chat/completions",
      [undefined, url, "https://b.test/c.png", dataUrl("image/png", samples.png)],
    ]);
    expect(body).toMatchObject({ max_tokens: 300 });
    expect(content[0].text).toBe("Describe the image(s) in detail.");
  });

  test("reads images of the workspace", async () => {
    const backend = memoryBackend({ cwd: "/work", files: { "/work/cat.png": samples.png } });
    const { seen, state } = await run([chat("ok")], "openai_image_to_text", { image_urls: ["cat.png"] }, { backend });
    expect(state).toBe("success");
    expect(JSON.stringify(seen[0]?.body)).toContain(dataUrl("image/png", samples.png));
  });

  const answers: [string, Answer, string][] = [
    [
      "parts of text",
      chat([
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ]),
      "success: ab",
    ],
    [
      "an answer that was cut",
      json({ choices: [{ message: { content: "a" }, finish_reason: "length" }] }),
      "success: a\n\n[Cut at 300 tokens. Ask again with a larger max_tokens for more.]",
    ],
    [
      "no word before the limit",
      json({ choices: [{ message: { content: "" }, finish_reason: "length" }] }),
      "error: The answer of api.openai.com cannot be used: max_tokens was used up before the first word. Ask in another way, or go on without it.",
    ],
    [
      "a refusal",
      chat(null, { refusal: "I cannot help." }),
      "error: The answer of api.openai.com cannot be used: the model refused (I cannot help.). Ask in another way, or go on without it.",
    ],
    [
      "no choice",
      json({ choices: [] }),
      "error: The answer of api.openai.com cannot be used: it has no text. Ask in another way, or go on without it.",
    ],
    [
      "an error with a good status",
      json({ error: { message: "overloaded" } }),
      "error: The answer of api.openai.com cannot be used: it says overloaded. Ask in another way, or go on without it.",
    ],
  ];
  test.each(answers)("reads %s", async (_what, answer, expected) => {
    const { state, text } = await run([answer], "openai_image_to_text", { image_urls: url });
    expect(`${state}: ${text}`).toBe(expected);
  });
});

describe("openai_text_to_audio", () => {
  test("gives the sound as data", async () => {
    const { seen, state, text, data, names } = await run([bytes(samples.mp3, "audio/mpeg")], "openai_text_to_audio", {
      text: "Hello",
      speed: 1.5,
    });
    expect(seen[0]).toMatchObject({
      url: "https://api.openai.com/v1/audio/speech",
      body: { model: "tts-1", input: "Hello", voice: "alloy", response_format: "mp3", speed: 1.5 },
    });
    expect({ state, text, data, names }).toEqual({
      state: "success",
      text: "Speech by tts-1, voice alloy:\n- speech.mp3 (audio/mpeg, 96 bytes)",
      data: [{ type: "base64", mediaType: "audio/mpeg", data: base64(samples.mp3) }],
      names: ["speech.mp3"],
    });
  });

  const sounds: [string, Uint8Array<ArrayBuffer>, string, string][] = [
    ["wav", samples.wav, "audio/wav", "speech.wav"],
    ["opus", samples.mp3, "audio/mpeg", "speech.mp3"],
    ["pcm", samples.mp3, "audio/pcm", "speech.pcm"],
    ["aac", new Uint8Array(8), "audio/aac", "speech.aac"],
  ];
  test.each(sounds)("asked for %s, names what it got", async (response_format, body, mediaType, name) => {
    const { data, names } = await run([bytes(body, "application/octet-stream")], "openai_text_to_audio", {
      text: "a",
      response_format,
    });
    expect([data, names]).toEqual([[{ type: "base64", mediaType, data: base64(body) }], [name]]);
  });

  test.each([
    ["nothing", bytes("", "audio/mpeg"), "it is empty"],
    ["JSON", json({ detail: "no" }), "it is application/json, not a sound"],
    ["a picture", bytes(samples.png, "audio/mpeg"), "it is of type image/png, not of audio"],
  ])("does not take %s for a sound", async (_what, answer, problem) => {
    const { state, text } = await run([answer], "openai_text_to_audio", { text: "a" });
    expect(`${state}: ${text}`).toBe(
      `error: The answer of api.openai.com cannot be used: ${problem}. Ask in another way, or go on without it.`,
    );
  });
});

describe("openai_audio_to_text", () => {
  const sound = dataUrl("audio/x-wav", samples.wav);
  const verbose = {
    task: "transcribe",
    text: "Hello. Bye.",
    segments: [
      { start: 0, end: 1.5, text: " Hello." },
      { start: 1.5, end: 2, text: " Bye." },
    ],
  };

  test("uploads the sound under the name of its type", async () => {
    const { seen, state, text, metadata } = await run(
      [bytes("Hello.\n", "text/plain; charset=utf-8")],
      "openai_audio_to_text",
      {
        audio_url: sound,
        language: "en",
        prompt: "Names: Ada",
        temperature: 0.2,
      },
    );
    expect(seen).toEqual([
      {
        method: "POST",
        url: "https://api.openai.com/v1/audio/transcriptions",
        headers: { authorization: "Bearer sk-secret" },
        body: {
          file: "audio.wav audio/wav 96",
          model: "whisper-1",
          response_format: "text",
          language: "en",
          prompt: "Names: Ada",
          temperature: "0.2",
        },
      },
    ]);
    expect({ state, text, metadata }).toEqual({
      state: "success",
      text: "Hello.",
      metadata: { model: "whisper-1", bytes: 96 },
    });
  });

  const formats: [string, Record<string, unknown>, Answer, string, string][] = [
    [
      "text of a model that gives JSON only",
      { model: "gpt-4o-transcribe" },
      json({ text: " Hello. " }),
      "json",
      "Hello.",
    ],
    ["JSON", { response_format: "json" }, json({ text: "Hello." }), "json", "Hello."],
    ["JSON although text was asked for", {}, json({ text: "Hello." }), "text", "Hello."],
    [
      "times",
      { response_format: "verbose_json" },
      json(verbose),
      "verbose_json",
      "[0.00-1.50] Hello.\n[1.50-2.00] Bye.",
    ],
    [
      "subtitles",
      { response_format: "srt" },
      bytes("1\n00:00 --> 00:01\nHello.\n", "text/plain"),
      "srt",
      "1\n00:00 --> 00:01\nHello.",
    ],
    ["silence", {}, bytes("\n", "text/plain"), "text", "[Nothing was understood: no words in it.]"],
  ];
  test.each(formats)("reads %s", async (_what, input, answer, asked, expected) => {
    const { seen, state, text } = await run([answer], "openai_audio_to_text", { audio_url: sound, ...input });
    expect([seen[0]?.body, `${state}: ${text}`]).toEqual([
      expect.objectContaining({ response_format: asked }),
      `success: ${expected}`,
    ]);
  });

  test.each([
    ["a page", bytes("<html>", "text/html"), "it is a page of HTML, not a text"],
    ["JSON without a text", json({ words: [] }), "it has no text"],
    ["half of it", bytes('{"text": "Hel', "application/json"), "it is no JSON object"],
  ])("does not take %s for a transcript", async (_what, answer, problem) => {
    const { state, text } = await run([answer], "openai_audio_to_text", { audio_url: sound });
    expect(`${state}: ${text}`).toBe(
      `error: The answer of api.openai.com cannot be used: ${problem}. Ask in another way, or go on without it.`,
    );
  });

  test("fetches no URL of a model by itself", async () => {
    const { seen, state, text } = await run([json({})], "openai_audio_to_text", {
      audio_url: "http://169.254.169.254/a.mp3",
    });
    expect([seen, `${state}: ${text}`]).toEqual([
      [],
      "error: api.openai.com takes sounds as uploads only, and URLs are not fetched here. Give a data: URL or a path.",
    ]);
  });

  test("has URLs fetched by the application where it says how, and checks what comes", async () => {
    const asked: string[] = [];
    const loadUrl = async (url: string, { signal }: { signal: AbortSignal }): Promise<Uint8Array> => {
      asked.push(`${url} ${signal.aborted}`);
      return url.endsWith("mp3") ? samples.mp3 : new TextEncoder().encode("<html>");
    };
    const good = await run(
      [json({ text: "Hi" })],
      "openai_audio_to_text",
      { audio_url: "https://a.test/x.mp3" },
      { loadUrl },
    );
    expect([good.text, good.seen[0]?.body]).toEqual([
      "Hi",
      expect.objectContaining({ file: "audio.mp3 audio/mpeg 96" }),
    ]);
    const bad = await run([json({})], "openai_audio_to_text", { audio_url: "https://a.test/x.html" }, { loadUrl });
    expect([bad.seen, bad.text]).toEqual([
      [],
      "Sound is needed, but what lies behind the URL is not of a known media type. Give audio in a common format.",
    ]);
    expect(asked).toEqual(["https://a.test/x.mp3 false", "https://a.test/x.html false"]);
  });
});

describe("openAiMultimodalTools", () => {
  test("uses the models it is told to", async () => {
    const models = { textToImage: "i", imageToText: "v", textToAudio: "s", audioToText: "t" };
    const { seen } = await run([json(image)], "openai_text_to_image", { prompt: "a" }, { models });
    expect(seen[0]?.body).toMatchObject({ model: "i" });
  });

  test("refuses what cannot be an input before it asks anybody", async () => {
    const inputs: [string, Record<string, unknown>][] = [
      ["openai_text_to_image", { prompt: " " }],
      ["openai_text_to_image", { prompt: "a", n: 11 }],
      ["openai_text_to_image", { prompt: "a", response_format: "png" }],
      ["openai_text_to_audio", { text: "" }],
      ["openai_text_to_audio", { text: "a", speed: 9 }],
      ["openai_image_to_text", {}],
      ["openai_audio_to_text", { audio_url: 7 }],
    ];
    for (const [name, input] of inputs) {
      const { seen, state, text } = await run([json({})], name, input);
      expect([seen, state, text.startsWith(`The arguments of ${name} are not valid:`)]).toEqual([[], "error", true]);
    }
  });
});
