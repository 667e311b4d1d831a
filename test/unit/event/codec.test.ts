import { describe, expect, test } from "vitest";
import { fromWireEvent, toWireEvent } from "../../../src/event/codec.ts";
import type { AgentEvent, EventBody } from "../../../src/event/events.ts";
import { forAll, type Random, randomJson, randomObject, randomRule, randomText } from "../property.ts";
import { randomReply, stamp } from "./random-reply.ts";

const common = { id: "e0", createdAt: Date.UTC(2026, 0, 2, 3, 4, 5, 678), replyId: "reply" };
const wireCommon = { id: "e0", created_at: "2026-01-02T03:04:05.678Z", reply_id: "reply", metadata: {} };
const call = { type: "tool_call", id: "c1", name: "Bash", input: "{}" } as const;

/** One event of every kind, with everything it can carry, beside its wire form. */
const pairs: [body: EventBody, wire: object][] = [
  [
    { type: "REPLY_START", sessionId: "s", name: "Ada", role: "assistant" },
    { type: "REPLY_START", session_id: "s", name: "Ada", role: "assistant" },
  ],
  [
    { type: "REPLY_END", sessionId: "s", finishedReason: "error", error: "broke" },
    { type: "REPLY_END", session_id: "s", finished_reason: "error", error: { type: "unknown", message: "broke" } },
  ],
  [
    { type: "MODEL_CALL_START", modelName: "m" },
    { type: "MODEL_CALL_START", model_name: "m" },
  ],
  [
    { type: "MODEL_CALL_END", modelName: "m", usage: { inputTokens: 3, outputTokens: 4 } },
    { type: "MODEL_CALL_END", model_name: "m", input_tokens: 3, output_tokens: 4 },
  ],
  [
    { type: "MODEL_CALL_END", modelName: "m" },
    { type: "MODEL_CALL_END", model_name: "m", input_tokens: 0, output_tokens: 0 },
  ],
  [
    { type: "TEXT_BLOCK_START", blockId: "b" },
    { type: "TEXT_BLOCK_START", block_id: "b" },
  ],
  [
    { type: "TEXT_BLOCK_DELTA", blockId: "b", delta: "hi" },
    { type: "TEXT_BLOCK_DELTA", block_id: "b", delta: "hi" },
  ],
  [
    { type: "TEXT_BLOCK_END", blockId: "b" },
    { type: "TEXT_BLOCK_END", block_id: "b" },
  ],
  [
    { type: "THINKING_BLOCK_START", blockId: "b" },
    { type: "THINKING_BLOCK_START", block_id: "b" },
  ],
  [
    { type: "THINKING_BLOCK_DELTA", blockId: "b", delta: "hm", signature: "proof" },
    { type: "THINKING_BLOCK_DELTA", block_id: "b", delta: "hm", signature: "proof" },
  ],
  [
    { type: "THINKING_BLOCK_END", blockId: "b" },
    { type: "THINKING_BLOCK_END", block_id: "b" },
  ],
  [
    { type: "DATA_BLOCK_START", blockId: "b", mediaType: "image/png", name: "a.png" },
    { type: "DATA_BLOCK_START", block_id: "b", media_type: "image/png", name: "a.png" },
  ],
  [
    { type: "DATA_BLOCK_DELTA", blockId: "b", data: "AAAA" },
    { type: "DATA_BLOCK_DELTA", block_id: "b", media_type: "", data: "AAAA" },
  ],
  [
    { type: "DATA_BLOCK_END", blockId: "b" },
    { type: "DATA_BLOCK_END", block_id: "b" },
  ],
  [
    { type: "HINT_BLOCK", blockId: "b", hint: "mind", source: "system" },
    { type: "HINT_BLOCK", block_id: "b", hint: "mind", source: "system" },
  ],
  [
    { type: "TOOL_CALL_START", toolCallId: "c1", toolCallName: "Bash" },
    { type: "TOOL_CALL_START", tool_call_id: "c1", tool_call_name: "Bash" },
  ],
  [
    { type: "TOOL_CALL_DELTA", toolCallId: "c1", delta: "{" },
    { type: "TOOL_CALL_DELTA", tool_call_id: "c1", delta: "{" },
  ],
  [
    { type: "TOOL_CALL_END", toolCallId: "c1" },
    { type: "TOOL_CALL_END", tool_call_id: "c1" },
  ],
  [
    { type: "TOOL_PROGRESS", toolCallId: "c1", progress: { doneFiles: 1 } },
    { type: "TOOL_PROGRESS", tool_call_id: "c1", progress: { doneFiles: 1 } },
  ],
  [
    { type: "TOOL_RESULT_START", toolCallId: "c1", toolCallName: "Bash" },
    { type: "TOOL_RESULT_START", tool_call_id: "c1", tool_call_name: "Bash" },
  ],
  [
    { type: "TOOL_RESULT_TEXT_DELTA", toolCallId: "c1", delta: "a", blockId: "b" },
    { type: "TOOL_RESULT_TEXT_DELTA", tool_call_id: "c1", delta: "a", block_id: "b" },
  ],
  [
    { type: "TOOL_RESULT_DATA_DELTA", toolCallId: "c1", blockId: "b", mediaType: "image/png", data: "AAAA", name: "a" },
    {
      type: "TOOL_RESULT_DATA_DELTA",
      tool_call_id: "c1",
      block_id: "b",
      media_type: "image/png",
      data: "AAAA",
      name: "a",
    },
  ],
  [
    { type: "TOOL_RESULT_DATA_DELTA", toolCallId: "c1", blockId: "b", url: "https://a.example" },
    { type: "TOOL_RESULT_DATA_DELTA", tool_call_id: "c1", block_id: "b", media_type: "", url: "https://a.example" },
  ],
  [
    { type: "TOOL_RESULT_END", toolCallId: "c1", state: "success", metadata: { camelCase: { snake_case: 1 } } },
    { type: "TOOL_RESULT_END", tool_call_id: "c1", state: "success", metadata: { camelCase: { snake_case: 1 } } },
  ],
  [
    {
      type: "REQUIRE_USER_CONFIRM",
      toolCalls: [
        {
          ...call,
          state: "asking",
          suggestedRules: [
            { tool: "Bash", content: "git:*", behavior: "allow", source: "suggested" },
            { tool: "Bash", behavior: "deny" },
          ],
        },
      ],
      decision: { bypassImmune: true },
    },
    {
      type: "REQUIRE_USER_CONFIRM",
      tool_calls: [
        {
          ...call,
          state: "asking",
          suggested_rules: [
            { tool_name: "Bash", rule_content: "git:*", behavior: "allow", source: "suggested" },
            { tool_name: "Bash", rule_content: null, behavior: "deny", source: "" },
          ],
        },
      ],
      decision: { bypassImmune: true },
    },
  ],
  [
    {
      type: "USER_CONFIRM_RESULT",
      confirmResults: [
        {
          confirmed: true,
          toolCall: { ...call, state: "asking" },
          rules: [{ tool: "Bash", behavior: "allow", source: "session" }],
        },
        { confirmed: false, toolCall: { ...call, id: "c2", state: "asking" }, feedback: "not now" },
      ],
    },
    {
      type: "USER_CONFIRM_RESULT",
      confirm_results: [
        {
          confirmed: true,
          tool_call: { ...call, state: "asking" },
          rules: [{ tool_name: "Bash", rule_content: null, behavior: "allow", source: "session" }],
        },
        { confirmed: false, tool_call: { ...call, id: "c2", state: "asking" }, rules: null, feedback: "not now" },
      ],
    },
  ],
  [
    { type: "REQUIRE_EXTERNAL_EXECUTION", toolCalls: [{ ...call, state: "submitted" }] },
    { type: "REQUIRE_EXTERNAL_EXECUTION", tool_calls: [{ ...call, state: "submitted" }] },
  ],
  [
    {
      type: "EXTERNAL_EXECUTION_RESULT",
      executionResults: [
        {
          type: "tool_result",
          id: "c1",
          name: "Bash",
          output: [
            { type: "text", text: "a", id: "t" },
            { type: "data", source: { type: "base64", mediaType: "image/png", data: "AAAA" }, name: "a.png", id: "d" },
            { type: "data", source: { type: "url", url: "https://a.example" } },
          ],
          state: "success",
          metadata: { exitCode: 0 },
        },
      ],
    },
    {
      type: "EXTERNAL_EXECUTION_RESULT",
      execution_results: [
        {
          type: "tool_result",
          id: "c1",
          name: "Bash",
          output: [
            { type: "text", text: "a", id: "t" },
            { type: "data", source: { type: "base64", media_type: "image/png", data: "AAAA" }, name: "a.png", id: "d" },
            { type: "data", source: { type: "url", url: "https://a.example", media_type: "" } },
          ],
          state: "success",
          metadata: { exitCode: 0 },
        },
      ],
    },
  ],
  [{ type: "USER_INTERRUPT" }, { type: "USER_INTERRUPT" }],
  [
    { type: "EXCEED_MAX_ITERS", maxIterations: 9 },
    { type: "EXCEED_MAX_ITERS", max_iters: 9, name: "" },
  ],
  [
    { type: "CUSTOM", name: "state_updated", value: { someKey: [1] } },
    { type: "CUSTOM", name: "state_updated", value: { someKey: [1] } },
  ],
];

