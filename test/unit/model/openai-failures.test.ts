import { MAX_ERROR_BODY, type ModelFetch, type OpenAiCompatibleOptions, openAiCompatible } from "holdall/model";
import { describe, expect, test } from "vitest";
import { bytes, chunk, collect, countingIds, DONE, described, events, manualTimers, question } from "./recorded.ts";

const ok = events(chunk({ content: "ok" }, "stop"), DONE);
const okParts = [
  { type: "text", id: "id-1", delta: "ok" },
  { type: "finish", reason: "stop" },
];

function modelOf(fetch: ModelFetch, more: Partial<OpenAiCompatibleOptions> = {}): ReturnType<typeof openAiCompatible> {
  return openAiCompatible({
    baseUrl: "http://x.test/v1?key=query-secret",
    model: "m",
    fetch,
    makeId: countingIds(),
    random: () => 0.5,
    ...more,
  });
}

/** A `fetch` that gives one response after the other and counts. */
function responses(...list: (() => Response | Promise<Response>)[]): ModelFetch & { count: number } {
  const fetch = async (): Promise<Response> => {
    const next = list[fetch.count];
    fetch.count += 1;
    if (next === undefined) throw new Error("one request too many");
    return next();
  };
  fetch.count = 0;
  return fetch;
}

const status =
  (code: number, body = "", headers: Record<string, string> = {}) =>
  (): Response =>
    new Response(body, { status: code, headers });

async function fault(
  fetch: ModelFetch,
  more: Partial<OpenAiCompatibleOptions> = {},
): Promise<ReturnType<typeof described>> {
  const { items, error } = await collect(modelOf(fetch, { retry: { attempts: 1 }, ...more }).stream(question()));
  expect(items).toEqual([]);
  return described(error);
}

describe("openAiCompatible: answers that are no success", () => {
  const table: [string, () => Response, string, object, boolean][] = [
    [
      "a bad key",
      status(401, '{"error":{"message":"Incorrect API key provided: sk-secret-1."}}'),
      "the server answered 401 (Incorrect API key provided: [redacted]). Check the API key and what it is allowed to do.",
      { status: 401, body: '{"error":{"message":"Incorrect API key provided: [redacted]."}}' },
      false,
    ],
    [
      "an unknown model",
      status(404, '{"error":"model \\"m\\" not found"}'),
      'the server answered 404 (model "m" not found). Check baseUrl and the name of the model.',
      { status: 404, body: '{"error":"model \\"m\\" not found"}' },
      false,
    ],
    [
      "a bad request",
      status(400, '[{"error":{"code":400,"message":"Invalid schema"}}]'),
      "the server answered 400 (Invalid schema). Change the request as the server says.",
      { status: 400, body: '[{"error":{"code":400,"message":"Invalid schema"}}]' },
      false,
    ],
    [
      "a detail",
      status(422, '{"detail":[{"loc":["body"],"message":"field required"}]}'),
      "the server answered 422 (field required). Change the request as the server says.",
      { status: 422, body: '{"detail":[{"loc":["body"],"message":"field required"}]}' },
      false,
    ],
    [
      "too many requests",
      status(429, "slow down", { "retry-after": "7" }),
      "the server answered 429 (slow down). Wait, or ask for less at once.",
      { status: 429, body: "slow down", retryAfterMs: 7000 },
      true,
    ],
    [
      "an empty purse",
      status(429, '{"error":{"message":"No quota","code":"insufficient_quota"}}'),
      "the server answered 429 (No quota). Wait, or ask for less at once.",
      { status: 429, body: '{"error":{"message":"No quota","code":"insufficient_quota"}}' },
      false,
    ],
    [
      "a page of HTML",
      status(502, "<html><h1>Bad Gateway</h1></html>"),
      "the server answered 502 (a page of HTML). Try again later.",
      { status: 502, body: "<html><h1>Bad Gateway</h1></html>" },
      true,
    ],
    ["nothing", status(503), "the server answered 503. Try again later.", { status: 503, body: "" }, true],
    [
      "a redirect",
      status(307, "", { location: "http://elsewhere.test" }),
      "the server answered 307. Redirects are not followed: set baseUrl to the address the server names.",
      { status: 307, body: "" },
      false,
    ],
    [
      "the value of a header",
      status(400, "X-Key own-secret, Bearer sk-secret-1, query-secret"),
      "the server answered 400 (X-Key [redacted], Bearer [redacted], [redacted]). Change the request as the server says.",
      { status: 400, body: "X-Key [redacted], Bearer [redacted], [redacted]" },
      false,
    ],
  ];
  for (const [what, respond, message, data, retryable] of table) {
    test(`${what} becomes MODEL_HTTP`, async () => {
      const options = { apiKey: "sk-secret-1", headers: { "x-key": "own-secret" } };
      expect(await fault(responses(respond), options)).toEqual({
        code: "MODEL_HTTP",
        message: `MODEL_HTTP: ${message}`,
        data,
        retryable,
      });
    });
  }

  test("a long body is cut in the data and shorter still in the message", async () => {
    const { message, data } = await fault(responses(status(400, "é".repeat(500_000))));
    expect(data).toEqual({ status: 400, body: "é".repeat(MAX_ERROR_BODY) });
    expect(message).toBe(
      `MODEL_HTTP: the server answered 400 (${"é".repeat(300)}…). Change the request as the server says.`,
    );
  });

  test("a body that never ends is left, and closed", async () => {
    const timers = manualTimers();
    let cancelled = false;
    const stuck = new ReadableStream({
      start: (controller) => controller.enqueue(bytes("half")),
      cancel: () => {
        cancelled = true;
      },
    });
    const pending = fault(
      responses(() => new Response(stuck, { status: 400 })),
      { timers },
    );
    // The first wait ends with "half"; the second is the one that lasts.
    await timers.waitFor(10_000, 2);
    timers.fire(10_000);
    const { data } = await pending;
    expect(data).toEqual({ status: 400, body: "half" });
    expect({ cancelled, running: timers.running }).toEqual({ cancelled: true, running: 0 });
  });
});

