import { MAX_CALLS, MAX_EVENT_LENGTH } from "holdall/model";
import { describe, expect, test } from "vitest";
import {
  bytes,
  callChunk,
  chunk,
  DONE,
  entry,
  events,
  failure,
  join,
  readPieces,
  readText,
  usageChunk,
} from "./recorded.ts";

const stop = chunk({}, "stop");
const toolCalls = chunk({}, "tool_calls");

describe("an answer of text and thinking", () => {
  test("becomes parts of one block each, then the finish with the usage", () => {
    const body = events(
      chunk({ role: "assistant", content: "" }),
      chunk({ reasoning_content: "hm" }),
      chunk({ reasoning_content: "m", content: null }),
      chunk({ content: "He" }),
      chunk({ content: "llo" }),
      stop,
      usageChunk,
      DONE,
    );
    expect(readText(body)).toEqual([
      { type: "thinking", id: "id-1", delta: "hm" },
      { type: "thinking", id: "id-1", delta: "m" },
      { type: "text", id: "id-2", delta: "He" },
      { type: "text", id: "id-2", delta: "llo" },
      { type: "finish", reason: "stop", usage: { inputTokens: 11, outputTokens: 7 } },
    ]);
  });

  const blocks: [string, object[], [string, string][]][] = [
    [
      "reasoning under its other name",
      [{ reasoning: "a" }, { content: "b" }],
      [
        ["thinking", "a"],
        ["text", "b"],
      ],
    ],
    ["reasoning said under two names once", [{ reasoning: "a", reasoning_content: "a" }], [["thinking", "a"]]],
    [
      "thinking between text as blocks of its own",
      [{ content: "a" }, { reasoning: "b" }, { content: "c" }],
      [
        ["text", "a"],
        ["thinking", "b"],
        ["text", "c"],
      ],
    ],
    ["a refusal as text", [{ refusal: "no" }], [["text", "no"]]],
    [
      "content in pieces",
      [{ content: [{ type: "thinking", thinking: [{ type: "text", text: "a" }] }, { type: "text", text: "b" }, null] }],
      [
        ["thinking", "a"],
        ["text", "b"],
      ],
    ],
    [
      "images that travel inside",
      [
        { content: "see" },
        {
          images: [
            { image_url: { url: "data:image/png;base64,aGk=" } },
            { image_url: { url: "https://x.test/a.png" } },
          ],
        },
      ],
      [
        ["text", "see"],
        ["data", "image/png aGk="],
      ],
    ],
    [
      "fields of the wrong type as nothing",
      [{ content: 7, reasoning: {}, tool_calls: "x", refusal: [] }, { content: "a" }],
      [["text", "a"]],
    ],
  ];
  for (const [what, deltas, expected] of blocks) {
    test(`reads ${what}`, () => {
      const body = events(...deltas.map((delta) => chunk(delta)), stop, DONE);
      expect(join(readText(body)).blocks).toEqual(expected.map(([type, text]) => ({ type, text })));
    });
  }

  test("ignores other choices than the first", () => {
    const other = { choices: [{ index: 1, delta: { content: "b" }, finish_reason: "length" }] };
    expect(join(readText(events(chunk({ content: "a" }), other, stop, DONE)))).toEqual({
      blocks: [{ type: "text", text: "a" }],
      calls: [],
      finish: { reason: "stop" },
    });
  });
});

describe("why an answer stopped", () => {
  const call = callChunk(entry(0, "a", "search", "{}"));
  const reasons: [string, (object | string)[], string][] = [
    ["stop", [stop, DONE], "stop"],
    ["length", [chunk({}, "length"), DONE], "length"],
    [
      "length in the middle of a call",
      [callChunk(entry(0, "a", "search", '{"q')), chunk({}, "length"), DONE],
      "length",
    ],
    ["a content filter", [chunk({}, "content_filter"), DONE], "content_filter"],
    ["tool calls", [call, toolCalls, DONE], "tool_calls"],
    ["tool calls, the old way", [call, chunk({}, "function_call"), DONE], "tool_calls"],
    ["calls although the server says stop", [call, stop, DONE], "tool_calls"],
    ["calls although the server gives no reason", [call, DONE], "tool_calls"],
    ["no calls although the server says so", [toolCalls, DONE], "other"],
    ["a word nobody knows", [chunk({}, "eos"), DONE], "other"],
    ["no reason, but [DONE]", [chunk({ content: "a" }), chunk({ content: "" }, null), DONE], "stop"],
    ["a reason, but no [DONE]", [chunk({ content: "a" }, "stop")], "stop"],
    ["a reason, and a cut line behind it", [chunk({ content: "a" }, "stop"), 'data: {"choi'], "stop"],
    ["no blank line at the very end", [chunk({ content: "a" }), `data: ${JSON.stringify(stop)}`], "stop"],
    ["[DONE] with spaces and without a blank line", [stop, "data:  [DONE] "], "stop"],
  ];
  for (const [what, items, reason] of reasons) {
    test(`${what}: ${reason}`, () => expect(join(readText(events(...items))).finish).toEqual({ reason }));
  }

  test("ignores what follows [DONE]", () => {
    expect(
      join(readText(events(chunk({ content: "a" }, "stop"), DONE, chunk({ content: "b" }), "data: nonsense\n\n")))
        .blocks,
    ).toEqual([{ type: "text", text: "a" }]);
  });
});

