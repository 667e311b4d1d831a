import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { PermissionEngine } from "../../../src/permission/engine.ts";
import { createAgentState } from "../../../src/state/agent-state.ts";
import { defineTool } from "../../../src/tool/define-tool.ts";
import { extendTool } from "../../../src/tool/extend-tool.ts";
import { functionTool } from "../../../src/tool/function-tool.ts";
import { methodTools } from "../../../src/tool/method-tools.ts";
import type { ToolInterceptor } from "../../../src/tool/middleware.ts";
import { ToolBase } from "../../../src/tool/tool-base.ts";
import { type ToolRequest, toolRequest } from "../../../src/toolkit/request-view.ts";
import { Toolkit } from "../../../src/toolkit/toolkit.ts";

const echo = defineTool({
  name: "echo",
  description: "",
  input: v.object({ text: v.string() }),
  execute: (input) => JSON.stringify(input),
});
const text = (output: unknown): unknown => (output as { text: string }[])[0]?.text;

describe("ways to make a tool", () => {
  test("a class", async () => {
    class Search extends ToolBase {
      constructor() {
        super({ name: "search", description: "Searches.", input: v.object({ query: v.string() }), readOnly: true });
      }
      override execute(input: unknown): string {
        return `found ${(input as { query: string }).query}`;
      }
    }
    const toolkit = new Toolkit({ tools: [new Search()] });
    const result = await toolkit.run({ name: "search", input: { query: "x" } }, { permission: new PermissionEngine() });
    expect(text(result.output)).toBe("found x");
  });

  test("a function, whose calls ask, but rules and BYPASS pass", async () => {
    const add = functionTool(
      function add({ a, b }) {
        return a + b;
      },
      { input: v.object({ a: v.number(), b: v.number() }) },
    );
    const toolkit = new Toolkit({ tools: [add] });
    const run = async (engine: PermissionEngine): Promise<string> =>
      (await toolkit.run({ name: "add", input: { a: 1, b: 2 } }, { permission: engine })).state;
    expect(await run(new PermissionEngine())).toBe("suspended");
    expect(await run(new PermissionEngine({ mode: "bypass" }))).toBe("success");
    expect(await run(new PermissionEngine({ rules: [{ tool: "add", behavior: "allow" }] }))).toBe("success");
    expect(() => functionTool(() => 1)).toThrow("TOOL_INVALID");
  });

  test("methods of an object, called on it", async () => {
    const counter = {
      count: 1,
      next({ by }: { by: number }): string {
        this.count += by;
        return String(this.count);
      },
    };
    const tools = methodTools(counter, {
      next: {
        description: "Counts.",
        input: { jsonSchema: { type: "object", properties: { by: { type: "integer" } }, required: ["by"] } },
      },
    });
    expect(text((await new Toolkit({ tools }).run({ name: "next", input: { by: 2 } })).output)).toBe("3");
    expect(() => methodTools(counter, { none: { description: "" } } as never)).toThrow("no method none");
    expect(() => new Toolkit().registerTools(counter)).toThrow("TOOL_INVALID");
  });

  test("a schema alone, validated and then handed out in every mode", async () => {
    const parameters = { type: "object", properties: { sql: { type: "string" } }, required: ["sql"] };
    const toolkit = new Toolkit().registerSchemas([
      { name: "query", description: "Asks.", parameters, strict: true },
      { name: "now" },
    ]);
    expect(toolkit.schemas()).toEqual([
      { name: "query", description: "Asks.", inputSchema: parameters, strict: true },
      { name: "now", description: "", inputSchema: { type: "object", properties: {} } },
    ]);
    expect(["query", "now", "none"].map((name) => toolkit.isExternalTool(name))).toEqual([true, true, false]);
    const permission = new PermissionEngine({ mode: "explore" });
    expect((await toolkit.run({ name: "query", input: "{}" }, { permission })).state).toBe("error");
    expect((await toolkit.run({ name: "query", input: { sql: "select 1" } }, { permission })).metadata).toEqual({
      suspended: "external",
    });
  });
});

