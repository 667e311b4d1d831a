/** Tasks at DashScope: how they are followed, how they end, and what an abort does. */

import { describe, expect, test } from "vitest";
import {
  type DashScopeMultimodalOptions,
  dashScopeMultimodalTools,
} from "../../../src/tools/multimodal/dashscope-multimodal-tools.ts";
import { MAX_POLLS } from "../../../src/tools/multimodal/limits.ts";
import { type Answer, bytes, callTool, fakeProvider, json, shortTimers, silent, unreachable } from "./desk.ts";

const taken = json({ output: { task_id: "task-1", task_status: "PENDING" } });
const is = (task_status: string, more: object = {}): Answer =>
  json({ output: { task_id: "task-1", task_status, ...more } });
const done = is("SUCCEEDED", { video_url: "https://oss.test/v.mp4" });

async function run(answers: Answer[], options: Partial<DashScopeMultimodalOptions> = {}, signal?: AbortSignal) {
  const { fetch, seen } = fakeProvider(...answers);
  const timers = shortTimers();
  const tools = dashScopeMultimodalTools({ apiKey: "sk-secret", fetch, timers, random: () => 0.5, ...options });
  const outcome = await callTool(tools, "dashscope_text_to_video", { prompt: "a" }, signal);
  const asked = seen.map(({ method, url }) => `${method} ${url.replace("https://dashscope.aliyuncs.com/api/v1", "")}`);
  return { ...outcome, asked, waits: timers.waits };
}

const submit = "POST /services/aigc/video-generation/video-synthesis";
const look = "GET /tasks/task-1";
const cancel = "POST /tasks/task-1/cancel";

describe("a task", () => {
  test("is looked at in growing distances and shown as it goes on", async () => {
    const { state, asked, waits, progress } = await run(
      [taken, is("PENDING"), is("RUNNING"), is("running"), is("SUSPENDED"), done],
      {
        waiting: { firstMs: 4000 },
      },
    );
    expect({ state, asked, waits, progress }).toEqual({
      state: "success",
      asked: [submit, look, look, look, look, look],
      waits: [4000, 6000, 9000, 10_000, 10_000],
      progress: ["PENDING", "RUNNING", "RUNNING", "SUSPENDED", "SUCCEEDED"].map((status, index) => ({
        taskId: "task-1",
        status,
        look: index + 1,
      })),
    });
  });

  const endings: [string, Answer, string][] = [
    [
      "failed with a reason",
      is("FAILED", { code: "InvalidParameter", message: "The size is  not\nsupported." }),
      "The task task-1 failed (InvalidParameter: The size is not supported). Ask in another way, or go on without it.",
    ],
    ["failed without one", is("FAILED"), "The task task-1 failed. Ask in another way, or go on without it."],
    [
      "was cancelled",
      is("CANCELED"),
      "The task task-1 was cancelled at the provider. Ask in another way, or go on without it.",
    ],
    [
      "is unknown",
      is("UNKNOWN"),
      "The task task-1 is not known at the provider, or its result has expired. Ask in another way, or go on without it.",
    ],
  ];
  test.each(endings)("that %s is an error that says so", async (_what, answer, expected) => {
    const { state, text, asked } = await run([taken, answer]);
    expect([`${state}: ${text}`, asked]).toEqual([`error: ${expected}`, [submit, look]]);
  });

  const passing: [string, Answer][] = [
    ["nobody answers", unreachable],
    ["the server is in trouble", json({ message: "oops" }, 502)],
    ["there are too many requests", json({ code: "Throttling", message: "slow down" }, 429)],
    ["the answer is cut", bytes('{"output": {"task_st', "application/json")],
    ["the answer is a page", bytes("<html>", "text/html")],
    ["the answer has no status", json({ output: {} })],
  ];
  test.each(passing)("is looked at again when %s", async (_what, answer) => {
    const { state, asked } = await run([taken, answer, answer, is("RUNNING"), answer, answer, answer, answer, done]);
    expect([state, asked.length]).toEqual(["success", 9]);
  });

  test.each(passing)("is given up, but not handed in again, when time after time %s", async (_what, answer) => {
    const { state, text, asked } = await run([taken, answer]);
    expect([state, text.startsWith("The task task-1 cannot be looked at ("), asked]).toEqual([
      "error",
      true,
      [submit, look, look, look, look, look],
    ]);
  });

  test("is given up at once when looking is not allowed", async () => {
    const { text, asked } = await run([
      taken,
      json({ code: "InvalidApiKey", message: "Invalid API-key provided." }, 401),
    ]);
    expect([text, asked]).toEqual([
      "The server answered 401 (InvalidApiKey: Invalid API-key provided). Check the API key and what it is allowed to do.",
      [submit, look],
    ]);
  });

  test("that never ends is asked to stop when its time is over", async () => {
    let expire: () => void = () => {};
    const timers = {
      set: (callback: () => void, wait: number) => {
        if (wait === 5000) expire = callback;
        else if (wait < 5000) queueMicrotask(callback);
      },
      clear: () => {},
    };
    const hangs: Answer = (seen, signal) => {
      const waiting = silent(seen, signal);
      expire();
      return waiting;
    };
    const answers = [taken, is("RUNNING"), hangs, json({ request_id: "r" })];
    const { state, text, asked } = await run(answers, { waiting: { timeoutMs: 5000 }, timers });
    expect([state, text, asked]).toEqual([
      "error",
      "The task task-1 was still RUNNING after 5000 ms. It was asked to stop. Ask in another way, or go on without it.",
      [submit, look, look, cancel],
    ]);
  });

  test(`is looked at ${MAX_POLLS} times at most`, async () => {
    const timers = {
      set: (callback: () => void, wait: number) => wait > 10_000 || queueMicrotask(callback),
      clear: () => {},
    };
    const { text, asked } = await run([taken, is("RUNNING")], { timers });
    expect([text, asked.length]).toEqual([
      `The task task-1 was still RUNNING after ${MAX_POLLS} looks. Ask in another way, or go on without it.`,
      MAX_POLLS + 1,
    ]);
  });

  test.each([[undefined], [""], [7], ["../../users"], ["a/b"], ["a?b"], ["x".repeat(129)]])(
    "cannot have the id %j",
    async (task_id) => {
      const { state, text, asked } = await run([json({ output: { task_id, task_status: "PENDING" } })]);
      expect([`${state}: ${text}`, asked]).toEqual([
        "error: The answer of dashscope.aliyuncs.com cannot be used: it has no usable task_id. Ask in another way, or go on without it.",
        [submit],
      ]);
    },
  );
});

