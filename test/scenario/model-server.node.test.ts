import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { MAX_EVENT_LENGTH, type ModelPart, type OpenAiCompatibleOptions, openAiCompatible } from "holdall/model";
import { afterEach, describe, expect, test } from "vitest";

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage["headers"];
  body: string;
}

let server: Server | undefined;
const received: Received[] = [];

/** Starts a server that answers the first request with the first handler, and so on; the last one goes on for ever. */
async function serve(...handlers: Handler[]): Promise<string> {
  received.length = 0;
  server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const body = Buffer.concat(pieces).toString("utf8");
      const handler = handlers[Math.min(received.length, handlers.length - 1)];
      received.push({ method: request.method, url: request.url, headers: request.headers, body });
      handler?.(request, response, body);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  server = undefined;
});

const sse = { "content-type": "text/event-stream; charset=utf-8" };
const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const text = (content: string, finish: string | null = null): string =>
  data({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] });
const answerOk: Handler = (_request, response) => {
  response.writeHead(200, sse);
  response.end(`${text("ok", "stop")}data: [DONE]\n\n`);
};
const answerStatus =
  (status: number, body = "", headers: Record<string, string> = {}): Handler =>
  (_request, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };

/** Asks and gives the words of the answer, the reason it stopped and the error. */
async function ask(
  baseUrl: string,
  options: Partial<OpenAiCompatibleOptions> = {},
  signal?: AbortSignal,
): Promise<object> {
  const model = openAiCompatible({
    baseUrl,
    model: "m",
    apiKey: "sk-secret-1",
    retry: { initialDelayMs: 1, maxDelayMs: 5 },
    ...options,
  });
  const messages = [{ id: "1", role: "user" as const, content: [{ type: "text" as const, text: "Hällo 🦜" }] }];
  const parts: ModelPart[] = [];
  let error: unknown;
  try {
    for await (const part of model.stream({ messages, ...(signal && { signal }) })) parts.push(part);
  } catch (thrown) {
    error = thrown;
  }
  const words = parts.map((part) => (part.type === "text" ? part.delta : "")).join("");
  const last = parts.at(-1);
  return {
    words,
    ...(last?.type === "finish" && { reason: last.reason }),
    ...(error instanceof Error && { error: "code" in error ? error.code : error.message }),
  };
}

