import * as v from "valibot";
import { describe, expect, test } from "vitest";
import type { EventBody } from "../../../src/event/events.ts";
import type { ToolChunk, ToolResultBlock } from "../../../src/message/blocks.ts";
import { PermissionEngine } from "../../../src/permission/engine.ts";
import { createAgentState } from "../../../src/state/agent-state.ts";
import { contextKey, RuntimeContext } from "../../../src/state/runtime-context.ts";
import { defineTool } from "../../../src/tool/define-tool.ts";
import { ToolSuspend } from "../../../src/tool/suspend.ts";
import type { ToolReturn } from "../../../src/tool/tool.ts";
import { ToolResult } from "../../../src/tool/tool-result.ts";
import { Toolkit, type ToolkitOptions } from "../../../src/toolkit/toolkit.ts";

const weather = defineTool({
  name: "weather",
  description: "Tells the weather.",
  input: v.object({ city: v.string(), unit: v.optional(v.picklist(["c", "f"]), "c") }),
  readOnly: true,
  execute: ({ city, unit }) => `${city}: 20 ${unit}`,
});

/** A toolkit with one tool that answers as told. */
function answering(execute: () => ToolReturn, options: ToolkitOptions = {}): Toolkit {
  return new Toolkit({ tools: [defineTool({ name: "t", description: "", execute })], ...options });
}

function result(
  state: ToolResultBlock["state"],
  text: string,
  metadata: ToolResultBlock["metadata"] = {},
): ToolResultBlock {
  return { type: "tool_result", id: "1", name: "t", output: [{ type: "text", text }], state, metadata };
}

describe("station 1, find", () => {
  test("tells a model which tools there are when it names another", async () => {
    const answer = await new Toolkit({ tools: [weather] }).run({ id: "1", name: "wether" });
    expect(answer).toEqual({
      type: "tool_result",
      id: "1",
      name: "wether",
      output: [{ type: "text", text: 'There is no tool named "wether". Available tools: weather.' }],
      state: "error",
      metadata: {},
    });
  });

  test.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
    "does not find %s on a prototype",
    async (name) => {
      expect((await new Toolkit({ tools: [weather] }).run({ name })).state).toBe("error");
    },
  );
});

describe("station 2, input", () => {
  test.each<[string, unknown, ToolResultBlock["state"], string]>([
    ["fills in defaults", '{"city":"Rome"}', "success", "Rome: 20 c"],
    ["takes an object", { city: "Rome", unit: "f" }, "success", "Rome: 20 f"],
    ["decodes arguments encoded twice", JSON.stringify('{"city":"Rome"}'), "success", "Rome: 20 c"],
    ["closes what is open behind a complete value", '{"city":"Rome"', "success", "Rome: 20 c"],
    ["never completes a string that was cut", '{"city":"Ro', "error", "not a complete JSON object"],
    [
      "names a missing argument and the accepted ones",
      "{}",
      "error",
      'city (string, required), unit (one of "c", "f")',
    ],
    ["names a wrong argument by its path", '{"city":1}', "error", "- city: "],
    ["refuses an array", "[1]", "error", "expected a JSON object, got array"],
    ["refuses a number", 7, "error", "expected a JSON object, got number"],
  ])("%s", async (_name, input, state, text) => {
    const answer = await new Toolkit({ tools: [weather] }).run({ name: "weather", input });
    expect([answer.state, answer.output]).toEqual([state, [{ type: "text", text: expect.stringContaining(text) }]]);
  });
});

