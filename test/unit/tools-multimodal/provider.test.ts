/** How the tools are set up: options that cannot be used, permissions, secrets and downloads. */

import {
  createAgentState,
  HoldallError,
  PermissionEngine,
  type PermissionMode,
  type PermissionRule,
  type Tool,
} from "holdall";
import { memoryBackend } from "holdall/memory";
import { describe, expect, test } from "vitest";
import { dashScopeMultimodalTools } from "../../../src/tools/multimodal/dashscope-multimodal-tools.ts";
import { MAX_MEDIA_OUT } from "../../../src/tools/multimodal/limits.ts";
import {
  type OpenAiMultimodalOptions,
  openAiMultimodalTools,
} from "../../../src/tools/multimodal/openai-multimodal-tools.ts";
import {
  type Answer,
  base64,
  bytes,
  callTool,
  dataUrl,
  fakeProvider,
  json,
  latin,
  samples,
  shortTimers,
  unreachable,
} from "./desk.ts";

describe("the options", () => {
  const wrong: [string, OpenAiMultimodalOptions, string][] = [
    ["no key", {}, "apiKey is missing. Pass the provider's key, or the baseUrl of a server of yours that adds it."],
    [
      "a blank key",
      { apiKey: " ", baseUrl: "https://p.test" },
      "apiKey is empty. Pass the provider's key, or the baseUrl of a server of yours that adds it.",
    ],
    [
      "a key with a line break",
      { apiKey: "sk-1\nsk-2" },
      "apiKey holds a character that no header may hold. Remove it.",
    ],
    [
      "a relative address",
      { apiKey: "k", baseUrl: "/v1" },
      "baseUrl is not an absolute http or https address. Pass one such as https://api.openai.com/v1.",
    ],
    [
      "a key as address",
      { apiKey: "k", baseUrl: "sk-secret" },
      "baseUrl is not an absolute http or https address. Pass one such as https://api.openai.com/v1.",
    ],
    [
      "a password in the address",
      { apiKey: "k", baseUrl: "https://u:p@p.test" },
      "baseUrl holds a user name or a password. Pass it with apiKey or headers.",
    ],
    [
      "a header that is none",
      { apiKey: "k", headers: { "a b": "c" } },
      'the header "a b" holds a character that no header may hold. Remove it.',
    ],
    [
      "no attempt",
      { apiKey: "k", retry: { attempts: 0 } },
      "retry.attempts is not a whole number from 1. Pass 1 for no second try.",
    ],
    [
      "a wait that is no time",
      { apiKey: "k", retry: { maxDelayMs: -1 } },
      "retry.maxDelayMs is not a number of milliseconds. Pass one from 1 to 2147483647.",
    ],
    [
      "no time",
      { apiKey: "k", requestTimeoutMs: 0 },
      "requestTimeoutMs is not a number of milliseconds. Pass one from 1 to 2147483647.",
    ],
    [
      "endless time",
      { apiKey: "k", requestTimeoutMs: Number.POSITIVE_INFINITY },
      "requestTimeoutMs is not a number of milliseconds. Pass one from 1 to 2147483647.",
    ],
  ];
  test.each(wrong)("cannot be %s", (_what, options, problem) => {
    const make = (): Tool[] => openAiMultimodalTools(options);
    expect(make).toThrow(HoldallError);
    expect(make).toThrow(`TOOL_INVALID: ${problem}`);
  });

  test("of waiting are checked too", () => {
    expect(() => dashScopeMultimodalTools({ apiKey: "k", waiting: { firstMs: 0 } })).toThrow(
      "waiting.firstMs is not a number",
    );
  });

  test("reach the provider through a server of one's own, without a key", async () => {
    const { fetch, seen } = fakeProvider(json({ data: [{ url: "https://f.test/a.png" }] }));
    const tools = openAiMultimodalTools({
      baseUrl: "https://app.test/ai/?team=7#x",
      headers: { "x-session": "s" },
      fetch,
    });
    await callTool(tools, "openai_text_to_image", { prompt: "a" });
    expect([seen[0]?.url, seen[0]?.headers]).toEqual([
      "https://app.test/ai/images/generations?team=7",
      { "content-type": "application/json", "x-session": "s" },
    ]);
  });

  test("name every tool once", () => {
    const tools = [...openAiMultimodalTools({ apiKey: "k" }), ...dashScopeMultimodalTools({ apiKey: "k" })];
    expect(tools.map(({ name }) => name)).toEqual([
      "openai_text_to_image",
      "openai_image_to_text",
      "openai_text_to_audio",
      "openai_audio_to_text",
      "dashscope_text_to_image",
      "dashscope_image_to_text",
      "dashscope_text_to_audio",
      "dashscope_audio_to_text",
      "dashscope_text_to_video",
      "dashscope_image_to_video",
      "dashscope_first_and_last_frame_image_to_video",
      "dashscope_video_to_text",
    ]);
    expect(tools.every(({ readOnly, concurrencySafe }) => !readOnly && concurrencySafe)).toBe(true);
  });
});

