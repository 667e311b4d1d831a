import { describe, expect, test } from "vitest";
import { applyEvent, emptyResult } from "../../../src/event/apply-event.ts";
import type { AgentEvent, EventBody } from "../../../src/event/events.ts";
import type { ToolCallBlock, ToolResultBlock } from "../../../src/message/blocks.ts";
import type { Message } from "../../../src/message/message.ts";
import type { PermissionRule } from "../../../src/message/permission-data.ts";
import { forAll } from "../property.ts";
import { randomReply, stamp } from "./random-reply.ts";

function emptyMessage(): Message {
  return { id: "reply", role: "assistant", content: [] };
}

function rebuild(events: readonly AgentEvent[], message: Message = emptyMessage()): Message {
  for (const event of events) applyEvent(message, event);
  return message;
}

function call(id: string, more: Partial<ToolCallBlock> = {}): ToolCallBlock {
  return { type: "tool_call", id, name: "Write", input: "{}", state: "pending", ...more };
}

function result(id: string, more: Partial<ToolResultBlock> = {}): ToolResultBlock {
  return { ...emptyResult(id, "Write"), state: "success", output: [{ type: "text", text: "done" }], ...more };
}

/** Two calls that the model has just written. */
function twoCalls(): Message {
  return { ...emptyMessage(), content: [call("c1"), call("c2")] };
}

function apply(message: Message, ...bodies: EventBody[]): Message {
  return rebuild(stamp(bodies), message);
}

const rule: PermissionRule = { tool: "Write", behavior: "allow", source: "suggested" };
const ask = (...ids: string[]): EventBody => ({
  type: "REQUIRE_USER_CONFIRM",
  toolCalls: ids.map((id) => call(id, { state: "asking", suggestedRules: [rule] })),
});
const answer = (id: string, confirmed: boolean, input = "{}"): EventBody => ({
  type: "USER_CONFIRM_RESULT",
  confirmResults: [{ confirmed, toolCall: call(id, { input }) }],
});
const handOut = (...ids: string[]): EventBody => ({
  type: "REQUIRE_EXTERNAL_EXECUTION",
  toolCalls: ids.map((id) => call(id)),
});
const bring = (...results: ToolResultBlock[]): EventBody => ({
  type: "EXTERNAL_EXECUTION_RESULT",
  executionResults: results,
});

describe("applyEvent", () => {
  test("rebuilds any reply from its events", () =>
    forAll(300, (random) => {
      const { message, events } = randomReply(random);
      expect(rebuild(events)).toEqual(message);
    }));

  test("rebuilds the same reply from events that went through JSON", () =>
    forAll(50, (random) => {
      const { message, events } = randomReply(random);
      expect(rebuild(JSON.parse(JSON.stringify(events)))).toEqual(message);
    }));

  test("changes nothing in the events of a reply", () =>
    forAll(50, (random) => {
      const { events } = randomReply(random);
      const before = structuredClone(events);
      rebuild(events);
      expect(events).toEqual(before);
    }));

  test("ignores the events of another reply", () =>
    forAll(50, (random) => {
      const { message, events } = randomReply(random);
      const others = randomReply(random).events.map((event) => ({ ...event, replyId: "other" }));
      expect(rebuild(events.flatMap((event, index) => [...others.slice(index, index + 1), event]))).toEqual(message);
      expect(rebuild(others)).toEqual(emptyMessage());
    }));

  test("ignores progress, ends of blocks, notices and what is said about blocks that are not there", () => {
    const bodies: EventBody[] = [
      { type: "TOOL_PROGRESS", toolCallId: "c1", progress: "half" },
      { type: "MODEL_CALL_START", modelName: "m" },
      { type: "MODEL_CALL_END", modelName: "m" },
      { type: "TEXT_BLOCK_DELTA", blockId: "x", delta: "a" },
      { type: "THINKING_BLOCK_DELTA", blockId: "x", delta: "a" },
      { type: "DATA_BLOCK_DELTA", blockId: "x", data: "AAAA" },
      { type: "TOOL_CALL_DELTA", toolCallId: "x", delta: "a" },
      { type: "TOOL_CALL_END", toolCallId: "c1" },
      { type: "TOOL_RESULT_TEXT_DELTA", toolCallId: "c1", delta: "a" },
      { type: "TOOL_RESULT_DATA_DELTA", toolCallId: "c1", blockId: "x", data: "AAAA" },
      { type: "TOOL_RESULT_END", toolCallId: "x", state: "success", metadata: {} },
      ask("x"),
      handOut("x"),
      answer("x", true),
      bring(result("x")),
      { type: "USER_INTERRUPT" },
      { type: "EXCEED_MAX_ITERS", maxIterations: 3 },
      { type: "CUSTOM", name: "x", value: 1 },
    ];
    expect(apply(twoCalls(), ...bodies)).toEqual(twoCalls());
  });

  test("takes who speaks and when from the start of the reply", () => {
    const started = apply(
      { ...emptyMessage(), name: "?" },
      { type: "REPLY_START", sessionId: "s", name: "Ada", role: "assistant" },
    );
    expect(started).toEqual({ ...emptyMessage(), name: "Ada", createdAt: 1000 });
  });

  test("joins pieces of base64 that were encoded one by one", () => {
    const message = apply(
      emptyMessage(),
      { type: "DATA_BLOCK_START", blockId: "d", mediaType: "audio/wav" },
      { type: "DATA_BLOCK_DELTA", blockId: "d", data: "YQ==" },
      { type: "DATA_BLOCK_DELTA", blockId: "d", data: "YmM=" },
    );
    expect(message.content).toEqual([
      { type: "data", source: { type: "base64", mediaType: "audio/wav", data: "YWJj" }, id: "d" },
    ]);
  });

  test("begins a result once, also when it is told twice", () => {
    const start: EventBody = { type: "TOOL_RESULT_START", toolCallId: "c1", toolCallName: "Write" };
    const message = apply(twoCalls(), start, { type: "TOOL_RESULT_TEXT_DELTA", toolCallId: "c1", delta: "a" }, start);
    expect(message.content.slice(2)).toEqual([
      { ...emptyResult("c1", "Write"), output: [{ type: "text", text: "a" }] },
    ]);
  });
});