describe("station 3, permission", () => {
  const write = defineTool({
    name: "write",
    description: "",
    input: v.object({ path: v.string() }),
    matchRule: (content, { path }) => path.startsWith(content),
    generateSuggestions: ({ path }) => [{ tool: "write", content: path, behavior: "allow", source: "suggested" }],
    execute: ({ path }) => `wrote ${path}`,
  });
  const toolkit = new Toolkit({ tools: [write, weather] });
  const call = { id: "1", name: "write", input: '{"path":"a"}' };

  test("suspends a call that has to be asked about, with suggestions and trace", async () => {
    const answer = await toolkit.run(call, { permission: new PermissionEngine() });
    expect(answer).toMatchObject({
      state: "suspended",
      output: [],
      metadata: {
        suspended: "confirm",
        decision: {
          behavior: "ask",
          mode: "default",
          suggestedRules: [{ tool: "write", content: "a", behavior: "allow", source: "suggested" }],
        },
      },
    });
  });

  test("runs a confirmed call, but a deny rule still bites", async () => {
    const confirmed = { ...call, state: "allowed" as const };
    expect((await toolkit.run(confirmed, { permission: new PermissionEngine() })).state).toBe("success");
    const rules = [{ tool: "write", content: "a", behavior: "deny" as const }];
    expect((await toolkit.run(confirmed, { permission: new PermissionEngine({ rules }) })).state).toBe("denied");
  });

  test("tells the model why a call is denied, and writes it down", async () => {
    const state = createAgentState({ sessionId: "s" });
    const answer = await toolkit.run(call, {
      permission: new PermissionEngine({ mode: "explore" }),
      state,
      clock: () => 5,
    });
    expect([answer.state, answer.output]).toEqual([
      "denied",
      [
        {
          type: "text",
          text: "Only reading is allowed now (mode explore), and this call of write may change something.",
        },
      ],
    ]);
    expect(state.dispatches).toEqual([
      { toolCallId: "1", tool: "write", decision: "denied", by: "Mode: explore", at: 5 },
    ]);
  });

  test("decides on validated input only", async () => {
    const answer = await toolkit.run({ ...call, input: '{"path":1}' }, { permission: new PermissionEngine() });
    expect(answer.state).toBe("error");
  });
});

describe("station 4, external", () => {
  const approve = defineTool({
    name: "approve",
    description: "",
    input: v.object({ what: v.string() }),
    external: true,
  });

  test("hands an external call out, past the interceptors", async () => {
    const events: EventBody[] = [];
    const toolkit = new Toolkit({
      tools: [approve],
      interceptors: [{ intercept: () => Promise.reject(new Error("not for external tools")) }],
    });
    const answer = await toolkit.run(
      { id: "1", name: "approve", input: '{"what":"x"}' },
      { onEvent: (event) => void events.push(event) },
    );
    expect([answer.state, answer.metadata]).toEqual(["suspended", { suspended: "external" }]);
    expect(events).toEqual([
      {
        type: "REQUIRE_EXTERNAL_EXECUTION",
        toolCalls: [{ type: "tool_call", id: "1", name: "approve", input: '{"what":"x"}', state: "submitted" }],
      },
    ]);
  });

  test("a tool may hand a call out itself", async () => {
    const toolkit = answering(() => {
      throw new ToolSuspend("waiting for the bank", { order: 7 });
    });
    const answer = await toolkit.run({ name: "t" });
    expect([answer.state, answer.metadata]).toEqual([
      "suspended",
      { suspended: "external", reason: "waiting for the bank", details: { order: 7 } },
    ]);
  });
});

describe("station 5, preset", () => {
  const send = defineTool({
    name: "send",
    description: "",
    input: v.object({ to: v.string(), key: v.string() }),
    checkPermissions: (input) => ({ behavior: "allow", message: JSON.stringify(input) }),
    execute: ({ to, key }, call) => `${to} ${key} ${call.id}`,
  });
  const kit = (preset: Record<string, string | ((context: RuntimeContext) => string)>): Toolkit =>
    new Toolkit().add(send, { preset });

  test("wins over the model and stays out of schema and record", async () => {
    const toolkit = kit({ key: (context) => `secret of ${context.userId}` });
    const state = createAgentState();
    const context = new RuntimeContext({ userId: "ann" });
    const answer = await toolkit.run({ id: "1", name: "send", input: { to: "bob", key: "guess" } }, { state, context });
    expect(answer.output).toEqual([{ type: "text", text: "bob secret of ann 1" }]);
    expect(toolkit.schemas()[0]?.inputSchema).toEqual({
      type: "object",
      properties: { to: { type: "string" } },
      required: ["to"],
    });
    expect(state.dispatches[0]?.input).toEqual({ to: "bob" });
  });

  test("never shows in an error, not even by name", async () => {
    const toolkit = kit({ key: () => 1 as unknown as string });
    const answer = await toolkit.run({ name: "send", input: { to: "bob" } });
    expect(answer.state).toBe("error");
    expect(JSON.stringify(answer.output)).not.toContain("key");
  });

  test("a parameter that the tool lacks is the programmer's mistake", () => {
    expect(() => kit({ kee: "x" })).toThrow("PRESET_INVALID");
  });
});

