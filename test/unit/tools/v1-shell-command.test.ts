/** execute_shell_command: what may run, who is asked, and the tagged answer. */

import { outputText, PermissionEngine, type Shell, type ShellExit, type ShellOutput, Toolkit } from "holdall";
import { justBashShell } from "holdall/just-bash";
import { memoryBackend } from "holdall/memory";
import { commandAllowList, type ShellCommandToolOptions, shellCommandTool } from "holdall/tools";
import { describe, expect, test } from "vitest";
import { handShell, settle } from "./hand-shell.ts";

interface Answering {
  output?: ShellOutput[];
  exit?: Partial<ShellExit>;
}

/** A shell that answers at once, and remembers what it ran. */
function answering({ output = [], exit = {} }: Answering = {}) {
  const ran: string[] = [];
  const options: unknown[] = [];
  const shell: Shell = {
    run: (command, { signal: _, session, ...given } = {}) => {
      ran.push(command);
      options.push({ ...given, ownSession: /^execute_shell_command\../.test(session ?? "") });
      return {
        exit: Promise.resolve({ code: 0, timedOut: false, truncated: false, ...exit }),
        async *[Symbol.asyncIterator]() {
          yield* output;
        },
      };
    },
  };
  return { shell, ran, options };
}

function open(options: Partial<ShellCommandToolOptions> = {}, answer: Answering = {}) {
  const { shell, ...seen } = answering(answer);
  const files = { "/work/base/a.txt": "a\n", "/work/other.txt": "s\n", "/work/base/sub/x.sh": "" };
  const backend = memoryBackend({ cwd: "/work", files, shell });
  const tool = shellCommandTool({ backend, baseDirectory: "base", ...options });
  const toolkit = new Toolkit({ tools: [tool] });
  const say = async (command: string, more: object = {}): Promise<string> => {
    const result = await toolkit.run({ name: "execute_shell_command", input: { command, ...more } });
    return `${result.state}: ${outputText(result.output)}`;
  };
  return { ...seen, backend, tool, toolkit, say };
}

const ok = "success: <returncode>0</returncode><stdout></stdout><stderr></stderr>";
const denial = (reason: string): string =>
  `error: <returncode>-1</returncode><stdout></stdout><stderr>SecurityError: ${reason} and no approval callback is configured.</stderr>`;
const unlisted = (name: string): string => denial(`Command '${name}' is not in the allowed whitelist`);

/** Command lines by what the list `ls pwd cat echo curl cp ./sub/x.sh` and `git log:*` says; rows of `upstream-java.jsonl` by line. */
const lines: { row?: number; command: string; says: string | RegExp }[] = [
  { command: "ls", says: ok },
  { command: "ls -la sub", says: ok },
  { command: "/bin/ls", says: ok },
  // Upstream counts separators; here every part is looked at by itself.
  { row: 158, command: "ls && pwd", says: ok },
  { command: "ls | cat; echo done", says: ok },
  { command: "git log --oneline", says: ok },
  { command: "git status", says: unlisted("git") },
  { command: "ls && rm a.txt", says: unlisted("rm") },
  { command: "ls; whoami", says: unlisted("whoami") },
  { command: "ls\nwhoami", says: unlisted("whoami") },
  { command: "ls & whoami", says: unlisted("whoami") },
  { command: "LS", says: unlisted("LS") },
  { command: "lsx", says: unlisted("lsx") },
  { command: "bash -c 'ls; whoami'", says: /^error: .*SecurityError/ },
  { command: "sudo ls", says: /^error: .*SecurityError/ },
  { command: "echo $(whoami)", says: /^error: .*SecurityError/ },
  { command: "echo `whoami`", says: /^error: .*SecurityError/ },
  { command: "$CMD", says: /^error: .*SecurityError/ },
  { command: "ls() { whoami; }; ls", says: /^error: .*SecurityError/ },
  { command: "PATH=/tmp ls", says: /^error: .*SecurityError/ },
  { command: "", says: denial("There is no command in it") },
  { command: "# only a remark", says: denial("There is no command in it") },
  { row: 159, command: 'curl "http://example.com?foo=1&bar=2"', says: ok },
  { row: 159, command: "curl http://example.com?foo=1&bar=2", says: /^error: .*SecurityError/ },
  // Both are open quotes to a real shell, which cannot be read for certain.
  { row: 160, command: "echo 'test\\'quoted' value", says: /^error: .*SecurityError/ },
  { row: 161, command: 'echo "test & more', says: /^error: .*SecurityError/ },
  {
    row: 162,
    command: "./dir/../../script.sh",
    says: denial("Command './dir/../../script.sh' escapes current directory"),
  },
  { row: 162, command: "./sub/x.sh", says: ok },
  { command: "./sub/y.sh", says: unlisted("./sub/y.sh") },
  { row: 166, command: "cat ../other.txt", says: denial("The path '../other.txt' is outside the base directory") },
  { command: "cat /work/other.txt", says: denial("The path '/work/other.txt' is outside the base directory") },
  { command: "cat sub/../../other.txt", says: /^error: .*SecurityError/ },
  { command: "cat ../base-evil/x", says: /^error: .*SecurityError/ },
  { command: "cat link/other.txt", says: denial("A symlink in it leads out of the base directory") },
  { command: "echo x > ../out.txt", says: /^error: .*SecurityError/ },
  { command: "cp a.txt b.txt", says: ok },
  { command: "cp a.txt /etc/passwd", says: /^error: .*SecurityError/ },
  { command: "cat a.txt 2> /dev/null", says: ok },
];

