import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { PermissionEngine } from "../../../src/permission/engine.ts";
import { createAgentState } from "../../../src/state/agent-state.ts";
import { defineTool } from "../../../src/tool/define-tool.ts";
import type { Tool } from "../../../src/tool/tool.ts";
import { Toolkit } from "../../../src/toolkit/toolkit.ts";

function tool(name: string, answer = name): Tool {
  return defineTool({ name, description: `Does ${name}.`, readOnly: true, execute: () => answer });
}

const database = {
  name: "database",
  description: "Asks the database.",
  instructions: "Use transactions.",
  tools: [tool("query"), tool("migrate")],
};
const deploy = { name: "deploy", description: "Ships.", tools: [tool("ship"), tool("query", "shared")], active: true };

describe("registration", () => {
  test("refuses two tools of one name, unless one replaces the other", async () => {
    const toolkit = new Toolkit({ tools: [tool("a")] });
    expect(() => toolkit.add(tool("a"))).toThrow("TOOL_DUPLICATE");
    toolkit.add(tool("a", "new"), { replace: true });
    expect((await toolkit.run({ name: "a" })).output).toEqual([{ type: "text", text: "new" }]);
    expect(() => new Toolkit({ tools: [tool("a"), tool("a")] })).toThrow("TOOL_DUPLICATE");
  });

  test("refuses groups that are there or unknown", () => {
    expect(() => new Toolkit({ groups: [{ ...database, name: "basic" }] })).toThrow('"basic" is reserved');
    expect(() => new Toolkit({ groups: [database, database] })).toThrow("GROUP_DUPLICATE");
    expect(() => new Toolkit().add(tool("a"), { group: "none" })).toThrow("GROUP_UNKNOWN");
  });

  test.each(["", "a b", "é", "x".repeat(129), "a/b"])("refuses the name %j", (name) => {
    expect(() => tool(name)).toThrow("TOOL_INVALID");
  });

  test("removes only where it is allowed to", () => {
    expect(new Toolkit({ tools: [tool("a")] }).remove("a")).toBe(true);
    const kept = new Toolkit({ tools: [tool("a")], allowToolDeletion: false });
    expect([kept.remove("a"), kept.get("a")?.name]).toEqual([false, "a"]);
  });
});

describe("groups", () => {
  test("show their tools only while they are active, per conversation", async () => {
    const toolkit = new Toolkit({ tools: [tool("a")], groups: [database, deploy] });
    const one = createAgentState();
    const other = createAgentState();
    one.toolContext.activeGroups = ["database"];
    const names = (state?: typeof one): string[] => toolkit.schemas({ state }).map((schema) => schema.name);
    expect(names()).toEqual(["a", "reset_tools", "ship", "query"]);
    expect(names(other)).toEqual(names());
    expect(names(one)).toEqual(["a", "reset_tools", "query", "migrate"]);
    expect((await toolkit.run({ name: "query" }, { state: one })).output).toEqual([{ type: "text", text: "query" }]);
    expect((await toolkit.run({ name: "query" }, { state: other })).output).toEqual([{ type: "text", text: "shared" }]);
    expect((await toolkit.run({ name: "ship" }, { state: one })).output).toEqual([
      {
        type: "text",
        text: 'The tool ship is in the group "deploy", which is not active. Activate the group with reset_tools first.',
      },
    ]);
  });

  test("are chosen by the meta tool: the final state, with instructions, in every mode", async () => {
    const toolkit = new Toolkit({ groups: [database, deploy] });
    const state = createAgentState();
    const permission = new PermissionEngine({ mode: "explore" });
    const choose = (input: object): Promise<unknown> =>
      toolkit.run({ name: "reset_tools", input }, { state, permission });
    expect(await choose({ database: true })).toMatchObject({
      state: "success",
      output: [
        {
          text: 'Active groups: database.\n<tool-instructions group="database">\nUse transactions.\n</tool-instructions>\nInactive groups:\n- deploy: Ships.',
        },
      ],
    });
    expect(state.toolContext.activeGroups).toEqual(["database"]);
    expect(await choose({ databse: true })).toMatchObject({ state: "error" });
    expect(state.toolContext.activeGroups).toEqual(["database"]);
    await choose({});
    expect(state.toolContext.activeGroups).toEqual([]);
  });

  test("the meta tool has a list form, and can be left out", async () => {
    const toolkit = new Toolkit({ groups: [database], metaTool: { name: "reset_equipped_tools", style: "list" } });
    const state = createAgentState();
    await toolkit.run({ name: "reset_equipped_tools", input: { to_activate: ["database"] } }, { state });
    expect(state.toolContext.activeGroups).toEqual(["database"]);
    expect(new Toolkit({ groups: [database], metaTool: false }).schemas()).toEqual([]);
    expect(new Toolkit({ tools: [tool("a")] }).schemas().map((schema) => schema.name)).toEqual(["a"]);
  });
});