describe("station 6, execution", () => {
  const cycle: Record<string, unknown> = { a: 1 };
  cycle.self = cycle;

  test.each<[string, () => ToolReturn, string]>([
    ["text", () => "yes", "yes"],
    ["a promise", async () => "later", "later"],
    ["a number", () => 42, "42"],
    ["JSON", () => ({ a: [1, true] }), '{"a":[1,true]}'],
    ["an array", () => [1, 2], "[1,2]"],
    ["false", () => false, "false"],
    ["a bigint", () => 10n, '"10"'],
    ["a cycle", () => cycle, '{"a":1,"self":"[circular]"}'],
    ["a Map", () => new Map([["k", 1]]), '{"k":1}'],
    ["an Error as a value", () => new TypeError("odd"), '{"name":"TypeError","message":"odd"}'],
    ["a block", () => ({ type: "text", text: "block" }), "block"],
    [
      "blocks",
      () => [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
      "ab",
    ],
    ["a success", () => ToolResult.success("done"), "done"],
    ["a running text as the last word", () => ToolResult.text("done"), "done"],
    [
      "a generator",
      function* () {
        yield "a";
        return "b";
      },
      "ab",
    ],
    [
      "an async generator",
      async function* () {
        yield "a";
        yield Promise.resolve("b");
        return "c";
      },
      "abc",
    ],
    [
      "a stream",
      () => new Response("bytes").body?.pipeThrough(new TextDecoderStream()) as ReadableStream<string>,
      "bytes",
    ],
  ])("takes %s", async (_name, execute, text) => {
    expect(await answering(execute).run({ id: "1", name: "t" })).toEqual(result("success", text));
  });

  test("takes nothing at all", async () => {
    expect(await answering(() => undefined).run({ id: "1", name: "t" })).toEqual({
      ...result("success", ""),
      output: [],
    });
  });

  test("keeps metadata and data blocks", async () => {
    const image = { type: "data", source: { type: "base64", data: "AAA=", mediaType: "image/png" } } as const;
    const answer = await answering(() => ToolResult.success([{ type: "text", text: "see" }, image], { width: 1 })).run({
      id: "1",
      name: "t",
    });
    expect(answer).toEqual({
      ...result("success", "see", { width: 1 }),
      output: [{ type: "text", text: "see" }, image],
    });
  });

  test.each<[string, () => ToolReturn, string]>([
    [
      "throws at once",
      () => {
        throw new Error("no disk");
      },
      "t failed: no disk",
    ],
    ["rejects", () => Promise.reject(new Error("no disk")), "t failed: no disk"],
    ["rejects with a string", () => Promise.reject("why not"), "t failed: why not"],
    ["rejects with undefined", () => Promise.reject(undefined), "t failed: undefined"],
    [
      "returns a function",
      () => () => 1,
      "t failed: t returned a function. Return text, JSON, blocks or a ToolResult.",
    ],
    ["says error itself", () => ToolResult.error("no such city"), "no such city"],
    [
      "yields, then throws",
      async function* () {
        yield "half";
        throw new Error("broke");
      },
      "half\nt failed: broke",
    ],
    [
      "yields an error, then more",
      function* () {
        yield ToolResult.error("bad ");
        yield ToolResult.success("news");
      },
      "bad news",
    ],
  ])("gives one error when a tool %s", async (_name, execute, text) => {
    for (const interceptors of [
      [],
      [{ intercept: (call, next) => next(call) }] satisfies ToolkitOptions["interceptors"],
    ]) {
      expect(await answering(execute, { interceptors }).run({ id: "1", name: "t" })).toEqual(result("error", text));
    }
  });

  test("ends a tool that never ends at its deadline, and its late rejection is nobody's", async () => {
    let fail: (error: Error) => void = () => {};
    let fire: () => void = () => {};
    const toolkit = answering(() => new Promise((_resolve, reject) => (fail = reject)), { timeoutMs: 50 });
    const timers = { set: (callback: () => void) => (fire = callback), clear: () => {} };
    const running = toolkit.run({ id: "1", name: "t" }, { timers });
    await new Promise((resolve) => setTimeout(resolve));
    fire();
    expect(await running).toEqual(
      result("error", "t did not finish within 50 ms. Allow more time, or ask for less work."),
    );
    fail(new Error("late"));
  });

  test("interrupts at once, keeps what was said, and tells the tool", async () => {
    const controller = new AbortController();
    let heard: unknown;
    const tool = defineTool({
      name: "t",
      description: "",
      async *execute(_input, call) {
        call.signal.addEventListener("abort", () => (heard = call.signal.reason));
        yield "half";
        controller.abort("enough");
        await new Promise(() => {});
      },
    });
    const answer = await new Toolkit({ tools: [tool] }).run({ id: "1", name: "t" }, { signal: controller.signal });
    expect(answer).toEqual(result("interrupted", "half\nThe call was interrupted by the user before it was finished."));
    expect(heard).toBe("enough");
  });

  test("does not start once it is aborted", async () => {
    let started = false;
    const answer = await answering(() => (started = true)).run({ id: "1", name: "t" }, { signal: AbortSignal.abort() });
    expect([answer.state, started]).toEqual(["interrupted", false]);
  });

  test("gives typed values from the context, or says that the application has not put them in", async () => {
    const user = contextKey<{ name: string }>("user");
    const greet = defineTool({
      name: "t",
      description: "",
      inject: { user },
      execute: (_input, call) => `hi ${call.user.name} from ${call.name}`,
    });
    const toolkit = new Toolkit({ tools: [greet] });
    const context = new RuntimeContext().put(user, { name: "ann" });
    expect(await toolkit.run({ id: "1", name: "t" }, { context })).toEqual(result("success", "hi ann from t"));
    expect((await toolkit.run({ name: "t" })).state).toBe("error");
    expect(() => defineTool({ name: "t", description: "", inject: { signal: user }, execute: () => "" })).toThrow(
      "TOOL_INVALID",
    );
  });
});

describe("middlewares and interceptors", () => {
  test("wrap a tool in order, the first outermost, and may change input and chunks", async () => {
    const log: string[] = [];
    const tool = defineTool({
      name: "t",
      description: "",
      input: v.object({ n: v.number() }),
      middlewares: [
        async (call, next) => {
          log.push("outer in");
          await next(call.withInput({ n: 2 }));
          log.push("outer out");
        },
        async (call, next) => {
          log.push("inner in");
          await next(call.withEmit((chunk: ToolChunk) => call.emit({ ...chunk, metadata: { seen: true } })));
          log.push("inner out");
        },
      ],
      execute: ({ n }) => {
        log.push(`run ${n}`);
        return String(n);
      },
    });
    expect(await new Toolkit({ tools: [tool] }).run({ id: "1", name: "t", input: { n: 1 } })).toEqual(
      result("success", "2", { seen: true }),
    );
    expect(log).toEqual(["outer in", "inner in", "run 2", "inner out", "outer out"]);
  });

  test("interceptors go by order, see the caller, rewrite without another validation, and the record shows what ran", async () => {
    const seen: unknown[] = [];
    const state = createAgentState();
    const toolkit = new Toolkit({
      tools: [
        defineTool({
          name: "t",
          description: "",
          input: v.object({ n: v.number() }),
          execute: (input) => JSON.stringify(input),
        }),
      ],
      interceptors: [
        { name: "late", intercept: (call, next) => next(call.withInput({ n: "rewritten" })) },
        {
          name: "early",
          order: 5,
          intercept: async (call, next) => {
            seen.push(call.agentName, call.input);
            const answer = await next(call);
            seen.push(answer.state);
            return answer;
          },
        },
      ],
    });
    const answer = await toolkit.run(
      { id: "1", name: "t", input: { n: 1 } },
      { state, agent: { id: "a", name: "planner" }, clock: () => 1 },
    );
    expect(answer).toEqual(result("success", '{"n":"rewritten"}'));
    expect(seen).toEqual(["planner", { n: 1 }, "success"]);
    expect(state.dispatches).toEqual([
      { toolCallId: "1", tool: "t", decision: "dispatched", by: "application", input: { n: "rewritten" }, at: 1 },
    ]);
  });

  test("a denial by an interceptor leaves a denial and no dispatch, and nothing of a held result leaks", async () => {
    const state = createAgentState();
    const denied = (id: string): ToolResultBlock => ({ ...result("denied", "PathSandbox: stay inside"), id });
    const toolkit = answering(() => "secret", {
      interceptors: [{ name: "PathSandbox", intercept: async (call) => denied(call.toolCallId) }],
    });
    expect(await toolkit.run({ id: "1", name: "t" }, { state, clock: () => 1 })).toEqual(
      result("denied", "PathSandbox: stay inside"),
    );
    expect(state.dispatches).toEqual([{ toolCallId: "1", tool: "t", decision: "denied", by: "PathSandbox", at: 1 }]);

    const events: EventBody[] = [];
    const redacting = answering(() => "secret", {
      interceptors: [
        {
          intercept: async (call, next) => ({ ...(await next(call)), output: [{ type: "text", text: "[redacted]" }] }),
        },
      ],
    });
    expect(await redacting.run({ id: "1", name: "t" }, { onEvent: (event) => void events.push(event) })).toEqual(
      result("success", "[redacted]"),
    );
    expect(JSON.stringify(events)).not.toContain("secret");
  });
});

describe("station 7, result", () => {
  test("keeps head and tail of what is too long, and puts the whole aside", async () => {
    const text = `${"a".repeat(80)}${"b".repeat(80)}`;
    const spilled: string[] = [];
    const spill = async (id: string, whole: string): Promise<string> => {
      spilled.push(whole);
      return `/tool-results/${id}.txt`;
    };
    const answer = await answering(() => ToolResult.success(text, { kept: 1 }), {
      resultLimit: { characters: 100, spill },
    }).run({ id: "1", name: "t" });
    const note =
      "\n\n[… 60 of 160 characters left out here. The whole text is in /tool-results/1.txt; read the part you need from there.]\n\n";
    expect(answer).toEqual(
      result("success", `${"a".repeat(70)}${note}${"b".repeat(30)}`, {
        kept: 1,
        truncated: { characters: 160, path: "/tool-results/1.txt" },
      }),
    );
    expect(spilled).toEqual([text]);
  });

  test("never splits a character, whatever the pieces", async () => {
    for (let limit = 1; limit < 20; limit += 1) {
      const answer = await answering(
        function* () {
          yield "🦊\ud83e";
          yield "\udd8a🦊🦊🦊";
        },
        { resultLimit: { characters: limit } },
      ).run({ name: "t" });
      const [block] = answer.output;
      expect(block?.type === "text" && !block.text.includes("\ufffd")).toBe(true);
    }
  });

  test("the chunks that went out are the result", async () => {
    const toolkit = answering(
      async function* () {
        for (const piece of ["ab", "cd", "ef", "gh"]) yield piece;
      },
      { resultLimit: { characters: 5 } },
    );
    const events: EventBody[] = [];
    const stream = toolkit.callTool({ id: "1", name: "t" }, { onEvent: (event) => void events.push(event) });
    let text = "";
    let step = await stream.next();
    for (; !step.done; step = await stream.next())
      for (const block of step.value.content) if (block.type === "text") text += block.text;
    expect(step.value).toEqual(result("success", text, { truncated: { characters: 8 } }));
    const deltas = events.flatMap((event) => (event.type === "TOOL_RESULT_TEXT_DELTA" ? [event.delta] : []));
    expect(deltas.join("")).toBe(text);
    expect(events.map((event) => event.type)).toEqual([
      "TOOL_RESULT_START",
      ...deltas.map(() => "TOOL_RESULT_TEXT_DELTA"),
      "TOOL_RESULT_END",
    ]);
  });
});

describe("the two faces", () => {
  test("a slow consumer slows the tool, and leaving the loop ends it", async () => {
    let produced = 0;
    let cleaned = false;
    const toolkit = answering(async function* () {
      try {
        for (;;) {
          produced += 1;
          yield String(produced);
        }
      } finally {
        cleaned = true;
      }
    });
    let taken = 0;
    for await (const _chunk of toolkit.callTool({ name: "t" })) {
      taken += 1;
      if (taken === 3) break;
    }
    for (let turn = 0; turn < 100 && !cleaned; turn += 1) await new Promise((resolve) => setTimeout(resolve));
    expect(cleaned).toBe(true);
    expect(produced).toBeLessThanOrEqual(5);
  });

  test("progress is shown and never part of the result", async () => {
    const tool = defineTool({
      name: "t",
      description: "",
      execute: (_input, call) => {
        call.progress("scanning");
        call.emitter.emit({ done: 1 });
        return call.emitter.toolCallId;
      },
    });
    const events: EventBody[] = [];
    const answer = await new Toolkit({ tools: [tool] }).run(
      { id: "1", name: "t" },
      { onEvent: (event) => void events.push(event) },
    );
    expect(answer).toEqual(result("success", "1"));
    expect(events.filter((event) => event.type === "TOOL_PROGRESS")).toEqual([
      { type: "TOOL_PROGRESS", toolCallId: "1", progress: "scanning" },
      { type: "TOOL_PROGRESS", toolCallId: "1", progress: { done: 1 } },
    ]);
  });

  test("an id is made up where there is none", async () => {
    for (const id of ["", null, undefined]) expect((await answering(() => "").run({ id, name: "t" })).id).not.toBe("");
  });
});

describe("retry", () => {
  const flaky = (failures: number): { tool: () => ToolReturn; tries: () => number } => {
    let tries = 0;
    return {
      tool: () => {
        tries += 1;
        return tries <= failures ? Promise.reject(new Error(`try ${tries}`)) : "ok";
      },
      tries: () => tries,
    };
  };
  const timers = { set: (callback: () => void) => void queueMicrotask(callback), clear: () => {} };

  test("is done only where a policy says so, and keeps the last error", async () => {
    const once = flaky(1);
    expect(await answering(once.tool).run({ id: "1", name: "t" })).toEqual(result("error", "t failed: try 1"));
    const twice = flaky(1);
    const retry = { attempts: 3, retryable: () => true };
    expect(
      await answering(twice.tool, { retry, timeoutMs: Number.POSITIVE_INFINITY }).run(
        { id: "1", name: "t" },
        { timers },
      ),
    ).toEqual(result("success", "ok"));
    const never = flaky(9);
    expect(
      await answering(never.tool, { retry, timeoutMs: Number.POSITIVE_INFINITY }).run(
        { id: "1", name: "t" },
        { timers },
      ),
    ).toEqual(result("error", "t failed: try 3"));
    expect([once.tries(), twice.tries(), never.tries()]).toEqual([1, 2, 3]);
  });

  test("is not done once pieces have gone out", async () => {
    let tries = 0;
    const toolkit = answering(
      async function* () {
        tries += 1;
        yield "piece";
        throw new Error("broke");
      },
      { retry: { attempts: 3, retryable: () => true } },
    );
    expect(await toolkit.run({ id: "1", name: "t" }, { timers: { ...timers, set: () => 0 } })).toEqual(
      result("error", "piece\nt failed: broke"),
    );
    expect(tries).toBe(1);
  });
});
