// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions, not templates
import { describe, expect, test } from "vitest";
import {
  analyzeBash,
  collectEvidence,
  judgeBash,
  locateBashRule,
  MAX_COMMAND_LENGTH,
  MAX_EVIDENCE,
  matchBashRule,
  suggestBashRules,
  uncoveredUnits,
} from "../../../src/bash/index.ts";

/** Ways of nesting and repeating, as long as asked for. */
const shapes: Record<string, (length: number) => string> = {
  "open parentheses": (length) => "(".repeat(length),
  parentheses: (length) => `${"(".repeat(length / 2)}ls${")".repeat(length / 2)}`,
  "open substitutions": (length) => `echo ${"$(".repeat(length / 2)}`,
  substitutions: (length) => `${"echo $(".repeat(length / 8)}ls${")".repeat(length / 8)}`,
  backticks: (length) => "`".repeat(length),
  "escaped backticks": (length) => "`\\`\\\\\\`".repeat(length / 8),
  "quoted substitutions": (length) => '"$('.repeat(length / 3),
  "process substitutions": (length) => `cat ${"<(".repeat(length / 2)}`,
  arithmetic: (length) => `echo $((${"1+$((".repeat(length / 5)}`,
  "arithmetic choices": (length) => `echo $((${"1?".repeat(length / 2)}))`,
  negations: (length) => `echo $((${"!".repeat(length)}1))`,
  parameters: (length) => `echo ${"${x:-".repeat(length / 6)}${"}".repeat(length / 6)}`,
  groups: (length) => `${"{ ".repeat(length / 4)}ls${"; }".repeat(length / 4)}`,
  conditions: (length) => "if ".repeat(length / 3),
  functions: (length) => "f(){ ".repeat(length / 5),
  cases: (length) => "case x in ".repeat(length / 10),
  tests: (length) => `[[ ${"( ".repeat(length / 2)}`,
  subscripts: (length) => `a${"[a".repeat(length / 2)}`,
  braces: (length) => `ls ${"{a,".repeat(length / 4)}${"}".repeat(length / 4)}`,
  "brace products": (length) => `ls ${"{a,b}".repeat(length / 5)}`,
  stars: (length) => `cat ${"*".repeat(length)}`,
  brackets: (length) => `ls ${"[".repeat(length)}`,
  "extended globs": (length) => `ls ${"@(".repeat(length / 2)}`,
  "here-documents": (length) => `cat ${"<<E ".repeat(length / 4)}`,
  lists: (length) => "ls;".repeat(length / 3),
  pipes: (length) => `${"ls|".repeat(length / 3)}ls`,
  redirections: (length) => `ls ${">a ".repeat(length / 3)}`,
  wrappers: (length) => "env ".repeat(length / 4),
  evals: (length) => "eval ".repeat(length / 5),
  shells: (length) => "sh -c ".repeat(length / 6),
  clusters: (length) => `sort -${"r".repeat(length)}`,
  options: (length) => `sort ${"-r ".repeat(length / 3)}`,
  assignments: (length) => Array.from({ length: length / 8 }, (_, index) => `a${index}=1`).join(";"),
  callers: (length) => Array.from({ length: length / 20 }, (_, index) => `f${index}() { f${index + 1}; }`).join("\n"),
  "changes of folder": (length) => "cd a;".repeat(length / 5),
  climbing: (length) => `cat ${"a/../".repeat(length / 5)}b`,
  "sed commands": (length) => `sed '${"s/a/b/;".repeat(length / 7)}'`,
  "awk patterns": (length) => `awk '${"/".repeat(length)}'`,
  "find actions": (length) => `find . ${"-exec ".repeat(length / 6)}`,
  variables: (length) => `cat ${"$x".repeat(length / 2)}`,
  files: (length) => `rm ${"a ".repeat(length / 2)}`,
  declarations: (length) => `export ${"A=1 ".repeat(length / 4)}`,
  "small functions": (length) => "f(){ ls;};".repeat(length / 10),
  "reading outside": (length) => "cat /etc/x;".repeat(length / 11),
  "arguments from elsewhere": (length) => "ls|xargs rm;".repeat(length / 12),
};

describe("limits", () => {
  test.each(Object.entries(shapes))("%s end, however many", (_name, make) => {
    for (const length of [500, 10_000, 60_000]) {
      const analysis = analyzeBash(make(length));
      expect(analysis.units.length).toBeLessThanOrEqual(length);
    }
  });

  test.each(Object.entries(shapes))("rules, suggestions and evidence over %s end, too", (_name, make) => {
    const analysis = analyzeBash(make(30_000));
    for (const content of ["rm:*", "rm x y", "git * main", "*", "a\\*b"]) {
      for (const behavior of ["allow", "deny", "ask"] as const) matchBashRule(content, analysis, behavior);
      expect(locateBashRule(content, analysis, "deny").length).toBeLessThanOrEqual(analysis.units.length);
    }
    expect(uncoveredUnits(["ls:*", "cat x"], analysis).length).toBeLessThanOrEqual(analysis.units.length);
    expect(suggestBashRules(analysis).length).toBeLessThanOrEqual(10);
    expect(collectEvidence(analysis).length).toBeLessThanOrEqual(MAX_EVIDENCE);
  });

  test.each(Object.entries(shapes))("100 kB of %s are refused unread", (_name, make) => {
    const { units, errors, readOnly } = analyzeBash(make(110_000).slice(0, 100_000));
    expect([units, errors.map(({ code }) => code), readOnly]).toEqual([[], ["too-long"], false]);
  });

  test("deep nesting asks", () => {
    for (const name of ["parentheses", "substitutions", "groups", "evals", "wrappers", "parameters"]) {
      const judged = judgeBash(shapes[name]?.(8000) ?? "");
      expect([name, judged.silent, judged.immune.length > 0]).toEqual([name, false, true]);
    }
  });

  test("ordinary nesting does not", () => {
    const nested = `${"( ".repeat(20)}ls${")".repeat(20)}`;
    expect(judgeBash(nested).silent).toBe(true);
    expect(judgeBash("echo $(echo $(echo $(echo $(ls))))").silent).toBe(true);
    expect(judgeBash(`cat <<'E'\n${"x $( ` ${ \n".repeat(90)}E`).silent).toBe(true);
  });

  test("the longest line is read, one more character is not", () => {
    const line = `echo ${"a".repeat(MAX_COMMAND_LENGTH - 5)}`;
    expect([judgeBash(line).silent, judgeBash(`${line}a`).silent]).toEqual([true, false]);
  });
});
