/** The trace of a decision over a command line: rule, layer, simple command and place, so that a dialog can mark them. */

import {
  PermissionEngine,
  type PermissionFinding,
  type PermissionMode,
  type PermissionRule,
  type TraceStep,
} from "holdall";
import { type BashLayer, lintBashRule } from "holdall/bash";
import { memoryBackend } from "holdall/memory";
import { bashTool } from "holdall/tools";
import { describe, expect, test } from "vitest";

const backend = memoryBackend({ cwd: "/work", home: "/home/me", files: { "a.txt": "", "/other/b.txt": "" } });
const tool = bashTool({ backend });
const modes = ["default", "accept_edits", "explore", "bypass", "dont_ask"] as const satisfies readonly PermissionMode[];

function explain(command: string, rules: readonly PermissionRule[] = []) {
  return new PermissionEngine({ rules }).explain(tool, { command });
}

function bashRule(behavior: PermissionRule["behavior"], content?: string): PermissionRule {
  return { tool: "Bash", behavior, source: "project", ...(content === undefined ? {} : { content }) };
}

/** Shows a finding as its layer, kind, simple command and the text it points at. */
function show(command: string, { layer, code, unit, field, start, end }: PermissionFinding): string {
  expect(field).toBe("command");
  return `${layer} ${code} ${unit ?? "-"}: ${command.slice(start, end)}`;
}

function shown(command: string, trace: readonly TraceStep[], step: TraceStep["step"]): string[] {
  return trace.flatMap((each) => (each.step === step ? (each.findings ?? []) : [])).map((each) => show(command, each));
}

/** What the tool's own check points at, for one example of each layer and of the ways in which commands nest. */
const table: [command: string, findings: string[]][] = [
  ["npm install", ["read-only changes 0: install"]],
  ["ls; npm install x", ["read-only changes 1: install"]],
  ["echo $(rm a)", ["injection substitution 1: $(rm a)", "read-only changes 0: rm a"]],
  ["ls && git push --force", ["read-only changes 1: git push --force", "read-only option 1: --force"]],
  ["sh -c 'ls; chmod 777 a'", ["command open-permissions 2: 777", "read-only changes 2: chmod 777 a"]],
  ["sed -n '1w out' a.txt", ["sed sed-script 0: '1w out'", "read-only operand 0: '1w out'"]],
  ["touch .git/hooks/x", ["path protected-path 0: .git/hooks/x", "read-only changes 0: touch .git/hooks/x"]],
  ["cat /etc/passwd", ["path outside 0: /etc/passwd"]],
  ["cat .env | wc -l", ["path secret 0: .env"]],
  [
    "ls; rm -rf /",
    ["removal recursive-removal 1: rm -rf /", "removal system-removal 1: /", "read-only changes 1: rm -rf /"],
  ],
  ["ls 'unclosed", ["injection syntax 0: '"]],
  ["f() { rm a; }; f", ["read-only changes 0: rm a"]],
];

describe("the tool's step", () => {
  test.each(table)("of %s points at %j", async (command, findings) => {
    const { default: decision } = await explain(command);
    expect(shown(command, decision.trace, "tool")).toEqual(findings);
  });

  test("is the same in every mode in which the tool is asked", async () => {
    for (const [command, findings] of table) {
      const explained = await explain(command);
      for (const mode of modes) {
        if (mode === "explore") continue;
        expect([mode, shown(command, explained[mode].trace, "tool")]).toEqual([mode, findings]);
      }
    }
  });

  test("has at most 32 findings, whatever the line is", async () => {
    const { default: decision } = await explain("rm a; ".repeat(5000));
    expect(decision.trace.find(({ step }) => step === "tool")?.findings?.length).toBe(32);
  });

  test("tells what would be edited where edits are accepted", async () => {
    const { accept_edits: decision } = await explain("mkdir -p src && touch src/a");
    expect(decision).toMatchObject({ behavior: "allow", reason: "edits inside a working directory" });
    expect(shown("mkdir -p src && touch src/a", decision.trace, "tool")).toEqual([
      "read-only changes 0: mkdir -p src",
      "read-only changes 1: touch src/a",
    ]);
  });
});

describe("a rule's step", () => {
  test.each<[rule: PermissionRule, command: string, step: TraceStep["step"], findings: string[]]>([
    [
      bashRule("deny", "rm:*"),
      "ls; sudo rm a | cat; rm b",
      "deny-rule",
      ["rule rule 1: sudo rm a", "rule rule 3: rm b"],
    ],
    [bashRule("deny", "rm:*"), 'echo "$(rm a)"', "deny-rule", ["rule rule 0: rm a"]],
    [bashRule("ask", "git push:*"), "git -C . push", "ask-rule", ["rule rule 0: git -C . push"]],
    [
      bashRule("allow", "npm run:*"),
      "npm run a && npm run b",
      "allow-rule",
      ["rule rule 0: npm run a", "rule rule 1: npm run b"],
    ],
    [bashRule("deny"), "ls", "deny-rule", []],
  ])("of %j over %s marks %j", async (rule, command, step, findings) => {
    const { default: decision } = await explain(command, [rule]);
    expect(decision.behavior).toBe(rule.behavior);
    expect(decision.trace.at(-1)).toMatchObject({ step, outcome: rule.behavior, rule });
    expect(shown(command, decision.trace, step)).toEqual(findings);
  });
});

describe("every decision", () => {
  const layers: readonly string[] = [
    "injection",
    "command",
    "sed",
    "path",
    "removal",
    "read-only",
  ] satisfies BashLayer[];
  const commands = [
    ...table.map(([command]) => command),
    "ls",
    "git status",
    "",
    "mkdir x",
    "cat a.txt | sort > b.txt",
  ];
  const ruleSets: PermissionRule[][] = [
    [],
    [bashRule("deny", "npm:*")],
    [bashRule("ask", "ls:*")],
    [bashRule("allow", "npm install:*"), bashRule("allow", "mkdir:*")],
  ];

  test.each(commands)("over %j says mode, message, reason and a trace whose last step decided", async (command) => {
    for (const rules of ruleSets) {
      const explained = await explain(command, rules);
      expect(Object.keys(explained)).toEqual([...modes]);
      for (const mode of modes) {
        const { behavior, message, reason, trace, mode: said, suggestedRules } = explained[mode];
        expect([said, trace.at(-1)?.outcome]).toEqual([mode, behavior]);
        expect([message, reason]).not.toContain("");
        for (const { findings = [] } of trace) {
          for (const { layer, start, end, unit = 0 } of findings) {
            expect([...layers, "rule"]).toContain(layer);
            expect(start >= 0 && start <= end && end <= command.length && unit >= 0).toBe(true);
          }
        }
        expect(JSON.parse(JSON.stringify(explained[mode]))).toEqual(explained[mode]);
        expect(structuredClone(explained[mode])).toEqual(explained[mode]);
        for (const { content = "" } of suggestedRules) {
          expect([content, lintBashRule(content).filter(({ code }) => code !== "needless")]).toEqual([content, []]);
        }
      }
    }
  });
});
