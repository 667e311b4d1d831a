/** TaskCreate, TaskGet, TaskList and TaskUpdate: what they do to the list, and what they refuse. */

import { createAgentState, outputText, PermissionEngine, type PermissionMode, Toolkit } from "holdall";
import { beforeEach, describe, expect, test } from "vitest";
import { MAX_TASKS, readTasks } from "../../../src/tools/tasks/task-list.ts";
import { MAX_REMINDED_TASKS, taskReminder, taskTools } from "../../../src/tools/tasks/task-tools.ts";
import { openTaskDesk, type TaskDesk } from "./desk.ts";

let desk: TaskDesk;

beforeEach(async () => {
  desk = openTaskDesk(taskTools({ clock: () => 7 }));
  await desk.say("TaskCreate", { subject: "Write  the\nparser", description: "Both dialects." });
  await desk.say("TaskCreate", { subject: "Test it", description: "", metadata: { area: "tests", none: null } });
  await desk.say("TaskCreate", { subject: "Release", description: "To all." });
});

const update = (input: Record<string, unknown>): Promise<string> => desk.say("TaskUpdate", input);

describe("TaskCreate", () => {
  test("adds a pending task with the next id and says both", async () => {
    expect(await desk.say("TaskCreate", { subject: " Tidy up ", description: "Later." })).toBe(
      "success: Task #4 created: Tidy up",
    );
    expect(desk.tasks()[0]).toEqual({
      id: "1",
      subject: "Write the parser",
      description: "Both dialects.",
      status: "pending",
      owner: "",
      blockedBy: [],
      metadata: {},
      createdAt: 7,
    });
    expect(desk.tasks()[1]?.metadata).toEqual({ area: "tests" });
  });

  test("never uses an id again, also not that of the last task", async () => {
    await update({ task_id: "3", status: "deleted" });
    expect(await desk.say("TaskCreate", { subject: "Again", description: "" })).toBe("success: Task #4 created: Again");
    for (const task_id of ["1", "2", "4"]) await update({ task_id, status: "deleted" });
    expect(await desk.say("TaskCreate", { subject: "First", description: "" })).toBe("success: Task #5 created: First");
  });

  test("takes no blank subject, no endless text and no more than its limit of tasks", async () => {
    expect(await desk.say("TaskCreate", { subject: " \n", description: "" })).toContain(
      "subject: It must not be blank.",
    );
    expect(await desk.say("TaskCreate", { subject: "a", description: "x".repeat(10_001) })).toContain("error: ");
    expect(await desk.say("TaskCreate", { subject: "a", description: "", metadata: { a: "x".repeat(10_000) } })).toBe(
      "error: The metadata would be 10008 characters of JSON; at most 10000 are kept. Store less.",
    );
    for (let count = 4; count <= MAX_TASKS; count += 1) await desk.say("TaskCreate", { subject: "a", description: "" });
    expect(await desk.say("TaskCreate", { subject: "a", description: "" })).toBe(
      "error: There are 500 tasks already, which is the most. Delete finished ones with TaskUpdate and the status deleted.",
    );
    expect(desk.tasks()).toHaveLength(MAX_TASKS);
  });
});

describe("TaskGet", () => {
  test("leaves out what is empty", async () => {
    expect(await desk.say("TaskGet", { task_id: "1" })).toBe(
      "success: Task (id=1): Write the parser\nStatus: pending\nDescription: Both dialects.",
    );
  });

  test("shows owner, relations in both directions and metadata", async () => {
    await update({ task_id: "2", owner: "ada", add_blocked_by: ["1"], add_blocks: ["#3"] });
    expect(await desk.say("TaskGet", { task_id: " #2 " })).toBe(
      'success: Task (id=2): Test it\nStatus: pending\nDescription: \nOwner: ada\nBlocked by: #1\nBlocks: #3\nMetadata: {"area":"tests"}',
    );
    expect(await desk.say("TaskGet", { task_id: "1" })).toContain("\nBlocks: #2");
    expect(await desk.say("TaskGet", { task_id: "3" })).toContain("\nBlocked by: #2");
  });

  test("names the ids there are when it is asked for another", async () => {
    expect(await desk.say("TaskGet", { task_id: "9" })).toBe('error: Task not found: "9". Known ids: #1, #2, #3.');
    expect(await openTaskDesk(taskTools()).say("TaskGet", { task_id: "1" })).toBe(
      'error: Task not found: "1". There are no tasks yet. Use TaskCreate to make one.',
    );
  });
});