describe("parameters", () => {
  test("of an extension are shown, checked and handed on", async () => {
    const toolkit = new Toolkit({
      tools: [extendTool(echo, v.object({ reason: v.string(), loud: v.optional(v.boolean(), false) }))],
    });
    expect(toolkit.schemas()[0]?.inputSchema).toMatchObject({
      properties: { text: {}, reason: {}, loud: {} },
      required: ["text", "reason"],
    });
    expect(text((await toolkit.run({ name: "echo", input: { text: "a", reason: "b" } })).output)).toBe(
      '{"text":"a","reason":"b","loud":false}',
    );
    const failed = await toolkit.run({ name: "echo", input: { text: 1 } });
    expect([failed.state, text(failed.output)]).toEqual(["error", expect.stringMatching(/- text: [\s\S]*- reason: /)]);
    expect(() => extendTool(echo, v.object({ text: v.string() }))).toThrow("SCHEMA_CLASH");
  });

  test("that are hidden can be replaced as a whole", async () => {
    const toolkit = new Toolkit().add(echo, { preset: { text: "one" } });
    toolkit.setPreset("echo", { text: "two" });
    expect(text((await toolkit.run({ name: "echo" })).output)).toBe('{"text":"two"}');
    expect(() => toolkit.setPreset("none", {})).toThrow("TOOL_UNKNOWN");
  });

  const typed = defineTool({
    name: "typed",
    description: "",
    input: v.object({
      text: v.optional(v.string()),
      count: v.optional(v.pipe(v.number(), v.integer())),
      ratio: v.optional(v.number()),
      flag: v.optional(v.boolean()),
      list: v.optional(v.array(v.number())),
      object: v.optional(v.object({ deep: v.optional(v.boolean()) })),
      either: v.optional(v.union([v.number(), v.null_()])),
    }),
    execute: (input) => JSON.stringify(input),
  });

  test.each<[string, object, string]>([
    ["a number as text", { count: "5" }, '{"count":5}'],
    ["a fraction as text", { ratio: " 1.5e3 " }, '{"ratio":1500}'],
    ["a boolean as text", { flag: "True" }, '{"flag":true}'],
    ["an array as JSON text", { list: "[1,2]" }, '{"list":[1,2]}'],
    ["items as text", { list: ["1", 2] }, '{"list":[1,2]}'],
    [
      "an object as JSON text, with a boolean as text in it",
      { object: '{"deep":"false"}' },
      '{"object":{"deep":false}}',
    ],
    ["null for an optional", { count: null, text: "x" }, '{"text":"x"}'],
    ["null where null is accepted", { either: null, count: "1" }, '{"count":1,"either":null}'],
    ["JSON text for a string stays text", { text: "[1]", count: "2" }, '{"text":"[1]","count":2}'],
    ["a digit text for a string stays text", { text: "007", count: "2" }, '{"text":"007","count":2}'],
  ])("are mended: %s", async (_name, input, expected) => {
    const result = await new Toolkit({ tools: [typed] }).run({ name: "typed", input: JSON.stringify(input) });
    expect([result.state, text(result.output)]).toEqual(["success", expected]);
  });

  test.each<[string, object]>([
    ["an empty text for a number", { count: "" }],
    ["a fraction for an integer", { count: "1.5" }],
    ["digits that a number would lose", { count: "12345678901234567890" }],
    ["words for a number", { count: "five" }],
    ["words for a boolean", { flag: "yes" }],
    ["a text for an array", { list: "a" }],
    ["an object for a string", { text: { a: 1 } }],
  ])("are refused: %s", async (_name, input) => {
    expect((await new Toolkit({ tools: [typed] }).run({ name: "typed", input })).state).toBe("error");
  });
});

describe("a copy", () => {
  const shout: ToolInterceptor = {
    name: "shout",
    intercept: async (call, next) => ({ ...(await next(call)), output: [{ type: "text", text: "LOUD" }] }),
  };

  test("has the same tools, groups, presets and layers, and lives by itself", async () => {
    const original = new Toolkit({
      groups: [
        { name: "g", description: "", tools: [defineTool({ name: "in_g", description: "", execute: () => "g" })] },
      ],
      interceptors: [shout],
    });
    original.add(echo, { preset: { text: "hidden" } });
    const copy = original.copy();
    expect(copy.schemas()).toEqual(original.schemas());
    expect(text((await copy.run({ name: "echo" })).output)).toBe("LOUD");
    const state = createAgentState();
    state.toolContext.activeGroups = ["g"];
    expect(copy.schemas({ state }).map((schema) => schema.name)).toEqual(["reset_tools", "echo", "in_g"]);
    copy.remove("echo");
    copy.setPreset("in_g", {});
    expect([original.get("echo")?.name, copy.get("echo")]).toEqual(["echo", undefined]);
  });

  test("can add interceptors to the list or replace it", async () => {
    const original = new Toolkit({ tools: [echo], interceptors: [shout] });
    const log: string[] = [];
    const audit: ToolInterceptor = {
      order: 1,
      intercept: (call, next) => {
        log.push(call.toolName);
        return next(call);
      },
    };
    const more = original.copy({ interceptors: [...original.interceptors, audit] });
    expect(text((await more.run({ name: "echo", input: { text: "a" } })).output)).toBe("LOUD");
    const other = original.copy({ interceptors: [audit] });
    expect(text((await other.run({ name: "echo", input: { text: "a" } })).output)).toBe('{"text":"a"}');
    expect([log, original.interceptors.length]).toEqual([["echo", "echo"], 1]);
  });
});

