import { describe, expect, test } from "vitest";
import { type Block, outputText, type ToolCallBlock, type ToolResultBlock } from "../../../src/message/blocks.ts";
import { type Message, messageText, toolCalls, toolResult, userMessage } from "../../../src/message/message.ts";

const call: ToolCallBlock = { type: "tool_call", id: "c1", name: "Read", input: "{}", state: "finished" };
const result: ToolResultBlock = {
  type: "tool_result",
  id: "c1",
  name: "Read",
  output: [
    { type: "text", text: "one" },
    { type: "data", source: { type: "url", url: "https://a.example/b.png" } },
    { type: "text", text: "two" },
  ],
  state: "success",
  metadata: {},
};
const content: Block[] = [
  { type: "thinking", thinking: "hm" },
  { type: "text", text: "first" },
  call,
  result,
  { type: "text", text: "last" },
];
const reply: Message = { id: "m", role: "assistant", content };

describe("userMessage", () => {
  test("takes text or blocks, and a new id each time", () => {
    const [one, two] = [userMessage("hi"), userMessage([{ type: "hint", hint: "x" }])];
    expect(one).toEqual({ id: expect.any(String), role: "user", content: [{ type: "text", text: "hi" }] });
    expect(two.content).toEqual([{ type: "hint", hint: "x" }]);
    expect(one.id).not.toBe(two.id);
  });
});

describe("reading a message", () => {
  test("joins its text, without what was thought or answered by tools", () => {
    expect(messageText(reply)).toBe("first\nlast");
    expect(messageText({ ...reply, content: [] })).toBe("");
  });

  test("finds calls and results", () => {
    expect(toolCalls(reply)).toEqual([call]);
    expect([toolResult(reply, "c1"), toolResult(reply, "c2")]).toEqual([result, undefined]);
  });

  test("joins the text of an output", () => {
    expect(outputText(result.output)).toBe("one\ntwo");
  });
});