describe("toWireEvent and fromWireEvent", () => {
  test.each(pairs.map(([body, wire]) => [body.type, body, wire] as const))("map %s both ways", (_type, body, wire) => {
    const event: AgentEvent = { ...common, ...body };
    const written = toWireEvent(event);
    expect(written).toEqual({ ...wireCommon, ...wire });
    expect(fromWireEvent(JSON.parse(JSON.stringify(written)))).toEqual(event);
  });

  test("bring back every event of any reply", () =>
    forAll(200, (random) => {
      const { events } = randomReply(random);
      const wire = JSON.parse(JSON.stringify(events.map(toWireEvent)));
      expect(wire.map(fromWireEvent)).toEqual(events);
    }));

  test("bring back any call, rule and answer", () =>
    forAll(200, (random) => {
      const toolCall = {
        ...call,
        input: randomText(random),
        state: random.pick(["pending", "asking", "allowed", "submitted", "finished"]),
        ...(random.once(2) ? { suggestedRules: rules(random) } : {}),
      };
      const answers = [
        {
          confirmed: random.once(2),
          toolCall,
          ...(random.once(2) ? { rules: rules(random) } : {}),
          ...(random.once(2) ? { feedback: randomText(random) } : {}),
        },
      ];
      const events = stamp([
        { type: "REQUIRE_USER_CONFIRM", toolCalls: [toolCall] },
        { type: "USER_CONFIRM_RESULT", confirmResults: answers },
        { type: "CUSTOM", name: "x", value: randomJson(random) },
      ]);
      expect(events.map((event) => fromWireEvent(toWireEvent(event)))).toEqual(events);
    }));
});

