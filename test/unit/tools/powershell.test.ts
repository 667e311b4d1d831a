/** PowerShell: how a script reaches it, how it ends, and that it never runs without a question. */

import {
  type Backend,
  createAgentState,
  HoldallError,
  outputText,
  PermissionEngine,
  type PermissionMode,
  type PermissionRule,
  type Shell,
  type ShellExit,
  type ShellOptions,
  Toolkit,
} from "holdall";
import { memoryBackend } from "holdall/memory";
import { powershellTool } from "holdall/tools";
import { describe, expect, test } from "vitest";

interface Seen {
  command: string;
  options: ShellOptions;
}

/** A shell that remembers what it was asked, and prints one line. */
function recordingShell(exit: Partial<ShellExit> = {}): { shell: Shell; seen: Seen[] } {
  const seen: Seen[] = [];
  const shell: Shell = {
    run(command, options = {}) {
      seen.push({ command, options });
      return {
        async *[Symbol.asyncIterator]() {
          yield { stream: "stdout", text: "hi\n" } as const;
        },
        exit: Promise.resolve({ code: 0, timedOut: false, truncated: false, ...exit }),
      };
    },
  };
  return { shell, seen };
}

function windows(shell?: Shell): Backend {
  const { shell: _none, ...ground } = memoryBackend();
  return { ...ground, os: "windows", ...(shell === undefined ? {} : { shell }) };
}

function failureOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

/** Takes the script of the model out of the line again, as PowerShell would. */
function scriptIn(line: string): { front: string; outer: string; script: string } {
  const [, front = "", encoded = ""] = /^(.* )([A-Za-z0-9+/]+=*)$/s.exec(line) ?? [];
  const bytes = (text: string): Uint8Array => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const outer = new TextDecoder("utf-16le").decode(bytes(encoded));
  const [, inner = ""] = /FromBase64String\('([A-Za-z0-9+/]*=*)'\)/.exec(outer) ?? [];
  return { front, outer, script: new TextDecoder().decode(bytes(inner)) };
}

const scripts = [
  "Get-ChildItem",
  "Write-Output 'a' \"b\" `c` $(rm -rf /) ; exit 3",
  "') ; Remove-Item C:\\ -Recurse #",
  "\u2018\u2019\u201c\u201d caf\u00e9 \u{1f600}",
  "line one\r\nline two\n",
  '$x = "\' -EncodedCommand"; & calc.exe && whoami | more > out.txt %PATH% ^& !x!',
  "",
];

describe("how a script reaches PowerShell", () => {
  test.each(scripts)("%j comes out as it went in, with nothing of it on the line", async (script) => {
    const { shell, seen } = recordingShell();
    const toolkit = new Toolkit({ tools: [powershellTool({ backend: windows(shell) })] });
    const result = await toolkit.run({ name: "PowerShell", input: { command: script } });
    expect(`${result.state}: ${outputText(result.output)}`).toBe("success: hi\n");
    const { front, outer, script: received } = scriptIn(seen[0]?.command ?? "");
    expect(front).toBe('"powershell.exe" -NoLogo -NoProfile -NonInteractive -EncodedCommand ');
    expect(received).toBe(script);
    // The script around it is the same for all.
    expect(outer.replace(/'[A-Za-z0-9+/]*=*'\)/, "'…')").split("\n").length).toBe(5);
    expect(/^[ -~]*$/.test(seen[0]?.command ?? "")).toBe(true);
  });

  test("program, variables, deadline and session are handed on", async () => {
    const { shell, seen } = recordingShell();
    const program = "C:/Program Files/PowerShell/7/pwsh.exe";
    const toolkit = new Toolkit({ tools: [powershellTool({ backend: windows(shell), program, env: { A: "1" } })] });
    const state = createAgentState();
    await toolkit.run({ name: "PowerShell", input: { command: "ls", timeout: 5000 } }, { state });
    expect(seen[0]?.command.startsWith(`"${program}" -NoLogo`)).toBe(true);
    expect(seen[0]?.options).toMatchObject({ timeoutMs: 5000, env: { A: "1" }, session: state.sessionId });
  });

  test("one that is too long for Windows is refused, and the shell is not asked", async () => {
    const { shell, seen } = recordingShell();
    const toolkit = new Toolkit({ tools: [powershellTool({ backend: windows(shell) })] });
    const result = await toolkit.run({ name: "PowerShell", input: { command: "a".repeat(10_000) } });
    expect(`${result.state}: ${outputText(result.output)}`).toBe(
      "error: The script is too long to be handed over. Write it to a .ps1 file and run that.",
    );
    expect(seen).toEqual([]);
  });

  test("a failure tells its exit code", async () => {
    const { shell } = recordingShell({ code: 3 });
    const toolkit = new Toolkit({ tools: [powershellTool({ backend: windows(shell) })] });
    const result = await toolkit.run({ name: "PowerShell", input: { command: "exit 3" } });
    expect([result.state, outputText(result.output), result.metadata]).toEqual([
      "error",
      "hi\n[Exit code 3.]",
      { exitCode: 3 },
    ]);
  });

  test("without a shell the answer says what to add", async () => {
    const toolkit = new Toolkit({ tools: [powershellTool({ backend: windows() })] });
    const result = await toolkit.run({ name: "PowerShell", input: { command: "ls" } });
    expect([result.state, outputText(result.output).includes("nodeBackend")]).toEqual(["error", true]);
  });
});

