/** Providers, and hosts they name, that mean harm: nothing leaves for where nobody sent it, and no secret is shown. */

import { describe, expect, test } from "vitest";
import { dashScopeMultimodalTools } from "../../../src/tools/multimodal/dashscope-multimodal-tools.ts";
import { type Answer, base64, bytes, callTool, fakeProvider, json, samples, shortTimers } from "./desk.ts";

const KEY = "sk-0123456789abcdef";

const taken = json({ output: { task_id: "task-1", task_status: "PENDING" } });
const done = (output: object): Answer =>
  json({ output: { task_id: "task-1", task_status: "SUCCEEDED", ...output }, usage: { image_count: 1 } });
const madeAt = (url: unknown): Answer => done({ results: [{ url }] });

/** Asks for an image as data, and tells where requests went and which of them had the key. */
async function askForImage(...answers: Answer[]) {
  const { fetch, seen } = fakeProvider(...answers);
  const tools = dashScopeMultimodalTools({ apiKey: KEY, fetch, timers: shortTimers(), random: () => 0.5 });
  const outcome = await callTool(tools, "dashscope_text_to_image", { prompt: "a", model: "wanx-v1", use_base64: true });
  const hosts = seen.map(({ url }) => new URL(url).host);
  const withKey = seen.filter(({ headers }) => JSON.stringify(headers).includes(KEY));
  return { outcome, hosts, seen, withKey: new Set(withKey.map(({ url }) => new URL(url).host)) };
}

const home = "dashscope.aliyuncs.com";

describe("an address of a result", () => {
  test.each([
    "http://localhost/a.png",
    "https://localhost.localdomain/a.png",
    "https://LOCALHOST./a.png",
    "https://a.localhost./a.png",
    "https://127.0.0.1/a.png",
    "https://127.1/a.png",
    "https://0x7f000001/a.png",
    "https://2130706433/a.png",
    "https://0177.0.0.1/a.png",
    "https://127.0.0.1./a.png",
    "https://[::1]/a.png",
    "https://[::ffff:127.0.0.1]/a.png",
    "https://\uff11\uff12\uff17.0.0.1/a.png",
    "https://router.lan/a.png",
    "https://files.corp/a.png",
    "https://nas.home/a.png",
    "https://metadata.google.internal/a.png",
    "https://oss.test@127.0.0.1/a.png",
    "https://user:word@oss.test/a.png",
    "http://oss.test:8080/a.png",
    "https://intranet/a.png",
  ])("is not followed: %s", async (url) => {
    const { outcome, hosts } = await askForImage(taken, madeAt(url), bytes(samples.png, "image/png"));
    expect(outcome.data.filter(({ type }) => type === "base64")).toEqual([]);
    expect(hosts).toEqual([home, home]);
  });

  test.each<[what: string, url: unknown]>([
    ["a file of this machine", "file:///etc/passwd"],
    ["a script", "javascript:alert(1)"],
    ["a blob", "blob:https://oss.test/1"],
    ["no address", "no address"],
    ["nothing", ""],
    ["a number", 7],
    ["an object", { toString: "https://oss.test/a.png" }],
    ["a list", ["https://oss.test/a.png"]],
    ["yes", true],
    ["an address that is too long", `https://oss.test/${"a".repeat(10_000)}`],
  ])("is not taken for one: %s", async (_what, url) => {
    const { outcome, hosts } = await askForImage(taken, madeAt(url), bytes(samples.png, "image/png"));
    expect([outcome.state, outcome.data, hosts]).toEqual(["error", [], [home, home]]);
  });
});

