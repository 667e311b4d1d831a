/** What the file tools tell the permission engine, and what rules over paths match. */

import {
  createAgentState,
  outputText,
  PermissionEngine,
  type PermissionMode,
  type PermissionRule,
  type Tool,
  Toolkit,
} from "holdall";
import { analyzeBash, DANGEROUS_DIRECTORIES as bashDirectories, DANGEROUS_FILES as bashFiles } from "holdall/bash";
import { memoryBackend } from "holdall/memory";
import { codingTools, DANGEROUS_DIRECTORIES, DANGEROUS_FILES } from "holdall/tools";
import { describe, expect, test } from "vitest";
import { dangerousPaths } from "../../../src/base/dangerous-paths.ts";

const backend = memoryBackend({
  cwd: "/work",
  home: "/home/me",
  files: { "src/a.ts": "", ".env": "", "/other/b.ts": "", "/extra/c.ts": "" },
});
const links = {
  "/work/alias": ".env",
  "/work/out": "/other",
  "/work/dangling": "/outside/new.txt",
  "/work/loop": "loop",
  "/shortcut": "/work/src",
};
const linked = Promise.all(Object.entries(links).map(([path, target]) => backend.fs.symlink?.(target, path)));

const tools = new Map(
  codingTools({ backend, dangerousFiles: [".cursor/mcp.json", "secrets.txt"], dangerousDirectories: [".aws"] }).map(
    (tool) => [tool.name, tool],
  ),
);

