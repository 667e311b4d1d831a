import { PermissionEngine } from "holdall";
import { memoryBackend } from "holdall/memory";
import { bashTool, shellCommandTool } from "holdall/tools";
import { describe, expect, test } from "vitest";

const cwd = "/work/app";

/** Decides over a command line in a place with these files. */
async function decide(command: string, names: readonly string[], mode: "default" | "accept_edits"): Promise<string> {
  const files = Object.fromEntries([...names, "src/a.txt", "b/a.txt"].map((name) => [name, "x"]));
  const tool = bashTool({ backend: memoryBackend({ cwd, home: "/home/ada", files }) });
  return (await new PermissionEngine({ mode }).check(tool, { command })).behavior;
}

const repository = [".git/HEAD", ".git/objects/x", ".git/config"];
const bare = [...repository, "b/HEAD", "b/objects/x", "b/refs/x", "b/config"];

describe("a folder that only looks like a repository", () => {
  test.each([
    "cd b && git status",
    "(cd b; git diff)",
    "git -C b log",
    "cd ./b/ && ls && git log -p",
    "cd b/refs && git status",
    "pushd b && git status",
    "sh -c 'cd b && git status'",
    "cd b && env git status",
    "cd b && /usr/bin/git status",
    "cd b && gh pr list",
    "for i in a; do cd b && git status; done",
  ])("%j is asked about", async (command) => {
    expect(await decide(command, bare, "default")).toBe("ask");
    expect(await decide(command, bare, "accept_edits")).toBe("ask");
  });

  test("is one with its objects elsewhere, too", async () => {
    expect(await decide("git -C b status", [...repository, "b/HEAD", "b/commondir"], "default")).toBe("ask");
  });

  test("is no matter to other programs, nor to git elsewhere", async () => {
    for (const command of [
      "cd b && ls",
      "git status",
      "cd src && git status",
      "git -C src log",
      "git diff -- b/config",
    ]) {
      expect([command, await decide(command, bare, "default")]).toEqual([command, "allow"]);
    }
  });

  test("is nothing without the names that git looks for", async () => {
    const names = [...repository, "b/head.ts", "src/HEAD"];
    for (const command of ["cd b && git status", "cd src && git status"]) {
      expect([command, await decide(command, names, "default")]).toEqual([command, "allow"]);
    }
  });

  test("may be made by the line itself, which is asked about", async () => {
    for (const command of [
      "cp src/a.txt b/HEAD && cd b && git status",
      "mkdir -p b/objects b/refs && cp a b/HEAD && git -C b status",
      "mv src new && cd new && git log",
    ]) {
      expect([command, await decide(command, repository, "accept_edits")]).toEqual([command, "ask"]);
    }
    expect(await decide("rm src/a.txt && git status", repository, "accept_edits")).toBe("allow");
  });
});

describe("a list of allowed commands", () => {
  /** Decides over a line in a place with these files, where `ls`, `cd`, `mkdir`, `git status` and `git add` with anything are allowed. */
  const decideListed = async (command: string, names: readonly string[]): Promise<string> => {
    const files = Object.fromEntries([...names, "src/a.txt", "b/a.txt"].map((name) => [name, "x"]));
    const allowedCommands = ["ls", "cd", "mkdir", "git status", "git add:*"];
    const tool = shellCommandTool({ backend: memoryBackend({ cwd, files }), allowedCommands });
    return (await new PermissionEngine({ mode: "default" }).check(tool, { command })).behavior;
  };

  test.each([
    ["git status", repository, "allow"],
    ["cd b && git status", repository, "allow"],
    ["git add src/a.txt", repository, "allow"],
    ["cd b && git status", bare, "ask"],
    ["git -C b status", bare, "ask"],
    ["mkdir -p b/objects && cd b && git status", [...repository, "b/HEAD"], "ask"],
  ])("%j in a place with %j", async (command, names, behavior) => {
    expect(await decideListed(command, names)).toBe(behavior);
  });
});
