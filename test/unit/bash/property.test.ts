import { describe, expect, test } from "vitest";
import {
  analyzeBash,
  type BashAnalysis,
  judgeBash,
  matchBashRule,
  suggestBashRules,
  uncoveredUnits,
} from "../../../src/bash/index.ts";
import { createRandom, forAll } from "../property.ts";
import attacks from "./cases/attacks.json";
import everyday from "./cases/everyday.json";
import field from "./cases/field.json";
import { randomCommand, randomLine, randomText, requote } from "./commands.ts";

const readers = [
  "ls -la",
  "cat a.txt",
  "git status",
  "grep -n x a.txt",
  "sed -n 1p a.txt",
  "echo hi",
  "pwd",
  "true",
] as const;
const names = ["ls", "cat", "rm", "git", "sort", "find", "xargs", "sudo", "sed", "npm", "echo", "test", "cd"] as const;
const known = [...field.map(({ input }) => input), ...Object.values(attacks).flat(), ...Object.values(everyday).flat()];

/** What must hold for every reading, whatever the line is. */
function checkShape(analysis: BashAnalysis, length: number): void {
  const { readOnly, units, paths, injection, dangers, outside, errors } = analysis;
  const spans = [...units, ...paths, ...injection, ...dangers, ...outside, ...errors];
  expect(spans.filter(({ start, end }) => start < 0 || end < start || end > length)).toEqual([]);
  expect(paths.filter(({ unit }) => units[unit] === undefined)).toEqual([]);
  expect(units.filter((unit) => unit.readOnly !== (unit.reasons.length === 0))).toEqual([]);
  if (readOnly) {
    expect([units.every((unit) => unit.readOnly), injection, errors]).toEqual([true, [], []]);
  }
}

describe("a line of plain words", () => {
  test("is read without the parser as it is read by it", async () => {
    const words = [...names, "a.txt", "-la", "--all", "--color=never", "../x", "/etc/hosts", "HEAD~1", "x=1", "@", "5"];
    await forAll(3000, (random) => {
      const count = 1 + random.below(5);
      const line = Array.from({ length: count }, () => words[random.below(words.length)]).join(
        random.once(9) ? "  " : " ",
      );
      const plain = analyzeBash(line);
      // A line break at the end is for the parser.
      expect({ ...analyzeBash(`${line}\n`), command: line }).toEqual(plain);
    });
  });
});

describe("any text", () => {
  test("is read to an end, alike every time, with spans inside of it", async () => {
    await forAll(4000, (random) => {
      const text = randomText(random, known);
      const analysis = analyzeBash(text);
      checkShape(analysis, text.length);
      expect(analyzeBash(text)).toEqual(analysis);
    });
  });

  test("that is silent stays silent under an allow rule and is caught by a deny rule for all", async () => {
    await forAll(1000, (random) => {
      const text = randomText(random, known);
      const judged = judgeBash(text);
      if (!judged.silent || judged.analysis.units.length === 0) return;
      expect(matchBashRule(":*", judged.analysis, "deny")).toBe(true);
      expect(uncoveredUnits([], judged.analysis)).toEqual([]);
    });
  });
});

describe("lines made of commands", () => {
  test("that only read only read together", async () => {
    await forAll(1500, (random) => {
      const line = randomLine(random, { simple: readers });
      const { readOnly, analysis } = judgeBash(line);
      if (!readOnly) expect([line, analysis.errors, analysis.injection]).toEqual([]);
    });
  });

  test("of which one writes never read only, and a rule that denies it sees it", async () => {
    await forAll(1500, (random) => {
      const line = randomLine(random, { simple: [...readers, "touch pwned"] });
      if (!line.includes("touch pwned")) return;
      const analysis = analyzeBash(line);
      expect([line, analysis.readOnly, matchBashRule("touch:*", analysis, "deny")]).toEqual([line, false, true]);
    });
  });

  test("in which one reads a secret ask", async () => {
    await forAll(800, (random) => {
      const line = randomLine(random, { simple: [...readers, "cat .env"] });
      if (line.includes("cat .env")) expect([line, judgeBash(line).silent]).toEqual([line, false]);
    });
  });

  test("are allowed by what is suggested for them", async () => {
    await forAll(1500, (random) => {
      const simple = [
        "npm run build",
        "touch a",
        "ls",
        "git add .",
        "make > log",
        "sort -o a b",
        "./run.sh x",
      ] as const;
      const line = randomLine(random, { simple });
      const analysis = analyzeBash(line);
      const contents = suggestBashRules(analysis);
      const { immune } = judgeBash(analysis);
      if (contents.length > 0) expect([line, uncoveredUnits(contents, analysis), immune]).toEqual([line, [], []]);
    });
  });
});

describe("quoting", () => {
  test("changes neither the verdict nor the words", async () => {
    await forAll(1500, (random) => {
      const bare = random.pick([
        "ls -la src",
        "sort -o out a",
        "git log --output=x",
        "find . -delete",
        "sed -i p a",
        "rm -rf build",
        "cat .env",
        "tee a",
      ]);
      const words = bare.split(" ");
      const written = words.map((word) => (random.once(2) ? word : requote(random, word))).join(" ");
      const [plain, quoted] = [judgeBash(bare), judgeBash(written)];
      const shown = (analysis: BashAnalysis): unknown =>
        analysis.units.map((unit) => unit.words.map(({ text }) => text));
      expect([written, shown(quoted.analysis)]).toEqual([written, shown(plain.analysis)]);
      expect([written, quoted.readOnly, quoted.silent]).toEqual([written, plain.readOnly, plain.silent]);
    });
  });

  test("random commands with random words are read to an end", async () => {
    await forAll(1500, (random) => {
      const line = randomLine(random, { simple: [randomCommand(random, names), randomCommand(random, names)] });
      checkShape(analyzeBash(line), line.length);
    });
  });
});

test("the same seed makes the same lines", () => {
  const make = (): string => randomLine(createRandom(7), { simple: readers });
  expect(make()).toBe(make());
});
