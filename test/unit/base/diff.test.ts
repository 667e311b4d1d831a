/** Diffs: exact where small, bounded where large, and applying one gives the new text. */

import { describe, expect, test } from "vitest";
import { linesWithEnds, unifiedDiff, unifiedDiffSteps } from "../../../src/base/diff.ts";
import { diffLines, type LineChange } from "../../../src/base/diff-lines.ts";
import { takeAll } from "../../../src/base/steps.ts";
import { createRandom } from "../tools/random.ts";

/** Applies a unified diff by its own line numbers; an independent reading of the format. */
function applyDiff(before: string, diff: string): string {
  const source = linesWithEnds(before);
  const result: string[] = [];
  let at = 0;
  const lines = diff.match(/[^\n]*\n/g) ?? [];
  lines.forEach((line, index) => {
    const header = /^@@ -(\d+),(\d+) \+\d+,\d+ @@$/.exec(line.trimEnd());
    const bare = lines[index + 1]?.startsWith("\\") === true ? line.slice(1, -1) : line.slice(1);
    if (header !== null) {
      const start = Number(header[2]) === 0 ? Number(header[1]) : Number(header[1]) - 1;
      while (at < start) result.push(source[at++] ?? "");
    } else if (line.startsWith(" ") || (line.startsWith("-") && !line.startsWith("--- "))) {
      if (source[at] !== bare)
        throw new Error(`line ${at + 1} is ${JSON.stringify(source[at])}, not ${JSON.stringify(bare)}`);
      if (line.startsWith(" ")) result.push(bare);
      at += 1;
    } else if (line.startsWith("+") && !line.startsWith("+++ ")) result.push(bare);
  });
  return result.concat(source.slice(at)).join("");
}

describe("unifiedDiff", () => {
  const cases: { name: string; before: string | undefined; after: string; diff: string }[] = [
    { name: "equal texts", before: "a\n", after: "a\n", diff: "" },
    {
      name: "a changed line with context",
      before: "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
      after: "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
      diff: "--- a/f.txt\n+++ b/f.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
    },
    {
      name: "a new file",
      before: undefined,
      after: "a\nb\n",
      diff: "--- /dev/null\n+++ b/f.txt\n@@ -0,0 +1,2 @@\n+a\n+b\n",
    },
    { name: "an emptied file", before: "a\n", after: "", diff: "--- a/f.txt\n+++ b/f.txt\n@@ -1,1 +0,0 @@\n-a\n" },
    {
      name: "a missing newline at the end",
      before: "a\nb",
      after: "a\nb\n",
      diff: "--- a/f.txt\n+++ b/f.txt\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n",
    },
    {
      name: "two changes far apart",
      before: "a\n1\n2\n3\n4\n5\n6\n7\nb\n",
      after: "A\n1\n2\n3\n4\n5\n6\n7\nB\n",
      diff: "--- a/f.txt\n+++ b/f.txt\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n",
    },
    {
      name: "a changed line ending",
      before: "a\r\nb\r\n",
      after: "a\nb\r\n",
      diff: "--- a/f.txt\n+++ b/f.txt\n@@ -1,2 +1,2 @@\n-a\r\n+a\n b\r\n",
    },
  ];
  test.each(cases)("writes $name", ({ before, after, diff }) => {
    expect(unifiedDiff(before, after, "/f.txt").text).toBe(diff);
  });

  test("leaves out hunks beyond the length, and counts them nevertheless", () => {
    const before = Array.from({ length: 100 }, (_, index) => `${index}\n`).join("");
    const after = before.replace("5\n", "five\n").replace("95\n", "z".repeat(500));
    const diff = unifiedDiff(before, after, "/f.txt", { maxLength: 200 });
    expect(diff).toEqual({
      text: "--- a/f.txt\n+++ b/f.txt\n@@ -3,7 +3,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
      added: 2,
      removed: 3,
      truncated: true,
    });
  });
});

function changesOf(before: readonly string[], after: readonly string[]): LineChange[] {
  const ids = new Map<string, number>();
  const numbersOf = (lines: readonly string[]): Int32Array =>
    Int32Array.from(lines, (line) => ids.get(line) ?? ids.set(line, ids.size).size - 1);
  const numbers = { old: numbersOf(before), new: numbersOf(after) };
  return takeAll(diffLines({ ...numbers, count: ids.size }));
}

