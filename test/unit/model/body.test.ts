import { describe, expect, test } from "vitest";
import { openBody } from "../../../src/model/body.ts";
import { createObjectEnd } from "../../../src/model/object-end.ts";
import { createServerEvents } from "../../../src/model/server-events.ts";
import { bytes, described, failure, manualTimers } from "./recorded.ts";

describe("openBody", () => {
  test("gives no more bytes than it may", async () => {
    const pieces = ["abc", "def", "g"];
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytes(pieces.shift() ?? "")),
    });
    const limits = { idleMs: 5, maxBytes: 6, timers: manualTimers() };
    const body = openBody(new Response(source), limits, undefined);
    expect([await body.next(), await body.next()]).toEqual([bytes("abc"), bytes("def")]);
    const error: unknown = await body.next().catch((thrown: unknown) => thrown);
    expect(described(error)).toEqual({
      code: "MODEL_STREAM",
      message: "MODEL_STREAM: the answer is longer than 6 bytes. Ask for a shorter one.",
      data: {},
      retryable: false,
    });
    body.close();
  });
});

describe("createServerEvents", () => {
  test("gives the events before one that grows too long, then throws", () => {
    const events = createServerEvents(20);
    const seen: string[] = [];
    const fault = failure(() => {
      for (const event of events.feed(`data: one\n\ndata: ${"x".repeat(30)}`)) seen.push(event.data);
    });
    expect(seen).toEqual(["one"]);
    expect(fault.message).toBe(
      "MODEL_STREAM: the server sent an event longer than 20 characters. Ask for a shorter answer.",
    );
  });

  test("counts the lines of one event together", () => {
    const events = createServerEvents(20);
    expect([...events.feed("data: 0123456789\n")]).toEqual([]);
    expect(failure(() => [...events.feed("data: 0123456789\ndata: 0")]).code).toBe("MODEL_STREAM");
  });
});

describe("createObjectEnd", () => {
  const table: [string, boolean][] = [
    ["", false],
    ["{", false],
    ["{}", true],
    ['{"a":{"b":[1,2]}', false],
    ['{"a":{"b":[1,2]}}', true],
    ['{"a":"}"', false],
    ['{"a":"\\"}"', false],
    ['{"a":"\\\\"}', true],
    ["7", false],
    ["}{", false],
  ];
  for (const [text, complete] of table) {
    test(`${JSON.stringify(text)} is ${complete ? "whole" : "not whole"}, in one piece or many`, () => {
      const once = createObjectEnd();
      once.push(text);
      const often = createObjectEnd();
      for (const character of text) often.push(character);
      expect([once.complete, often.complete]).toEqual([complete, complete]);
    });
  }
});