function rules(random: Random) {
  return Array.from({ length: random.below(3) }, () => randomRule(random));
}

describe("fromWireEvent", () => {
  test("reads what AgentScope itself writes", () => {
    expect(
      fromWireEvent({
        id: "e",
        created_at: "2026-01-02T03:04:05.678901",
        metadata: {},
        visibility: "user",
        type: "REQUIRE_USER_CONFIRM",
        reply_id: "r",
        tool_calls: [{ ...call, state: "asking", suggested_rules: [], created_at: "2026", finished_at: null }],
      }),
    ).toEqual({
      id: "e",
      createdAt: new Date(2026, 0, 2, 3, 4, 5, 678).getTime(),
      type: "REQUIRE_USER_CONFIRM",
      replyId: "r",
      toolCalls: [{ ...call, state: "asking", suggestedRules: [] }],
    });
  });

  test.each<[what: string, wire: object, event: object]>([
    [
      "a hint made of blocks",
      {
        type: "HINT_BLOCK",
        block_id: "b",
        source: null,
        hint: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
      { type: "HINT_BLOCK", blockId: "b", hint: "a\nb" },
    ],
    [
      "a custom event of no reply",
      { type: "CUSTOM", name: "x", reply_id: undefined },
      { type: "CUSTOM", name: "x", value: {}, replyId: "" },
    ],
    [
      "an end without error",
      { type: "REPLY_END", session_id: "s", finished_reason: "completed", error: null },
      { type: "REPLY_END", sessionId: "s", finishedReason: "completed" },
    ],
    [
      "an output that is plain text",
      {
        type: "EXTERNAL_EXECUTION_RESULT",
        execution_results: [{ type: "tool_result", id: "c1", name: "Bash", output: "a", state: "success" }],
      },
      {
        type: "EXTERNAL_EXECUTION_RESULT",
        executionResults: [
          {
            type: "tool_result",
            id: "c1",
            name: "Bash",
            output: [{ type: "text", text: "a" }],
            state: "success",
            metadata: {},
          },
        ],
      },
    ],
    [
      "a limit without its number",
      { type: "EXCEED_MAX_ITERS", name: "Ada" },
      { type: "EXCEED_MAX_ITERS", maxIterations: 0 },
    ],
    [
      "data beside an empty link",
      {
        type: "TOOL_RESULT_DATA_DELTA",
        tool_call_id: "c",
        block_id: "b",
        media_type: "image/png",
        data: "AAAA",
        url: null,
      },
      { type: "TOOL_RESULT_DATA_DELTA", toolCallId: "c", blockId: "b", mediaType: "image/png", data: "AAAA" },
    ],
    [
      "calls, leaving out what is none",
      {
        type: "REQUIRE_EXTERNAL_EXECUTION",
        tool_calls: [null, 1, { ...call, input: 5 }, { ...call, type: "text" }, call],
      },
      { type: "REQUIRE_EXTERNAL_EXECUTION", toolCalls: [{ ...call, state: "pending" }] },
    ],
  ])("reads %s", (_what, wire, event) => {
    expect(fromWireEvent({ ...wireCommon, ...wire })).toEqual({ ...common, ...event });
  });

  test("leaves out rules that it does not understand, rather than widening them", () => {
    const suggested_rules = [
      { tool_name: "Bash", rule_content: 5, behavior: "allow", source: "" },
      { tool_name: "Bash", rule_content: ["rm"], behavior: "allow", source: "" },
      { tool_name: "Bash", rule_content: null, behavior: "passthrough", source: "" },
      { tool_name: "", rule_content: null, behavior: "allow", source: "" },
      { tool_name: "Bash", rule_content: "ls", behavior: "allow", source: "x" },
    ];
    const event = fromWireEvent({
      ...wireCommon,
      type: "REQUIRE_USER_CONFIRM",
      tool_calls: [{ ...call, suggested_rules }],
    });
    expect(event).toMatchObject({
      toolCalls: [{ suggestedRules: [{ tool: "Bash", content: "ls", behavior: "allow", source: "x" }] }],
    });
  });

  test.each<[what: string, wire: unknown]>([
    ["null", null],
    ["text", "REPLY_START"],
    ["a list", []],
    ["nothing known", {}],
    ["an unknown kind", { ...wireCommon, type: "TEAM_MESSAGE" }],
    ["a kind from Object.prototype", { ...wireCommon, type: "constructor" }],
    ["a kind that is no text", { ...wireCommon, type: ["USER_INTERRUPT"] }],
    ["no id", { ...wireCommon, id: 1, type: "USER_INTERRUPT" }],
    ["no time", { ...wireCommon, created_at: "yesterday", type: "USER_INTERRUPT" }],
    ["no reply", { ...wireCommon, reply_id: null, type: "USER_INTERRUPT" }],
    ["no delta", { ...wireCommon, type: "TEXT_BLOCK_DELTA", block_id: "b" }],
    ["an unknown state", { ...wireCommon, type: "TOOL_RESULT_END", tool_call_id: "c", state: "great" }],
    ["an unknown role", { ...wireCommon, type: "REPLY_START", session_id: "s", name: "a", role: "root" }],
    ["calls that are no list", { ...wireCommon, type: "REQUIRE_USER_CONFIRM", tool_calls: {} }],
    [
      "both data and a link",
      { ...wireCommon, type: "TOOL_RESULT_DATA_DELTA", tool_call_id: "c", block_id: "b", data: "AAAA", url: "u" },
    ],
    ["neither data nor a link", { ...wireCommon, type: "TOOL_RESULT_DATA_DELTA", tool_call_id: "c", block_id: "b" }],
  ])("gives undefined for %s", (_what, wire) => {
    expect(fromWireEvent(wire)).toBe(undefined);
  });

  test("never throws, whatever stands in any place", () =>
    forAll(300, (random) => {
      const [, wire] = pairs[random.below(pairs.length)] ?? [undefined, {}];
      const changed: Record<string, unknown> = { ...wireCommon, ...structuredClone(wire), ...randomObject(random, 1) };
      for (const key of Object.keys(changed)) {
        if (random.once(4)) changed[key] = random.pick([null, [], [null], {}, "x", 5, [[]], [{}], randomJson(random)]);
      }
      expect(() => fromWireEvent(changed)).not.toThrow();
    }));

  test("does not throw over values that are no JSON", () => {
    const hostile = { ...wireCommon, type: "USER_INTERRUPT" };
    Object.defineProperty(hostile, "id", {
      get: () => {
        throw new Error("no");
      },
    });
    expect(fromWireEvent(hostile)).toBe(undefined);
  });

  test("keeps nothing of what it was given", () => {
    const wire = { ...wireCommon, type: "TOOL_RESULT_END", tool_call_id: "c", state: "success", metadata: { a: [1] } };
    const event = fromWireEvent(wire);
    wire.metadata.a.push(2);
    expect(event).toMatchObject({ metadata: { a: [1] } });
  });
});
