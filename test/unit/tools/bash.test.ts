/** Bash: output as it comes, how commands end, and what rules and modes say. */

import {
  createAgentState,
  HoldallError,
  outputText,
  PermissionEngine,
  type Shell,
  type ShellExit,
  type ShellOptions,
  type ShellOutput,
  Toolkit,
  type ToolResultBlock,
} from "holdall";
import { memoryBackend } from "holdall/memory";
import { bashTool } from "holdall/tools";
import { describe, expect, test } from "vitest";

const ended: ShellExit = { code: 0, timedOut: false, truncated: false };

interface Seen {
  command: string;
  options: ShellOptions;
}

/** A shell that prints what it is told to, and remembers what it was asked. */
function scriptedShell(output: ShellOutput[], exit: Partial<ShellExit> = {}): { shell: Shell; seen: Seen[] } {
  const seen: Seen[] = [];
  const shell: Shell = {
    run(command, options = {}) {
      seen.push({ command, options });
      return {
        async *[Symbol.asyncIterator]() {
          yield* output;
        },
        exit: Promise.resolve({ ...ended, ...exit }),
      };
    },
  };
  return { shell, seen };
}

async function run(shell: Shell, input: Record<string, unknown> = {}): Promise<ToolResultBlock> {
  const toolkit = new Toolkit({ tools: [bashTool({ backend: memoryBackend({ shell }) })] });
  return toolkit.run({ name: "Bash", input: { command: "do it", ...input } });
}

const out = (text: string): ShellOutput => ({ stream: "stdout", text });
const err = (text: string): ShellOutput => ({ stream: "stderr", text });

const endings: { name: string; output: ShellOutput[]; exit: Partial<ShellExit>; says: string; metadata: object }[] = [
  { name: "a success", output: [out("hi\n")], exit: {}, says: "success: hi\n", metadata: { exitCode: 0 } },
  {
    name: "both streams in order",
    output: [out("a\n"), err("b\n"), out("c\n")],
    exit: {},
    says: "success: a\nb\nc\n",
    metadata: { exitCode: 0 },
  },
  { name: "a silent success", output: [], exit: {}, says: "success: (no output)", metadata: { exitCode: 0 } },
  {
    name: "a failure",
    output: [err("no such file\n")],
    exit: { code: 2 },
    says: "error: no such file\n[Exit code 2.]",
    metadata: { exitCode: 2 },
  },
  {
    name: "a failure without a line end",
    output: [out("half")],
    exit: { code: 1 },
    says: "error: half\n[Exit code 1.]",
    metadata: { exitCode: 1 },
  },
  {
    name: "a silent failure",
    output: [],
    exit: { code: 127 },
    says: "error: [Exit code 127.]",
    metadata: { exitCode: 127 },
  },
  {
    name: "a signal",
    output: [out("a\n")],
    exit: { code: null, signal: "SIGSEGV" },
    says: "error: a\n[The command was killed by SIGSEGV.]",
    metadata: { exitCode: null, signal: "SIGSEGV" },
  },
  {
    name: "a timeout with what was printed",
    output: [out("part")],
    exit: { code: null, signal: "SIGKILL", timedOut: true },
    says: "error: part\n[The command took longer than 1000 ms and was killed. Allow more time (at most 600000), or do less at once.]",
    metadata: { exitCode: null, signal: "SIGKILL", timedOut: true },
  },
  {
    name: "too much output",
    output: [out("a\n")],
    exit: { truncated: true, cwd: "/work" },
    says: "success: a\n[The output was longer than 32 MiB; what came after was dropped.]",
    metadata: { exitCode: 0, truncated: true, cwd: "/work" },
  },
];