const allowedCommands = ["ls", "pwd", "cat", "echo", "curl", "cp", "./sub/x.sh", "git log:*"];

describe("execute_shell_command", () => {
  test.each(lines)("$command ($row)", async ({ command, says }) => {
    const { say, ran, backend } = open({ allowedCommands });
    await backend.fs.symlink?.("/work", "/work/base/link");
    const said = await say(command);
    if (typeof says === "string") expect(said).toBe(says);
    else expect(said).toMatch(says);
    expect(ran).toEqual(said.startsWith("success") ? [command] : []);
  });

  test("runs in the base directory, in a shell of its own, with the time in seconds", async () => {
    const { say, options } = open({ allowedCommands: ["ls"], env: { CI: "1" } });
    await say("ls");
    for (const timeout of [7, 0, -5, 100_000, null]) await say("ls", { timeout });
    const common = { cwd: "/work/base", ownSession: true, maxOutputBytes: 32 << 20, env: { CI: "1" } };
    expect(options).toEqual([300, 7, 300, 300, 3600, 300].map((seconds) => ({ ...common, timeoutMs: seconds * 1000 })));
  });

  test.each(["", "UTF-8", "no-such-charset", null])("takes the charset %j, and reads UTF-8 (167)", async (charset) => {
    expect(await open({ allowedCommands: ["ls"] }).say("ls", { charset })).toBe(ok);
  });

  const out = (text: string): ShellOutput => ({ stream: "stdout", text });
  const err = (text: string): ShellOutput => ({ stream: "stderr", text });
  test.each<{ name: string; answer: Answering; says: string }>([
    {
      name: "both streams, without the last line end",
      answer: { output: [out("\n\na\r\n"), err("w\n"), out("b\n")] },
      says: "success: <returncode>0</returncode><stdout>\n\na\nb</stdout><stderr>w</stderr>",
    },
    {
      name: "a failure",
      answer: { output: [err("no\n")], exit: { code: 2 } },
      says: "error: <returncode>2</returncode><stdout></stdout><stderr>no</stderr>",
    },
    {
      name: "a signal",
      answer: { exit: { code: null, signal: "SIGSEGV" } },
      says: "error: <returncode>139</returncode><stdout></stdout><stderr></stderr>",
    },
    {
      name: "a signal nobody knows",
      answer: { exit: { code: null, signal: "SIGODD" } },
      says: "error: <returncode>-1</returncode><stdout></stdout><stderr></stderr>",
    },
    {
      name: "a timeout with what was printed (165)",
      answer: { output: [out("half"), err("warning\n")], exit: { code: null, timedOut: true } },
      says: "error: <returncode>-1</returncode><stdout>half</stdout><stderr>warning\nTimeoutError: The command execution exceeded the timeout of 1 seconds.</stderr>",
    },
    {
      name: "a timeout of a silent command",
      answer: { exit: { code: 124, timedOut: true } },
      says: "error: <returncode>-1</returncode><stdout></stdout><stderr>TimeoutError: The command execution exceeded the timeout of 1 seconds.</stderr>",
    },
  ])("tells $name", async ({ answer, says }) => {
    expect(await open({ allowedCommands: ["ls"] }, answer).say("ls", { timeout: 1 })).toBe(says);
  });

  test("keeps both ends of each stream, and the tags", async () => {
    const output = [out(`first${"x".repeat(1 << 20)}last`), err(`FIRST${"y".repeat(1 << 20)}LAST`)];
    const said = await open({ allowedCommands: ["ls"] }, { output }).say("ls");
    expect(said.length).toBeLessThan(45_000);
    expect(said).toMatch(
      /^success: <returncode>0<\/returncode><stdout>firstx+\n\[… \d+ characters left out …\]\nx+last<\/stdout><stderr>FIRSTy+\n\[… \d+ characters left out …\]\ny+LAST<\/stderr>$/,
    );
  });

  test("tells that the shell broke, and that there is none", async () => {
    const hand = handShell();
    const tool = shellCommandTool({ backend: memoryBackend({ shell: hand.shell }), allowedCommands: ["ls"] });
    const running = new Toolkit({ tools: [tool] }).run({ name: tool.name, input: { command: "ls" } });
    await hand.started();
    hand.last().fail(new Error("no more processes"));
    expect(outputText((await running).output)).toBe(
      "<returncode>-1</returncode><stdout></stdout><stderr>Error: Error: no more processes</stderr>",
    );
    const bare = shellCommandTool({ backend: memoryBackend() });
    const result = await new Toolkit({ tools: [bare] }).run({ name: bare.name, input: { command: "ls" } });
    expect([result.state, outputText(result.output)]).toEqual([
      "error",
      expect.stringContaining("There is no shell in this workspace (memory)"),
    ]);
  });

  test("ends the command with the call", async () => {
    const hand = handShell();
    const tool = shellCommandTool({ backend: memoryBackend({ shell: hand.shell }), allowedCommands: ["ls"] });
    const controller = new AbortController();
    const call = { name: tool.name, input: { command: "ls" } };
    const running = new Toolkit({ tools: [tool] }).run(call, { signal: controller.signal });
    await hand.started();
    controller.abort();
    expect([(await running).state, hand.last().options.signal?.aborted]).toEqual(["interrupted", true]);
  });
});

