import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { Agent } from "../../../src/agent/agent.ts";
import type { ReplyInput, ReplyOptions } from "../../../src/agent/turn.ts";
import { applyEvent } from "../../../src/event/apply-event.ts";
import type { AgentEvent } from "../../../src/event/events.ts";
import type { ToolCallBlock } from "../../../src/message/blocks.ts";
import { type Message, messageText, toolCalls, toolResult } from "../../../src/message/message.ts";
import type { ChatModel, ModelPart, ModelRequest } from "../../../src/model/chat-model.ts";
import { PermissionEngine } from "../../../src/permission/engine.ts";
import { type AgentState, createAgentState, restoreAgentState } from "../../../src/state/agent-state.ts";
import { defineTool } from "../../../src/tool/define-tool.ts";
import { Toolkit } from "../../../src/toolkit/toolkit.ts";

/** A model that says what it is told, turn by turn, and keeps what it was asked. */
function saying(
  ...turns: (readonly ModelPart[] | ((request: ModelRequest) => AsyncIterable<ModelPart>))[]
): ChatModel & { asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  return {
    name: "told",
    asked,
    async *stream(request) {
      asked.push({ ...request, messages: structuredClone(request.messages) as Message[] });
      const turn = turns[asked.length - 1] ?? [{ type: "text", id: "0", delta: "nothing left to say" }];
      yield* typeof turn === "function" ? turn(request) : turn;
    },
  };
}

function call(name: string, input: object | string, id = name): ModelPart[] {
  const text = typeof input === "string" ? input : JSON.stringify(input);
  const half = text.length >> 1;
  return [
    { type: "tool_call_start", id, name },
    { type: "tool_call_delta", id, delta: text.slice(0, half) },
    { type: "tool_call_delta", id, delta: text.slice(half) },
    { type: "tool_call_end", id },
  ];
}

const text = (delta: string): ModelPart => ({ type: "text", id: "0", delta });
const done: ModelPart = { type: "finish", reason: "stop", usage: { inputTokens: 3, outputTokens: 2 } };

const read = defineTool({
  name: "read",
  description: "",
  input: v.object({ n: v.number() }),
  readOnly: true,
  execute: ({ n }) => `read ${n}`,
});
const write = defineTool({
  name: "write",
  description: "",
  input: v.object({ n: v.number() }),
  concurrencySafe: false,
  matchRule: (content, { n }) => content === String(n),
  generateSuggestions: ({ n }) => [{ tool: "write", content: String(n), behavior: "allow", source: "suggested" }],
  execute: ({ n }) => `wrote ${n}`,
});
const outside = defineTool({
  name: "outside",
  description: "",
  external: true,
  checkPermissions: () => ({ behavior: "allow" }),
});
const toolkit = new Toolkit({ tools: [read, write, outside] });

interface Watched {
  events: AgentEvent[];
  reply: Message;
  /** The reply as a client rebuilds it. */
  rebuilt: Message;
}

async function watch(agent: Agent, input: ReplyInput, options: ReplyOptions, before?: Message): Promise<Watched> {
  const events: AgentEvent[] = [];
  const stream = agent.stream(input, options);
  for (;;) {
    const step = await stream.next();
    if (step.done) {
      const rebuilt = before ?? { ...step.value, content: [] };
      if (before === undefined) {
        delete rebuilt.finishedReason;
        delete rebuilt.usage;
      }
      for (const event of structuredClone(events)) applyEvent(rebuilt, event);
      return { events, reply: step.value, rebuilt };
    }
    events.push(step.value);
  }
}

function agentWith(model: ChatModel, permission = new PermissionEngine()): Agent {
  return new Agent({ name: "helper", model, toolkit, permission, clock: () => 0 });
}

function confirm(reply: Message, id: string, confirmed: boolean, more: object = {}): ReplyInput {
  const toolCall = toolCalls(reply).find((block) => block.id === id) as ToolCallBlock;
  return { type: "USER_CONFIRM_RESULT", confirmResults: [{ confirmed, toolCall: structuredClone(toolCall), ...more }] };
}

/** Every call has exactly one final result. */
function expectSettled(state: AgentState): void {
  for (const message of state.messages) {
    const results = message.content.filter((block) => block.type === "tool_result").map((block) => block.id);
    expect(results).toEqual([...new Set(results)]);
    for (const block of toolCalls(message))
      expect(toolResult(message, block.id)?.state).toMatch(/success|error|denied|interrupted/);
  }
  expect(state.reply).toBe(null);
}