describe("permission", () => {
  const backend = memoryBackend({ cwd: "/work", files: { "/work/a.png": samples.png, "/work/x/b.png": samples.png } });
  const tools = openAiMultimodalTools({ apiKey: "k", backend });
  const find = (name: string): Tool => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`there is no ${name}`);
    return tool;
  };
  const look = find("openai_image_to_text");

  async function decide(
    image_urls: string | string[],
    ...rules: [PermissionRule["behavior"], string?][]
  ): Promise<string> {
    const engine = new PermissionEngine({
      rules: rules.map(([behavior, content]) => ({
        tool: look.name,
        behavior,
        ...(content === undefined ? {} : { content }),
      })),
    });
    return (await engine.check(look, { image_urls }, { state: createAgentState() })).behavior;
  }

  const modes: [PermissionMode, string][] = [
    ["default", "ask"],
    ["accept_edits", "ask"],
    ["explore", "deny"],
    ["bypass", "allow"],
    ["dont_ask", "deny"],
  ];
  test.each(modes)("in the mode %s is %s", async (mode, expected) => {
    const engine = new PermissionEngine({ mode });
    const decisions = await Promise.all(
      tools.map((tool) =>
        engine.check(tool, { prompt: "a", text: "a", image_urls: "https://a.test/", audio_url: "a.mp3" }),
      ),
    );
    expect(new Set(decisions.map(({ behavior }) => behavior))).toEqual(new Set([expected]));
  });

  test("says what goes where", async () => {
    const engine = new PermissionEngine();
    const words = await Promise.all([
      engine.check(find("openai_text_to_image"), { prompt: "a" }),
      engine.check(look, { image_urls: ["a.png", "https://a.test/x", "c", "d", "e", "f"] }),
      engine.check(look, { image_urls: [dataUrl("image/png", latin("", 300))] }),
    ]);
    expect(words.map(({ message }) => message)).toEqual([
      "openai_text_to_image sends its text to api.openai.com.",
      'openai_image_to_text sends its text and "a.png", "https://a.test/x", "c", "d" and 2 more to api.openai.com.',
      `openai_image_to_text sends its text and "data:image/png;base64,${"A".repeat(58)}…" to api.openai.com.`,
    ]);
  });

  test.each<[string | string[], string, string]>([
    ["a.png", "*.png", "allow"],
    ["a.png", "/work/**", "allow"],
    ["x/b.png", "*.png", "ask"],
    [["a.png", "x/b.png"], "/work/**", "allow"],
    [["a.png", "/etc/b.png"], "/work/**", "ask"],
    [["a.png", "https://a.test/x"], "/work/**", "ask"],
    ["https://a.test/x?y=1", "https://a.test/**", "allow"],
    ["https://a.test.evil.test/x", "https://a.test/**", "ask"],
    ["https://a.test@evil.test/x", "https://a.test/**", "ask"],
    ["http://a.test/x", "https://a.test/**", "ask"],
    ["https://a.test/x", "**", "ask"],
    [dataUrl("image/png", samples.png), "**", "ask"],
  ])("of %j by the rule %j: %s", async (given, content, expected) => {
    expect(await decide(given, ["allow", content])).toBe(expected);
  });

  test.each<[string | string[], string, string]>([
    ["/work/../work/A.png", "a.png", "deny"],
    [["https://ok.test/", "a.png"], "/work/**", "deny"],
    [["https://ok.test/", "https://BAD.test/x"], "https://bad.test/**", "deny"],
    ["https://bad.test/x", "**", "deny"],
    ["https://ok.test/", "https://bad.test/**", "allow"],
    ["file:///etc/passwd", "/x/**", "deny"],
  ])("of %j denied by %j: %s", async (given, content, expected) => {
    expect(await decide(given, ["deny", content], ["allow"])).toBe(expected);
  });

  test.each<[string | string[], string | undefined]>([
    ["a.png", "/work/**"],
    [["a.png", "/work/b.png"], "/work/**"],
    [["a.png", "x/b.png"], undefined],
    ["https://a.test:8080/x/y", "https://a.test:8080/**"],
    [dataUrl("image/png", samples.png), undefined],
  ])("of %j offers %j", async (image_urls, content) => {
    const engine = new PermissionEngine();
    const { suggestedRules } = await engine.check(look, { image_urls });
    expect(suggestedRules.map((rule) => rule.content)).toEqual([content]);
    const again = new PermissionEngine({ rules: suggestedRules });
    expect((await again.check(look, { image_urls })).behavior).toBe("allow");
  });
});

