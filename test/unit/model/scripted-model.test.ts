import { type ModelPart, type ModelRequest, type ScriptedStep, scriptedModel } from "holdall/model";
import { describe, expect, test } from "vitest";
import { collect, countingIds, join, manualTimers, question } from "./recorded.ts";

const make = (steps: readonly ScriptedStep[]): ReturnType<typeof scriptedModel> =>
  scriptedModel(steps, { makeId: countingIds() });

async function ask(model: ReturnType<typeof scriptedModel>, request: ModelRequest = question()): Promise<ModelPart[]> {
  const { items, error } = await collect(model.stream(request));
  if (error !== undefined) throw error;
  return items;
}

describe("scriptedModel", () => {
  test("plays thinking, text and calls in small pieces", async () => {
    const model = make([
      {
        thinking: "hm",
        text: "I look at it.",
        calls: [
          { name: "Read", input: { file_path: "/a" } },
          { name: "Bash", input: '{"cut', id: "b" },
        ],
        usage: { inputTokens: 1, outputTokens: 2 },
      },
    ]);
    expect(await ask(model)).toEqual([
      { type: "thinking", id: "id-1", delta: "hm" },
      { type: "text", id: "id-2", delta: "I look at it" },
      { type: "text", id: "id-2", delta: "." },
      { type: "tool_call_start", id: "id-3", name: "Read" },
      { type: "tool_call_delta", id: "id-3", delta: '{"file_path"' },
      { type: "tool_call_delta", id: "id-3", delta: ':"/a"}' },
      { type: "tool_call_end", id: "id-3" },
      { type: "tool_call_start", id: "b", name: "Bash" },
      { type: "tool_call_delta", id: "b", delta: '{"cut' },
      { type: "tool_call_end", id: "b" },
      { type: "finish", reason: "tool_calls", usage: { inputTokens: 1, outputTokens: 2 } },
    ]);
  });

  test("plays one step for each request and says when they have run out", async () => {
    const model = make([{ text: "one" }, { text: "two", reason: "length" }]);
    const answers = [await ask(model), await ask(model), await ask(model)].map(join);
    expect(answers).toEqual([
      { blocks: [{ type: "text", text: "one" }], calls: [], finish: { reason: "stop" } },
      { blocks: [{ type: "text", text: "two" }], calls: [], finish: { reason: "length" } },
      {
        blocks: [{ type: "text", text: "The script has ended: it has 2 steps, and all were played." }],
        calls: [],
        finish: { reason: "stop" },
      },
    ]);
  });

  test("lets a step look at the request", async () => {
    const model = make([
      (request) => ({ text: `${request.messages.length} message` }),
      async ({ tools = [] }) => ({ calls: tools.map(({ name }) => ({ name, input: {} })) }),
    ]);
    expect(join(await ask(model)).blocks).toEqual([{ type: "text", text: "1 message" }]);
    expect(
      join(await ask(model, question({ tools: [{ name: "now", description: "", inputSchema: {} }] }))).calls,
    ).toEqual([{ id: "id-2", name: "now", input: "{}" }]);
  });

  test("throws what a step throws", async () => {
    const broken = new Error("no answer");
    const model = make([
      () => {
        throw broken;
      },
      { text: "well" },
    ]);
    expect(await collect(model.stream(question()))).toEqual({ items: [], error: broken });
    expect(join(await ask(model)).blocks).toEqual([{ type: "text", text: "well" }]);
  });

  test("splits no character", async () => {
    const parts = await ask(scriptedModel([{ text: "👩‍👩‍👧世界🦜" }], { pieceLength: 1 }));
    const deltas = parts.flatMap((part) => (part.type === "text" ? [part.delta] : []));
    expect(deltas).toEqual([..."👩‍👩‍👧世界🦜"]);
  });

  test("finishes an empty answer", async () => {
    expect(await ask(make([{}]))).toEqual([{ type: "finish", reason: "stop" }]);
  });

  test("has a name and the input types it is given", () => {
    expect(scriptedModel([])).toMatchObject({ name: "script" });
    expect(scriptedModel([], { name: "demo", inputTypes: ["image/png"] })).toMatchObject({
      name: "demo",
      inputTypes: ["image/png"],
    });
  });

  test("waits before each piece, and only there", async () => {
    const timers = manualTimers();
    const pending = ask(
      scriptedModel([{ text: "ab", calls: [{ name: "now", input: "{}" }] }], { timers, delayMs: 30, pieceLength: 1 }),
    );
    for (const times of [1, 2, 3, 4]) {
      await timers.waitFor(30, times);
      timers.fire(30);
    }
    expect(join(await pending).calls).toMatchObject([{ name: "now", input: "{}" }]);
    expect(timers.lengths).toEqual([30, 30, 30, 30]);
  });

  describe("aborts", () => {
    const reason = new Error("enough");

    test("before it begins, without using up a step", async () => {
      const model = make([{ text: "one" }]);
      expect(await collect(model.stream(question({ signal: AbortSignal.abort(reason) })))).toEqual({
        items: [],
        error: reason,
      });
      expect(join(await ask(model)).blocks).toEqual([{ type: "text", text: "one" }]);
    });

    test("while it waits, at once", async () => {
      const timers = manualTimers();
      const controller = new AbortController();
      const model = scriptedModel([{ text: "one" }], { timers, delayMs: 30 });
      const pending = collect(model.stream(question({ signal: controller.signal })));
      await timers.waitFor(30);
      controller.abort(reason);
      expect(await pending).toEqual({ items: [], error: reason });
      expect(timers.running).toBe(0);
    });

    test("while a step thinks, at once", async () => {
      const controller = new AbortController();
      const model = make([() => new Promise(() => {})]);
      const pending = collect(model.stream(question({ signal: controller.signal })));
      controller.abort(reason);
      expect(await pending).toEqual({ items: [], error: reason });
    });

    test("between two pieces", async () => {
      const controller = new AbortController();
      const model = scriptedModel([{ text: "abc" }], { makeId: countingIds(), pieceLength: 1 });
      const answer = model.stream(question({ signal: controller.signal }))[Symbol.asyncIterator]();
      expect((await answer.next()).value).toEqual({ type: "text", id: "id-1", delta: "a" });
      controller.abort(reason);
      expect(await collect({ [Symbol.asyncIterator]: () => answer })).toEqual({ items: [], error: reason });
    });
  });
});
