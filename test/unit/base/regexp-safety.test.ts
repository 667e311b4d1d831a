import { describe, expect, test } from "vitest";
import { createAtoms } from "../../../src/base/regexp-atoms.ts";
import { judgeRegExp, MAX_DEGREE } from "../../../src/base/regexp-safety.ts";
import { parseRegExp, printRegExp } from "../../../src/base/regexp-syntax.ts";
import { forAll, type Random } from "../property.ts";

const judge = (source: string): number | "exponential" => {
  const cost = judgeRegExp(parseRegExp(source) ?? [], createAtoms("m"));
  return cost.kind === "exponential" ? "exponential" : cost.degree;
};

describe("parseRegExp", () => {
  test.each([
    "a|b|",
    "(?:a|(b))(?<name>c)\\k<name>\\1",
    "(?=a)(?!b)(?<=c)(?<!d)",
    "a*b+?c??d{2}e{2,}f{2,3}?g{,3}h{x}{}",
    "[a\\]b][^]x[]",
    "\\d\\.\\u0041\\x41\\cA\\0\\/",
    "^$\\b\\B.",
    "interface{}",
    "é漢🦊+",
  ])("reads %j so that it can be written again", (source) => {
    expect(printRegExp(parseRegExp(source) ?? [])).toBe(source);
  });

  test("gives up on groups that nest too deep", () => {
    expect(parseRegExp("(".repeat(200) + ")".repeat(200))).toBeUndefined();
  });
});

describe("judgeRegExp", () => {
  test.each([
    ["(a+)+$"],
    ["(a*)*"],
    ["(a|a)*b"],
    ["(a|ab|b)*c"],
    ["(a|b|ab)*c"],
    ["(?:a|\\w)+x"],
    ["(.*)*x"],
    ["(.*,)*x"],
    ["([a-zA-Z]+)*$"],
    ["(a?b?)*x"],
    ["(?:a?){30}a{30}"],
    ["a?".repeat(30) + "a".repeat(30)],
    ["(?:a|a)".repeat(30)],
    ["((a|a){8}){8}"],
    ["(a{1,3})+$"],
    ["(a{1,30}){1,30}"],
    ["(x+x+)+y"],
    ["(\\s*\\w+\\s*)*;"],
    ["(?:(?:ab)?ab)*c"],
    ["(?: a*|\\w)+$"],
    ["^(([a-z])+.)+[A-Z]([a-z])+$"],
    ["(?=(a+)+$)"],
    ["(?<!(a|a)*b)c"],
    ["(\\w+)(\\1)*\\1*x*\\1*\\1*\\1*y"],
    ["a.*b.*c.*d.*e.*f.*g"],
    [".*.*.*.*.*.*x"],
    ["(?:\\r\\n|\\r|\\n)*x"],
  ])("calls %j exponential, or as bad", (source) => {
    expect(judge(source)).toBe("exponential");
  });

  test.each([
    ["TODO|FIXME", 1],
    ["\\bfoo\\b", 1],
    ["foo\\s*=", 1],
    ["foo.*", 1],
    ["^\\s*export (const|function) \\w+", 1],
    ["^(?:\\w+\\s)*$", 1],
    ["foo.*bar", 2],
    ["\\w+\\s*=", 2],
    ["\\s+$", 2],
    ["(\\w+\\s)*x", 2],
    ["(?:[\\w-]+\\.)+com", 2],
    ['"(?:[^"\\\\]|\\\\.)*"', 2],
    ["(?:foo|foobar)*x", 2],
    ["(a|ab)*x", 2],
    ["(?:\\s*,\\s*\\w+)*;", 2],
    ['(?:\\w+\\s*=\\s*"[^"]*"\\s*)*>', 2],
    ["(?:\\d{1,3}\\.){3}\\d{1,3}", 1.5],
    ["import\\s+\\{[^}]*\\}\\s+from\\s+['\"]([^'\"]+)['\"]", 2],
    ["function\\s+(\\w+)\\s*\\(([^)]*)\\)", 2],
    ["(a?)+x", 2],
    ["\\S+@\\S+\\.\\S+", 3],
    ["<(\\w+)[^>]*>.*?</\\1>", 3],
    ["foo.*bar.*baz.*qux", 4],
  ])("calls %j harmless, with degree %j", (source, degree) => {
    expect(judge(source)).toBe(degree);
  });

  test("takes upper and lower case for the same when they are", () => {
    const choices = parseRegExp("(a|A)*b") ?? [];
    expect([judgeRegExp(choices, createAtoms("m")).kind, judgeRegExp(choices, createAtoms("mi")).kind]).toEqual([
      "polynomial",
      "exponential",
    ]);
  });

  test("is quick on long and nested patterns", () => {
    const long = [
      `(?:${Array.from({ length: 900 }, (_, index) => `w${index}`).join("|")})*x`,
      "[ab]*".repeat(800),
      "(".repeat(99) + "a+".repeat(300) + ")*".repeat(99),
      "(?:a{1,3}b){1,3}".repeat(200),
    ];
    for (const source of long)
      expect(["polynomial", "exponential"]).toContain(judgeRegExp(parseRegExp(source) ?? [], createAtoms("m")).kind);
  });

  test("calls nothing harmless that a short text can stop", () =>
    forAll(600, (random) => {
      const source = randomPattern(random, 3) + random.pick(["$", "c", "!x", "\\b!"]);
      const cost = judgeRegExp(parseRegExp(source) ?? [], createAtoms("m"));
      if (cost.kind === "exponential") return;
      expect(cost.degree).toBeLessThanOrEqual(MAX_DEGREE);
      const regexp = new RegExp(source, "m");
      // An exponential one would take hours on any of these.
      const length = cost.degree > 3 ? 20 : 50;
      for (const unit of ["a", "b", "ab", "abc", "a b ", "aab", "ba ", " "])
        regexp.test(`${unit.repeat(length / unit.length)}!`);
    }));
});

function randomPattern(random: Random, depth: number): string {
  return Array.from({ length: 1 + random.below(3) }, () => randomItem(random, depth)).join("");
}

function randomItem(random: Random, depth: number): string {
  const quantifier = random.pick(["", "", "", "*", "+", "?", "*?", "{2}", "{1,3}", "{0,9}", "{12}"]);
  if (depth === 0 || !random.once(3))
    return random.pick(["a", "b", "c", "[ab]", "[bc]", "[^a]", ".", "\\w", "\\s", " "]) + quantifier;
  const choices = Array.from({ length: 1 + random.below(2) }, () => randomPattern(random, depth - 1));
  return `(?:${choices.join("|")})${quantifier}`;
}