describe("openAiCompatible: no answer", () => {
  const advice =
    "Check the address, that the server runs and, in a browser, that it allows requests from this page (CORS).";

  test("a failed fetch becomes MODEL_NETWORK, with the reason and without the query", async () => {
    const cause = new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED with sk-secret-1") });
    const fetch: ModelFetch = () => Promise.reject(cause);
    expect(await fault(fetch, { apiKey: "sk-secret-1" })).toEqual({
      code: "MODEL_NETWORK",
      message: `MODEL_NETWORK: the request to http://x.test/v1/chat/completions failed (fetch failed: connect ECONNREFUSED with [redacted]). ${advice}`,
      data: {},
      retryable: true,
    });
  });

  test("a fetch that throws at once becomes MODEL_NETWORK too", async () => {
    const fetch: ModelFetch = () => {
      throw new TypeError("Failed to fetch");
    };
    expect((await fault(fetch)).message).toBe(
      `MODEL_NETWORK: the request to http://x.test/v1/chat/completions failed (Failed to fetch). ${advice}`,
    );
  });

  test("silence before the headers ends the request and is not tried again", async () => {
    const timers = manualTimers();
    let signal: AbortSignal | null | undefined;
    let count = 0;
    const fetch: ModelFetch = (_url, init) => {
      signal = init.signal;
      count += 1;
      return new Promise(() => {});
    };
    const pending = collect(modelOf(fetch, { timers, timeouts: { headersMs: 50 } }).stream(question()));
    await timers.waitFor(50);
    timers.fire(50);
    const { error } = await pending;
    expect(described(error)).toEqual({
      code: "MODEL_NETWORK",
      message:
        "MODEL_NETWORK: http://x.test/v1/chat/completions did not begin to answer within 50 ms. Check that the server runs, or allow more with timeouts.headersMs.",
      data: {},
      retryable: true,
    });
    expect({ aborted: signal?.aborted, count, running: timers.running }).toEqual({
      aborted: true,
      count: 1,
      running: 0,
    });
  });

  test("a response that comes too late is closed", async () => {
    const timers = manualTimers();
    let respond: (response: Response) => void = () => {};
    const closed = new Promise<void>((resolve) => {
      const late = new ReadableStream({ cancel: () => resolve() });
      const fetch: ModelFetch = () =>
        new Promise((give) => {
          respond = () => give(new Response(late));
        });
      const pending = collect(modelOf(fetch, { timers, timeouts: { headersMs: 50 } }).stream(question()));
      void timers.waitFor(50).then(async () => {
        timers.fire(50);
        await pending;
        respond(new Response());
      });
    });
    await closed;
  });

  test("no time limit sets no timer", async () => {
    const timers = manualTimers();
    const model = modelOf(
      responses(() => new Response(ok)),
      { timers, timeouts: { headersMs: Infinity, idleMs: Infinity } },
    );
    expect(await collect(model.stream(question()))).toEqual({ items: okParts, error: undefined });
    expect(timers.lengths).toEqual([]);
  });
});