describe("a reply", () => {
  test("reasons, acts and reasons again; a client rebuilds it from the events alone", async () => {
    const model = saying(
      [text("Let me "), text("look."), ...call("read", { n: 1 }), ...call("read", { n: 2 }, "r2"), done],
      [text("Both read."), done],
    );
    const state = createAgentState();
    const { events, reply, rebuilt } = await watch(agentWith(model), "hi", { state });
    expect(events.map((event) => event.type)).toEqual([
      "REPLY_START",
      "MODEL_CALL_START",
      "TEXT_BLOCK_START",
      "TEXT_BLOCK_DELTA",
      "TEXT_BLOCK_DELTA",
      "TEXT_BLOCK_END",
      ...["read", "r2"].flatMap(() => ["TOOL_CALL_START", "TOOL_CALL_DELTA", "TOOL_CALL_DELTA", "TOOL_CALL_END"]),
      "MODEL_CALL_END",
      "TOOL_RESULT_START",
      "TOOL_RESULT_START",
      "TOOL_RESULT_TEXT_DELTA",
      "TOOL_RESULT_TEXT_DELTA",
      "TOOL_RESULT_END",
      "TOOL_RESULT_END",
      "MODEL_CALL_START",
      "TEXT_BLOCK_START",
      "TEXT_BLOCK_DELTA",
      "TEXT_BLOCK_END",
      "MODEL_CALL_END",
      "REPLY_END",
    ]);
    expect(rebuilt).toEqual(reply);
    expect(messageText(reply)).toBe("Let me look.\nBoth read.");
    expect([reply.finishedReason, reply.usage]).toEqual(["completed", { inputTokens: 6, outputTokens: 4 }]);
    expect(model.asked[0]?.tools?.map((tool) => tool.name)).toEqual(["read", "write", "outside"]);
    expect(model.asked[1]?.messages).toMatchObject([
      { role: "user" },
      { role: "assistant", content: [{ type: "text" }, {}, {}, { state: "success" }, { state: "success" }] },
    ]);
    expect(restoreAgentState(JSON.parse(JSON.stringify(state)))).toEqual(state);
    expectSettled(state);
  });

  test("gives calls of one id different ids, also across turns", async () => {
    const model = saying(
      [...call("read", { n: 1 }, "x"), ...call("read", { n: 2 }, "x"), done],
      [...call("read", { n: 3 }, "x"), done],
      [text("ok"), done],
    );
    const state = createAgentState();
    const reply = await agentWith(model).reply("hi", { state });
    expect(new Set(toolCalls(reply).map((block) => block.id)).size).toBe(3);
    expect(reply.content.filter((block) => block.type === "tool_result").map((block) => block.output)).toEqual(
      [1, 2, 3].map((n) => [{ type: "text", text: `read ${n}` }]),
    );
    expectSettled(state);
  });

  test("stops at the limit of iterations", async () => {
    const endless = saying(...Array.from({ length: 9 }, (_, n) => [...call("read", { n }, `c${n}`), done]));
    const agent = new Agent({ name: "helper", model: endless, toolkit, maxIterations: 3 });
    const { events, reply } = await watch(agent, "hi", {});
    expect([reply.finishedReason, endless.asked.length]).toEqual(["exceed_max_iters", 3]);
    expect(events.filter((event) => event.type === "EXCEED_MAX_ITERS")).toMatchObject([{ maxIterations: 3 }]);
  });

  test("asks again after thoughts, and ends when the model says nothing", async () => {
    const model = saying([{ type: "thinking", id: "0", delta: "hm" }, done], [text("yes"), done]);
    const { reply, rebuilt } = await watch(agentWith(model), "hi", {});
    expect([messageText(reply), model.asked.length]).toEqual(["yes", 2]);
    expect(rebuilt).toEqual(reply);
    expect((await agentWith(saying([done])).reply("hi")).finishedReason).toBe("completed");
  });

  test("a model that fails ends the reply, leaves the state usable and tells the caller", async () => {
    const state = createAgentState();
    const model = saying(
      async function* () {
        yield text("well");
        yield* call("read", '{"n":1', "cut").slice(0, 2);
        throw new Error("line broke");
      },
      [text("again"), done],
    );
    const agent = agentWith(model);
    const seen: AgentEvent[] = [];
    await expect(
      (async () => {
        for await (const event of agent.stream("hi", { state })) seen.push(event);
      })(),
    ).rejects.toThrow("line broke");
    expect(seen.at(-1)).toMatchObject({ type: "REPLY_END", finishedReason: "error", error: "line broke" });
    expectSettled(state);
    expect(messageText(await agent.reply("once more", { state }))).toBe("again");
  });

  test("reminds the model before each turn without keeping the reminder", async () => {
    const model = saying([...call("read", { n: 1 }), done], [text("ok"), done]);
    const reminders = [(state: AgentState) => `calls: ${state.dispatches.length}`, () => undefined];
    const state = createAgentState();
    await new Agent({ name: "helper", model, toolkit, reminders }).reply("hi", { state });
    expect(model.asked.map((request) => request.messages.at(-1)?.content)).toEqual([
      [{ type: "hint", hint: "calls: 0" }],
      [{ type: "hint", hint: "calls: 1" }],
    ]);
    expect(JSON.stringify(state.messages)).not.toContain("hint");
  });

  test("refuses a second reply in the same conversation at the same time", async () => {
    const state = createAgentState();
    const agent = agentWith(saying([text("slow"), done]));
    const first = agent.reply("one", { state });
    await expect(agent.reply("two", { state })).rejects.toThrow("REPLY_BUSY");
    expect((await first).finishedReason).toBe("completed");
  });
});