describe("TaskList", () => {
  test("shows one task a line, with the blockers that are still open", async () => {
    await update({ task_id: "3", add_blocked_by: ["1", "2"], owner: "ada" });
    await update({ task_id: "1", status: "completed" });
    expect(await desk.say("TaskList", {})).toBe(
      "success: 1 [completed] Write the parser\n2 [pending] Test it\n3 [pending] Release(ada)[blocked by 2]",
    );
  });

  test("says that there is nothing", async () => {
    expect(await openTaskDesk(taskTools()).say("TaskList", {})).toBe("success: No tasks available.");
  });
});

describe("TaskUpdate", () => {
  test("names what it changed, in a fixed order", async () => {
    expect(
      await update({
        metadata: { area: null, size: [1, { a: null }] },
        owner: " ada ",
        status: "in_progress",
        add_blocked_by: ["1"],
        add_blocks: ["3"],
        description: "All of it.",
        subject: "Test all",
        task_id: "2",
      }),
    ).toBe(
      "success: Update task (id=2) subject, description, add_blocks, add_blocked_by, status, owner, metadata.\n\nIt is still blocked by #1: complete that first.",
    );
    expect(desk.tasks()[1]).toEqual({
      id: "2",
      subject: "Test all",
      description: "All of it.",
      status: "in_progress",
      owner: "ada",
      blockedBy: ["1"],
      metadata: { size: [1, { a: null }] },
      createdAt: 7,
    });
  });

  test("clears description and owner with an empty text, but keeps the subject", async () => {
    await update({ task_id: "1", owner: "ada" });
    expect(await update({ task_id: "1", subject: " ", description: "", owner: "" })).toBe(
      "success: Update task (id=1) description, owner.",
    );
    expect(desk.tasks()[0]).toMatchObject({ subject: "Write the parser", description: "", owner: "" });
  });

  test("says when nothing would change", async () => {
    await update({ task_id: "1", add_blocks: ["2"] });
    for (const input of [{}, { subject: "" }, { status: "pending" }, { add_blocks: ["2"] }, { owner: null }]) {
      expect(await update({ task_id: "1", ...input })).toContain("success: Nothing to change in task #1");
    }
  });

  test("tells what is free when a task is done, once", async () => {
    await update({ task_id: "2", add_blocked_by: ["1"] });
    await update({ task_id: "3", add_blocked_by: ["1", "2"] });
    expect(await update({ task_id: "1", status: "completed" })).toBe(
      "success: Update task (id=1) status.\n\nTask completed. Nothing blocks #2 any more. Call TaskList to find the next task.",
    );
    expect(await update({ task_id: "1", owner: "ada" })).toBe("success: Update task (id=1) owner.");
  });

  test("deletes a task and its relations, whatever else was asked", async () => {
    await update({ task_id: "2", add_blocked_by: ["1"], add_blocks: ["3"] });
    expect(await update({ task_id: "2", status: "deleted", subject: "x", add_blocks: ["9"] })).toBe(
      "success: Task #2 deleted: Test it",
    );
    expect(desk.tasks().map(({ id, blockedBy }) => [id, blockedBy])).toEqual([
      ["1", []],
      ["3", []],
    ]);
  });

  const refused: [string, Record<string, unknown>, string][] = [
    ["an unknown task", { task_id: "7", subject: "x" }, 'Task not found: "7". Known ids: #1, #2, #3.'],
    ["an unknown relation", { task_id: "1", add_blocks: ["2", "7"] }, 'Task not found: "7". Known ids: #1, #2, #3.'],
    ["blocking itself", { task_id: "1", add_blocks: ["1"] }, "Task #1 cannot block itself. Nothing was changed."],
    [
      "waiting for itself",
      { task_id: "1", add_blocked_by: ["#1"] },
      "Task #1 cannot block itself. Nothing was changed.",
    ],
    [
      "a circle of two",
      { task_id: "1", add_blocks: ["2"], add_blocked_by: ["2"] },
      "Task #1 cannot wait for #2: they would wait for each other (#1 waits for #2 waits for #1). Nothing was changed.",
    ],
  ];
  test.each(refused)("refuses %s and changes nothing", async (_what, input, problem) => {
    const before = JSON.stringify(desk.state.extra);
    expect(await update({ subject: "other", status: "completed", ...input })).toBe(`error: ${problem}`);
    expect(JSON.stringify(desk.state.extra)).toBe(before);
  });

  test("refuses a longer circle", async () => {
    await update({ task_id: "2", add_blocked_by: ["1"] });
    await update({ task_id: "3", add_blocked_by: ["2"] });
    expect(await update({ task_id: "1", add_blocked_by: ["3"] })).toBe(
      "error: Task #1 cannot wait for #3: they would wait for each other (#1 waits for #3 waits for #2 waits for #1). Nothing was changed.",
    );
  });

  test("takes only the statuses there are", async () => {
    expect(await update({ task_id: "1", status: "done" })).toContain(
      "The arguments of TaskUpdate are not valid:\n- status: ",
    );
  });
});