describe("openAiCompatible: trying again", () => {
  test("tries what may pass, waiting twice as long each time, half of it by chance", async () => {
    const timers = manualTimers();
    const fetch = responses(
      status(500),
      () => Promise.reject(new TypeError("gone")),
      status(429),
      () => new Response(ok),
    );
    const pending = collect(modelOf(fetch, { timers, retry: { attempts: 4 } }).stream(question()));
    for (const wait of [375, 750, 1500]) {
      await timers.waitFor(wait);
      timers.fire(wait);
    }
    expect(await pending).toEqual({ items: okParts, error: undefined });
    expect(fetch.count).toBe(4);
    expect(timers.running).toBe(0);
  });

  test("gives the last error when the attempts are used up", async () => {
    const timers = manualTimers();
    const fetch = responses(status(500), status(408), status(503, "last"));
    const pending = collect(modelOf(fetch, { timers }).stream(question()));
    for (const wait of [375, 750]) {
      await timers.waitFor(wait);
      timers.fire(wait);
    }
    expect(described((await pending).error).data).toEqual({ status: 503, body: "last" });
    expect(fetch.count).toBe(3);
  });

  const waits: [string, Record<string, string>, number][] = [
    ["seconds", { "retry-after": "7" }, 7000],
    ["part of a second", { "retry-after": " 0.5 " }, 500],
    ["milliseconds", { "retry-after-ms": "250", "retry-after": "9" }, 250],
    ["a date", { "retry-after": "Sun, 29 Nov 2026 12:00:30 GMT" }, 30_000],
    ["a date that has passed", { "retry-after": "Sun, 29 Nov 2026 11:00:00 GMT" }, 0],
    ["a wait that is too long", { "retry-after": "86400" }, 60_000],
    ["nonsense", { "retry-after": "soon" }, 375],
    ["a negative number", { "retry-after": "-5" }, 375],
    ["what only some engines read as a date", { "retry-after": "soon 5" }, 375],
  ];
  for (const [what, headers, wait] of waits) {
    test(`waits as the server asks: ${what}`, async () => {
      const timers = manualTimers();
      const clock = (): number => Date.UTC(2026, 10, 29, 12, 0, 0);
      const fetch = responses(status(429, "", headers), () => new Response(ok));
      const pending = collect(modelOf(fetch, { timers, clock }).stream(question()));
      await timers.waitFor(wait);
      timers.fire(wait);
      expect(await pending).toEqual({ items: okParts, error: undefined });
    });
  }

  for (const code of [400, 401, 404, 409, 422]) {
    test(`does not try again after ${code}`, async () => {
      const fetch = responses(status(code));
      await fault(fetch, { retry: { attempts: 3 } });
      expect(fetch.count).toBe(1);
    });
  }

  test("does not try again once the answer has begun", async () => {
    const fetch = responses(() => new Response(events(chunk({ content: "a" }))));
    const { items, error } = await collect(modelOf(fetch).stream(question()));
    expect(items).toEqual([{ type: "text", id: "id-1", delta: "a" }]);
    expect(described(error).code).toBe("MODEL_STREAM");
    expect(fetch.count).toBe(1);
  });
});