describe("the usage of an answer", () => {
  const usage = { inputTokens: 11, outputTokens: 7 };
  const table: [string, (object | string)[], object | undefined][] = [
    ["in a chunk without choices", [stop, usageChunk, DONE], usage],
    [
      "in every chunk, the last counts",
      [
        { ...chunk({}), usage: { prompt_tokens: 11, completion_tokens: 1 } },
        { ...stop, ...usageChunk, choices: [] },
        stop,
        DONE,
      ],
      usage,
    ],
    [
      "inside the choice",
      [{ choices: [{ delta: {}, finish_reason: "stop", usage: { prompt_tokens: 11, completion_tokens: 7 } }] }, DONE],
      usage,
    ],
    ["null", [{ ...stop, usage: null }, DONE], undefined],
    [
      "nonsense",
      [stop, { choices: [], usage: { prompt_tokens: "many", completion_tokens: -1 } }, DONE],
      { inputTokens: 0, outputTokens: 0 },
    ],
  ];
  for (const [what, items, expected] of table) {
    test(what, () =>
      expect(join(readText(events(...items))).finish).toEqual({ reason: "stop", ...(expected && { usage: expected }) }),
    );
  }
});

describe("what stands between the events of an answer", () => {
  const table: [string, string][] = [
    [
      "comments and blank lines",
      `: OPENROUTER PROCESSING\n\n\n\n${events(chunk({ content: "a" }))}: ping\n\n${events(stop, DONE)}`,
    ],
    [
      "other fields",
      events(
        "id: 1\nretry: 10\nevent: message\n",
        chunk({ content: "a" }),
        "unknown: field\n",
        "retry: soon\n",
        stop,
        DONE,
      ),
    ],
    [
      "events without choices",
      events(
        "event: ping\n",
        { type: "ping" },
        chunk({ content: "a" }),
        { choices: null },
        { choices: [null] },
        stop,
        DONE,
      ),
    ],
    ["empty data lines", `data:\n\ndata: \n\n${events(chunk({ content: "a" }), stop, DONE)}`],
    ["a byte order mark and CRLF", `\ufeff${events(chunk({ content: "a" }), stop, DONE).replaceAll("\n", "\r\n")}`],
    ["line ends of CR alone", events(chunk({ content: "a" }), stop, DONE).replaceAll("\n", "\r")],
    [
      "data in several lines",
      'data: {"choices":[{"delta":\ndata: {"content":"a"},\ndata: "finish_reason":"stop"}]}\n\n',
    ],
    ["no space behind the colon", events(chunk({ content: "a" }), stop, DONE).replaceAll("data: ", "data:")],
  ];
  for (const [what, body] of table) {
    test(`${what} change nothing`, () => {
      expect(join(readText(body))).toEqual({
        blocks: [{ type: "text", text: "a" }],
        calls: [],
        finish: { reason: "stop" },
      });
    });
  }
});

describe("an answer in one JSON document", () => {
  const message = { role: "assistant", content: "a", tool_calls: [entry(undefined, "x", "search", '{"q":1}')] };
  const document = {
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason: "tool_calls" }],
    usage: { prompt_tokens: 11, completion_tokens: 7 },
  };
  const expected = {
    blocks: [{ type: "text", text: "a" }],
    calls: [{ id: "x", name: "search", input: '{"q":1}' }],
    finish: { reason: "tool_calls", usage: { inputTokens: 11, outputTokens: 7 } },
  };
  const table: [string, string][] = [
    ["plain", JSON.stringify(document)],
    ["pretty, behind blank lines", `\n\n ${JSON.stringify(document, null, 2)}\n`],
    ["in an array", JSON.stringify([document])],
    ["in an event", events(document, DONE)],
  ];
  for (const [what, body] of table) test(what, () => expect(join(readText(body))).toEqual(expected));
});

