import { execFile } from "node:child_process";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Backend, createAgentState, outputText, Toolkit } from "holdall";
import { nodeBackend } from "holdall/node";
import { backgroundRuns, codingTools, shellCommandTool } from "holdall/tools";
import { afterEach, describe, expect, test } from "vitest";
import { type OpenGround, openGroundDesk } from "../unit/tools/ground.ts";
import { bytesOf } from "../unit/tools/setup.ts";
import { editSequenceCases } from "../unit/tools/tables/edit-sequences.ts";
import { fieldRowCases } from "../unit/tools/tables/field-rows.ts";
import { notebookEditCases } from "../unit/tools/tables/notebook-edits.ts";
import { textFileCases } from "../unit/tools/tables/text-files.ts";

const folders: string[] = [];
const backends: Backend[] = [];

async function openFolder(): Promise<Backend & { root: string }> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "holdall-tools-")));
  folders.push(root);
  const backend = nodeBackend({ root });
  backends.push(backend);
  return { ...backend, root };
}

const openDisk: OpenGround = async (files) => {
  const backend = await openFolder();
  const { root } = backend;
  for (const [path, content] of Object.entries(files)) await backend.fs.write(join(root, path), bytesOf(content));
  return { backend, root, close: async () => {} };
};

afterEach(async () => {
  await Promise.all(backends.splice(0).map((backend) => backend.close?.()));
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

describe("the tools on real files", () => {
  fieldRowCases(openDisk);
  textFileCases(openDisk);
  editSequenceCases(openDisk, 2);
  notebookEditCases(openDisk);

  test("refuse a real pipe and a real device at once", async () => {
    const desk = await openGroundDesk(openDisk, {}, ({ backend }) => codingTools({ backend }));
    await promisify(execFile)("mkfifo", [join(desk.root, "pipe")]);
    for (const path of ["pipe", "/dev/zero"]) {
      expect(await desk.say("Read", { file_path: path })).toMatch(/^error: /);
      expect(await desk.say("Write", { file_path: path, content: "x" })).toMatch(/^error: /);
      expect(await desk.say("Edit", { file_path: path, old_string: "", new_string: "x" })).toMatch(/^error: /);
    }
  });

  test("write through no link that leads out of the root", async () => {
    const desk = await openGroundDesk(openDisk, {}, ({ backend }) => codingTools({ backend }));
    const outside = await realpath(await mkdtemp(join(tmpdir(), "holdall-outside-")));
    folders.push(outside);
    await promisify(execFile)("ln", ["-s", outside, join(desk.root, "out")]);
    expect(await desk.say("Write", { file_path: "out/new.txt", content: "x" })).toMatch(/^error: /);
    expect(await promisify(execFile)("ls", ["-A", outside])).toMatchObject({ stdout: "" });
  });
});

describe("commands on a real shell", () => {
  async function open() {
    const backend = await openFolder();
    const background = backgroundRuns();
    const state = createAgentState();
    const tools = [
      ...codingTools({ backend, background, env: { GREETING: "hello" } }),
      shellCommandTool({ backend, approve: () => true }),
    ];
    const toolkit = new Toolkit({ tools });
    const say = async (name: string, input: object): Promise<string> => {
      const result = await toolkit.run({ name, input }, { state });
      return `${result.state}: ${outputText(result.output)}`;
    };
    return { ...backend, background, say, state };
  }

  test("keep folder and variables, and tell codes and signals", async () => {
    const { say } = await open();
    expect(await say("Bash", { command: "mkdir sub && cd sub && x=1; echo $GREETING" })).toBe("success: hello\n");
    expect(await say("Bash", { command: 'basename "$PWD"; echo $x; exit 3' })).toBe("error: sub\n1\n[Exit code 3.]");
    expect(await say("Bash", { command: "kill -9 $$" })).toBe("error: [The command was killed by SIGKILL.]");
    expect(await say("Bash", { command: "cat; echo done" })).toBe("success: done\n");
    expect(await say("Bash", { command: "echo part; sleep 30", timeout: 1000 })).toMatch(
      /^error: part\n\[The command took longer than 1000 ms and was killed\./,
    );
  });

  test("keep both ends of what is too long for a call", async () => {
    const { say } = await open();
    const said = await say("Bash", { command: "echo first; seq 1 2000000; echo last" });
    expect([
      said.startsWith("success: first\n1\n2\n"),
      said.endsWith("1999999\n2000000\nlast\n"),
      said.length < 51_000,
    ]).toEqual([true, true, true]);
  });

  test("run in the background, are read, and are gone when they are stopped", async () => {
    const { say, background, state } = await open();
    const command = "echo $$ > pid; echo up; sleep 60 & wait";
    expect(await say("Bash", { command, run_in_background: true })).toMatch(/as bash_1\./);
    expect(await say("Bash", { command: "until [ -s pid ]; do sleep 0.02; done; echo other" })).toBe(
      "success: other\n",
    );
    await expect.poll(() => say("BashOutput", { bash_id: "bash_1" })).toMatch(/^success: up\n\[bash_1 is running\.\]$/);
    const group = await say("Bash", { command: "cat pid" });
    expect(await say("KillShell", { shell_id: "bash_1" })).toBe("success: bash_1 has been stopped.");
    const pid = group.replace(/\D/g, "");
    expect(await say("Bash", { command: `kill -0 ${pid} 2>/dev/null && echo alive || echo gone` })).toBe(
      "success: gone\n",
    );
    expect(await say("Bash", { command: "exit 4", run_in_background: true })).toMatch(/as bash_2\./);
    await expect.poll(() => background.reminder(state)).toContain("- bash_2 has ended with exit code 4: exit 4");
    await say("Bash", { command: "sleep 60", run_in_background: true });
    await background.close();
    expect(background.list(state).filter(({ status }) => status === "running")).toEqual([]);
  });

  test("execute_shell_command answers in tags", async () => {
    const { say } = await open();
    const run = (command: string, more: object = {}): Promise<string> =>
      say("execute_shell_command", { command, ...more });
    expect(await run("echo out; echo err >&2; exit 2")).toBe(
      "error: <returncode>2</returncode><stdout>out</stdout><stderr>err</stderr>",
    );
    expect(await run("echo half; sleep 30", { timeout: 1 })).toBe(
      "error: <returncode>-1</returncode><stdout>half</stdout><stderr>TimeoutError: The command execution exceeded the timeout of 1 seconds.</stderr>",
    );
    expect(await run("kill -11 $$")).toBe("error: <returncode>139</returncode><stdout></stdout><stderr></stderr>");
  });
});