describe("approval of execute_shell_command", () => {
  test("with an empty list everything is asked about, and refused where nobody can be asked (157)", async () => {
    const { say, ran } = open();
    expect(await say("any-command")).toBe(unlisted("any-command"));
    expect(await say("ls")).toBe(unlisted("ls"));
    expect(ran).toEqual([]);
  });

  test("the callback hears the command and the reason, and not about what is on the list (168)", async () => {
    const asked: unknown[] = [];
    const approve = async (command: string, { reason, signal }: { reason: string; signal: AbortSignal }) => {
      asked.push([command, reason, signal instanceof AbortSignal]);
      return command !== "rm a.txt";
    };
    const { say, ran } = open({ allowedCommands: ["ls"], approve });
    expect(await say("ls")).toBe(ok);
    expect(await say("whoami")).toBe(ok);
    expect(await say("rm a.txt")).toBe(
      "error: <returncode>-1</returncode><stdout></stdout><stderr>SecurityError: Command execution was rejected by user. Reason: Command 'rm' is not in the allowed whitelist</stderr>",
    );
    expect(asked).toEqual([
      ["whoami", "Command 'whoami' is not in the allowed whitelist", true],
      ["rm a.txt", "Command 'rm' is not in the allowed whitelist", true],
    ]);
    expect(ran).toEqual(["ls", "whoami"]);
  });

  test.each<[what: string, approve: () => unknown]>([
    ["throws", () => Promise.reject(new Error("no"))],
    ["throws at once", () => fail()],
    ["says nothing", () => undefined],
    ["says something else", () => "yes"],
  ])("a callback that %s has not consented", async (_, approve) => {
    const { say, ran } = open({ approve: approve as () => boolean });
    expect(await say("ls")).toContain("rejected by user");
    expect(ran).toEqual([]);
  });

  test("a callback that never answers ends with the call", async () => {
    const { toolkit, tool, ran } = open({ approve: () => new Promise(() => {}) });
    const controller = new AbortController();
    const running = toolkit.run({ name: tool.name, input: { command: "ls" } }, { signal: controller.signal });
    await settle();
    controller.abort();
    expect([(await running).state, ran]).toEqual(["interrupted", []]);
  });

  test("a list may change, and what it is made of is copied (169)", async () => {
    const entries = ["ls"];
    const list = commandAllowList(entries);
    entries.push("rm");
    expect([list.add("pwd"), list.add(" pwd "), list.remove("none"), list.has("ls"), list.has("LS")]).toEqual([
      true,
      false,
      false,
      true,
      false,
    ]);
    expect(() => list.add("  ")).toThrow("a command cannot be blank");
    expect(list.entries()).toEqual(["ls", "pwd"]);
    const { say } = open({ allowedCommands: list });
    list.remove("pwd");
    expect(await say("pwd")).toBe(unlisted("pwd"));
    list.clear();
    expect(await say("ls")).toBe(unlisted("ls"));
  });

  test.each<[options: Partial<ShellCommandToolOptions>, says: string]>([
    [{}, "Every command needs a confirmation."],
    [{ approve: () => true }, "Every command needs an approval."],
    [{ allowedCommands: ["ls", "git log:*"] }, "Allowed: ls, git log:*; every other command needs a confirmation."],
    [{ allowedCommands: commandAllowList() }, "Commands that are not on a list of allowed ones need a confirmation."],
  ])("the model is told of %j", (options, says) => {
    expect(open(options).tool.description).toBe(
      `Runs a shell command in /work/base and gives its return code, standard output and standard error in tags. ${says}`,
    );
  });
});