describe("a confirmation", () => {
  const turns = (): ChatModel & { asked: ModelRequest[] } =>
    saying(
      [...call("read", { n: 1 }), ...call("write", { n: 2 }), ...call("read", { n: 3 }, "late"), done],
      [text("ok"), done],
    );

  test("pauses the reply; confirmed, it goes on in the same message, in another process too", async () => {
    const agent = agentWith(turns());
    const first = createAgentState();
    const asked = await watch(agent, "hi", { state: first });
    expect(asked.reply.finishedReason).toBe("awaiting");
    expect(asked.events.at(-1)).toMatchObject({
      type: "REQUIRE_USER_CONFIRM",
      toolCalls: [{ id: "write", state: "asking", suggestedRules: [{ tool: "write", content: "2" }] }],
    });
    expect(toolCalls(asked.reply).map((block) => block.state)).toEqual(["finished", "asking", "pending"]);
    expect(asked.rebuilt).toEqual(asked.reply);
    expect(toolCalls(asked.reply)[1]?.decision).toMatchObject({ behavior: "ask", mode: "default" });

    const state = restoreAgentState(JSON.parse(JSON.stringify(first)));
    const answered = await watch(agent, confirm(asked.reply, "write", true), { state }, asked.rebuilt);
    expect(answered.reply.id).toBe(asked.reply.id);
    expect(answered.rebuilt).toEqual(answered.reply);
    expect(
      answered.reply.content.filter((block) => block.type === "tool_result").map((block) => [block.id, block.output]),
    ).toEqual([
      ["read", [{ type: "text", text: "read 1" }]],
      ["write", [{ type: "text", text: "wrote 2" }]],
      ["late", [{ type: "text", text: "read 3" }]],
    ]);
    expectSettled(state);
  });

  test("refused, it tells the model, with the person's words", async () => {
    const agent = agentWith(turns());
    const state = createAgentState();
    const { reply } = await watch(agent, "hi", { state });
    const end = await agent.reply(
      confirm(reply, "write", false, { feedback: "not today", rules: [{ tool: "write", behavior: "allow" }] }),
      { state },
    );
    expect(toolResult(end, "write")).toMatchObject({
      state: "denied",
      output: [{ text: "The user refused this call. They said: not today" }],
    });
    expect(state.permission.rules).toEqual([]);
    expectSettled(state);
  });

  test("may edit the input, which is validated and decided again; a remembered rule silences the next question", async () => {
    const model = saying(
      [...call("write", { n: 2 }), done],
      [...call("write", { n: 7 }, "again"), done],
      [text("ok"), done],
    );
    const rules = [{ tool: "write", content: "6", behavior: "deny" as const }];
    const agent = agentWith(model, new PermissionEngine({ rules }));
    const state = createAgentState();
    const { reply } = await watch(agent, "hi", { state });
    const answer = confirm(reply, "write", true, {
      rules: [{ tool: "write", content: "7", behavior: "allow", source: "session" }],
    });
    if (typeof answer === "object" && "confirmResults" in answer && answer.confirmResults[0])
      answer.confirmResults[0].toolCall.input = '{"n":6}';
    const end = await agent.reply(answer, { state });
    expect(toolResult(end, "write")?.state).toBe("denied");
    expect(toolResult(end, "again")?.output).toEqual([{ type: "text", text: "wrote 7" }]);
    expectSettled(state);
  });

  test("must fit what was asked", async () => {
    const agent = agentWith(turns());
    const state = createAgentState();
    const { reply } = await watch(agent, "hi", { state });
    await expect(agent.reply("something else", { state })).rejects.toThrow("REPLY_AWAITING");
    await expect(agent.reply(confirm(reply, "read", true), { state })).rejects.toThrow("ANSWER_INVALID");
    const renamed = confirm(reply, "write", true);
    if (typeof renamed === "object" && "confirmResults" in renamed && renamed.confirmResults[0])
      renamed.confirmResults[0].toolCall.name = "read";
    await expect(agent.reply(renamed, { state })).rejects.toThrow("ANSWER_INVALID");
    await expect(agent.reply(confirm(reply, "write", true), { state: createAgentState() })).rejects.toThrow(
      "REPLY_NOT_AWAITING",
    );
    expect((await agent.reply(confirm(reply, "write", true), { state })).finishedReason).toBe("completed");
  });

  test("a parked reply can be interrupted", async () => {
    const agent = agentWith(turns());
    const state = createAgentState();
    await agent.reply("hi", { state });
    const reply = await agent.reply({ type: "USER_INTERRUPT" }, { state });
    expect([reply.finishedReason, toolResult(reply, "write")?.state, toolResult(reply, "late")?.state]).toEqual([
      "interrupted",
      "interrupted",
      "interrupted",
    ]);
    expectSettled(state);
  });
});

