/** The multimodal tools against a real HTTP server that speaks the published shapes, with the faults of real ones. */

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type DataSource, type JsonValue, outputText, Toolkit } from "holdall";
import { memoryBackend } from "holdall/memory";
import { afterEach, describe, expect, test } from "vitest";
import {
  type DashScopeMultimodalOptions,
  dashScopeMultimodalTools,
} from "../../src/tools/multimodal/dashscope-multimodal-tools.ts";
import { MAX_ANSWER, MAX_MEDIA_ANSWER, MAX_MEDIA_OUT } from "../../src/tools/multimodal/limits.ts";
import {
  type OpenAiMultimodalOptions,
  openAiMultimodalTools,
} from "../../src/tools/multimodal/openai-multimodal-tools.ts";

type Handler = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

interface Received {
  line: string;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

const KEY = "sk-secret-1";

let server: Server | undefined;
let received: Received[] = [];

/** Starts a server; the path of a request, with its method, finds the handlers, the last of which goes on for ever. */
async function serve(handlers: Record<string, Handler | Handler[]>): Promise<string> {
  received = [];
  const started = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const line = `${request.method} ${request.url}`;
      const list = [handlers[line] ?? notThere].flat();
      const before = received.filter((one) => one.line === line).length;
      const body = Buffer.concat(pieces);
      received.push({ line, headers: request.headers, body });
      list[Math.min(before, list.length - 1)]?.(request, response, body);
    });
  });
  server = started;
  started.listen(0, "127.0.0.1");
  await once(started, "listening");
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
}

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  server = undefined;
});

const notThere: Handler = (_request, response) => {
  response.writeHead(404, { "content-type": "application/json" }).end('{"error":{"message":"no such endpoint"}}');
};
const sendJson =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Handler =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
  };
const sendBytes =
  (body: Uint8Array | string, type: string): Handler =>
  (_request, response) => {
    response.writeHead(200, { "content-type": type }).end(body);
  };

const fill = (head: string, length = 4000): Buffer =>
  Buffer.concat([Buffer.from(head, "latin1"), Buffer.alloc(length)]);
const png = fill("\x89PNG\r\n\x1a\n");
const wav = fill("RIFF\x24\0\0\0WAVEfmt ");
const mp4 = fill("\0\0\0\x20ftypisom");
const dataUrl = (type: string, bytes: Buffer): string => `data:${type};base64,${bytes.toString("base64")}`;

interface Outcome {
  says: string;
  data: DataSource[];
  progress: JsonValue[];
}