/** A body that a test feeds by hand and that tells when it was cancelled. */
function feed(): {
  body: ReadableStream<Uint8Array>;
  send(text: string): void;
  fail(error: unknown): void;
  reason: () => unknown;
} {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let reason: unknown = "not cancelled";
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
    cancel: (given) => {
      reason = given;
    },
  });
  return {
    body,
    send: (text) => controller?.enqueue(bytes(text)),
    fail: (error) => controller?.error(error),
    reason: () => reason,
  };
}

describe("openAiCompatible: an answer that stalls or breaks", () => {
  test("silence between two pieces ends it", async () => {
    const timers = manualTimers();
    const source = feed();
    source.send(events(chunk({ content: "a" })));
    const answer = modelOf(async () => new Response(source.body), { timers, timeouts: { idleMs: 40 } })
      .stream(question())
      [Symbol.asyncIterator]();
    expect((await answer.next()).value).toEqual({ type: "text", id: "id-1", delta: "a" });
    const pending = collect({ [Symbol.asyncIterator]: () => answer });
    await timers.waitFor(40, 2);
    timers.fire(40);
    expect(described((await pending).error)).toEqual({
      code: "MODEL_STREAM",
      message: "MODEL_STREAM: the server sent nothing for 40 ms. Ask again, or allow more with timeouts.idleMs.",
      data: {},
      retryable: true,
    });
    expect(source.reason()).toBeUndefined();
    expect(timers.running).toBe(0);
  });

  test("a slow reader is not silence", async () => {
    const timers = manualTimers();
    const source = feed();
    source.send(events(chunk({ content: "a" })));
    const answer = modelOf(async () => new Response(source.body), { timers, timeouts: { idleMs: 40 } })
      .stream(question())
      [Symbol.asyncIterator]();
    await answer.next();
    expect(timers.running).toBe(0);
    await answer.return?.();
  });

  test("a broken connection ends it", async () => {
    const source = feed();
    const pending = collect(modelOf(async () => new Response(source.body)).stream(question()));
    source.fail(new TypeError("terminated"));
    expect(described((await pending).error)).toEqual({
      code: "MODEL_STREAM",
      message: "MODEL_STREAM: the connection broke while the model answered. Ask again.",
      data: {},
      retryable: true,
    });
  });

  const harmless: [string, (source: ReturnType<typeof feed>, timers: ReturnType<typeof manualTimers>) => void][] = [
    ["a broken connection", (source) => source.fail(new TypeError("terminated"))],
    ["silence", (_source, timers) => timers.fire(40)],
  ];
  for (const [what, happen] of harmless) {
    test(`${what} behind the reason takes nothing away`, async () => {
      const timers = manualTimers();
      const source = feed();
      source.send(events(chunk({ content: "ok" }, "stop")));
      const answer = modelOf(async () => new Response(source.body), { timers, timeouts: { idleMs: 40 } })
        .stream(question())
        [Symbol.asyncIterator]();
      const first = await answer.next();
      const rest = collect({ [Symbol.asyncIterator]: () => answer });
      await timers.waitFor(40, 2);
      happen(source, timers);
      const { items, error } = await rest;
      expect({ items: [first.value, ...items], error }).toEqual({ items: okParts, error: undefined });
    });
  }

  test("[DONE] ends it although the connection stays open", async () => {
    const source = feed();
    source.send(ok);
    expect(await collect(modelOf(async () => new Response(source.body)).stream(question()))).toEqual({
      items: okParts,
      error: undefined,
    });
    expect(source.reason()).toBeUndefined();
  });

  test("a response without a body is no answer", async () => {
    const fetch = responses(() => new Response(null, { status: 200 }));
    expect((await fault(fetch)).message).toBe(
      "MODEL_STREAM: the server sent no chat answer (nothing). Check that baseUrl leads to an OpenAI-compatible server.",
    );
  });
});