describe("removal", () => {
  test("of the very tool only", () => {
    const [one, other] = [echo, { ...echo }];
    const toolkit = new Toolkit({ tools: [one] }).add(other, { replace: true });
    expect([toolkit.remove("echo", one), toolkit.remove("echo", other), toolkit.remove("echo")]).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe("a request", () => {
  const toolkit = new Toolkit({
    tools: [echo, defineTool({ name: "own", description: "", execute: () => "own" })],
    allowToolDeletion: false,
  });
  const outside = { name: "echo", description: "outside", parameters: { type: "object", properties: {} } };
  const names = (request?: Parameters<Toolkit["schemas"]>[0]): string[] =>
    toolkit.schemas(request).map((schema) => `${schema.name}${schema.description && " outside"}`);

  test("adds external tools in front of the toolkit's own", async () => {
    const request = toolRequest({ tools: [outside] });
    expect(names({ request })).toEqual(["echo outside", "own"]);
    expect((await toolkit.run({ name: "echo" }, { request })).metadata).toEqual({ suspended: "external" });
    expect(text((await toolkit.run({ name: "own" }, { request })).output)).toBe("own");
    expect([toolkit.get("echo", { request })?.external, toolkit.get("echo")?.external]).toEqual([true, false]);
  });

  test("can hide the toolkit's own, also with nothing in their place", async () => {
    const request = toolRequest({ mode: "external_only", tools: [] });
    expect(names({ request })).toEqual([]);
    expect(await toolkit.run({ name: "own" }, { request })).toMatchObject({
      state: "error",
      output: [{ text: 'There is no tool named "own". Available tools: none.' }],
    });
  });

  test("that makes no sense throws", () => {
    expect(() => toolRequest({ mode: "agent_only", tools: [outside] })).toThrow("REQUEST_INVALID");
    expect(() => toolRequest({ mode: "none" as "merge" })).toThrow("REQUEST_INVALID");
    expect(() => toolRequest({ tools: [outside, outside] })).toThrow("REQUEST_INVALID");
    expect(names({ request: toolRequest({ mode: "agent_only" }) })).toEqual(["echo", "own"]);
  });

  test("is never seen by another at the same time", async () => {
    const requests = Array.from(
      { length: 50 },
      (_, index): ToolRequest => toolRequest({ tools: [{ name: `tool${index}` }] }),
    );
    const seen = await Promise.all(
      requests.map(async (request, index) => [
        (await toolkit.run({ name: `tool${index}` }, { request })).state,
        (await toolkit.run({ name: `tool${(index + 1) % 50}` }, { request })).state,
      ]),
    );
    expect(seen).toEqual(requests.map(() => ["suspended", "error"]));
    expect(names()).toEqual(["echo", "own"]);
  });
});

describe("callbacks", () => {
  test("tell of start, progress and result, and a failing listener harms nobody", async () => {
    const log: unknown[] = [];
    const busy = defineTool({
      name: "busy",
      description: "",
      execute: (_input, call) => {
        call.progress("half");
        return "done";
      },
    });
    const results = await new Toolkit({ tools: [busy] }).runAll(
      [
        { id: "1", name: "busy" },
        { id: "2", name: "none" },
      ],
      {
        onStart: (call) => {
          log.push(["start", call.id]);
          throw new Error("mine");
        },
        onProgress: (call, progress) => {
          log.push(["progress", call.id, progress]);
          throw new Error("mine");
        },
        onResult: (result) => log.push(["result", result.id, result.state]),
      },
    );
    expect(results.map((result) => result.state)).toEqual(["success", "error"]);
    expect(log).toEqual(
      expect.arrayContaining([
        ["start", "1"],
        ["progress", "1", "half"],
        ["result", "2", "error"],
        ["result", "1", "success"],
      ]),
    );
    expect(log.length).toBe(4);
  });
});