describe("permission of execute_shell_command", () => {
  const decide = async (command: string, engine: PermissionEngine, options: Partial<ShellCommandToolOptions> = {}) => {
    const { toolkit, tool, ran } = open({ allowedCommands: ["ls", "touch"], ...options });
    const { state } = await toolkit.run({ name: tool.name, input: { command } }, { permission: engine });
    return [state, ran.length];
  };

  test.each([
    { mode: "default", listed: "success", writes: "success", other: "suspended", danger: "suspended" },
    { mode: "accept_edits", listed: "success", writes: "success", other: "suspended", danger: "suspended" },
    { mode: "explore", listed: "success", writes: "denied", other: "denied", danger: "denied" },
    { mode: "bypass", listed: "success", writes: "success", other: "success", danger: "success" },
    { mode: "dont_ask", listed: "success", writes: "success", other: "denied", danger: "denied" },
  ] as const)("in mode $mode", async ({ mode, ...expected }) => {
    const lines = { listed: "ls -la", writes: "touch x", other: "npm test", danger: "ls; rm -rf /" };
    const states = Object.entries(lines).map(async ([kind, command]) => {
      const [state] = await decide(command, new PermissionEngine({ mode }));
      return [kind, state];
    });
    expect(Object.fromEntries(await Promise.all(states))).toEqual(expected);
  });

  test("goes by rules for every part, and offers one", async () => {
    const rules = ["npm run:*", "git commit:*"].map((content) => ({
      tool: "execute_shell_command",
      content,
      behavior: "allow" as const,
    }));
    const engine = new PermissionEngine({ rules });
    expect(await decide("npm run build && git commit -m x", engine)).toEqual(["success", 1]);
    expect(await decide("npm run build && npm test", engine)).toEqual(["suspended", 0]);
    const { suggestedRules } = await engine.check(open().tool, { command: "npm test" });
    expect(suggestedRules).toEqual([
      { tool: "execute_shell_command", content: "npm test:*", behavior: "allow", source: "suggested" },
    ]);
    const deny = new PermissionEngine({
      rules: [{ tool: "execute_shell_command", content: "ls:*", behavior: "deny" }],
    });
    expect(await decide("ls", deny)).toEqual(["denied", 0]);
  });

  test("leaves it to the callback where there is one", async () => {
    expect(await decide("npm test", new PermissionEngine(), { approve: () => true })).toEqual(["success", 1]);
    expect(await decide("npm test", new PermissionEngine(), { approve: () => false })).toEqual(["error", 0]);
  });
});

describe("execute_shell_command in a real shell", () => {
  test("starts afresh every time", async () => {
    const backend = memoryBackend({ cwd: "/work", files: { "a.txt": "a\n" }, shell: justBashShell({ worker: false }) });
    const toolkit = new Toolkit({ tools: [shellCommandTool({ backend, approve: () => true })] });
    const say = async (command: string): Promise<string> =>
      outputText((await toolkit.run({ name: "execute_shell_command", input: { command } })).output);
    expect(await say("cat a.txt; cd /; x=1; echo oops >&2; exit 3")).toBe(
      "<returncode>3</returncode><stdout>a</stdout><stderr>oops</stderr>",
    );
    expect(await say('pwd; echo "[$x]"')).toBe("<returncode>0</returncode><stdout>/work\n[]</stdout><stderr></stderr>");
    await backend.close?.();
  });
});

function fail(): never {
  throw new Error("no");
}
