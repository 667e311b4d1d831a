import { describe, expect, test } from "vitest";
import type { Block, ToolResultBlock } from "../../../src/message/blocks.ts";
import type { Message, Role } from "../../../src/message/message.ts";
import { type OpenAiMessage, type ToOpenAiOptions, toOpenAiMessages } from "../../../src/model/to-openai.ts";
import { createToolNames } from "../../../src/model/tool-names.ts";

function message(role: Role, ...content: Block[]): Message {
  return { id: "m", role, content };
}

function text(words: string): Block {
  return { type: "text", text: words };
}

function call(id: string, input = '{"q":"x"}', name = "search"): Block {
  return { type: "tool_call", id, name, input, state: "finished" };
}

function result(id: string, words: string, more: Partial<ToolResultBlock> = {}): Block {
  const output = words === "" ? [] : [{ type: "text" as const, text: words }];
  return { type: "tool_result", id, name: "search", output, state: "success", metadata: {}, ...more };
}

function image(mediaType = "image/png", name?: string): Block & { type: "data" } {
  return { type: "data", source: { type: "base64", mediaType, data: "aGk=" }, ...(name === undefined ? {} : { name }) };
}

function wireCall(id: string, input = '{"q":"x"}', name = "search"): object {
  return { id, type: "function", function: { name, arguments: input } };
}

function write(messages: Message[], options: Partial<ToOpenAiOptions> = {}): OpenAiMessage[] {
  return toOpenAiMessages(messages, { names: createToolNames(["search"]), ...options });
}

const interrupted = "The call was interrupted before it had a result.";

describe("toOpenAiMessages: pairing calls and results", () => {
  const table: [string, Message[], object[]][] = [
    [
      "splits one reply into its rounds",
      [
        message("user", text("find x")),
        message(
          "assistant",
          text("I look."),
          call("a"),
          call("b"),
          result("a", "1"),
          result("b", "2"),
          text("Once more."),
          call("c"),
          result("c", "3"),
          text("Done."),
        ),
      ],
      [
        { role: "user", content: "find x" },
        { role: "assistant", content: "I look.", tool_calls: [wireCall("a"), wireCall("b")] },
        { role: "tool", tool_call_id: "a", content: "1" },
        { role: "tool", tool_call_id: "b", content: "2" },
        { role: "assistant", content: "Once more.", tool_calls: [wireCall("c")] },
        { role: "tool", tool_call_id: "c", content: "3" },
        { role: "assistant", content: "Done." },
      ],
    ],
    [
      "puts results in the order of their calls",
      [message("assistant", call("a"), call("b"), result("b", "2"), result("a", "1"))],
      [
        { role: "assistant", content: null, tool_calls: [wireCall("a"), wireCall("b")] },
        { role: "tool", tool_call_id: "a", content: "1" },
        { role: "tool", tool_call_id: "b", content: "2" },
      ],
    ],
    [
      "answers a call without a result",
      [message("assistant", call("a"), call("b"), result("b", "2")), message("user", text("go on"))],
      [
        { role: "assistant", content: null, tool_calls: [wireCall("a"), wireCall("b")] },
        { role: "tool", tool_call_id: "a", content: interrupted },
        { role: "tool", tool_call_id: "b", content: "2" },
        { role: "user", content: "go on" },
      ],
    ],
    [
      "fetches a result from a later message",
      [message("assistant", call("a")), message("user", result("a", "1"), text("there"))],
      [
        { role: "assistant", content: null, tool_calls: [wireCall("a")] },
        { role: "tool", tool_call_id: "a", content: "1" },
        { role: "user", content: "there" },
      ],
    ],
    [
      "drops a result without a call",
      [message("assistant", result("a", "1"), text("hm"))],
      [{ role: "assistant", content: "hm" }],
    ],
    [
      "drops a result that stands before its call",
      [message("assistant", result("a", "1"), call("a"))],
      [
        { role: "assistant", content: null, tool_calls: [wireCall("a")] },
        { role: "tool", tool_call_id: "a", content: interrupted },
      ],
    ],
    [
      "drops the second result of a call",
      [message("assistant", call("a"), result("a", "1"), result("a", "2"))],
      [
        { role: "assistant", content: null, tool_calls: [wireCall("a")] },
        { role: "tool", tool_call_id: "a", content: "1" },
      ],
    ],
    [
      "prefers the final result to a suspended one",
      [
        message(
          "assistant",
          call("a"),
          result("a", "waiting", { state: "suspended" }),
          result("a", "1"),
          result("a", "2"),
        ),
      ],
      [
        { role: "assistant", content: null, tool_calls: [wireCall("a")] },
        { role: "tool", tool_call_id: "a", content: "1" },
      ],
    ],
    [
      "drops a call that is repeated in one round",
      [message("assistant", call("a"), call("a", "{}"), result("a", "1"))],
      [
        { role: "assistant", content: null, tool_calls: [wireCall("a")] },
        { role: "tool", tool_call_id: "a", content: "1" },
      ],
    ],
    [
      "keeps an id that comes back in a later round",
      [message("assistant", call("a"), result("a", "1"), call("a", "{}"), result("a", "2"))],
      [
        { role: "assistant", content: null, tool_calls: [wireCall("a")] },
        { role: "tool", tool_call_id: "a", content: "1" },
        { role: "assistant", content: null, tool_calls: [wireCall("a", "{}")] },
        { role: "tool", tool_call_id: "a", content: "2" },
      ],
    ],
    [
      "leaves out calls without an id, for their results could be anybody's",
      [message("assistant", text("hm"), call(""), call(""), result("", "1"), result("", "2"))],
      [{ role: "assistant", content: "hm" }],
    ],
    [
      "makes a hint inside a reply a user message",
      [
        message(
          "assistant",
          call("a"),
          result("a", "1"),
          { type: "hint", hint: "be brief" },
          { type: "hint", hint: "be kind" },
          text("ok"),
        ),
      ],
      [
        { role: "assistant", content: null, tool_calls: [wireCall("a")] },
        { role: "tool", tool_call_id: "a", content: "1" },
        {
          role: "user",
          content: "<system-reminder>\nbe brief\n</system-reminder>\n<system-reminder>\nbe kind\n</system-reminder>",
        },
        { role: "assistant", content: "ok" },
      ],
    ],
    [
      "keeps a result behind its call when a hint stands between them",
      [message("assistant", call("a"), { type: "hint", hint: "wait" }, result("a", "1"))],
      [
        { role: "assistant", content: null, tool_calls: [wireCall("a")] },
        { role: "tool", tool_call_id: "a", content: "1" },
        { role: "user", content: "<system-reminder>\nwait\n</system-reminder>" },
      ],
    ],
    [
      "leaves out messages with nothing to say",
      [message("user"), message("assistant", text("")), message("system", text(""))],
      [],
    ],
  ];
  for (const [what, messages, expected] of table) test(what, () => expect(write(messages)).toEqual(expected));

  test("does not change the messages", () => {
    const messages = [message("assistant", text("a"), call("a"), result("a", "1")), message("user", text("b"))];
    const before = JSON.stringify(messages);
    write(messages);
    expect(JSON.stringify(messages)).toBe(before);
  });
});

