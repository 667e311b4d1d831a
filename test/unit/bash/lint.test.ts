import { describe, expect, test } from "vitest";
import { lintBashRule } from "../../../src/bash/index.ts";

describe("lintBashRule", () => {
  test.each([
    "npm run:*",
    "git commit:*",
    "git * main",
    "npm test",
    "rm build/a.txt",
    "python x.py:*",
    "python -m pytest:*",
    "bash build.sh:*",
    "sudo apt update:*",
    "make > log",
    "./gradlew:*",
    "",
  ])("finds nothing wrong with %j", (rule) => {
    expect(lintBashRule(rule)).toEqual([]);
  });

  test.each([
    [":*", "broad"],
    ["*", "broad"],
    ["bash:*", "broad"],
    ["bash -c:*", "broad"],
    ["sh -c *", "broad"],
    ["python3:*", "broad"],
    ["python -c:*", "broad"],
    ["node -e:*", "broad"],
    ["node --eval:*", "broad"],
    ["git:*", "broad"],
    ["rm *", "broad"],
    ["curl:*", "broad"],
    ["docker:*", "broad"],
    ["sudo:*", "inert"],
    ["env:*", "inert"],
    ["timeout:*", "inert"],
    ["xargs *", "inert"],
    ["npm test && npm run build:*", "inert"],
    ["npm test; *", "inert"],
    ["git 'commit:*", "inert"],
    ["npm 'test", "inert"],
    ["npm *test:*", "inert"],
    ["npm test > log:*", "inert"],
    ["FOO=1 npm test:*", "inert"],
    ["ls:*", "needless"],
    ["cat:*", "needless"],
  ])("%j is %s", (rule, code) => {
    const problems = lintBashRule(rule);
    expect(problems.map((problem) => problem.code)).toEqual([code]);
    expect(problems[0]?.message).toMatch(/\. [A-Z].*\.$|\.$/);
  });
});
