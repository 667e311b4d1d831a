import { describe, expect, test } from "vitest";
import { analyzeBash, judgeBash } from "../../../src/bash/index.ts";
import cases from "./cases/field.json";
import { decide } from "./decide.ts";

interface FieldCase {
  id: string;
  group: string;
  input: string;
  /** Whether it changes nothing. */
  readOnly: boolean;
  /** Whether a careful reviewer would want to be asked. */
  mustAsk: boolean;
  /** Either verdict would do; the one in the table is ours. */
  policy?: boolean;
  shell?: string;
  reason: string;
}

const fieldCases: readonly FieldCase[] = cases;

/** What these commands do is what their name says, so a rule for the name is the user's own word. */
const honest = new Set(["touch", "split", "./ls", "curl", "nslookup", "yarn"]);

describe("field cases", () => {
  test("are all there", () => {
    expect(fieldCases.length).toBe(310);
  });

  test.each(fieldCases.map((one) => [one.id, one.input, one] as const))(
    "%s %j",
    (_id, input, { readOnly, mustAsk }) => {
      const judged = judgeBash(input);
      expect(judged.readOnly).toBe(readOnly);
      if (readOnly) expect(judged.mustAsk.length > 0).toBe(mustAsk);
      // An ordinary write is for rules to decide: nothing about it stands above them.
      else if (!mustAsk) expect(judged.mustAsk).toEqual([]);
    },
  );

  test("wrongly allowed: none; needlessly asked: none", () => {
    const wrong = fieldCases.filter(({ input, mustAsk }) => mustAsk && decide(input) === "allow");
    const needless = fieldCases.filter(
      ({ input, readOnly, mustAsk }) => readOnly && !mustAsk && decide(input) === "ask",
    );
    expect([wrong, needless]).toEqual([[], []]);
  });

  test("a rule for the leading name alone allows no bypass", () => {
    const allowed = fieldCases.flatMap(({ input, readOnly, mustAsk }) => {
      if (readOnly || !mustAsk) return [];
      const [head = ""] = input.trim().split(/\s+/);
      const names = [head, analyzeBash(input).units.at(0)?.words.at(0)?.shown ?? head];
      const rules = names.filter((name) => !honest.has(name)).map((name) => `${name}:*`);
      return rules.some((rule) => decide(input, { allow: [rule] }) === "allow") ? [input] : [];
    });
    expect(allowed).toEqual([]);
  });

  test("a rule for everything allows nothing dangerous or unread", () => {
    const loud = fieldCases.filter(({ input }) => judgeBash(input).immune.length > 0);
    expect(loud.length).toBeGreaterThan(50);
    expect(loud.filter(({ input }) => decide(input, { allow: [":*", "*", input] }) === "allow")).toEqual([]);
  });
});