function toolNamed(name: string): Tool {
  const tool = tools.get(name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}

async function decide(name: string, input: unknown, mode: PermissionMode, rules: PermissionRule[] = []) {
  await linked;
  const engine = new PermissionEngine({ mode, rules, workingDirectories: ["/extra"] });
  return engine.check(toolNamed(name), input);
}

const writes: [path: string, mode: PermissionMode, behavior: string][] = [
  ["src/a.ts", "default", "ask"],
  ["src/a.ts", "accept_edits", "allow"],
  ["src/new/deep.ts", "accept_edits", "allow"],
  ["/extra/c.ts", "accept_edits", "allow"],
  ["/extra/c.ts", "dont_ask", "allow"],
  ["/other/b.ts", "accept_edits", "ask"],
  ["/other/b.ts", "dont_ask", "deny"],
  ["/workspace-evil/x", "accept_edits", "ask"],
  ["../other/b.ts", "accept_edits", "ask"],
  ["src/../../other/b.ts", "accept_edits", "ask"],
  ["out/b.ts", "accept_edits", "ask"],
  ["dangling", "accept_edits", "ask"],
  ["loop", "accept_edits", "ask"],
  ["/shortcut/a.ts", "accept_edits", "allow"],
  ["src/a.ts", "explore", "deny"],
  ["/other/b.ts", "bypass", "allow"],
  [".env", "accept_edits", "ask"],
  [".env", "dont_ask", "deny"],
  [".env", "bypass", "allow"],
  ["alias", "accept_edits", "ask"],
  ["~/.bashrc", "accept_edits", "ask"],
  [".git/hooks/pre-commit", "accept_edits", "ask"],
  ["secrets.txt", "accept_edits", "ask"],
  [".aws/credentials", "accept_edits", "ask"],
  [".cUrSoR/mcp.json", "accept_edits", "ask"],
  ["\0", "accept_edits", "ask"],
];

describe("permission of Write and Edit", () => {
  test.each(writes)("%s in mode %s: %s", async (file_path, mode, behavior) => {
    expect((await decide("Write", { file_path, content: "" }, mode)).behavior).toBe(behavior);
    expect((await decide("Edit", { file_path, old_string: "a", new_string: "b" }, mode)).behavior).toBe(behavior);
  });

  test("no rule silences the question about a dangerous file", async () => {
    const decision = await decide("Write", { file_path: ".env", content: "" }, "default", [
      { tool: "Write", content: "**", behavior: "allow" },
    ]);
    expect(decision).toMatchObject({
      behavior: "ask",
      bypassImmune: true,
      reason: "dangerous path",
      message: "/work/.env is a sensitive file: Write needs a confirmation for it.",
    });
  });

  test("offers the folder of the file, in a form that matches", async () => {
    for (const file_path of ["src/a.ts", "/other/[id]/b.ts", "/top.ts"]) {
      const { suggestedRules } = await decide("Write", { file_path, content: "" }, "default");
      expect(suggestedRules.length).toBe(1);
      expect((await decide("Write", { file_path, content: "" }, "default", suggestedRules)).behavior).toBe("allow");
    }
    const { suggestedRules } = await decide(
      "Edit",
      { file_path: "src/a.ts", old_string: "a", new_string: "b" },
      "default",
    );
    expect(suggestedRules).toEqual([{ tool: "Edit", content: "/work/src/**", behavior: "allow", source: "suggested" }]);
  });
});

describe("a change of a file that the model does not know", () => {
  const calls = [
    { name: "Write", input: { file_path: "f.txt", content: "c" } },
    { name: "Edit", input: { file_path: "f.txt", old_string: "a", new_string: "b" } },
  ];
  const unread = "/work/f.txt exists but has not been read. Read it first, then repeat the call.";
  const open = () => {
    const own = memoryBackend({ cwd: "/work", files: { "f.txt": "a\n" } });
    const toolkit = new Toolkit({ tools: codingTools({ backend: own }) });
    const state = createAgentState();
    const permission = new PermissionEngine();
    const say = async (call: { name: string; input: object }): Promise<string> => {
      const result = await toolkit.run(call, { state, permission });
      return `${result.state}: ${outputText(result.output)}`;
    };
    return { own, state, say };
  };

  test.each(calls)("$name answers before anybody is asked", async (call) => {
    const { own, say } = open();
    expect(await say(call)).toBe(`denied: ${unread}`);
    await say({ name: "Read", input: { file_path: "f.txt" } });
    expect(await say(call)).toMatch(/^suspended/);
    await own.fs.write("/work/f.txt", new TextEncoder().encode("A\n"));
    expect(await say(call)).toBe(
      "denied: /work/f.txt has changed since it was read; nothing was written. Read it again, then repeat the call.\nWhat has changed since:\n--- a/work/f.txt\n+++ b/work/f.txt\n@@ -1,1 +1,1 @@\n-a\n+A\n",
    );
    await own.fs.write("/work/f.txt", new TextEncoder().encode("a\n"));
    expect(await say(call)).toMatch(/^suspended/);
  });

  test.each(calls)("$name asks where there is nothing to know yet", async ({ name, input }) => {
    const { say } = open();
    expect(await say({ name, input: { ...input, file_path: "new.txt" } })).toMatch(/^suspended/);
    expect(await say({ name, input: { ...input, file_path: "/work" } })).toMatch(/^suspended/);
  });

  test("is no matter for a check without a conversation", async () => {
    const state = { permission: { rules: [], workingDirectories: [] } };
    const engine = new PermissionEngine();
    const input = { file_path: "src/a.ts", old_string: "a", new_string: "b" };
    expect((await engine.check(toolNamed("Edit"), input, { state })).behavior).toBe("ask");
  });
});

const allows: [glob: string, path: string, matches: boolean][] = [
  ["src/**", "src/a.ts", true],
  ["src/**", "/work/src/deep/a.ts", true],
  ["src/**", "src/../top.ts", false],
  ["src/**", "/other/src/a.ts", false],
  ["src/*", "src/deep/a.ts", false],
  ["src/", "src/deep/a.ts", true],
  ["src/**/*.py", "src/a/b.py", true],
  ["src/**/*.py", "src/b.py", true],
  ["src/**/*.py", "src/b.ts", false],
  ["config.json", "config.json", true],
  ["config.json", "src/config.json", false],
  ["./config.json", "config.json", true],
  ["**", "src/a.ts", true],
  ["**", "/other/b.ts", false],
  ["**/*.ts", "/other/b.ts", false],
  ["../other/**", "/other/b.ts", true],
  ["/other/**", "../other/b.ts", true],
  ["~/notes/**", "~/notes/x", true],
  ["~/notes/**", "/home/me/notes/x", true],
  ["src/**", "SRC/a.ts", false],
  ["out/**", "out/b.ts", false],
  ["/other/**", "out/b.ts", false],
];

const denies: [glob: string, path: string, matches: boolean][] = [
  [".env", ".env", true],
  ["./.env", "alias", true],
  [".env", ".ENV", true],
  ["**/.env", "src/.env", true],
  ["**/.env", "/elsewhere/.env", true],
  ["/other/**", "out/b.ts", true],
  ["out/**", "out/b.ts", true],
  ["src/**", "/shortcut/a.ts", true],
  ["src/**", "top.ts", false],
  ["caf\u00e9.txt", "cafe\u0301.txt", true],
  ["{1..99999999}", "top.ts", true],
];

describe("rules over paths", () => {
  test.each(allows)("allow %s for %s: %s", async (content, file_path, matches) => {
    const { behavior } = await decide("Write", { file_path, content: "" }, "default", [
      { tool: "Write", content, behavior: "allow" },
    ]);
    expect(behavior === "allow").toBe(matches);
  });

  test.each(denies)("deny %s for %s: %s", async (content, file_path, matches) => {
    const { behavior } = await decide("Read", { file_path, offset: 1, limit: 1 }, "default", [
      { tool: "Read", content, behavior: "deny" },
    ]);
    expect(behavior).toBe(matches ? "deny" : "allow");
  });

  test.each([
    { tool: "Glob", input: { pattern: "**" }, content: "/work", behavior: "deny" },
    { tool: "Glob", input: { pattern: "**", path: "src" }, content: "src/**", behavior: "deny" },
    { tool: "Glob", input: { pattern: "../other/**" }, content: "/other/**", behavior: "deny" },
    { tool: "Glob", input: { pattern: "/other/*.ts", path: "src" }, content: "/other", behavior: "deny" },
    { tool: "Glob", input: { pattern: "*", path: "out" }, content: "/other", behavior: "deny" },
    { tool: "Glob", input: { pattern: "*", path: "src" }, content: "/other", behavior: "allow" },
    { tool: "Grep", input: { pattern: "x", path: "alias" }, content: ".env", behavior: "deny" },
    { tool: "Grep", input: { pattern: "x" }, content: "src/**", behavior: "allow" },
  ])("deny $content for $tool $input: $behavior", async ({ tool, input, content, behavior }) => {
    expect((await decide(tool, input, "default", [{ tool, content, behavior: "deny" }])).behavior).toBe(behavior);
  });

  test("reading and searching needs no question in any mode", async () => {
    for (const mode of ["default", "explore", "dont_ask"] as const) {
      const decisions = [
        decide("Read", { file_path: "/other/b.ts" }, mode),
        decide("Glob", { pattern: "*" }, mode),
        decide("Grep", { pattern: "x" }, mode),
      ];
      expect((await Promise.all(decisions)).map(({ behavior }) => behavior)).toEqual(["allow", "allow", "allow"]);
    }
  });

  test("searches offer the folder that is searched", async () => {
    const { suggestedRules } = await decide("Glob", { pattern: "../other/**" }, "default", [
      { tool: "Glob", behavior: "ask" },
    ]);
    expect(suggestedRules).toEqual([{ tool: "Glob", content: "/other/**", behavior: "allow", source: "suggested" }]);
  });
});

describe("dangerousPaths", () => {
  const isDangerous = dangerousPaths({
    dangerousFiles: [".secrets", "conf/key.pem", "~/.home-only", "./dotted.txt", ""],
    dangerousDirectories: ["vault", "a/b", "trailing/"],
  });
  test.each<[path: string, dangerous: boolean]>([
    ["/x/.bashrc", true],
    ["/x/.ENV", true],
    ["/x/.env.local", true],
    ["/x/.environment", false],
    ["/x/my.env", false],
    ["/x/.ssh/id_rsa", true],
    ["/x/.git/config", true],
    ["/x/.git", true],
    ["/x/.github/workflows/ci.yml", false],
    ["/x/.g\u200cit/config", true],
    ["/x/.git. /config", true],
    ["/x/.env:stream", true],
    ["/x/\uff0eenv", true],
    ["/x/.git::$INDEX_ALLOCATION/config", true],
    ["/x/.env::$DATA", true],
    ["/x/.ENV. . .", true],
    ["/x/.\u017fsh/config", true],
    ["/x/.git\\hooks\\pre-commit", true],
    ["/x/GIT~1/config", true],
    ["/x/git~2/hooks/pre-commit", true],
    ["/x/GI7EB1~1/config", true],
    ["/x/GITCON~1", true],
    ["/x/ENV~1.LOC", true],
    ["/x/ENV~1.LOCAL", false],
    ["/x/VAULT~1/a", true],
    ["/x/digit~1", false],
    ["/x/.git~", false],
    [".env", true],
    [".git/config", true],
    ["env", false],
    ["/x/.bash_login", true],
    ["/x/.zshenv", true],
    ["/x/.claude/settings.json", true],
    ["/x/.secrets", true],
    ["/home/me/.home-only", true],
    ["/x/dotted.txt", true],
    ["/x/trailing/a", true],
    ["/x/conf/key.pem", true],
    ["/x/key.pem", false],
    ["/vault/x", true],
    ["/a/b/c", true],
    ["/xa/b/c", false],
    ["/", false],
  ])("%j: %s", (path, dangerous) => {
    expect(isDangerous(path)).toBe(dangerous);
  });
});

test("Bash and the file tools know the same dangerous names", () => {
  expect([bashFiles, bashDirectories]).toEqual([DANGEROUS_FILES, DANGEROUS_DIRECTORIES]);
  const isDangerous = dangerousPaths();
  const names = [...DANGEROUS_FILES, ...DANGEROUS_DIRECTORIES.map((name) => `${name}/x`)];
  for (const name of names.flatMap((one) => [one, one.toUpperCase(), `deep/er/${one}`])) {
    expect([name, isDangerous(`/work/${name}`)]).toEqual([name, true]);
    const { dangers } = analyzeBash(`touch ${name}`, { cwd: "/work" });
    expect([name, dangers.map(({ code }) => code)]).toEqual([name, ["protected-path"]]);
  }
});
