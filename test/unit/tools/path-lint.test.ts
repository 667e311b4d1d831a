/** The linter of rules over paths: what it complains about, and that it is right. */

import { PermissionEngine } from "holdall";
import { memoryBackend } from "holdall/memory";
import { lintPathRule, writeTool } from "holdall/tools";
import { describe, expect, test } from "vitest";

const table: [content: string, problem: string | undefined][] = [
  ["", undefined],
  ["src/**", undefined],
  ["src/", undefined],
  ["src/*.ts", undefined],
  ["**", undefined],
  ["**/*.md", undefined],
  ["/work/src/**/*.{ts,tsx}", undefined],
  ["~/notes/**", undefined],
  ["/other/**", undefined],
  ["{a,b}/**", undefined],
  ["src/\\[id\\]/**", undefined],
  ["src/.github/**", undefined],
  [".env.example", undefined],
  [" src/**", "inert"],
  ["src/**\n", "inert"],
  ["src:*", "inert"],
  ["src/**.ts", "inert"],
  ["src**", "inert"],
  ["src\\a.ts", "inert"],
  ["C:/work/**", "inert"],
  ["C:\\work\\a.ts", "inert"],
  ["~me/notes/**", "inert"],
  ["file:///work/**", "inert"],
  ["!src/**", "inert"],
  ["{1..99999999}", "inert"],
  ["a".repeat(5000), "inert"],
  [".env", "inert"],
  [".git/**", "inert"],
  ["/home/me/.SSH/config", "inert"],
  ["/", "broad"],
  ["/**", "broad"],
  ["/*", "broad"],
  ["/**/*", "broad"],
  ["~/**", "broad"],
  ["~/", "broad"],
  ["../**", "broad"],
  ["../../*", "broad"],
];

describe("lintPathRule", () => {
  test.each(table)("%j: %s", (content, problem) => {
    const problems = lintPathRule(content);
    expect(problems.map(({ code }) => code)).toEqual(problem === undefined ? [] : [problem]);
    for (const { message } of problems) expect(message).toMatch(/\.$/);
  });

  test("has nothing against deny and ask rules that are broad or about dangerous files", () => {
    for (const behavior of ["deny", "ask"] as const) {
      for (const content of ["/**", "~/**", ".env", ".git/**"]) expect(lintPathRule(content, behavior)).toEqual([]);
      expect(lintPathRule("!src/**", behavior)).toHaveLength(1);
    }
  });

  test("what it calls inert allows nothing of what it seems to allow", async () => {
    const backend = memoryBackend({ cwd: "/work", home: "/home/me" });
    const paths = ["src/a.ts", "src/deep/a.ts", ".env", ".git/config", "/home/me/.SSH/config", "/home/me/notes/a"];
    for (const [content] of table.filter(([, problem]) => problem === "inert")) {
      const engine = new PermissionEngine({ rules: [{ tool: "Write", content, behavior: "allow" }] });
      for (const file_path of paths) {
        // A ** beside other characters still stands for something in one folder.
        if (/\*\*\.ts|^src\*\*/.test(content)) continue;
        const { behavior } = await engine.check(writeTool({ backend }), { file_path, content: "" });
        expect([content, file_path, behavior]).toEqual([content, file_path, "ask"]);
      }
    }
  });
});