describe("openAiCompatible: abort", () => {
  const reason = new Error("enough");

  test("before the request sends none", async () => {
    const fetch = responses();
    expect(await collect(modelOf(fetch).stream(question({ signal: AbortSignal.abort(reason) })))).toEqual({
      items: [],
      error: reason,
    });
    expect(fetch.count).toBe(0);
  });

  test("while waiting for headers gives the reason at once, also when fetch does not listen", async () => {
    const controller = new AbortController();
    const timers = manualTimers();
    const pending = collect(
      modelOf(() => new Promise(() => {}), { timers }).stream(question({ signal: controller.signal })),
    );
    await timers.waitFor(300_000);
    controller.abort(reason);
    expect(await pending).toEqual({ items: [], error: reason });
    expect(timers.running).toBe(0);
  });

  test("while waiting for another try gives the reason at once", async () => {
    const controller = new AbortController();
    const timers = manualTimers();
    const fetch = responses(status(500));
    const pending = collect(modelOf(fetch, { timers }).stream(question({ signal: controller.signal })));
    await timers.waitFor(375);
    controller.abort(reason);
    expect(await pending).toEqual({ items: [], error: reason });
    expect({ count: fetch.count, running: timers.running }).toEqual({ count: 1, running: 0 });
  });

  test("while reading an error gives the reason", async () => {
    const controller = new AbortController();
    const timers = manualTimers();
    const source = feed();
    const pending = collect(
      modelOf(async () => new Response(source.body, { status: 500 }), { timers }).stream(
        question({ signal: controller.signal }),
      ),
    );
    await timers.waitFor(10_000);
    controller.abort(reason);
    expect(await pending).toEqual({ items: [], error: reason });
    expect(source.reason()).toBeUndefined();
  });

  test("while the model answers gives the reason and ends the response", async () => {
    const controller = new AbortController();
    const timers = manualTimers();
    const source = feed();
    source.send(events(chunk({ content: "a" })));
    const answer = modelOf(async () => new Response(source.body), { timers })
      .stream(question({ signal: controller.signal }))
      [Symbol.asyncIterator]();
    await answer.next();
    const pending = collect({ [Symbol.asyncIterator]: () => answer });
    // For the headers, for the first piece, for the second.
    await timers.waitFor(300_000, 3);
    controller.abort(reason);
    expect(await pending).toEqual({ items: [], error: reason });
    expect({ reason: source.reason(), running: timers.running }).toEqual({ reason: undefined, running: 0 });
  });

  test("between two parts of one piece gives no further part", async () => {
    const controller = new AbortController();
    const items: unknown[] = [];
    let error: unknown;
    try {
      for await (const part of modelOf(responses(() => new Response(ok))).stream(
        question({ signal: controller.signal }),
      )) {
        items.push(part);
        controller.abort(reason);
      }
    } catch (thrown) {
      error = thrown;
    }
    expect({ items, error }).toEqual({ items: okParts.slice(0, 1), error: reason });
  });

  test("leaving the loop ends the response", async () => {
    const source = feed();
    source.send(events(chunk({ content: "a" })));
    for await (const _part of modelOf(async () => new Response(source.body)).stream(question())) break;
    expect(source.reason()).toBeUndefined();
  });

  test("a signal that outlives the answers has one listener, however many they were", async () => {
    const listeners = new Set<unknown>();
    const { signal } = new AbortController();
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (type: string, listener: EventListenerOrEventListenerObject) => {
      listeners.add(listener);
      add(type, listener);
    };
    signal.removeEventListener = (type: string, listener: EventListenerOrEventListenerObject) => {
      listeners.delete(listener);
      remove(type, listener);
    };
    for (let answer = 0; answer < 5; answer += 1) {
      await collect(modelOf(responses(() => new Response(ok))).stream(question({ signal })));
    }
    expect(listeners.size).toBe(1);
  });
});