describe("the task tools", () => {
  test("need a conversation and say so", async () => {
    const toolkit = new Toolkit({ tools: taskTools() });
    for (const [name, input] of Object.entries({
      TaskCreate: { subject: "a", description: "" },
      TaskGet: { task_id: "1" },
      TaskList: {},
      TaskUpdate: { task_id: "1" },
    })) {
      const result = await toolkit.run({ name, input });
      expect(`${result.state}: ${outputText(result.output)}`).toBe(
        `error: This is an error of the application, which gave ${name} no conversation state to keep the list in. Go on without a list.`,
      );
    }
  });

  const modes: [PermissionMode, string][] = [
    ["default", "allow allow allow allow"],
    ["accept_edits", "allow allow allow allow"],
    ["explore", "deny allow allow deny"],
    ["bypass", "allow allow allow allow"],
    ["dont_ask", "allow allow allow allow"],
  ];
  test.each(modes)("are decided on in the mode %s: %s", async (mode, expected) => {
    const engine = new PermissionEngine({ mode });
    const decisions = await Promise.all(taskTools().map((tool) => engine.check(tool, { task_id: "1" })));
    expect(decisions.map(({ behavior }) => behavior).join(" ")).toBe(expected);
  });

  test("still obey a rule that denies", async () => {
    const engine = new PermissionEngine({ rules: [{ tool: "TaskUpdate", behavior: "deny" }] });
    const decisions = await Promise.all(taskTools().map((tool) => engine.check(tool, {})));
    expect(decisions.map(({ behavior }) => behavior)).toEqual(["allow", "allow", "allow", "deny"]);
  });

  test("tell readers from writers", () => {
    const facts = taskTools().map(({ name, readOnly, concurrencySafe }) => [name, readOnly, concurrencySafe]);
    expect(facts).toEqual([
      ["TaskCreate", false, false],
      ["TaskGet", true, true],
      ["TaskList", true, true],
      ["TaskUpdate", false, false],
    ]);
  });

  test("keep their tasks through JSON, one list for each conversation", async () => {
    const restored = openTaskDesk(taskTools(), JSON.parse(JSON.stringify(desk.state.extra)));
    await restored.say("TaskUpdate", { task_id: "1", status: "deleted" });
    expect([desk.tasks().length, restored.tasks().length]).toEqual([3, 2]);
  });
});

describe("taskReminder", () => {
  test("is silent while nothing is open", async () => {
    expect(taskReminder(createAgentState())).toBe(undefined);
    for (const task_id of ["1", "2", "3"]) await update({ task_id, status: "completed" });
    expect(taskReminder(desk.state)).toBe(undefined);
  });

  test("names the open tasks, the one in progress first", async () => {
    await update({ task_id: "1", status: "completed" });
    expect(taskReminder(desk.state)).toBe(
      "2 open tasks of 3:\n2 [pending] Test it\n3 [pending] Release\nNone is in progress: set one to in_progress with TaskUpdate before you begin it.",
    );
    await update({ task_id: "3", status: "in_progress" });
    const before = JSON.stringify(desk.state);
    expect(taskReminder(desk.state)).toBe(
      "2 open tasks of 3:\n3 [in_progress] Release\n2 [pending] Test it\nIn progress: #3. Set it to completed with TaskUpdate as soon as it is done.",
    );
    expect(JSON.stringify(desk.state)).toBe(before);
  });

  test("stays short", async () => {
    for (let count = 0; count < 50; count += 1) await desk.say("TaskCreate", { subject: "More", description: "" });
    const lines = taskReminder(desk.state)?.split("\n") ?? [];
    expect([lines.length, lines.at(-2)]).toEqual([MAX_REMINDED_TASKS + 3, "… and 33 more; TaskList shows all."]);
  });
});