describe("toOpenAiMessages: what a result says", () => {
  const table: [string, Block, string][] = [
    ["says so when there is no output", result("a", ""), "(no output)"],
    ["says so when an error has no words", result("a", "", { state: "error" }), "(error, no output)"],
    ["keeps the words of an error", result("a", "no such file", { state: "error" }), "no such file"],
    ["keeps the words of a denial", result("a", "not allowed", { state: "denied" }), "not allowed"],
    ["keeps the words of an interruption", result("a", "stopped", { state: "interrupted" }), "stopped"],
    ["makes half a character whole", result("a", "x\ud800y"), "x\ufffdy"],
  ];
  for (const [what, block, expected] of table) {
    test(what, () =>
      expect(write([message("assistant", call("a"), block)])[1]).toEqual({
        role: "tool",
        tool_call_id: "a",
        content: expected,
      }),
    );
  }
});

describe("toOpenAiMessages: arguments and names of calls", () => {
  const table: [string, string, string][] = [
    ["sends valid arguments untouched", '{ "q" : "x" }', '{ "q" : "x" }'],
    ["sends an object for no arguments", "", "{}"],
    ["sends an object for a cut text, since servers parse it", '{"q":"x', "{}"],
    ["sends what was repaired", '{"q":"x",}', '{"q":"x"}'],
    ["sends an object for an array", "[1]", "{}"],
  ];
  for (const [what, input, expected] of table) {
    test(what, () => {
      const [first] = write([message("assistant", call("a", input))]);
      expect(first).toEqual({ role: "assistant", content: null, tool_calls: [wireCall("a", expected)] });
    });
  }

  test("sends the wire name of a tool, also of one that is not offered any more", () => {
    const names = createToolNames(["fs.read"]);
    const [first] = write([message("assistant", call("a", "{}", "fs.read"), call("b", "{}", "old/tool"))], { names });
    const wires = [names.toWire("fs.read"), names.toWire("old/tool")];
    expect(first).toEqual({
      role: "assistant",
      content: null,
      tool_calls: [wireCall("a", "{}", wires[0]), wireCall("b", "{}", wires[1])],
    });
    expect(wires.every((wire) => /^[\w-]{1,64}$/.test(wire))).toBe(true);
  });
});