describe("handing a task in", () => {
  test.each([408, 429, 503])("is tried again after %d, since nothing has begun", async (status) => {
    const { state, asked, waits } = await run([
      json({ message: "later" }, status),
      json({ message: "later" }, status),
      taken,
      done,
    ]);
    expect([state, asked, waits]).toEqual(["success", [submit, submit, submit, look], [375, 750, 1000]]);
  });

  test("waits as long as the server says, up to a limit", async () => {
    const later = (seconds: string): Answer => json({ message: "later" }, 429, { "retry-after": seconds });
    const { waits } = await run([later("7"), later("7000"), taken, done]);
    expect(waits).toEqual([7000, 30_000, 1000]);
  });

  const final: [string, Answer, number, string][] = [
    [
      "500, which may have begun",
      json({ message: "oops" }, 500),
      1,
      "The server answered 500 (oops). Try again later.",
    ],
    [
      "a good reason",
      json({ code: "InvalidParameter", message: "bad size" }, 400),
      1,
      "The server answered 400 (InvalidParameter: bad size). Change the request as the server says.",
    ],
    [
      "429 without end",
      json({ message: "later" }, 429),
      3,
      "Dashscope_text_to_video failed: the server answered 429 (later). Wait, or ask for less at once.",
    ],
    [
      "a quota that is used up",
      json({ error: { message: "insufficient_quota" } }, 429),
      1,
      "The server answered 429 (insufficient_quota). Wait, or ask for less at once.",
    ],
    [
      "a redirect",
      () => new Response(null, { status: 307, headers: { location: "https://elsewhere.test/" } }),
      1,
      "The server answered 307. Redirects are not followed: set baseUrl to the address the server names.",
    ],
    [
      "nobody there",
      unreachable,
      1,
      "The connection to dashscope.aliyuncs.com failed before the whole answer was there (fetch failed: connect ECONNREFUSED). What was asked for may have been done, so ask again only if that does no harm.",
    ],
    [
      "an empty answer",
      bytes("", "application/json"),
      1,
      "The answer of dashscope.aliyuncs.com cannot be used: it is empty. Ask in another way, or go on without it.",
    ],
    [
      "an array",
      json([1]),
      1,
      "The answer of dashscope.aliyuncs.com cannot be used: it is no JSON object. Ask in another way, or go on without it.",
    ],
  ];
  test.each(final)("ends with %s", async (_what, answer, requests, expected) => {
    const { state, text, asked } = await run([answer]);
    expect([state, text.toLowerCase(), asked.length]).toEqual(["error", expected.toLowerCase(), requests]);
  });

  test("is not done again by a toolkit that retries", async () => {
    const { fetch, seen } = fakeProvider(taken, is("FAILED"));
    const [tool] = dashScopeMultimodalTools({ apiKey: "sk-secret", fetch, timers: shortTimers() }).filter(
      ({ name }) => name === "dashscope_text_to_video",
    );
    if (tool === undefined) throw new Error("there is no tool");
    await callTool([{ ...tool, retry: { attempts: 5, backoffMs: 0 } }], tool.name, { prompt: "a" });
    expect(seen.map(({ method }) => method)).toEqual(["POST", "GET"]);
  });

  test("takes too long for its deadline only once", async () => {
    const { text, asked } = await run([silent], { requestTimeoutMs: 1000 });
    expect([text, asked]).toEqual([
      "dashscope.aliyuncs.com did not answer within 1000 ms. What was asked for may have been done, so ask again only if that does no harm.",
      [submit],
    ]);
  });
});

