/** Random sequences of calls against a plain model of the list. */

import { describe, expect, test } from "vitest";
import { taskTools } from "../../../src/tools/tasks/task-tools.ts";
import { todoTools } from "../../../src/tools/tasks/todo-tools.ts";
import { forAll, type Random } from "../property.ts";
import { openTaskDesk } from "./desk.ts";

/** What a task must look like, by id. */
type Model = Map<string, { subject: string; status: string; blockedBy: Set<string> }>;

const words = ["plan", "build", "test", "ship"] as const;

function randomIds(random: Random): string[] {
  return Array.from({ length: random.below(3) }, () => String(1 + random.below(8)));
}

/** Whether a task can be reached from another, tried the slow way. */
function reaches(model: Model, from: string, to: string): boolean {
  return from === to || [...(model.get(from)?.blockedBy ?? [])].some((id) => reaches(model, id, to));
}

/** Changes the model as TaskUpdate shall; false when it must refuse. */
function applyUpdate(model: Model, id: string, status: string, blocks: string[], blockedBy: string[]): boolean {
  const task = model.get(id);
  if (task === undefined) return false;
  if (status === "deleted") {
    model.delete(id);
    for (const other of model.values()) other.blockedBy.delete(id);
    return true;
  }
  const links = [...blocks.map((other) => [other, id] as const), ...blockedBy.map((other) => [id, other] as const)];
  if (links.some((link) => link.some((end) => !model.has(end)))) return false;
  const before = new Map([...model].map(([key, one]) => [key, new Set(one.blockedBy)]));
  for (const [blocked, blocker] of links) {
    const target = model.get(blocked)?.blockedBy;
    if (target?.has(blocker)) continue;
    if (reaches(model, blocker, blocked)) {
      for (const [key, one] of model) one.blockedBy = before.get(key) ?? new Set();
      return false;
    }
    target?.add(blocker);
  }
  task.status = status;
  return true;
}

/** Changes the model as todo_write shall; false when it must refuse. */
function applyTodos(model: Model, items: { content: string; status: string }[], newId: () => string): boolean {
  if (items.filter(({ status }) => status === "in_progress").length > 1) return false;
  const old = new Map(model);
  model.clear();
  for (const { content, status } of items) {
    const known = [...old].find(([, task]) => task.subject === content);
    if (known !== undefined) old.delete(known[0]);
    model.set(known?.[0] ?? newId(), { subject: content, status, blockedBy: known?.[1].blockedBy ?? new Set() });
  }
  for (const task of model.values()) for (const id of old.keys()) task.blockedBy.delete(id);
  return true;
}

describe("a list of tasks", () => {
  test("is what a plain model says after any calls, and unchanged by every call that is refused", async () => {
    await forAll(30, async (random) => {
      const desk = openTaskDesk([...taskTools({ clock: () => 0 }), ...todoTools({ clock: () => 0 })]);
      const model: Model = new Map();
      let ids = 0;
      const newId = (): string => {
        ids += 1;
        return String(ids);
      };
      for (let step = 0; step < 20; step += 1) {
        const before = JSON.stringify(desk.state.extra);
        let accepted = true;
        let says = "";
        const kind = random.below(10);
        if (kind < 4) {
          const subject = random.pick(words);
          says = await desk.say("TaskCreate", { subject, description: "" });
          model.set(newId(), { subject, status: "pending", blockedBy: new Set() });
        } else if (kind < 9) {
          const [task_id, blocks, blockedBy] = [String(1 + random.below(8)), randomIds(random), randomIds(random)];
          const status = random.pick(["pending", "in_progress", "completed", "completed", "deleted"]);
          says = await desk.say("TaskUpdate", { task_id, status, add_blocks: blocks, add_blocked_by: blockedBy });
          accepted = applyUpdate(model, task_id, status, blocks, blockedBy);
        } else {
          const todos = Array.from({ length: random.below(5) }, () => ({
            content: random.pick(words),
            status: random.pick(["pending", "in_progress", "completed"]),
          }));
          says = await desk.say("todo_write", { todos });
          accepted = applyTodos(model, todos, newId);
        }
        expect(says.split(":")[0]).toBe(accepted ? "success" : "error");
        if (!accepted) expect(JSON.stringify(desk.state.extra)).toBe(before);
        expect(
          desk
            .tasks()
            .map(({ id, subject, status, blockedBy }) => [id, { subject, status, blockedBy: new Set(blockedBy) }]),
        ).toEqual([...model]);
      }
    });
  });
});