describe("readTasks", () => {
  const task = { id: "1", subject: "a" };
  const sound = { description: "", status: "pending", owner: "", blockedBy: [], metadata: {}, createdAt: 0 };
  const stored: [string, unknown, unknown[], number][] = [
    ["nothing", undefined, [], 1],
    ["a text", "tasks", [], 1],
    ["an array", [task], [], 1],
    ["no array of tasks", { tasks: { 0: task }, nextId: 3 }, [], 3],
    ["entries that are no tasks", { tasks: [null, 1, [], {}, { id: 1, subject: "a" }, { id: "1" }] }, [], 1],
    ["a blank subject", { tasks: [{ id: "1", subject: " " }] }, [], 1],
    [
      "a strange id",
      {
        tasks: [
          { id: "../x", subject: "a" },
          { id: "", subject: "a" },
        ],
      },
      [],
      1,
    ],
    ["an id twice", { tasks: [task, { id: "1", subject: "b" }] }, [{ ...sound, ...task }], 2],
    ["a foreign id", { tasks: [{ id: "x-1", subject: "a" }] }, [{ ...sound, id: "x-1", subject: "a" }], 1],
    ["a counter that is too low", { tasks: [{ ...task, id: "12" }], nextId: 2 }, [{ ...sound, ...task, id: "12" }], 13],
    ["a counter that is none", { tasks: [task], nextId: "9" }, [{ ...sound, ...task }], 2],
    [
      "wrong fields",
      {
        tasks: [{ ...task, status: "done", description: 1, owner: null, blockedBy: "1", metadata: [], createdAt: "x" }],
      },
      [{ ...sound, ...task }],
      2,
    ],
    [
      "relations to itself, to nobody, twice and of no text",
      {
        tasks: [
          { ...task, blockedBy: ["1", "7", "2", "2", 3] },
          { id: "2", subject: "b" },
        ],
      },
      [
        { ...sound, ...task, blockedBy: ["2"] },
        { ...sound, id: "2", subject: "b" },
      ],
      3,
    ],
    [
      "a circle",
      {
        tasks: [
          { ...task, blockedBy: ["2"] },
          { id: "2", subject: "b", blockedBy: ["1"] },
        ],
      },
      [
        { ...sound, ...task, blockedBy: ["2"] },
        { ...sound, id: "2", subject: "b" },
      ],
      3,
    ],
  ];
  test.each(stored)("makes the best of %s", (_what, tasks, expected, nextId) => {
    const state = createAgentState({ extra: JSON.parse(JSON.stringify({ tasks })) });
    expect(readTasks(state)).toEqual({ tasks: expected, nextId });
  });

  test("lets no stored key reach a prototype", () => {
    const metadata = '{"__proto__": {"polluted": true}, "constructor": 1}';
    const state = createAgentState({
      extra: JSON.parse(`{"tasks": {"tasks": [{"id": "1", "subject": "a", "metadata": ${metadata}}]}}`),
    });
    const [read] = readTasks(state).tasks;
    expect([read?.metadata, Object.getPrototypeOf(read?.metadata)]).toEqual([{ constructor: 1 }, Object.prototype]);
    expect(readTasks(createAgentState({ extra: JSON.parse('{"__proto__": {"tasks": []}}') }))).toEqual({
      tasks: [],
      nextId: 1,
    });
  });

  test.each([["text"], [[]], [7]])("works on a state whose place for tools is %j", async (extra) => {
    const state = createAgentState();
    Object.assign(state, { extra });
    const toolkit = new Toolkit({ tools: taskTools() });
    const result = await toolkit.run({ name: "TaskCreate", input: { subject: "a", description: "" } }, { state });
    expect([result.state, readTasks(state).tasks.length]).toEqual(["success", 1]);
  });

  test("is quick with the worst relations", () => {
    const ids = Array.from({ length: MAX_TASKS }, (_, index) => String(index + 1));
    const tasks = ids.map((id) => ({ id, subject: "a", blockedBy: ids }));
    const list = readTasks(createAgentState({ extra: { tasks: { tasks } } }));
    expect(list.tasks.reduce((sum, { blockedBy }) => sum + blockedBy.length, 0)).toBe(
      (MAX_TASKS * (MAX_TASKS - 1)) / 2,
    );
  });
});