describe("an abort", () => {
  const reason = new Error("enough");

  async function abortWhen(
    answers: (abort: () => void) => Answer[],
    options: Partial<DashScopeMultimodalOptions> = {},
  ) {
    const controller = new AbortController();
    const outcome = await run(
      answers(() => controller.abort(reason)),
      options,
      controller.signal,
    );
    // The request that cancels is not waited for.
    await new Promise((resolve) => setTimeout(resolve, 0));
    return outcome;
  }

  test("between two looks cancels the task and stops at once", async () => {
    const waiting = new AbortController();
    const { fetch, seen } = fakeProvider(taken, is("RUNNING"), json({}));
    const timers = shortTimers(2000);
    const tools = dashScopeMultimodalTools({
      apiKey: "sk-secret",
      fetch,
      timers,
      waiting: { firstMs: 2000, maxMs: 100_000 },
    });
    const running = callTool(tools, "dashscope_text_to_video", { prompt: "a" }, waiting.signal);
    while (seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 0));
    waiting.abort(reason);
    const { state } = await running;
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect([state, seen.map(({ method }) => method), seen.at(-1)?.url]).toEqual([
      "interrupted",
      ["POST", "GET", "POST"],
      "https://dashscope.aliyuncs.com/api/v1/tasks/task-1/cancel",
    ]);
  });

  test("during a look cancels the task, whatever the cancelling gives", async () => {
    for (const last of [
      json({}),
      json({ code: "UnsupportedOperation", message: "running" }, 400),
      unreachable,
      silent,
    ]) {
      const { state, asked } = await abortWhen((abort) => [
        taken,
        (seen, signal) => {
          const waiting = silent(seen, signal);
          abort();
          return waiting;
        },
        last,
      ]);
      expect([state, asked]).toEqual(["interrupted", [submit, look, cancel]]);
    }
  });

  test("while the task is handed in closes the request and asks nothing more", async () => {
    let closed: unknown;
    const { state, asked } = await abortWhen((abort) => [
      (seen, signal) => {
        signal?.addEventListener("abort", () => {
          closed = signal.reason;
        });
        const waiting = silent(seen, signal);
        abort();
        return waiting;
      },
    ]);
    expect([state, asked, closed]).toEqual(["interrupted", [submit], reason]);
  });

  test("before anything asks nobody", async () => {
    const { state, asked } = await run([taken], {}, AbortSignal.abort(reason));
    expect([state, asked]).toEqual(["interrupted", []]);
  });
});