describe("an external call", () => {
  test("pauses the reply until its result is given", async () => {
    const agent = agentWith(saying([...call("outside", {}), done], [text("thanks"), done]));
    const state = createAgentState();
    const asked = await watch(agent, "hi", { state });
    expect(toolCalls(asked.reply)[0]?.state).toBe("submitted");
    const result = {
      type: "tool_result" as const,
      id: "outside",
      name: "renamed",
      output: [{ type: "text" as const, text: "by hand" }],
      state: "success" as const,
      metadata: {},
    };
    await expect(
      agent.reply({ type: "EXTERNAL_EXECUTION_RESULT", executionResults: [{ ...result, id: "other" }] }, { state }),
    ).rejects.toThrow("ANSWER_INVALID");
    const answered = await watch(
      agent,
      { type: "EXTERNAL_EXECUTION_RESULT", executionResults: [result] },
      { state },
      asked.rebuilt,
    );
    expect(toolResult(answered.reply, "outside")).toEqual({ ...result, name: "outside" });
    expect(answered.rebuilt).toEqual(answered.reply);
    expectSettled(state);
  });
});

describe("an abort", () => {
  test("while the model streams closes every call", async () => {
    const controller = new AbortController();
    const model = saying(async function* () {
      yield* call("read", { n: 1 });
      yield* call("read", '{"n":', "half").slice(0, 2);
      controller.abort();
      throw controller.signal.reason;
    });
    const state = createAgentState();
    const { reply, rebuilt } = await watch(agentWith(model), "hi", { state, signal: controller.signal });
    expect(reply.finishedReason).toBe("interrupted");
    expect(rebuilt).toEqual(reply);
    expectSettled(state);
  });

  test("while tools run gives one result for every call, and leaving the loop does the same", async () => {
    const hang = defineTool({
      name: "hang",
      description: "",
      readOnly: true,
      execute: () => new Promise<string>(() => {}),
    });
    const kit = new Toolkit({ tools: [hang, read] });
    const make = (): Agent =>
      new Agent({
        name: "helper",
        model: saying([...call("read", { n: 1 }), ...call("hang", {}), done]),
        toolkit: kit,
      });
    const controller = new AbortController();
    const state = createAgentState();
    const reply = make().reply("hi", { state, signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve));
    controller.abort();
    expect([
      (await reply).finishedReason,
      toolResult(await reply, "read")?.state,
      toolResult(await reply, "hang")?.state,
    ]).toEqual(["interrupted", "success", "interrupted"]);
    expectSettled(state);

    const left = createAgentState();
    for await (const event of make().stream("hi", { state: left })) if (event.type === "TOOL_RESULT_START") break;
    expectSettled(left);
  });

  test("calls that a crashed process left open are closed by the next message", async () => {
    const state = createAgentState();
    const crashed: Message = {
      id: "r",
      role: "assistant",
      content: [{ type: "tool_call", id: "lost", name: "read", input: "{}", state: "pending" }],
    };
    state.messages.push(crashed);
    state.reply = { replyId: "r", iteration: 1 };
    await agentWith(saying([text("hello"), done])).reply("hi", { state });
    expect(toolResult(crashed, "lost")?.state).toBe("interrupted");
    expectSettled(state);
  });
});