describe("Bash", () => {
  test.each(endings)("reports $name", async ({ output, exit, says, metadata }) => {
    const result = await run(scriptedShell(output, exit).shell, { timeout: 1000 });
    expect(`${result.state}: ${outputText(result.output)}`).toBe(says);
    expect(result.metadata).toEqual(metadata);
  });

  test("hands the command on unchanged, with its timeout and the session of the conversation", async () => {
    const { shell, seen } = scriptedShell([]);
    const toolkit = new Toolkit({ tools: [bashTool({ backend: memoryBackend({ shell }) })] });
    const state = createAgentState({ sessionId: "s1" });
    const command = "echo '<4:name|t5:x,' | cat\necho \"b\"";
    await toolkit.run({ name: "Bash", input: { command, description: "two lines" } }, { state });
    await toolkit.run({ name: "Bash", input: { command: "ls", timeout: 600_000 } });
    expect(seen.map(({ options: { signal: _, ...options }, ...rest }) => ({ ...rest, options }))).toEqual([
      { command, options: { timeoutMs: 120_000, maxOutputBytes: 32 << 20, session: "s1" } },
      { command: "ls", options: { timeoutMs: 600_000, maxOutputBytes: 32 << 20 } },
    ]);
  });

  test("keeps head and tail of long output", async () => {
    const result = await run(scriptedShell([out("a".repeat(60_000)), out("z".repeat(60_000))]).shell);
    const text = outputText(result.output);
    expect([text.length < 51_000, text.startsWith("aaa"), text.endsWith("zzz"), result.state]).toEqual([
      true,
      true,
      true,
      "success",
    ]);
  });

  test("keeps head and tail of output that is longer than the call can hold", async () => {
    const pieces = Array.from({ length: 20 }, (_, index) => out(`<${index}>${"x".repeat(1 << 19)}`));
    const result = await run(scriptedShell([...pieces, out("the end")]).shell);
    const text = outputText(result.output);
    expect([text.startsWith("<0>xxx"), text.endsWith("xxxthe end"), text.length < 51_000, result.metadata]).toEqual([
      true,
      true,
      true,
      { exitCode: 0, truncated: { characters: 8_388_643 } },
    ]);
  });

  test("gives every command the variables of the application", async () => {
    const { shell, seen } = scriptedShell([]);
    const toolkit = new Toolkit({ tools: [bashTool({ backend: memoryBackend({ shell }), env: { CI: "1" } })] });
    await toolkit.run({ name: "Bash", input: { command: "ls" } });
    expect(seen[0]?.options.env).toEqual({ CI: "1" });
  });

  test.each([0, 600_001, 1.5])("takes no timeout of %d", async (timeout) => {
    const result = await run(scriptedShell([]).shell, { timeout });
    expect(outputText(result.output)).toContain("The arguments of Bash are not valid:\n- timeout: ");
  });

  test("gives output while the command runs, and stops the command when nobody listens any more", async () => {
    let stopped: unknown;
    const shell: Shell = {
      run: (_command, { signal } = {}) => {
        const over = new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
        over.catch((reason) => (stopped = reason));
        return {
          async *[Symbol.asyncIterator]() {
            yield out("first\n");
            await over;
          },
          exit: over,
        };
      },
    };
    const toolkit = new Toolkit({ tools: [bashTool({ backend: memoryBackend({ shell }) })] });
    for await (const chunk of toolkit.callTool({ name: "Bash", input: { command: "tail -f x" } })) {
      expect(chunk.content).toEqual([{ type: "text", text: "first\n" }]);
      break;
    }
    await Promise.resolve();
    expect(stopped).toBeInstanceOf(Error);
  });

  test("keeps what was printed before an abort", async () => {
    const controller = new AbortController();
    const shell: Shell = {
      run: (_command, { signal } = {}) => {
        const over = new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
        over.catch(() => {});
        return {
          async *[Symbol.asyncIterator]() {
            yield out("first\n");
            controller.abort();
            await over;
          },
          exit: over,
        };
      },
    };
    const toolkit = new Toolkit({ tools: [bashTool({ backend: memoryBackend({ shell }) })] });
    const result = await toolkit.run({ name: "Bash", input: { command: "x" } }, { signal: controller.signal });
    expect([result.state, outputText(result.output)]).toEqual([
      "interrupted",
      "first\n\nThe call was interrupted by the user before it was finished.",
    ]);
  });

  test("keeps what was printed before the shell broke", async () => {
    const shell: Shell = {
      run: () => {
        const exit = Promise.reject(new HoldallError("SHELL_FAILED", "the shell has died. Try again."));
        exit.catch(() => {});
        return {
          async *[Symbol.asyncIterator]() {
            yield out("first\n");
          },
          exit,
        };
      },
    };
    const result = await run(shell);
    expect([result.state, outputText(result.output)]).toEqual([
      "error",
      "first\n\nBash failed: the shell has died. Try again.",
    ]);
  });

  test("names the adapter to add when there is no shell", async () => {
    const toolkit = new Toolkit({ tools: [bashTool({ backend: memoryBackend() })] });
    const result = await toolkit.run({ name: "Bash", input: { command: "ls" } });
    expect(result.state).toBe("error");
    expect(outputText(result.output)).toBe(
      'There is no shell in this workspace (memory), so commands cannot run. Use Read, Write, Edit, Glob and Grep. The application can add one: memoryBackend({ shell: justBashShell() }) with justBashShell from "holdall/just-bash", or nodeBackend({ root }) from "holdall/node".',
    );
  });
});

