/** NotebookEdit in memory, and finding the elements of arrays in JSON text. */

import { PermissionEngine } from "holdall";
import { memoryBackend } from "holdall/memory";
import { notebookEditTool } from "holdall/tools";
import { describe, expect, test } from "vitest";
import { type Steps, takeAll } from "../../../src/base/steps.ts";
import { findArray, type JsonArrayPlace } from "../../../src/tools/json-array.ts";
import { isJson, parseNotebook } from "../../../src/tools/notebook-json.ts";
import { openMemory } from "./ground.ts";
import { createRandom } from "./random.ts";
import { notebookEditCases } from "./tables/notebook-edits.ts";

notebookEditCases(openMemory);

function findCells(text: string): JsonArrayPlace | undefined {
  return takeAll(findArray(text, "cells"));
}

describe("what is found in the path of a notebook", () => {
  const backend = memoryBackend({ cwd: "/work", files: { "a.ipynb": "{}", ".git/a.ipynb": "{}" } });
  const tool = notebookEditTool({ backend });

  test("counts in the field that the tool has", async () => {
    const notebook_path = ".git/a.ipynb";
    const { behavior, trace } = await new PermissionEngine().check(tool, { notebook_path });
    expect([behavior, trace.flatMap((step) => step.findings ?? [])]).toMatchObject([
      "ask",
      [{ code: "dangerous-path", field: "notebook_path", start: 0, end: notebook_path.length }],
    ]);
  });

  test("is told of rules, too", async () => {
    const rules = [{ tool: "NotebookEdit", content: "a.*", behavior: "deny" }] as const;
    const { behavior, trace } = await new PermissionEngine({ rules: [...rules] }).check(tool, {
      notebook_path: "a.ipynb",
    });
    expect([behavior, trace.flatMap((step) => step.findings ?? []).map(({ field }) => field)]).toEqual([
      "deny",
      ["notebook_path"],
    ]);
  });
});

describe("findArray", () => {
  test("finds the elements of any JSON, however it is written", () => {
    const random = createRandom(31);
    const value = (depth: number): unknown => {
      const kind = random.below(depth > 3 ? 4 : 6);
      if (kind === 0) return random.below(1000) / 8;
      if (kind === 1) return random.pick(["", 'a"b', "\\", "]}", "{[", '\\"', "é🦊", "a\nb"]);
      if (kind === 2) return random.pick([true, false, null]);
      if (kind === 3) return -1e300;
      if (kind === 4) return Array.from({ length: random.below(4) }, () => value(depth + 1));
      return Object.fromEntries(Array.from({ length: random.below(4) }, (_, at) => [`k"${at}`, value(depth + 1)]));
    };
    for (let round = 0; round < 400; round += 1) {
      const cells = Array.from({ length: random.below(5) }, () => value(0));
      const document = { before: value(0), cells, after: value(0) };
      const text = JSON.stringify(document, null, random.pick([0, 1, "\t", "   "]));
      const place = findCells(text);
      const found = place?.elements.map(({ start, end }) => JSON.parse(text.slice(start, end)));
      expect(found, text).toEqual(cells);
      expect(JSON.parse(text.slice(place?.start, place?.end)), text).toEqual(cells);
    }
  });

  test.each(["[]", "5", '{"cells":{}}', "{}", '{"cells":[1],"cells":2}'])("finds none in %s", (text) => {
    expect(findCells(text)).toBeUndefined();
  });

  test("takes the last of two, and does not mind depth", () => {
    expect(findCells('{"cells":[1],"cells":[2,3]}')?.elements).toEqual([
      { start: 22, end: 23 },
      { start: 24, end: 25 },
    ]);
    const deep = `{"x":${"[".repeat(5000)}${"]".repeat(5000)},"cells":[7]}`;
    expect(findCells(deep)?.elements.length).toBe(1);
  });
});

describe("parseNotebook", () => {
  test("gives what parsing all at once gives, or nothing for what is no JSON", () => {
    const random = createRandom(77);
    let faults = 0;
    for (let round = 0; round < 3000; round += 1) {
      const cells = Array.from({ length: random.below(4) }, () =>
        random.pick([1, "a,]", null, { source: ["x\n", '"'] }, [[], {}], -0.5, true]),
      );
      const whole = JSON.stringify({ a: "x", cells, nbformat: 4 }, null, random.pick([0, 1]));
      const [at, length] = [random.below(whole.length), random.below(3)];
      const text = whole.slice(0, at) + random.pick(["", ",", "]", "[", " ", '"', "}", "a"]) + whole.slice(at + length);
      let expected: { cells?: unknown } | undefined;
      try {
        expected = JSON.parse(text);
      } catch {
        faults += 1;
      }
      const parsed = takeAll(parseNotebook(text, (cell) => cell));
      expect([text, parsed?.cells]).toEqual([text, Array.isArray(expected?.cells) ? expected.cells : undefined]);
      expect([text, takeAll(isJson(text))]).toEqual([text, expected !== undefined]);
      if (parsed !== undefined) expect({ ...parsed.rest, cells: parsed.cells }).toEqual(expected);
    }
    expect(faults).toBeGreaterThan(1000);
  });

  test.each([
    ["many cells", `{"cells":[${'{"source":[]},'.repeat(50_000)}1]}`, 20],
    ["one large cell", `{"cells":[[${"{},".repeat(100_000)}1]]}`, 20],
    ["escaped quotes", `{"cells":["${'\\"'.repeat(200_000)}"]}`, 20],
    ["what is no JSON", `{"cells":[${"}".repeat(200_000)}]}`, 20],
    ["letters", `{"cells":[${"a".repeat(2_000_000)}`, 0],
    ["spaces", `{"cells":[${" ".repeat(2_000_000)}`, 0],
  ])("goes through %s in steps", (_name, text, steps) => {
    expect(countSteps(parseNotebook(text, (cell) => cell))).toBeGreaterThanOrEqual(steps);
  });
});

function countSteps(work: Steps<unknown>): number {
  let count = 0;
  for (const _ of work) count += 1;
  return count;
}
