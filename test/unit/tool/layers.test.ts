import * as v from "valibot";
import { describe, expect, test } from "vitest";
import type { ToolResultBlock } from "../../../src/message/blocks.ts";
import { createAgentState } from "../../../src/state/agent-state.ts";
import { defineTool } from "../../../src/tool/define-tool.ts";
import { streamMiddleware, type ToolInterceptor } from "../../../src/tool/middleware.ts";
import { ToolSuspend } from "../../../src/tool/suspend.ts";
import { Toolkit } from "../../../src/toolkit/toolkit.ts";

const now = { set: (callback: () => void): void => queueMicrotask(callback), clear: (): void => {} };
const text = (result: ToolResultBlock): string =>
  result.output.map((block) => (block.type === "text" ? block.text : "?")).join("");

describe("interceptors", () => {
  test("go their whole way again with each attempt, and the record shows each", async () => {
    let tries = 0;
    const log: string[] = [];
    const tool = defineTool({
      name: "flaky",
      description: "",
      input: v.object({ n: v.number() }),
      execute: ({ n }) => {
        tries += 1;
        if (tries < 3) throw new Error(`try ${tries}`);
        return `ok ${n}`;
      },
    });
    const counting: ToolInterceptor = {
      async intercept(call, next) {
        log.push("in");
        return next(call.withInput({ n: tries }));
      },
    };
    const toolkit = new Toolkit({
      tools: [tool],
      interceptors: [counting],
      retry: { attempts: 3, retryable: () => true },
      timeoutMs: Number.POSITIVE_INFINITY,
    });
    const state = createAgentState();
    const result = await toolkit.run({ name: "flaky", input: { n: 9 } }, { timers: now, state });
    expect([text(result), log.length, state.dispatches.map((record) => record.input)]).toEqual([
      "ok 2",
      3,
      [{ n: 0 }, { n: 1 }, { n: 2 }],
    ]);
  });

  test("count against the deadline of the tool", async () => {
    const slow: ToolInterceptor = { intercept: () => new Promise(() => {}) };
    const toolkit = new Toolkit({
      tools: [defineTool({ name: "t", description: "", execute: () => "never" })],
      interceptors: [slow],
      timeoutMs: 5,
    });
    const result = await toolkit.run({ name: "t" }, { timers: now });
    expect([result.state, text(result)]).toEqual(["error", expect.stringContaining("did not finish within 5 ms")]);
  });

  test("may hand a call out, and one of an equal order keeps its place", async () => {
    const log: string[] = [];
    const named = (name: string, order: number): ToolInterceptor => ({
      order,
      intercept: (call, next) => {
        log.push(name);
        if (name === "last") throw new ToolSuspend("ask the owner");
        return next(call);
      },
    });
    const interceptors = [named("b", 0), named("last", -1), named("a", 7), named("c", 0)];
    const toolkit = new Toolkit({
      tools: [defineTool({ name: "t", description: "", execute: () => "" })],
      interceptors,
    });
    const result = await toolkit.run({ name: "t" });
    expect([result.state, result.metadata.reason, log]).toEqual([
      "suspended",
      "ask the owner",
      ["a", "b", "c", "last"],
    ]);
  });
});

describe("middlewares", () => {
  test("can be written as generators over the chunks", async () => {
    const shout = streamMiddleware(async function* (call, next) {
      yield { content: [{ type: "text", text: "> " }] };
      for await (const chunk of next(call)) {
        yield {
          ...chunk,
          content: chunk.content.map((block) =>
            block.type === "text" ? { ...block, text: block.text.toUpperCase() } : block,
          ),
        };
      }
    });
    const tool = defineTool({
      name: "t",
      description: "",
      middlewares: [shout],
      async *execute() {
        yield "a";
        yield "b";
      },
    });
    expect(text(await new Toolkit({ tools: [tool] }).run({ name: "t" }))).toBe("> AB");
  });

  test("may answer instead of the tool, or call it again", async () => {
    let tries = 0;
    const make = (middleware: Parameters<typeof streamMiddleware>[0]): Toolkit =>
      new Toolkit({
        tools: [
          defineTool({
            name: "t",
            description: "",
            middlewares: [streamMiddleware(middleware)],
            execute: () => {
              tries += 1;
              if (tries === 1) throw new Error("first");
              return `try ${tries}`;
            },
          }),
        ],
      });
    const instead = make(async function* () {
      yield { content: [{ type: "text", text: "cached" }] };
    });
    expect([text(await instead.run({ name: "t" })), tries]).toEqual(["cached", 0]);
    const again = make(async function* (call, next) {
      try {
        yield* next(call);
      } catch {
        yield* next(call);
      }
    });
    expect(text(await again.run({ name: "t" }))).toBe("try 2");
  });
});