describe("setting it up", () => {
  test("needs a workspace on Windows", () => {
    const failure = failureOf(() => powershellTool({ backend: memoryBackend() }));
    expect(HoldallError.is(failure, "TOOL_OPTION")).toBe(true);
  });

  test.each(["", " pwsh", 'pw"sh', "$(x)", "pwsh; ls", "C:\\pwsh.exe", "-c", "pwsh\n", "%COMSPEC%"])(
    "refuses the program %j",
    (program) => {
      const failure = failureOf(() => powershellTool({ backend: windows(), program }));
      expect(HoldallError.is(failure, "TOOL_OPTION")).toBe(true);
    },
  );
});

const whole = (behavior: PermissionRule["behavior"], content?: string): PermissionRule => ({
  tool: "PowerShell",
  behavior,
  ...(content === undefined ? {} : { content }),
});

/** What decides, with the outcome per mode: default, accept_edits, explore, bypass, dont_ask. */
const decisions: [what: string, command: string, rules: PermissionRule[], outcomes: string][] = [
  ["nothing", "Get-Date", [], "ask ask deny allow deny"],
  ["what looks like reading", "Get-Content a.txt", [], "ask ask deny allow deny"],
  ["a script that destroys", "Remove-Item C:/ -Recurse -Force", [], "ask ask deny allow deny"],
  ["an allow rule for the whole tool", "Get-Date", [whole("allow")], "allow allow deny allow allow"],
  ["an allow rule by prefix", "Get-Date", [whole("allow", "Get-Date:*")], "ask ask deny allow deny"],
  ["an allow rule with the same words", "Get-Date", [whole("allow", "Get-Date")], "ask ask deny allow deny"],
  ["an allow rule with a wildcard", "Get-Date", [whole("allow", "*")], "ask ask deny allow deny"],
  ["a deny rule for the whole tool", "Get-Date", [whole("deny")], "deny deny deny deny deny"],
  ["an ask rule for the whole tool", "Get-Date", [whole("ask")], "ask ask ask ask deny"],
  [
    "a deny rule by prefix",
    "remove-item a.txt",
    [whole("allow"), whole("deny", "Remove-Item:*")],
    "deny deny deny deny deny",
  ],
  [
    "a deny rule in spite of quotes and backticks",
    "ls; & 'Rem`ove-Item'  -Force x",
    [whole("deny", "Remove-Item * x")],
    "deny deny deny deny deny",
  ],
  ["a deny rule about something else", "Get-Date", [whole("deny", "Remove-Item:*")], "ask ask deny allow deny"],
  ["an ask rule by words", "Invoke-WebRequest x", [whole("ask", "invoke-webrequest")], "ask ask ask ask deny"],
];

describe("permission", () => {
  const input = (command: string) => ({ command });
  const tool = powershellTool({ backend: windows() });

  test.each(decisions)("%s: %s", async (_what, command, rules, outcomes) => {
    const explained = await new PermissionEngine({ rules }).explain(tool, input(command));
    expect(
      Object.values(explained)
        .map(({ behavior }) => behavior)
        .join(" "),
    ).toBe(outcomes);
    for (const decision of Object.values(explained)) {
      expect(decision.suggestedRules).toEqual([]);
      expect(decision.trace.at(-1)?.outcome).toBe(decision.behavior);
    }
  });

  test.each<[mode: PermissionMode, state: string, runs: number]>([
    ["default", "suspended", 0],
    ["accept_edits", "suspended", 0],
    ["explore", "denied", 0],
    ["bypass", "success", 1],
    ["dont_ask", "denied", 0],
  ])("of a whole call in mode %s: %s", async (mode, state, runs) => {
    const { shell, seen } = recordingShell();
    const toolkit = new Toolkit({ tools: [powershellTool({ backend: windows(shell) })] });
    const call = { name: "PowerShell", input: input("Get-Date") };
    const result = await toolkit.run(call, { permission: new PermissionEngine({ mode }) });
    expect([result.state, seen.length]).toEqual([state, runs]);
  });

  test("says why it asks", async () => {
    expect(await new PermissionEngine().check(tool, input("Get-Date"))).toMatchObject({
      behavior: "ask",
      message: "What a PowerShell script does cannot be told before it runs, so it needs a confirmation.",
      reason: "Mode: default (PowerShell cannot be checked)",
      bypassImmune: false,
    });
  });
});