describe("a model behind a real server", () => {
  test("is asked in the protocol and answers in pieces cut inside characters", async () => {
    const whole = Buffer.from(`: hi\r\n\r\n${text("Grüße 👩‍👩‍👧")}${text("!", "stop")}data: [DONE]\r\n\r\n`);
    const url = await serve((_request, response) => {
      response.writeHead(200, sse);
      let at = 0;
      const next = (): void => {
        if (at >= whole.length) return void response.end();
        response.write(whole.subarray(at, at + 7), () => setImmediate(next));
        at += 7;
      };
      next();
    });
    expect(await ask(url)).toEqual({ words: "Grüße 👩‍👩‍👧!", reason: "stop" });
    const [request] = received;
    expect({
      method: request?.method,
      url: request?.url,
      cookie: request?.headers.cookie,
      key: request?.headers.authorization,
    }).toEqual({
      method: "POST",
      url: "/v1/chat/completions",
      cookie: undefined,
      key: "Bearer sk-secret-1",
    });
    expect(JSON.parse(request?.body ?? "")).toEqual({
      model: "m",
      messages: [{ role: "user", content: "Hällo 🦜" }],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  const outcomes: [string, Handler[], object, number, Partial<OpenAiCompatibleOptions>?][] = [
    [
      "is asked again after 429 with Retry-After",
      [answerStatus(429, "", { "retry-after": "0" }), answerOk],
      { words: "ok", reason: "stop" },
      2,
    ],
    [
      "is asked again after 500",
      [answerStatus(500, "<h1>oops</h1>"), answerStatus(503), answerOk],
      { words: "ok", reason: "stop" },
      3,
    ],
    ["is given up after three failures", [answerStatus(500)], { words: "", error: "MODEL_HTTP" }, 3],
    [
      "is not asked again after 400",
      [answerStatus(400, '{"error":{"message":"no"}}')],
      { words: "", error: "MODEL_HTTP" },
      1,
    ],
    [
      "is not followed elsewhere",
      [answerStatus(307, "", { location: "/v2/chat/completions" }), answerOk],
      { words: "", error: "MODEL_HTTP" },
      1,
    ],
    [
      "is asked again after a connection that closes without an answer",
      [(_request, response) => response.destroy(), answerOk],
      { words: "ok", reason: "stop" },
      2,
    ],
    [
      "may be too slow to begin",
      [() => {}],
      { words: "", error: "MODEL_NETWORK" },
      1,
      { timeouts: { headersMs: 300 } },
    ],
    [
      "may fall silent",
      [
        (_request, response) => {
          response.writeHead(200, sse);
          response.write(text("a"));
        },
      ],
      { words: "a", error: "MODEL_STREAM" },
      1,
      { timeouts: { idleMs: 300 } },
    ],
    [
      "may be cut in the middle of a chunk",
      [
        (_request, response) => {
          response.writeHead(200, sse);
          response.write(`${text("a")}data: {"choi`, () => response.destroy());
        },
      ],
      { words: "a", error: "MODEL_STREAM" },
      1,
    ],
    [
      "may end in good order but too early",
      [(_request, response) => response.writeHead(200, sse).end(text("a"))],
      { words: "a", error: "MODEL_STREAM" },
      1,
    ],
    [
      "may answer with a page",
      [
        (_request, response) =>
          response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Hi</title>"),
      ],
      { words: "", error: "MODEL_STREAM" },
      1,
    ],
    [
      "may answer with JSON although asked to stream",
      [
        (_request, response) =>
          response.writeHead(200, { "content-type": "application/json" }).end(
            JSON.stringify({
              choices: [{ message: { role: "assistant", content: "whole" }, finish_reason: "stop" }],
            }),
          ),
      ],
      { words: "whole", reason: "stop" },
      1,
    ],
    [
      "may send a line without end",
      [
        (_request, response) => {
          response.writeHead(200, sse);
          response.write("data: ");
          const piece = "x".repeat(1024 * 1024);
          for (let sent = 0; sent <= MAX_EVENT_LENGTH; sent += piece.length) response.write(piece);
        },
      ],
      { words: "", error: "MODEL_STREAM" },
      1,
    ],
    [
      "may keep the connection open behind [DONE]",
      [
        (_request, response) => {
          response.writeHead(200, sse);
          response.write(`${text("ok", "stop")}data: [DONE]\n\n`);
        },
      ],
      { words: "ok", reason: "stop" },
      1,
    ],
  ];
  for (const [what, handlers, outcome, requests, options] of outcomes) {
    test(what, async () => {
      expect(await ask(await serve(...handlers), options)).toEqual(outcome);
      expect(received).toHaveLength(requests);
    });
  }

  test("may not be there", async () => {
    const url = await serve(answerOk);
    await new Promise((resolve) => server?.close(resolve));
    server = undefined;
    expect(await ask(url)).toEqual({ words: "", error: "MODEL_NETWORK" });
  });

  test("loses the connection when the answer is aborted", async () => {
    const controller = new AbortController();
    const closed = new Promise<void>((resolve) => {
      void serve((_request, response) => {
        response.on("close", () => resolve());
        response.writeHead(200, sse);
        response.write(text("a"), () => controller.abort(new Error("enough")));
      }).then(async (url) => {
        expect(await ask(url, {}, controller.signal)).toMatchObject({ error: "enough" });
      });
    });
    await closed;
  });

  test("loses the connection when the request is aborted before it answers", async () => {
    const controller = new AbortController();
    let close: () => void = () => {};
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    const url = await serve((_request, response) => {
      response.on("close", close);
      controller.abort(new Error("enough"));
    });
    expect(await ask(url, {}, controller.signal)).toEqual({ words: "", error: "enough" });
    await closed;
  });
});