describe("secrets", () => {
  const key = "sk-very-secret-key";
  const options = {
    apiKey: key,
    headers: { "x-tenant": "tenant-secret" },
    baseUrl: "https://p.test/v1?token=query-secret",
    timers: shortTimers(),
  };
  const everything = `${key} Bearer ${key} tenant-secret query-secret`;

  const leaks: [string, Answer][] = [
    ["an error", json({ error: { message: `bad key ${everything}`, code: key } }, 401)],
    ["a page", bytes(`<p>${everything}</p>`, "text/html", 500)],
    ["a fault with a good status", json({ code: key, message: everything })],
    [
      "a description",
      json({
        choices: [{ message: { content: everything } }],
        usage: { key: everything },
        output: { choices: [{ message: { content: [{ text: everything }] } }] },
      }),
    ],
    ["a refusal", json({ choices: [{ message: { refusal: everything } }] })],
    [
      "an image",
      json({ data: [{ url: `https://f.test/a.png?k=${key}`, revised_prompt: everything }], usage: everything }),
    ],
    [
      "a fetch that fails",
      () => {
        throw new TypeError(`cannot send ${everything}`, { cause: new Error(everything) });
      },
    ],
  ];
  test("stay out of progress, ids and types, and are found where JSON writes them in another way", async () => {
    const quoted = 'a "quoted" secret';
    const answers = [
      json({ output: { task_id: key, task_status: "FAILED" } }),
      json({ output: { task_id: "t", task_status: key } }),
      json({
        output: { task_id: "t", task_status: "SUCCEEDED", results: [{ message: quoted }, { url: "https://f.test/a" }] },
        usage: { [quoted]: [quoted, { quoted }] },
      }),
      json({ message: quoted }, 400),
      bytes("x", `text/${key}`),
    ];
    for (const first of answers) {
      const { fetch } = fakeProvider(
        first === answers[1] || first === answers[2] ? json({ output: { task_id: "t" } }) : first,
        first,
      );
      const all = { ...options, headers: { "x-tenant": quoted }, fetch };
      const shown = [
        await callTool(dashScopeMultimodalTools(all), "dashscope_text_to_image", { prompt: "a" }),
        await callTool(openAiMultimodalTools(all), "openai_text_to_audio", { text: "a" }),
      ];
      const text = shown.map((one) => `${one.text} ${JSON.stringify([one.metadata, one.progress])}`).join();
      expect(text.replaceAll("\\", "")).not.toMatch(/very-secret|VERY-SECRET|quoted" secret/);
    }
  });

  test.each(leaks)("stay out of the result when %s repeats them", async (_what, answer) => {
    const { fetch } = fakeProvider(answer);
    const calls: [readonly Tool[], string, Record<string, unknown>][] = [
      [openAiMultimodalTools({ ...options, fetch }), "openai_text_to_image", { prompt: "a" }],
      [openAiMultimodalTools({ ...options, fetch }), "openai_image_to_text", { image_urls: "https://a.test/" }],
      [dashScopeMultimodalTools({ ...options, fetch }), "dashscope_image_to_text", { image_urls: "https://a.test/" }],
      [dashScopeMultimodalTools({ ...options, fetch }), "dashscope_text_to_video", { prompt: "a" }],
    ];
    for (const [tools, name, input] of calls) {
      const shown = JSON.stringify(await callTool(tools, name, input));
      expect(shown).not.toMatch(/very-secret|tenant-secret|query-secret/);
    }
  });
});

describe("downloads", () => {
  async function download(url: string, answer: Answer, kind: "image" | "video" = "image") {
    const { fetch, seen } = fakeProvider(json({ data: [{ url }] }), answer);
    const tools = openAiMultimodalTools({ apiKey: "sk-secret", fetch, download: true, timers: shortTimers() });
    expect(kind).toBe("image");
    const { state, text, data } = await callTool(tools, "openai_text_to_image", { prompt: "a" });
    const note = /\((the (?:result|server|connection|answer).*)\)$/.exec(text)?.[1];
    return {
      state,
      note,
      data,
      asked: seen.slice(1).map((one) => ({ url: one.url, method: one.method, headers: one.headers })),
    };
  }

  const png = bytes(samples.png, "image/png");

  test("go over https, without the key", async () => {
    for (const url of ["https://f.test/a.png?sig=1", "http://f.test/a.png?sig=1"]) {
      expect(await download(url, png)).toEqual({
        state: "success",
        note: undefined,
        data: [{ type: "base64", mediaType: "image/png", data: base64(samples.png) }],
        asked: [{ url: "https://f.test/a.png?sig=1", method: "GET", headers: {} }],
      });
    }
  });

  test.each([
    "http://f.test:8080/a.png",
    "https://127.0.0.1/a.png",
    "https://2130706433/a.png",
    "https://0x7f.1/a.png",
    "https://[::1]/a.png",
    "https://localhost/a.png",
    "https://metadata/a.png",
    "https://db.internal/a.png",
    "https://printer.local./a.png",
    "https://user:pass@f.test/a.png",
  ])("never go to %s", async (url) => {
    const { state, note, data, asked } = await download(url, png);
    expect([state, data[0]?.type, asked, note?.startsWith("the result at ")]).toEqual(["success", "url", [], true]);
  });

  const failing: [string, Answer, string][] = [
    ["a page", bytes("<html>", "text/html"), "it is of type text/html, not of image"],
    ["a page that calls itself an image", bytes(samples.mp4, "image/png"), "it is of type video/mp4, not of image"],
    ["nothing", bytes("", "image/png"), "it is empty"],
    [
      "a redirect",
      () => new Response(null, { status: 302, headers: { location: "https://169.254.169.254/" } }),
      "the server answered 302",
    ],
    ["an expired address", bytes("<Error/>", "application/xml", 403), "the server answered 403"],
    [
      "nobody",
      unreachable,
      "the connection to f.test failed before the whole answer was there (fetch failed: connect ECONNREFUSED)",
    ],
    [
      "too much",
      () =>
        new Response(samples.png, {
          headers: { "content-type": "image/png", "content-length": String(MAX_MEDIA_OUT + 1) },
        }),
      `the answer of f.test cannot be used: it is larger than ${MAX_MEDIA_OUT} bytes`,
    ],
  ];
  test.each(failing)("that give %s leave the address", async (_what, answer, problem) => {
    const { state, note, data } = await download("https://f.test/a.png", answer);
    expect({ state, note, data }).toEqual({
      state: "success",
      note: `the result at f.test could not be fetched: ${problem}`,
      data: [{ type: "url", url: "https://f.test/a.png", mediaType: "image/png" }],
    });
  });

  test("are stopped when there are more bytes than were announced", async () => {
    let pulled = 0;
    const endless: Answer = () => {
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          pulled += 1;
          controller.enqueue(new Uint8Array(1 << 20));
        },
      });
      return new Response(body, { headers: { "content-type": "image/png" } });
    };
    const { note } = await download("https://f.test/a.png", endless);
    expect([note, pulled < 30]).toEqual([
      `the result at f.test could not be fetched: the answer of f.test cannot be used: it is larger than ${MAX_MEDIA_OUT} bytes`,
      true,
    ]);
  });
});
