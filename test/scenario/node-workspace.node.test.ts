import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createAgentState, outputText, PermissionEngine, Toolkit } from "holdall";
import { nodeBackend } from "holdall/node";
import { codingTools } from "holdall/tools";
import { afterEach, describe, expect, test } from "vitest";
import { temporaryFolders } from "../adapters/node-support.ts";

const folder = temporaryFolders();
const closing: (() => Promise<void> | undefined)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function openWorkspace() {
  const top = await folder();
  const root = join(top, "work");
  await mkdir(join(root, "src"), { recursive: true });
  await writeFile(join(root, "src/a.ts"), "export const answer = 41;\r\n");
  await writeFile(join(root, "run.sh"), "#!/bin/sh\necho run\n", { mode: 0o755 });
  await writeFile(join(top, "secret"), "secret");
  const backend = nodeBackend({ root, home: root });
  closing.push(() => backend.close?.());
  const toolkit = new Toolkit({ tools: codingTools({ backend }) });
  const state = createAgentState();
  const say = async (name: string, input: Record<string, unknown>, permission?: PermissionEngine): Promise<string> => {
    const result = await toolkit.run({ name, input }, { state, ...(permission && { permission }) });
    return `${result.state}: ${outputText(result.output)}`;
  };
  return { top, root, say };
}

describe("the coding tools on real files", () => {
  test("find, read and edit what the shell speaks of, and the shell sees what they wrote", async () => {
    const { root, say } = await openWorkspace();
    const path = (await say("Bash", { command: "cd src && ls -d $PWD/*" })).replace(/^success: /, "").trim();
    expect(path).toBe(`${root}/src/a.ts`);
    expect(await say("Read", { file_path: path })).toContain("export const answer = 41;");
    await say("Edit", { file_path: path, old_string: "41", new_string: "42" });
    expect(await readFile(path, "utf8")).toBe("export const answer = 42;\r\n");
    expect(await say("Bash", { command: "cat a.ts; pwd" })).toBe(`success: export const answer = 42;\r\n${root}/src\n`);
    await say("Write", { file_path: "new/deep/b.ts", content: "export const other = 42;\n" });
    expect(await say("Grep", { pattern: "= 42", output_mode: "count" })).toContain(`${root}/new/deep/b.ts:1`);
    expect(await say("Glob", { pattern: "**/*.ts" })).toContain(`${root}/src/a.ts`);
  });

  test("notice what the shell has changed since it was read", async () => {
    const { root, say } = await openWorkspace();
    await say("Read", { file_path: "src/a.ts" });
    await say("Bash", { command: "sed -i 's/41/40/' src/a.ts" });
    expect(await say("Edit", { file_path: "src/a.ts", old_string: "41", new_string: "42" })).toMatch(/^error: /);
    expect(await readFile(join(root, "src/a.ts"), "utf8")).toBe("export const answer = 40;\r\n");
  });

  test("keep a script runnable", async () => {
    const { say } = await openWorkspace();
    await say("Read", { file_path: "run.sh" });
    await say("Edit", { file_path: "run.sh", old_string: "echo run", new_string: "echo changed" });
    expect(await say("Bash", { command: "./run.sh" })).toBe("success: changed\n");
  });

  test("refuse what lies outside, behind links too, with or without permission rules", async () => {
    const { top, root, say } = await openWorkspace();
    await symlink(top, join(root, "up"));
    const bypass = new PermissionEngine({ mode: "bypass" });
    for (const permission of [undefined, bypass]) {
      for (const path of [`${top}/secret`, "../secret", "up/secret", "/etc/passwd"]) {
        const answer = await say("Read", { file_path: path }, permission);
        expect(answer, path).not.toMatch(/^success/);
        await say("Write", { file_path: path, content: "x" }, permission);
      }
      expect(await say("Grep", { pattern: "secret", path: "up" }, permission)).not.toMatch(/^success/);
    }
    expect(await readFile(join(top, "secret"), "utf8")).toBe("secret");
  });

  test("let edits inside the workspace pass in accept_edits, and ask for a link that leads out", async () => {
    const { top, root, say } = await openWorkspace();
    await symlink(top, join(root, "up"));
    const edits = new PermissionEngine({ mode: "accept_edits" });
    expect(await say("Write", { file_path: "src/new.ts", content: "x\n" }, edits)).toMatch(/^success/);
    expect(await say("Write", { file_path: "up/new.ts", content: "x\n" }, edits)).not.toMatch(/^success/);
    await expect(readFile(join(top, "new.ts"))).rejects.toThrow("ENOENT");
  });
});