async function call(
  tools: ReturnType<typeof openAiMultimodalTools>,
  name: string,
  input: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<Outcome> {
  const progress: JsonValue[] = [];
  const result = await new Toolkit({ tools }).run(
    { name, input },
    { ...(signal && { signal }), onProgress: (_call, value) => progress.push(value) },
  );
  expect(JSON.stringify(result)).not.toContain(KEY);
  return {
    says: `${result.state}: ${outputText(result.output)}`,
    data: result.output.flatMap((block) => (block.type === "data" ? [block.source] : [])),
    progress,
  };
}

const quick = { retry: { initialDelayMs: 1, maxDelayMs: 5 } };
const openAi = (origin: string, options: Partial<OpenAiMultimodalOptions> = {}) =>
  openAiMultimodalTools({ apiKey: KEY, baseUrl: `${origin}/v1`, ...quick, ...options });
const dashScope = (origin: string, options: Partial<DashScopeMultimodalOptions> = {}) =>
  dashScopeMultimodalTools({
    apiKey: KEY,
    baseUrl: `${origin}/api/v1`,
    ...quick,
    waiting: { firstMs: 1, maxMs: 5 },
    ...options,
  });

const lines = (): string[] => received.map(({ line }) => line);

describe("OpenAI behind a real server", () => {
  test("makes an image of a text", async () => {
    const origin = await serve({
      "POST /v1/images/generations": sendJson({ created: 1, data: [{ b64_json: png.toString("base64") }] }),
    });
    const { says, data } = await call(openAi(origin), "openai_text_to_image", {
      prompt: "Käse 🧀",
      response_format: "b64_json",
    });
    expect([says, data]).toEqual([
      "success: 1 image by dall-e-3:\n- image.png (image/png, 4008 bytes)",
      [{ type: "base64", mediaType: "image/png", data: png.toString("base64") }],
    ]);
    const [request] = received;
    expect([request?.headers.authorization, request?.headers["content-type"], request?.headers.cookie]).toEqual([
      `Bearer ${KEY}`,
      "application/json",
      undefined,
    ]);
    expect(JSON.parse(request?.body.toString("utf8") ?? "")).toEqual({
      model: "dall-e-3",
      prompt: "Käse 🧀",
      n: 1,
      size: "1024x1024",
      quality: "standard",
      response_format: "b64_json",
    });
  });

  test("looks at an image of the workspace", async () => {
    const origin = await serve({
      "POST /v1/chat/completions": sendJson({
        choices: [{ message: { role: "assistant", content: "A cat." }, finish_reason: "stop" }],
      }),
    });
    const backend = memoryBackend({ cwd: "/work", files: { "/work/cat.png": png } });
    const { says } = await call(openAi(origin, { backend }), "openai_image_to_text", {
      image_urls: ["cat.png", "https://a.test/x.png"],
    });
    const sent = JSON.parse(received[0]?.body.toString("utf8") ?? "");
    expect([says, sent.messages[0].content.slice(1)]).toEqual([
      "success: A cat.",
      [
        { type: "image_url", image_url: { url: dataUrl("image/png", png) } },
        { type: "image_url", image_url: { url: "https://a.test/x.png" } },
      ],
    ]);
  });

  test("speaks a text", async () => {
    const origin = await serve({ "POST /v1/audio/speech": sendBytes(wav, "audio/wav") });
    const { says, data } = await call(openAi(origin), "openai_text_to_audio", { text: "Hi", response_format: "wav" });
    expect([says, data]).toEqual([
      "success: Speech by tts-1, voice alloy:\n- speech.wav (audio/wav, 4016 bytes)",
      [{ type: "base64", mediaType: "audio/wav", data: wav.toString("base64") }],
    ]);
  });

  test("writes down a sound that it gets as a form", async () => {
    const origin = await serve({ "POST /v1/audio/transcriptions": sendBytes("Hello.\n", "text/plain") });
    const { says } = await call(openAi(origin), "openai_audio_to_text", {
      audio_url: dataUrl("audio/wav", wav),
      language: "en",
    });
    const [request] = received;
    const form = await new Response(new Uint8Array(request?.body ?? []), {
      headers: { "content-type": request?.headers["content-type"] ?? "" },
    }).formData();
    const file = form.get("file");
    if (!(file instanceof File)) throw new Error("there is no file in the form");
    expect([says, file.name, file.type, Buffer.from(await file.arrayBuffer()).equals(wav)]).toEqual([
      "success: Hello.",
      "audio.wav",
      "audio/wav",
      true,
    ]);
    expect(["model", "response_format", "language"].map((name) => form.get(name))).toEqual(["whisper-1", "text", "en"]);
  });
});

const task = (status: string, more: object = {}): Handler =>
  sendJson({ request_id: "r", output: { task_id: "t-1", task_status: status, ...more }, usage: { video_count: 1 } });
const VIDEO = "POST /api/v1/services/aigc/video-generation/video-synthesis";
const LOOK = "GET /api/v1/tasks/t-1";
const CANCEL = "POST /api/v1/tasks/t-1/cancel";

describe("DashScope behind a real server", () => {
  test("makes a video: handed in, followed, given", async () => {
    const origin = await serve({
      [VIDEO]: task("PENDING"),
      [LOOK]: [task("PENDING"), task("RUNNING"), task("SUCCEEDED", { video_url: "https://oss.test/v.mp4" })],
    });
    const { says, data, progress } = await call(dashScope(origin), "dashscope_text_to_video", { prompt: "a run" });
    expect({ says, data, progress, asked: lines() }).toEqual({
      says: "success: 1 video by wan2.6-t2v:\n- https://oss.test/v.mp4",
      data: [{ type: "url", url: "https://oss.test/v.mp4", mediaType: "video/mp4" }],
      progress: ["PENDING", "RUNNING", "SUCCEEDED"].map((status, index) => ({
        taskId: "t-1",
        status,
        look: index + 1,
      })),
      asked: [VIDEO, LOOK, LOOK, LOOK],
    });
    expect([received[0]?.headers["x-dashscope-async"], received[1]?.headers["x-dashscope-async"]]).toEqual([
      "enable",
      undefined,
    ]);
  });

  test("gives what it made as data, fetched from its store over https", async () => {
    const origin = await serve({
      [VIDEO]: task("PENDING"),
      [LOOK]: task("SUCCEEDED", { video_url: "https://oss.test/v.mp4?Expires=1" }),
      "GET /v.mp4?Expires=1": sendBytes(mp4, "application/octet-stream"),
    });
    const tunnel = (url: string, init: RequestInit): Promise<Response> =>
      fetch(url.replace("https://oss.test", origin), init);
    const { data } = await call(dashScope(origin, { download: true, fetch: tunnel }), "dashscope_text_to_video", {
      prompt: "a",
    });
    expect(data).toEqual([{ type: "base64", mediaType: "video/mp4", data: mp4.toString("base64") }]);
    expect(received.at(-1)?.headers.authorization).toBe(undefined);
  });

  const endings: [string, Handler, string][] = [
    [
      "FAILED",
      task("FAILED", { code: "InternalError.Timeout", message: "too slow" }),
      "error: The task t-1 failed (InternalError.Timeout: too slow).",
    ],
    ["UNKNOWN", task("UNKNOWN"), "error: The task t-1 is not known at the provider, or its result has expired."],
    ["CANCELED", task("CANCELED"), "error: The task t-1 was cancelled at the provider."],
  ];
  test.each(endings)("ends with %s", async (_status, ending, expected) => {
    const origin = await serve({ [VIDEO]: task("PENDING"), [LOOK]: [task("RUNNING"), ending] });
    const { says } = await call(dashScope(origin), "dashscope_text_to_video", { prompt: "a" });
    expect([says, lines()]).toEqual([`${expected} Ask in another way, or go on without it.`, [VIDEO, LOOK, LOOK]]);
  });

  test("is followed through trouble that passes", async () => {
    const origin = await serve({
      [VIDEO]: task("PENDING"),
      [LOOK]: [
        (_request, response) => response.destroy(),
        sendJson({ code: "Throttling.RateQuota", message: "slow down" }, 429),
        sendBytes("<html>", "text/html"),
        sendJson({ message: "oops" }, 500),
        task("SUCCEEDED", { video_url: "https://oss.test/v.mp4" }),
      ],
    });
    const { says } = await call(dashScope(origin), "dashscope_text_to_video", { prompt: "a" });
    expect([says.slice(0, 8), lines().length]).toEqual(["success:", 6]);
  });

  test("is cancelled by an abort, which waits for nothing", async () => {
    const controller = new AbortController();
    let cancelled: () => void = () => {};
    const seen = new Promise<void>((resolve) => {
      cancelled = resolve;
    });
    const origin = await serve({
      [VIDEO]: task("PENDING"),
      // The look hangs, and so does the cancelling.
      [LOOK]: () => controller.abort(new Error("enough")),
      [CANCEL]: () => cancelled(),
    });
    const { says } = await call(dashScope(origin), "dashscope_text_to_video", { prompt: "a" }, controller.signal);
    await seen;
    expect([says.split(":")[0], lines()]).toEqual(["interrupted", [VIDEO, LOOK, CANCEL]]);
  });

  test("writes down a long sound: the text lies in its store", async () => {
    const origin = await serve({
      "POST /api/v1/services/audio/asr/transcription": task("PENDING"),
      [LOOK]: task("SUCCEEDED", {
        results: [
          {
            file_url: "https://a.test/x.mp3",
            transcription_url: "https://oss.test/t.json",
            subtask_status: "SUCCEEDED",
          },
        ],
      }),
      "GET /t.json": sendJson({ transcripts: [{ channel_id: 0, text: "Hello." }] }),
    });
    const tunnel = (url: string, init: RequestInit): Promise<Response> =>
      fetch(url.replace("https://oss.test", origin), init);
    const { says } = await call(dashScope(origin, { fetch: tunnel }), "dashscope_audio_to_text", {
      audio_url: "https://a.test/x.mp3",
      model: "paraformer-v2",
    });
    expect(says).toBe("success: Hello.");
  });
});

describe("faults of a server", () => {
  const IMAGE = "POST /v1/images/generations";
  const good = sendJson({ data: [{ url: "https://f.test/a.png" }] });
  const advice = "Ask in another way, or go on without it.";
  const maybe = "What was asked for may have been done, so ask again only if that does no harm.";

  /** Begins a body and then goes on as it is told. */
  const begin =
    (then: (response: ServerResponse) => void, headers: Record<string, string> = {}): Handler =>
    (_request, response) => {
      response.writeHead(200, { "content-type": "application/json", ...headers });
      response.write('{"data":[{"b64_json":"', () => then(response));
    };

  const faults: [string, Handler[], string | RegExp, number][] = [
    [
      "a bad request",
      [sendJson({ error: { message: "Your prompt was rejected.", code: "content_policy_violation" } }, 400)],
      "error: The server answered 400 (Your prompt was rejected). Change the request as the server says.",
      1,
    ],
    [
      "a wrong key, which it repeats",
      [sendJson({ error: { message: `Incorrect API key provided: ${KEY}.` } }, 401)],
      "error: The server answered 401 (Incorrect API key provided: [redacted]). Check the API key and what it is allowed to do.",
      1,
    ],
    [
      "too many requests, once",
      [sendJson({ error: { message: "slow down" } }, 429, { "retry-after": "0" }), good],
      "success: 1 image by dall-e-3:\n- https://f.test/a.png",
      2,
    ],
    [
      "no room, three times",
      [sendJson({ error: { message: "busy" } }, 503)],
      "error: openai_text_to_image failed: the server answered 503 (busy). Try again later.",
      3,
    ],
    [
      "trouble of its own, which may have cost something",
      [sendJson({ error: { message: "oops" } }, 500), good],
      "error: The server answered 500 (oops). Try again later.",
      1,
    ],
    [
      "a page of a gateway",
      [(_request, response) => response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>")],
      "error: The server answered 502 (a page of HTML). Try again later.",
      1,
    ],
    [
      "a redirect",
      [(_request, response) => response.writeHead(307, { location: "/v2" }).end()],
      "error: The server answered 307. Redirects are not followed: set baseUrl to the address the server names.",
      1,
    ],
    [
      "nothing at all",
      [(_request, response) => response.destroy()],
      new RegExp(
        `^error: The connection to 127\\.0\\.0\\.1:\\d+ failed before the whole answer was there \\(fetch failed: .+\\)\\. ${maybe}$`,
      ),
      1,
    ],
    [
      "half a body and a cut",
      [begin((response) => response.destroy())],
      new RegExp(
        `^error: The connection to 127\\.0\\.0\\.1:\\d+ failed before the whole answer was there \\(terminated.*\\)\\. ${maybe}$`,
      ),
      1,
    ],
    [
      "less than it announced",
      [begin((response) => response.destroy(), { "content-length": "100000" })],
      /failed before the whole answer was there/,
      1,
    ],
    [
      "half of its JSON",
      [begin((response) => response.end())],
      new RegExp(`^error: The answer of 127\\.0\\.0\\.1:\\d+ cannot be used: it is no JSON object\\. ${advice}$`),
      1,
    ],
    ["other JSON", [sendJson(["data"])], /cannot be used: it is no JSON object/, 1],
    [
      "JSON of another shape",
      [sendJson({ data: { url: "https://f.test/a.png" } })],
      /cannot be used: it has no image/,
      1,
    ],
    [
      "bytes that are no text",
      [sendBytes(Buffer.from([0xff, 0xfe, 0x00]), "application/json")],
      /cannot be used: it is no JSON object/,
      1,
    ],
    [
      "an address that is none",
      [sendJson({ data: [{ url: "javascript:alert(1)" }] })],
      /cannot be used: the image has no http or https address/,
      1,
    ],
    [
      "an image that is none",
      [sendJson({ data: [{ b64_json: mp4.toString("base64") }] })],
      /cannot be used: it is of type video\/mp4, not of image/,
      1,
    ],
    [
      "more than is taken, and says so",
      [(_request, response) => response.writeHead(200, { "content-length": String(MAX_MEDIA_ANSWER + 1) }).write("{")],
      new RegExp(`cannot be used: it is larger than ${MAX_MEDIA_ANSWER} bytes`),
      1,
    ],
  ];
  for (const [what, handlers, expected, requests] of faults) {
    test(`${what} gives one result that says what happened`, async () => {
      const origin = await serve({ [IMAGE]: handlers });
      const { says } = await call(openAi(origin), "openai_text_to_image", { prompt: "a" });
      if (typeof expected === "string") expect(says).toBe(expected);
      else expect(says).toMatch(expected);
      expect(received).toHaveLength(requests);
    });
  }

  const silences: [string, (late: () => void) => Handler][] = [
    ["silence", (late) => late],
    ["half a body and silence", (late) => begin(late)],
  ];
  for (const [what, silence] of silences) {
    test(`${what} ends with the time of the request`, async () => {
      let expire: () => void = () => {};
      const timers = {
        set: (callback: () => void) => {
          expire = callback;
        },
        clear: () => {},
      };
      const origin = await serve({ [IMAGE]: silence(() => expire()) });
      const { says } = await call(openAi(origin, { timers, requestTimeoutMs: 60 }), "openai_text_to_image", {
        prompt: "a",
      });
      expect(says).toMatch(new RegExp(`^error: 127\\.0\\.0\\.1:\\d+ did not answer within 60 ms\\. ${maybe}$`));
      expect(received).toHaveLength(1);
    });
  }

  test("an endless sound is cut, and the connection closed", async () => {
    let closed: () => void = () => {};
    const over = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const origin = await serve({
      "POST /v1/audio/speech": (_request, response) => {
        response.on("close", closed);
        response.writeHead(200, { "content-type": "audio/mpeg" });
        const piece = Buffer.alloc(1 << 20);
        const more = (): void => void (response.destroyed || response.write(piece, more));
        more();
      },
    });
    const { says } = await call(openAi(origin), "openai_text_to_audio", { text: "a" });
    await over;
    expect(says).toContain(`cannot be used: it is larger than ${MAX_MEDIA_OUT} bytes`);
  });

  test("an endless answer without media is cut sooner", async () => {
    const origin = await serve({
      "POST /v1/chat/completions": sendBytes(Buffer.alloc(MAX_ANSWER + 1, " "), "application/json"),
    });
    const { says } = await call(openAi(origin), "openai_image_to_text", { image_urls: "https://a.test/x.png" });
    expect(says).toContain(`cannot be used: it is larger than ${MAX_ANSWER} bytes`);
  });

  test("a server that is not there", async () => {
    const origin = await serve({});
    await new Promise((resolve) => server?.close(resolve));
    server = undefined;
    const { says } = await call(openAi(origin), "openai_text_to_image", { prompt: "a" });
    expect(says).toMatch(
      /^error: The connection to 127\.0\.0\.1:\d+ failed before the whole answer was there \(fetch failed: connect ECONNREFUSED/,
    );
  });

  test("an abort closes the connection at once", async () => {
    const controller = new AbortController();
    let closed: () => void = () => {};
    const over = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const origin = await serve({
      [IMAGE]: (_request, response) => {
        response.on("close", closed);
        controller.abort(new Error("enough"));
      },
    });
    const { says } = await call(openAi(origin), "openai_text_to_image", { prompt: "a" }, controller.signal);
    await over;
    expect(says.split(":")[0]).toBe("interrupted");
  });
});