describe("a host that a result lies at", () => {
  const at = "https://oss.test/a.png";
  const redirect =
    (status: number): Answer =>
    () =>
      new Response(null, { status, headers: { location: "https://evil.test/" } });

  test("is not given the key", async () => {
    const { outcome, withKey } = await askForImage(taken, madeAt(at), bytes(samples.png, "image/png"));
    expect([outcome.data, withKey]).toEqual([
      [{ type: "base64", mediaType: "image/png", data: base64(samples.png) }],
      new Set([home]),
    ]);
  });

  test.each<[what: string, answer: Answer]>([
    ["sends on with 301", redirect(301)],
    ["sends on with 303", redirect(303)],
    ["sends on with 307", redirect(307)],
    ["sends on with 308", redirect(308)],
    ["gives a page for an image", bytes("<html><script>alert(1)</script>", "image/png")],
    ["gives a drawing that may have scripts", bytes("<svg xmlns='http://www.w3.org/2000/svg'/>", "text/html")],
    ["gives a sound", bytes(samples.wav, "image/png")],
    ["gives nothing", bytes("", "image/png")],
    ["says a size that is too large", () => new Response("x", { headers: { "content-length": "99999999999" } })],
    ["shows the key", bytes(`{"error":{"message":"${KEY}"}}`, "application/json", 500)],
  ])("that %s gives no image", async (_what, answer) => {
    const { outcome, hosts, withKey } = await askForImage(taken, madeAt(at), answer);
    expect(hosts).toEqual([home, home, "oss.test"]);
    expect(withKey).toEqual(new Set([home]));
    expect(outcome.data.filter(({ type }) => type === "base64")).toEqual([]);
    expect(JSON.stringify(outcome)).not.toContain(KEY);
  });

  test("that never ends is left", async () => {
    let isCancelled = false;
    const endless: Answer = () =>
      new Response(
        new ReadableStream<Uint8Array>({
          pull: (controller) => controller.enqueue(new Uint8Array(8 << 20)),
          cancel() {
            isCancelled = true;
          },
        }),
        { headers: { "content-type": "image/png" } },
      );
    const { outcome } = await askForImage(taken, madeAt(at), endless);
    expect([outcome.data.filter(({ type }) => type === "base64"), isCancelled]).toEqual([[], true]);
  });
});

describe("an answer about a task", () => {
  test.each<[what: string, id: unknown]>([
    ["the way up", "../../v2/keys"],
    ["another query", "a?b=c"],
    ["an anchor", "a#b"],
    ["a hidden slash", "a%2fb"],
    ["a dot", "."],
    ["two lines", "a\r\nX-Evil: 1"],
    ["nothing", ""],
    ["very much", "a".repeat(129)],
    ["a number", 7],
    ["null", null],
    ["a list", ["a"]],
  ])("does not lead elsewhere with %s for an id", async (_what, task_id) => {
    const { outcome, seen } = await askForImage(json({ output: { task_id, task_status: "PENDING" } }));
    expect([outcome.state, seen.length]).toEqual(["error", 1]);
    expect(outcome.text).toContain("no usable task_id");
  });

  test.each<[what: string, answer: Answer]>([
    ["a status that is a number", json({ output: { task_status: 3 } })],
    ["a status of two words", json({ output: { task_status: "ALL GOOD" } })],
    ["a status that is markup", json({ output: { task_status: "<b>" } })],
    ["an output that is a list", json({ output: [] })],
    ["an output that is text", json({ output: "SUCCEEDED" })],
    ["no object", json(null)],
    ["a list", json([])],
    ["numbers that are none", bytes('{"output":{"task_status":NaN}}', "application/json")],
    ["bytes that are no text", bytes(new Uint8Array([0xff, 0xfe, 0]), "application/json")],
    ["results that are no list", done({ results: { length: 1, 0: { url: "https://oss.test/a.png" } } })],
    ["results of null", done({ results: [null, 1, "https://oss.test/a.png"] })],
  ])("with %s ends as an error, and shows no progress of its own words", async (_what, answer) => {
    const { outcome } = await askForImage(taken, answer);
    expect([outcome.state, outcome.data]).toEqual(["error", []]);
    expect(JSON.stringify(outcome.progress)).not.toMatch(/<b>|ALL GOOD|NaN/);
  });

  test("shows no key that it repeats", async () => {
    const failed = json({ output: { task_status: "FAILED", code: KEY, message: `Bearer ${KEY} is wrong` } });
    const { outcome } = await askForImage(taken, failed);
    expect(outcome.state).toBe("error");
    expect(JSON.stringify(outcome)).not.toContain(KEY);
  });

  test("gives facts as plain values, whatever they are called", async () => {
    const answer = bytes(
      `{"output":{"task_status":"SUCCEEDED","results":[{"url":"https://oss.test/a.png"}]},"usage":{"__proto__":{"polluted":1},"cost":1e999}}`,
      "application/json",
    );
    const { outcome } = await askForImage(taken, answer, bytes(samples.png, "image/png"));
    expect([outcome.state, ({} as Record<string, unknown>).polluted]).toEqual(["success", undefined]);
    expect(JSON.parse(JSON.stringify(outcome.metadata))).toEqual(outcome.metadata);
  });
});