describe("diffLines", () => {
  test("finds the fewest edits of a small change", () => {
    expect(changesOf([..."abcabba"], [..."cbabac"])).toEqual([
      { oldStart: 0, oldEnd: 2, newStart: 0, newEnd: 0 },
      { oldStart: 3, oldEnd: 3, newStart: 1, newEnd: 2 },
      { oldStart: 5, oldEnd: 6, newStart: 4, newEnd: 4 },
      { oldStart: 7, oldEnd: 7, newStart: 5, newEnd: 6 },
    ]);
  });

  test("keeps the lines both sides have once when too much has changed", () => {
    const noise = (side: string): string[] => Array.from({ length: 400 }, (_, index) => `${side}${index}`);
    const before = [...noise("a"), "anchor", ...noise("b")];
    const after = [...noise("c"), "anchor", ...noise("d")];
    expect(changesOf(before, after)).toEqual([
      { oldStart: 0, oldEnd: 400, newStart: 0, newEnd: 400 },
      { oldStart: 401, oldEnd: 801, newStart: 401, newEnd: 801 },
    ]);
  });

  test("stays within its bounds on large texts that have nothing in order", () => {
    const before = Array.from({ length: 60_000 }, (_, index) => `${index % 7}`);
    const after = Array.from({ length: 60_000 }, (_, index) => `${(index * 5) % 11}`);
    expect(changesOf(before, after).length).toBeGreaterThan(0);
  });

  test("gives changes that lead from the old text to the new one, for random texts", () => {
    const random = createRandom(20260801);
    for (let round = 0; round < 400; round += 1) {
      const letters = 1 + random.below(4);
      const text = (): string =>
        Array.from(
          { length: random.below(round % 10 === 0 ? 900 : 40) },
          () => `${"abcd"[random.below(letters)]}\n`,
        ).join("") + (random.below(3) === 0 ? "end" : "");
      const [before, after] = [text(), text()];
      const diff = unifiedDiff(before, after, "/f", { context: random.below(5), maxLength: 1e9 });
      expect(applyDiff(before, diff.text), `round ${round}: ${JSON.stringify([before, after])}`).toBe(after);
      expect(linesWithEnds(before).length - diff.removed + diff.added).toBe(linesWithEnds(after).length);
    }
  });

  test("is made in steps, however much has changed", () => {
    const text = (word: string): string => Array.from({ length: 50_000 }, (_, at) => `${word} ${at}\n`).join("");
    for (const after of [text("new"), text("old").replaceAll("7\n", "8\n"), text("old").replaceAll("99", "x")]) {
      const steps = unifiedDiffSteps(text("old"), after, "/f");
      let count = 0;
      let step = steps.next();
      for (; step.done !== true; step = steps.next()) count += 1;
      expect(step.value).toEqual(unifiedDiff(text("old"), after, "/f"));
      expect(count).toBeGreaterThan(40);
    }
  });

  test("numbers the lines of a change between a long equal beginning and a long equal end", () => {
    const same = Array.from({ length: 3000 }, (_, index) => `the line with the number ${index}\n`);
    for (const [old, fresh] of [
      ["old\n", "new\n"],
      ["", "new\n"],
      ["old\n", ""],
      ["x\nx\n", "x\nx\nx\n"],
    ] as const) {
      const before = same.join("") + old + same.join("");
      const after = same.join("") + fresh + same.join("");
      const { text, truncated } = unifiedDiff(before, after, "/f");
      expect([applyDiff(before, text), truncated, text.length < 500]).toEqual([after, false, true]);
      expect(text).toMatch(/^--- a\/f\n\+\+\+ b\/f\n@@ -(?:299[89]|300\d),/);
    }
  });

  test("finds changes at both ends of a long text, and none in an equal one", () => {
    const middle = "the same line again and again\n".repeat(2000);
    for (const [before, after] of [
      [`a\n${middle}`, middle],
      [middle, `a\n${middle}`],
      [`${middle}a`, middle],
      [middle, `${middle}a`],
      [`\n${middle}`, middle],
      [`${middle}\n`, `\n${middle}`],
      [middle, ""],
      ["", middle],
    ] as const) {
      expect(applyDiff(before, unifiedDiff(before, after, "/f", { maxLength: 1e9 }).text)).toBe(after);
    }
    expect(unifiedDiff(middle, middle, "/f")).toEqual({ text: "", added: 0, removed: 0, truncated: false });
  });
});