describe("permission of Bash", () => {
  const tool = bashTool({ backend: memoryBackend() });
  const decide = async (command: string, engine = new PermissionEngine(), options = {}): Promise<string> =>
    (await engine.check(tool, { command, timeout: 1 }, options)).behavior;

  test.each([
    { mode: "default", reads: "allow", edits: "ask", other: "ask", danger: "ask" },
    { mode: "accept_edits", reads: "allow", edits: "allow", other: "ask", danger: "ask" },
    { mode: "explore", reads: "allow", edits: "deny", other: "deny", danger: "deny" },
    { mode: "bypass", reads: "allow", edits: "allow", other: "allow", danger: "allow" },
    { mode: "dont_ask", reads: "allow", edits: "allow", other: "deny", danger: "deny" },
  ] as const)("in mode $mode reading, editing, other commands and dangers", async ({ mode, ...expected }) => {
    const engine = new PermissionEngine({ mode });
    const [reads, edits, other, danger] = await Promise.all(
      ["ls -la && git status | head", "mkdir -p src && touch src/a.ts", "npm test", "rm -rf /"].map((command) =>
        decide(command, engine),
      ),
    );
    expect({ reads, edits, other, danger }).toEqual(expected);
  });

  test("goes by rules, and offers one", async () => {
    const engine = new PermissionEngine({
      rules: [
        { tool: "Bash", content: "git commit:*", behavior: "allow" },
        { tool: "Bash", content: "git push:*", behavior: "ask" },
        { tool: "Bash", content: "rm:*", behavior: "deny" },
        { tool: "Bash", content: "npm run:*", behavior: "allow" },
      ],
    });
    const lines = {
      "git commit -m x": "allow",
      "ls && git commit -m x && npm run build": "allow",
      "git commit -m x && git push": "ask",
      "git commit -m x; sudo rm y": "deny",
      "git commit -m x > ~/.bashrc": "ask",
      "npm test": "ask",
    };
    expect(await Promise.all(Object.keys(lines).map((command) => decide(command, engine)))).toEqual(
      Object.values(lines),
    );
    const { suggestedRules } = await engine.check(tool, { command: "ls && npm test", timeout: 1 });
    expect(suggestedRules).toEqual([{ tool: "Bash", content: "npm test:*", behavior: "allow", source: "suggested" }]);
  });

  test("a danger stands against allow rules, and says what it is", async () => {
    const engine = new PermissionEngine({ rules: [{ tool: "Bash", behavior: "allow", content: "rm:*" }] });
    const decision = await engine.check(tool, { command: "rm -rf ~", timeout: 1 });
    expect([decision.behavior, decision.bypassImmune]).toEqual(["ask", true]);
    expect(decision.message).toMatch(/^Bash needs a confirmation: ./);
  });

  test("follows symlinks out of the workspace, and the shell's own working directory", async () => {
    const { shell } = scriptedShell([], { cwd: "/etc" });
    const backend = memoryBackend({ shell, files: { "a.txt": "a", "/secret/b.txt": "b" } });
    await backend.fs.symlink?.("/secret", `${backend.cwd}/link`);
    const bash = bashTool({ backend });
    const engine = new PermissionEngine({ mode: "accept_edits" });
    const state = createAgentState();
    const check = async (command: string): Promise<string> =>
      (await engine.check(bash, { command, timeout: 1 }, { state })).behavior;
    expect(await check("cat a.txt")).toBe("allow");
    expect(await check("cat link/b.txt")).toBe("ask");
    expect(await check("touch link/c.txt")).toBe("ask");
    expect(await check("touch a.txt")).toBe("allow");
    await new Toolkit({ tools: [bash] }).run({ name: "Bash", input: { command: "cd /etc" } }, { state });
    expect(await check("touch a.txt")).toBe("ask");
    expect((await engine.check(bash, { command: "touch a.txt", timeout: 1 })).behavior).toBe("allow");
  });
});
