/** todo_write: what it takes and refuses, what survives a rewrite, and the reminder. */

import { createAgentState, outputText, PermissionEngine, Toolkit } from "holdall";
import { beforeEach, describe, expect, test } from "vitest";
import { taskTools } from "../../../src/tools/tasks/task-tools.ts";
import { MAX_REMINDED_TODOS, todoReminder, todoTools } from "../../../src/tools/tasks/todo-tools.ts";
import { openTaskDesk, type TaskDesk } from "./desk.ts";

let desk: TaskDesk;

beforeEach(() => {
  desk = openTaskDesk([...todoTools({ clock: () => 5 }), ...taskTools({ clock: () => 6 })]);
});

const write = (...todos: unknown[]): Promise<string> => desk.say("todo_write", { todos });

describe("todo_write", () => {
  test("replaces the whole list and shows it", async () => {
    expect(
      await write(
        { content: "Plan", status: "completed", priority: "high" },
        { content: "Build", status: "in_progress", priority: "urgent" },
        { content: "Ship" },
      ),
    ).toBe("success: 2 open todo(s):\n- [x] Plan (priority: high)\n- [~] Build\n- [ ] Ship");
    expect(await write({ content: "Ship", status: "pending" })).toBe("success: 1 open todo(s):\n- [ ] Ship");
    expect(desk.tasks().map(({ id, subject }) => [id, subject])).toEqual([["3", "Ship"]]);
  });

  test("clears the list with none", async () => {
    await write({ content: "a" });
    expect(await write()).toBe("success: Todo list cleared (0 items).");
    await write({ content: "a" });
    expect(desk.tasks().map(({ id }) => id)).toEqual(["2"]);
  });

  test("reads status and priority in any case, with white space, missing or null", async () => {
    expect(
      await write(
        { content: "a", status: " In_Progress ", priority: " HIGH" },
        { content: "b", status: "", priority: null },
        { content: "c", status: null, priority: "" },
        { content: "d" },
      ),
    ).toBe("success: 4 open todo(s):\n- [~] a (priority: high)\n- [ ] b\n- [ ] c\n- [ ] d");
  });

  test("keeps what is known of an item of the same content", async () => {
    await desk.say("TaskCreate", { subject: "Build", description: "All parts.", metadata: { area: "core" } });
    await desk.say("TaskCreate", { subject: "Plan", description: "First." });
    await desk.say("TaskUpdate", { task_id: "1", owner: "ada", add_blocked_by: ["2"] });
    await write({ content: "Ship" }, { content: " Build ", priority: "low" }, { content: "Plan", status: "completed" });
    expect(desk.tasks()).toEqual([
      {
        id: "3",
        subject: "Ship",
        description: "Ship",
        status: "pending",
        owner: "",
        blockedBy: [],
        metadata: {},
        createdAt: 5,
      },
      {
        id: "1",
        subject: "Build",
        description: "All parts.",
        status: "pending",
        owner: "ada",
        blockedBy: ["2"],
        metadata: { area: "core", priority: "low" },
        createdAt: 6,
      },
      {
        id: "2",
        subject: "Plan",
        description: "First.",
        status: "completed",
        owner: "",
        blockedBy: [],
        metadata: {},
        createdAt: 6,
      },
    ]);
    await write({ content: "Build", priority: "whatever" });
    expect(desk.tasks().map(({ blockedBy, metadata }) => ({ blockedBy, metadata }))).toEqual([
      { blockedBy: [], metadata: { area: "core", priority: "low" } },
    ]);
  });

  test("takes each known task once for items of the same content", async () => {
    await write({ content: "a" }, { content: "a" });
    await write({ content: "a" }, { content: "a" }, { content: "a" });
    expect(desk.tasks().map(({ id }) => id)).toEqual(["1", "2", "3"]);
  });

  const refused: [string, unknown[], string][] = [
    [
      "a status there is not",
      [{ content: "a", status: "done" }],
      'invalid status "done" for "a". Allowed: pending, in_progress, completed',
    ],
    ["a blank content", [{ content: "a" }, { content: " " }], "every todo must have non-blank content"],
    ["no content", [{ status: "pending" }], "every todo must have non-blank content"],
    [
      "a wrong status before a missing content",
      [{ status: "x" }],
      'invalid status "x" for an item. Allowed: pending, in_progress, completed',
    ],
    [
      "two in progress",
      [
        { content: "a", status: "in_progress" },
        { content: "b", status: "in_progress" },
      ],
      "at most one task may be in_progress at a time, but 2 were given. Keep exactly one in_progress",
    ],
  ];
  test.each(refused)("refuses %s and keeps the list", async (_what, todos, problem) => {
    await write({ content: "before" });
    expect(await write(...todos)).toBe(`error: The list was not changed: ${problem}.`);
    expect(desk.tasks().map(({ subject }) => subject)).toEqual(["before"]);
  });

  test.each([[undefined], ["a"], [[7]], [[{ content: 7 }]], [[{ content: "x".repeat(501) }]]])(
    "does not take %j for a list",
    async (todos) => {
      expect(await desk.say("todo_write", { todos })).toContain("error: The arguments of todo_write are not valid:");
    },
  );

  test("needs a conversation and says so", async () => {
    const result = await new Toolkit({ tools: todoTools() }).run({ name: "todo_write", input: { todos: [] } });
    expect([result.state, outputText(result.output)]).toEqual([
      "error",
      "This is an error of the application, which gave todo_write no conversation state to keep the list in. Go on without a list.",
    ]);
  });

  test("is never asked about, and denied where only reading is allowed", async () => {
    const [tool] = todoTools();
    if (tool === undefined) throw new Error("there is no tool");
    const decisions = await new PermissionEngine().explain(tool, { todos: [] });
    expect(Object.entries(decisions).map(([mode, { behavior }]) => `${mode} ${behavior}`)).toEqual([
      "default allow",
      "accept_edits allow",
      "explore deny",
      "bypass allow",
      "dont_ask allow",
    ]);
    expect([tool.readOnly, tool.concurrencySafe]).toEqual([false, false]);
  });
});

describe("todoReminder", () => {
  test("shows all items, and nothing when there are none", async () => {
    expect(todoReminder(createAgentState())).toBe(undefined);
    await write({ content: "a", status: "completed" }, { content: "b", priority: "medium" });
    expect(todoReminder(desk.state)).toBe(
      "The todo list, 1 open todo(s):\n- [x] a\n- [ ] b (priority: medium)\nKeep it up to date with todo_write.",
    );
  });

  test("stays short", async () => {
    await write(...Array.from({ length: 130 }, (_, index) => ({ content: `item ${index}` })));
    const lines = todoReminder(desk.state)?.split("\n") ?? [];
    expect([lines.length, lines.at(-2)]).toEqual([MAX_REMINDED_TODOS + 3, "… and 30 more"]);
  });
});
