import { type ModelFetch, type ModelRequest, type OpenAiCompatibleOptions, openAiCompatible } from "holdall/model";
import { describe, expect, test } from "vitest";
import { chunk, collect, countingIds, DONE, events, failure, question } from "./recorded.ts";

interface Sent {
  url: string;
  init: RequestInit;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** A `fetch` that answers every request with "ok" and keeps what was sent. */
function okServer(): { sent: Sent[]; fetch: ModelFetch } {
  const sent: Sent[] = [];
  return {
    sent,
    fetch: async (url, init) => {
      const headers = Object.fromEntries(new Headers(init.headers));
      sent.push({ url, init, headers, body: JSON.parse(String(init.body)) });
      return new Response(events(chunk({ content: "ok" }, "stop"), DONE));
    },
  };
}

async function send(options: Partial<OpenAiCompatibleOptions>, request: ModelRequest = question()): Promise<Sent> {
  const server = okServer();
  const model = openAiCompatible({
    baseUrl: "http://x.test/v1",
    model: "m",
    makeId: countingIds(),
    fetch: server.fetch,
    ...options,
  });
  const { items, error } = await collect(model.stream(request));
  expect(error).toBeUndefined();
  expect(items).toEqual([
    { type: "text", id: "id-1", delta: "ok" },
    { type: "finish", reason: "stop" },
  ]);
  const [first] = server.sent;
  if (first === undefined || server.sent.length > 1) throw new Error("expected one request");
  return first;
}

describe("openAiCompatible: the request", () => {
  test("says what is needed and no more", async () => {
    const { url, init, headers, body } = await send({});
    expect(url).toBe("http://x.test/v1/chat/completions");
    expect({ method: init.method, redirect: init.redirect, signal: init.signal instanceof AbortSignal }).toEqual({
      method: "POST",
      redirect: "manual",
      signal: true,
    });
    expect(headers).toEqual({ accept: "text/event-stream", "content-type": "application/json" });
    expect(body).toEqual({
      model: "m",
      messages: [{ role: "user", content: "Hello" }],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test("never sends cookies, and is one that the host can make", async () => {
    const { url, init } = await send({});
    // Workers have no cookies and refuse the field.
    expect(init.credentials).toBe("credentials" in Request.prototype ? "omit" : undefined);
    expect(new Request(url, init).url).toBe(url);
  });

  test("carries key, headers, sampling and more fields", async () => {
    const { headers, body } = await send({
      apiKey: "sk-1",
      headers: { "X-Title": "demo", accept: "*/*" },
      temperature: 0,
      maxTokens: 99,
      body: { top_k: 5, stream_options: undefined },
    });
    expect(headers).toEqual({
      accept: "*/*",
      authorization: "Bearer sk-1",
      "content-type": "application/json",
      "x-title": "demo",
    });
    expect(body).toEqual({
      model: "m",
      messages: [{ role: "user", content: "Hello" }],
      stream: true,
      temperature: 0,
      max_tokens: 99,
      top_k: 5,
    });
  });

  test("carries system text, tools and the choice, under names the provider takes", async () => {
    const inputSchema = { $schema: "x", properties: { q: { type: "string" } } };
    const { body } = await send(
      {},
      {
        ...question(),
        system: "Be good.",
        tools: [
          { name: "fs.read", description: "Reads\ud800.", inputSchema, strict: true },
          { name: "now", description: "Tells the time.", inputSchema: { type: "object", description: "\udc00" } },
        ],
        toolChoice: { tool: "fs.read" },
      },
    );
    expect(body).toEqual({
      model: "m",
      messages: [
        { role: "system", content: "Be good." },
        { role: "user", content: "Hello" },
      ],
      stream: true,
      stream_options: { include_usage: true },
      tools: [
        {
          type: "function",
          function: {
            name: "fs_read_8bef9c8c",
            description: "Reads\ufffd.",
            parameters: {
              type: "object",
              properties: { q: { type: ["string", "null"] } },
              required: ["q"],
              additionalProperties: false,
            },
            strict: true,
          },
        },
        {
          type: "function",
          function: {
            name: "now",
            description: "Tells the time.",
            parameters: { type: "object", description: "\ufffd", properties: {} },
          },
        },
      ],
      tool_choice: { type: "function", function: { name: "fs_read_8bef9c8c" } },
    });
  });

  const choices: ["auto" | "none" | "required", boolean][] = [
    ["auto", true],
    ["none", true],
    ["required", true],
    ["required", false],
  ];
  for (const [toolChoice, hasTools] of choices) {
    test(`says the choice ${toolChoice} ${hasTools ? "with" : "not without"} tools`, async () => {
      const tools = hasTools ? [{ name: "now", description: "", inputSchema: {} }] : [];
      const { body } = await send({}, { ...question(), tools, toolChoice });
      expect(body.tool_choice).toBe(hasTools ? toolChoice : undefined);
      expect("tools" in body).toBe(hasTools);
    });
  }

  const urls: [string, string][] = [
    ["http://x.test/v1/", "http://x.test/v1/chat/completions"],
    ["http://x.test", "http://x.test/chat/completions"],
    ["https://x.test/v1/chat/completions", "https://x.test/v1/chat/completions"],
    ["https://x.test/deployments/a?api-version=1#top", "https://x.test/deployments/a/chat/completions?api-version=1"],
  ];
  for (const [baseUrl, expected] of urls) {
    test(`goes from ${baseUrl} to ${expected}`, async () => expect((await send({ baseUrl })).url).toBe(expected));
  }

  const limits: [string, string][] = [
    ["https://api.openai.com/v1", "max_completion_tokens"],
    ["https://a.openai.azure.com/openai", "max_completion_tokens"],
    ["https://api.openai.com.x.test/v1", "max_tokens"],
  ];
  for (const [baseUrl, field] of limits) {
    test(`limits tokens with ${field} at ${baseUrl}`, async () => {
      const { body } = await send({ baseUrl, maxTokens: 5 });
      expect(body[field]).toBe(5);
    });
  }

  test("sends images and earlier thinking when told to", async () => {
    const { body } = await send(
      { inputTypes: ["image/*"], sendThinking: true },
      {
        messages: [
          {
            id: "1",
            role: "user",
            content: [{ type: "data", source: { type: "base64", mediaType: "image/gif", data: "aGk=" } }],
          },
          {
            id: "2",
            role: "assistant",
            content: [
              { type: "thinking", thinking: "hm" },
              { type: "text", text: "ok" },
            ],
          },
        ],
      },
    );
    expect(body.messages).toEqual([
      { role: "user", content: [{ type: "image_url", image_url: { url: "data:image/gif;base64,aGk=" } }] },
      { role: "assistant", content: "ok", reasoning_content: "hm" },
    ]);
  });
});

describe("openAiCompatible: the model", () => {
  test("shows its name and its input types, and nothing of its key", () => {
    const model = openAiCompatible({ baseUrl: "http://x.test", model: "m", apiKey: "sk-1" });
    expect(JSON.parse(JSON.stringify(model))).toEqual({ name: "m", inputTypes: [] });
    expect(
      openAiCompatible({ baseUrl: "http://x.test", model: "m", name: "Emm", inputTypes: ["image/png"] }),
    ).toMatchObject({
      name: "Emm",
      inputTypes: ["image/png"],
    });
  });

  test("asks nothing before somebody reads", async () => {
    const server = okServer();
    openAiCompatible({ baseUrl: "http://x.test", model: "m", fetch: server.fetch }).stream(question());
    await Promise.resolve();
    expect(server.sent).toEqual([]);
  });

  test("answers several requests at once", async () => {
    const server = okServer();
    const model = openAiCompatible({ baseUrl: "http://x.test", model: "m", fetch: server.fetch });
    const answers = await Promise.all([1, 2, 3].map(() => collect(model.stream(question()))));
    expect(answers.map(({ items }) => items.length)).toEqual([2, 2, 2]);
  });

  test("gives a call another id when an earlier call bears it", async () => {
    const call = { index: 0, id: "call_0", function: { name: "now", arguments: "{}" } };
    const model = openAiCompatible({
      baseUrl: "http://x.test",
      model: "m",
      makeId: countingIds(),
      fetch: async () => new Response(events(chunk({ tool_calls: [call] }, "tool_calls"), DONE)),
    });
    const { items } = await collect(
      model.stream({
        messages: [
          {
            id: "1",
            role: "assistant",
            content: [{ type: "tool_call", id: "call_0", name: "now", input: "{}", state: "finished" }],
          },
        ],
        tools: [{ name: "now", description: "", inputSchema: {} }],
      }),
    );
    expect(items[0]).toEqual({ type: "tool_call_start", id: "id-1", name: "now" });
  });
});

describe("openAiCompatible: options", () => {
  const good = { baseUrl: "http://x.test", model: "m" };
  const address = "baseUrl is not an absolute http or https address. Pass one such as https://api.openai.com/v1.";
  const table: [string, OpenAiCompatibleOptions, string][] = [
    ["an empty address", { ...good, baseUrl: "" }, address],
    ["a relative address", { ...good, baseUrl: "/v1" }, address],
    ["another protocol", { ...good, baseUrl: "ftp://x.test" }, address],
    ["a script as an address", { ...good, baseUrl: "javascript:alert(1)" }, address],
    ["a key in place of the address", { ...good, baseUrl: "sk-1234567890" }, address],
    [
      "a password in the address",
      { ...good, baseUrl: "https://me:secret@x.test" },
      "baseUrl holds a user name or a password. Pass it with apiKey or headers.",
    ],
    ["no model", { ...good, model: "" }, "model is empty. Pass the name of the model as the server knows it."],
    [
      "a line break in the key",
      { ...good, apiKey: "sk\n1" },
      "apiKey holds a character that no header may hold. Remove it.",
    ],
    [
      "a header name with a space",
      { ...good, headers: { "a b": "secret" } },
      'the header "a b" holds a character that no header may hold. Remove it.',
    ],
    [
      "no attempts",
      { ...good, retry: { attempts: 0 } },
      "retry.attempts is not a whole number from 1. Pass 1 for no second try.",
    ],
    [
      "a negative wait",
      { ...good, retry: { initialDelayMs: -1 } },
      "retry.initialDelayMs is not a number of milliseconds. Pass one from 0 to 2147483647.",
    ],
    [
      "an endless wait",
      { ...good, retry: { maxDelayMs: Infinity } },
      "retry.maxDelayMs is not a number of milliseconds. Pass one from 0 to 2147483647.",
    ],
    [
      "no time",
      { ...good, timeouts: { headersMs: 0 } },
      "timeouts.headersMs is not a number of milliseconds. Pass one up to 2147483647, or Infinity for no limit.",
    ],
    [
      "a time that is none",
      { ...good, timeouts: { idleMs: Number.NaN } },
      "timeouts.idleMs is not a number of milliseconds. Pass one up to 2147483647, or Infinity for no limit.",
    ],
  ];
  for (const [what, options, message] of table) {
    test(`refuses ${what}`, () => {
      expect(failure(() => openAiCompatible(options))).toEqual({
        code: "MODEL_INVALID",
        message: `MODEL_INVALID: ${message}`,
        data: {},
        retryable: false,
      });
    });
  }
});