describe("a batch", () => {
  interface Step {
    name: string;
    end(): void;
  }

  /** Tools that end when they are told to. */
  function stepwise(): { toolkit: Toolkit; running: Step[]; log: string[] } {
    const running: Step[] = [];
    const log: string[] = [];
    const make = (name: string, concurrencySafe: boolean): Tool =>
      defineTool({
        name,
        description: "",
        concurrencySafe,
        input: v.object({ n: v.number() }),
        execute: ({ n }) =>
          new Promise<string>((resolve) => {
            log.push(`start ${n}`);
            running.push({ name, end: () => resolve(`${n}`) });
          }),
      });
    return {
      toolkit: new Toolkit({ tools: [make("safe", true), make("alone", false)], concurrency: 2 }),
      running,
      log,
    };
  }

  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };

  test("runs safe neighbours together up to the cap, the others alone, and keeps the order", async () => {
    const { toolkit, running, log } = stepwise();
    const calls = ["safe", "safe", "safe", "alone", "safe"].map((name, n) => ({ id: String(n), name, input: { n } }));
    const published: string[] = [];
    const results = toolkit.runAll(calls, { onResult: (result) => published.push(result.id) });
    await settle();
    expect(log).toEqual(["start 0", "start 1"]);
    running[1]?.end();
    await settle();
    expect([log, published]).toEqual([["start 0", "start 1", "start 2"], ["1"]]);
    running[0]?.end();
    running[2]?.end();
    await settle();
    expect(log).toEqual(["start 0", "start 1", "start 2", "start 3"]);
    running[3]?.end();
    await settle();
    running[4]?.end();
    expect((await results).map((result) => result.id)).toEqual(["0", "1", "2", "3", "4"]);
    expect(published).toEqual(["1", "0", "2", "3", "4"]);
  });

  test("one failure harms nobody, and an unknown tool is one of them", async () => {
    const bad = defineTool({
      name: "bad",
      description: "",
      execute: () => {
        throw new Error("at once");
      },
    });
    const results = await new Toolkit({ tools: [bad, tool("good")] }).runAll([
      { name: "bad" },
      { name: "good" },
      { name: "none" },
      { name: "good" },
    ]);
    expect(results.map((result) => result.state)).toEqual(["error", "success", "error", "success"]);
  });

  test("an abort ends what runs and what waits, with one result each", async () => {
    const { toolkit, running } = stepwise();
    const controller = new AbortController();
    const calls = ["alone", "alone", "alone"].map((name, n) => ({ id: String(n), name, input: { n } }));
    const results = toolkit.runAll(calls, { signal: controller.signal });
    await settle();
    running[0]?.end();
    await settle();
    controller.abort();
    expect((await results).map((result) => [result.id, result.state])).toEqual([
      ["0", "success"],
      ["1", "interrupted"],
      ["2", "interrupted"],
    ]);
  });

  test("does not start what comes after a call that has to be asked about", async () => {
    const write = defineTool({ name: "write", description: "", concurrencySafe: false, execute: () => "written" });
    const results = await new Toolkit({ tools: [write, tool("read")] }).runAll(
      [
        { id: "1", name: "read" },
        { id: "2", name: "write" },
        { id: "3", name: "read" },
      ],
      {
        permission: new PermissionEngine(),
      },
    );
    expect(results.map((result) => [result.state, result.metadata.suspended])).toEqual([
      ["success", undefined],
      ["suspended", "confirm"],
      ["suspended", "earlier call"],
    ]);
  });
});

describe("a toolkit", () => {
  test("serves many conversations at once without cross-talk", async () => {
    const echo = defineTool({
      name: "echo",
      description: "",
      input: v.object({ text: v.string() }),
      async execute({ text }, call) {
        await Promise.resolve();
        return `${text} ${call.state?.sessionId} ${call.id}`;
      },
    });
    const toolkit = new Toolkit({ tools: [echo], groups: [database] });
    const sessions = Array.from({ length: 1000 }, (_, index) => createAgentState({ sessionId: `s${index}` }));
    const results = await Promise.all(
      sessions.map((state, index) =>
        toolkit.run({ id: `c${index}`, name: "echo", input: { text: `t${index}` } }, { state }),
      ),
    );
    expect(results.map((result) => result.output[0])).toEqual(
      sessions.map((_, index) => ({ type: "text", text: `t${index} s${index} c${index}` })),
    );
    expect(sessions.every((state) => state.dispatches.length === 1)).toBe(true);
  });
});