describe("an answer that fails", () => {
  const broke = {
    code: "MODEL_STREAM",
    message: "MODEL_STREAM: the answer broke off before the model was done. Ask again.",
    data: {},
    retryable: true,
  };
  const noAnswer = (said: string): object => ({
    code: "MODEL_STREAM",
    message: `MODEL_STREAM: the server sent no chat answer (${said}). Check that baseUrl leads to an OpenAI-compatible server.`,
    data: {},
    retryable: false,
  });
  const notJson = (said: string): object => ({
    code: "MODEL_STREAM",
    message: `MODEL_STREAM: the server sent what is not JSON (${said}). Check that baseUrl leads to an OpenAI-compatible server.`,
    data: {},
    retryable: false,
  });
  const reported = (words: string, more: object = {}): object => ({
    code: "MODEL_STREAM",
    message: `MODEL_STREAM: the server reported an error while the model answered (${words}). Ask again, or change the request as the server says.`,
    data: {},
    retryable: false,
    ...more,
  });
  const part = chunk({ content: "a" });
  const table: [string, string, object][] = [
    ["ends between two events", events(part), broke],
    ["ends inside an event", `${events(part)}data: {"choices":[{"del`, broke],
    ["ends inside a call", events(callChunk(entry(0, "a", "search", '{"q":'))), broke],
    ["is empty", "", noAnswer("nothing")],
    ["is only white space", " \n\n", noAnswer("nothing")],
    ["is only [DONE]", DONE, noAnswer("data: [DONE]")],
    ["is only a comment", ": hello\n\n", noAnswer(": hello")],
    ["is a page of HTML", "<!doctype html>\n<html>Welcome</html>", noAnswer("a page of HTML")],
    ["is plain text", "upstream\nnot available.", noAnswer("upstream not available")],
    ["is a JSON document of something else", '{"ok":true}', noAnswer('{"ok":true}')],
    [
      "is an empty list",
      "[]",
      {
        code: "MODEL_STREAM",
        message: "MODEL_STREAM: the server sent something that is not a chunk of an answer. Check baseUrl.",
        data: {},
        retryable: false,
      },
    ],
    ["is a cut JSON document", '{"choices":[', notJson('{"choices":[')],
    ["is JSON in lines", '{"message":{}}\n{"done":true}', notJson('{"message":{}} {"done":true}')],
    ["has malformed JSON in a data line", events(part, "data: {oops\n\n", part), notJson("{oops")],
    [
      "has a data line that is no object",
      events(part, "data: 7\n\n"),
      {
        code: "MODEL_STREAM",
        message: "MODEL_STREAM: the server sent something that is not a chunk of an answer. Check baseUrl.",
        data: {},
        retryable: false,
      },
    ],
    [
      "reports an error in the stream",
      events(part, { error: { message: "Overloaded.", code: 529 } }),
      reported("Overloaded", { data: { status: 529 }, retryable: true }),
    ],
    ["reports an error as text", events(part, { error: "out of memory" }), reported("out of memory")],
    [
      "reports an error as an object",
      events({ object: "error", message: "bad template", code: "400" }),
      reported("bad template", { data: { status: 400 } }),
    ],
    ["reports an error without words", events(part, { error: { type: "x" } }), reported('{"type":"x"}')],
    [
      "reports an error in the choice",
      events({ choices: [{ delta: {}, error: { message: "died", code: 502 } }] }),
      reported("died", { data: { status: 502 }, retryable: true }),
    ],
    ["ends with the reason error", events(chunk({}, "error")), reported("it gives no reason")],
    [
      "has an error event with JSON",
      events(part, 'event: error\ndata: {"error":{"message":"busy","code":503}}\n\n'),
      reported("busy", { data: { status: 503 }, retryable: true }),
    ],
    ["has an error event with text", events(part, "event: error\ndata: busy\n\n"), reported("busy")],
    [
      "is a JSON document with an error",
      '{"error":{"message":"no such model","code":404}}',
      reported("no such model", { data: { status: 404 } }),
    ],
    ["says the secret", events({ error: "bad key sk-1234" }), reported("bad key [redacted]")],
    ["is the secret", "sk-1234", noAnswer("[redacted]")],
  ];
  for (const [what, body, expected] of table) {
    test(what, () => expect(failure(() => readText(body, { secrets: "sk-1234" }))).toEqual(expected));
  }

  test("still gives the parts before the fault", () => {
    const parts: unknown[] = [];
    const fault = failure(() => {
      for (const one of readPieces([bytes(events(part, "data: {oops\n\n"))])) parts.push(one);
    });
    expect(parts).toEqual([{ type: "text", id: "id-1", delta: "a" }]);
    expect(fault).toEqual(notJson("{oops"));
  });

  test("has an event that never ends", () => {
    const half = bytes(`data: "${"x".repeat(MAX_EVENT_LENGTH / 2)}`);
    const fault = failure(() => [...readPieces([half, half.slice(7), half.slice(7)])]);
    expect(fault).toEqual({
      code: "MODEL_STREAM",
      message: `MODEL_STREAM: the server sent an event longer than ${MAX_EVENT_LENGTH} characters. Ask for a shorter answer.`,
      data: {},
      retryable: false,
    });
  });

  test("has too many calls", () => {
    const many = Array.from({ length: MAX_CALLS + 1 }, (_, index) => entry(index, `c${index}`, "search", "{}"));
    expect(failure(() => readText(events(callChunk(...many), toolCalls, DONE)))).toEqual({
      code: "MODEL_STREAM",
      message: `MODEL_STREAM: the answer has more than ${MAX_CALLS} tool calls. Ask for fewer at once.`,
      data: {},
      retryable: false,
    });
  });
});