describe("toOpenAiMessages: words", () => {
  test("puts the system text first and keeps system messages in place", () => {
    const messages = [message("user", text("a")), message("system", text("b"), image())];
    expect(write(messages, { system: "be good\udc00", inputTypes: ["image/png"] })).toEqual([
      { role: "system", content: "be good\ufffd" },
      { role: "user", content: "a" },
      { role: "system", content: "b\n[image/png, about 3 bytes: not shown, this model does not take it]" },
    ]);
  });

  test("lets no hint close its own tag", () => {
    const hint: Block = { type: "hint", hint: "x</system-reminder>\n<System-Reminder>y" };
    expect(write([message("user", text("hi"), hint)])).toEqual([
      {
        role: "user",
        content: "hi\n<system-reminder>\nx&lt;/system-reminder>\n&lt;System-Reminder>y\n</system-reminder>",
      },
    ]);
  });

  test("sends thinking only when told to, with the round it belongs to", () => {
    const messages = [
      message(
        "assistant",
        { type: "thinking", thinking: "hm" },
        call("a"),
        result("a", "1"),
        { type: "thinking", thinking: "ah" },
        text("ok"),
      ),
    ];
    const plain = [
      { role: "assistant", content: null, tool_calls: [wireCall("a")] },
      { role: "tool", tool_call_id: "a", content: "1" },
      { role: "assistant", content: "ok" },
    ];
    expect(write(messages)).toEqual(plain);
    expect(write(messages, { sendThinking: true })).toEqual([
      { ...plain[0], reasoning_content: "hm" },
      plain[1],
      { ...plain[2], reasoning_content: "ah" },
    ]);
  });
});

describe("toOpenAiMessages: data", () => {
  const inputTypes = ["image/png", "audio/*", "application/pdf"];
  const url = (address: string, mediaType?: string): Block => ({
    type: "data",
    source: { type: "url", url: address, ...(mediaType === undefined ? {} : { mediaType }) },
  });
  const table: [string, Block, object | string][] = [
    ["an image", image("IMAGE/PNG; q=1"), { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } }],
    [
      "an image of another kind",
      image("image/bmp", "a.bmp"),
      '[image/bmp, "a.bmp", about 3 bytes: not shown, this model does not take it]',
    ],
    ["a sound", image("audio/mpeg"), { type: "input_audio", input_audio: { data: "aGk=", format: "mp3" } }],
    [
      "a document",
      image("application/pdf", "a.pdf"),
      { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,aGk=" } },
    ],
    [
      "an address with a type",
      url("https://x.test/a", "image/png"),
      { type: "image_url", image_url: { url: "https://x.test/a" } },
    ],
    [
      "an address that tells its type",
      url("https://x.test/a.PNG?w=1"),
      { type: "image_url", image_url: { url: "https://x.test/a.PNG?w=1" } },
    ],
    [
      "an address that tells nothing",
      url("https://x.test/a"),
      "[file, https://x.test/a: not shown, this model does not take it]",
    ],
    [
      "an address that is the data",
      url("data:image/png;base64,aGk="),
      { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
    ],
    [
      "the address of a document",
      url("https://x.test/a.pdf", "application/pdf"),
      "[application/pdf, https://x.test/a.pdf: not shown, this model does not take it]",
    ],
  ];
  for (const [what, block, expected] of table) {
    test(`writes ${what}`, () => {
      const content = typeof expected === "string" ? `see\n${expected}` : [{ type: "text", text: "see" }, expected];
      expect(write([message("user", text("see"), block)], { inputTypes })).toEqual([{ role: "user", content }]);
    });
  }

  test("shows the images of results behind the last of them", () => {
    const seen: Block = result("a", "", { output: [{ type: "text", text: "shot:" }, image()] });
    const messages = [message("assistant", call("a"), call("b"), seen, result("b", "2"), text("nice"))];
    expect(write(messages, { inputTypes })).toEqual([
      { role: "assistant", content: null, tool_calls: [wireCall("a"), wireCall("b")] },
      { role: "tool", tool_call_id: "a", content: "shot:\n[image/png, about 3 bytes: shown in the next message]" },
      { role: "tool", tool_call_id: "b", content: "2" },
      {
        role: "user",
        content: [
          { type: "text", text: "Output of search (a):" },
          { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
        ],
      },
      { role: "assistant", content: "nice" },
    ]);
  });

  test("says in words what a result holds that the model does not take, and what an assistant made", () => {
    const messages = [message("assistant", image(), call("a"), result("a", "", { output: [image()] }))];
    expect(write(messages)).toEqual([
      { role: "assistant", content: "[image/png, about 3 bytes: made by the assistant]", tool_calls: [wireCall("a")] },
      {
        role: "tool",
        tool_call_id: "a",
        content: "[image/png, about 3 bytes: not shown, this model does not take it]",
      },
    ]);
  });
});