describe("applyEvent on questions", () => {
  test("marks the call as asking, with the suggestions, and the reply as awaiting", () => {
    expect(apply(twoCalls(), ask("c1"))).toEqual({
      ...emptyMessage(),
      finishedReason: "awaiting",
      content: [call("c1", { state: "asking", suggestedRules: [rule] }), call("c2")],
    });
  });

  test("takes a confirmation with its edited input, and stops awaiting", () => {
    const message = apply(twoCalls(), ask("c1"), answer("c1", true, '{"a":1}'));
    expect(message.content[0]).toEqual(call("c1", { state: "allowed", input: '{"a":1}', suggestedRules: [rule] }));
    expect("finishedReason" in message).toBe(false);
  });

  test("takes a refusal and leaves the input as it was asked about", () => {
    const message = apply(twoCalls(), ask("c1"), answer("c1", false, '{"a":1}'));
    expect(message.content[0]).toEqual(call("c1", { state: "finished", suggestedRules: [rule] }));
    expect("finishedReason" in message).toBe(false);
  });

  test("goes on awaiting while another call waits", () => {
    const message = apply(twoCalls(), ask("c1"), handOut("c2"), answer("c1", true));
    expect(message.finishedReason).toBe("awaiting");
    expect(apply(message, bring(result("c2")))).not.toHaveProperty("finishedReason");
  });

  test("stops awaiting when the call is closed without an answer", () => {
    const message = apply(twoCalls(), ask("c1"), {
      type: "TOOL_RESULT_END",
      toolCallId: "c1",
      state: "interrupted",
      metadata: {},
    });
    expect([message.content[0], message.finishedReason]).toEqual([
      call("c1", { state: "finished", suggestedRules: [rule] }),
      undefined,
    ]);
  });

  test.each<[what: string, before: EventBody[]]>([
    ["a call that was never asked about", []],
    ["a call that was answered already", [ask("c1"), answer("c1", false)]],
    ["a call that is handed out", [handOut("c1")]],
    ["a reply that has ended", [{ type: "REPLY_END", sessionId: "s", finishedReason: "completed" }]],
  ])("ignores a stale answer about %s", (_what, before) => {
    const message = apply(twoCalls(), ...before);
    const untouched = structuredClone(message);
    expect(apply(message, answer("c1", true, '{"stale":true}'))).toEqual(untouched);
  });

  test("does not open a finished call again", () => {
    const message = apply(twoCalls(), ask("c1"), answer("c1", false));
    const untouched = structuredClone(message);
    expect(apply(message, ask("c1"), handOut("c1"))).toEqual(untouched);
  });
});

describe("applyEvent on results from outside", () => {
  test("adds the result, finishes the call and keeps its own copy", () => {
    const brought = result("c1");
    const message = apply(twoCalls(), handOut("c1"), bring(brought));
    expect(message).toEqual({ ...emptyMessage(), content: [call("c1", { state: "finished" }), call("c2"), brought] });
    expect(message.content[2]).not.toBe(brought);
  });

  test("completes a result that was only begun", () => {
    const start: EventBody = { type: "TOOL_RESULT_START", toolCallId: "c1", toolCallName: "Write" };
    const message = apply(twoCalls(), start, handOut("c1"), bring(result("c1")));
    expect(message.content.slice(2)).toEqual([result("c1")]);
  });

  test("keeps the first of two results", () => {
    const second = result("c1", { state: "error" });
    const message = apply(twoCalls(), handOut("c1"), bring(result("c1")), bring(second));
    expect(message.content.slice(2)).toEqual([result("c1")]);
  });
});
