/** The six coding tools at work together, as an agent uses them. */

import {
  createAgentState,
  type EventBody,
  outputText,
  PermissionEngine,
  restoreAgentState,
  type Shell,
  Toolkit,
  type ToolResultBlock,
} from "holdall";
import { memoryBackend } from "holdall/memory";
import { codingTools } from "holdall/tools";
import { describe, expect, test } from "vitest";

/** A shell that knows one command. */
const countingShell: Shell = {
  run: (command) => ({
    async *[Symbol.asyncIterator]() {
      yield { stream: "stdout", text: `ran: ${command}\n` };
    },
    exit: Promise.resolve({ code: command === "npm test" ? 0 : 1, timedOut: false, truncated: false }),
  }),
};

function project() {
  return memoryBackend({
    cwd: "/app",
    shell: countingShell,
    files: {
      "src/sum.ts": "export function sum(a: number, b: number) {\n  return a - b;\n}\n",
      "src/sum.test.ts": "import { sum } from './sum';\r\ntest('sum', () => expect(sum(1, 2)).toBe(3));\r\n",
      ".env": "TOKEN=1\n",
      "logo.png": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    },
  });
}

const said = ({ state, output }: ToolResultBlock): string => `${state}: ${outputText(output)}`;

describe("coding tools", () => {
  test("find, read, mend and check a fault in one conversation", async () => {
    const backend = project();
    const toolkit = new Toolkit({ tools: codingTools({ backend }) });
    const state = createAgentState();
    const permission = new PermissionEngine({
      mode: "accept_edits",
      rules: [{ tool: "Bash", content: "npm test", behavior: "allow" }],
    });
    const call = async (name: string, input: Record<string, unknown>): Promise<string> =>
      said(await toolkit.run({ name, input }, { state, permission }));

    expect(await call("Glob", { pattern: "src/**/*.ts" })).toContain("/app/src/sum.ts");
    expect(await call("Grep", { pattern: "return", output_mode: "content" })).toBe(
      "success: /app/src/sum.ts:2:  return a - b;",
    );
    expect(await call("Edit", { file_path: "src/sum.ts", old_string: "a - b", new_string: "a + b" })).toContain(
      "has not been read",
    );
    expect(await call("Read", { file_path: "/app/src/sum.ts" })).toContain("     2\t  return a - b;");
    expect(await call("Edit", { file_path: "src/sum.ts", old_string: "a - b", new_string: "a + b" })).toBe(
      "success: Replaced 1 occurrence in /app/src/sum.ts.",
    );
    expect(await call("Write", { file_path: "src/index.ts", content: 'export * from "./sum.ts";\n' })).toBe(
      "success: Created /app/src/index.ts (1 line).",
    );
    expect(await call("Bash", { command: "npm test" })).toBe("success: ran: npm test\n");
    expect(state.dispatches.map(({ tool, by }) => `${tool} ${by}`)).toContain("Bash Rule: npm test");
    expect(new TextDecoder().decode((await backend.fs.read("/app/src/sum.ts")).bytes)).toContain("return a + b;");
  });

  test("ask before a sensitive file, a place outside, and a command", async () => {
    const toolkit = new Toolkit({ tools: codingTools({ backend: project() }) });
    const permission = new PermissionEngine({ mode: "accept_edits" });
    const ask = async (name: string, input: Record<string, unknown>) => {
      const events: EventBody[] = [];
      const result = await toolkit.run({ name, input }, { permission, onEvent: (event) => void events.push(event) });
      const question = events.find((event) => event.type === "REQUIRE_USER_CONFIRM");
      return [result.state, question?.toolCalls[0]?.suggestedRules?.map((rule) => rule.content)];
    };
    expect(await ask("Write", { file_path: ".env", content: "" })).toEqual(["suspended", ["/app/**"]]);
    expect(await ask("Write", { file_path: "/etc/hosts", content: "" })).toEqual(["suspended", ["/etc/**"]]);
    expect(await ask("Bash", { command: "a | tee x" })).toEqual(["suspended", ["a", "tee x"]]);
    const rules = ["a", "tee x"].map((content) => ({ tool: "Bash", content, behavior: "allow" as const }));
    const remembered = new PermissionEngine({ rules });
    expect(
      (await toolkit.run({ name: "Bash", input: { command: "a | tee x" } }, { permission: remembered })).state,
    ).not.toBe("suspended");
    expect(await ask("Read", { file_path: ".env" })).toEqual(["success", undefined]);
  });

  test("a batch keeps its order: what is read after a write is what was written", async () => {
    const toolkit = new Toolkit({ tools: codingTools({ backend: project() }) });
    const state = createAgentState();
    const file_path = "/app/src/sum.ts";
    const results = await toolkit.runAll(
      [
        { name: "Read", input: { file_path, limit: 1 } },
        { name: "Read", input: { file_path: "/app/.env" } },
        { name: "Edit", input: { file_path, old_string: "a - b", new_string: "a + b" } },
        { name: "Edit", input: { file_path, old_string: "sum", new_string: "add" } },
        { name: "Read", input: { file_path } },
        { name: "Read", input: { file_path: "/app/missing" } },
      ],
      { state },
    );
    expect(results.map(said)).toEqual([
      "success:      1\texport function sum(a: number, b: number) {\n\n[Lines 1-1 of 3. Call Read with offset 2 for more.]",
      "success:      1\tTOKEN=1",
      "success: Replaced 1 occurrence in /app/src/sum.ts.",
      "success: Replaced 1 occurrence in /app/src/sum.ts.",
      "success:      1\texport function add(a: number, b: number) {\n     2\t  return a + b;\n     3\t}",
      "error: /app/missing does not exist. Use Glob to find the file.",
    ]);
  });

  test("the conversation goes on after it was stored", async () => {
    const backend = project();
    const toolkit = new Toolkit({ tools: codingTools({ backend }) });
    const state = createAgentState();
    await toolkit.run({ name: "Read", input: { file_path: "src/sum.test.ts" } }, { state });
    const restored = restoreAgentState(JSON.parse(JSON.stringify(state)));
    const input = { file_path: "src/sum.test.ts", old_string: "'./sum';\ntest", new_string: "'./sum';\n\ntest" };
    expect(said(await toolkit.run({ name: "Edit", input }, { state: restored }))).toBe(
      "success: Replaced 1 occurrence in /app/src/sum.test.ts.",
    );
    expect(new TextDecoder().decode((await backend.fs.read("/app/src/sum.test.ts")).bytes)).toContain(
      "'./sum';\r\n\r\ntest",
    );
  });

  test("take the parameters that models know", () => {
    const toolkit = new Toolkit({ tools: codingTools({ backend: project() }) });
    const parameters = toolkit
      .schemas()
      .map(({ name, inputSchema: { properties, required } }) => [name, Object.keys(properties ?? {}), required]);
    expect(parameters).toEqual([
      ["Bash", ["command", "description", "timeout"], ["command"]],
      ["Read", ["file_path", "offset", "limit", "pages"], ["file_path"]],
      ["Write", ["file_path", "content"], ["file_path", "content"]],
      [
        "Edit",
        ["file_path", "old_string", "new_string", "replace_all", "edits"],
        ["file_path", "old_string", "new_string"],
      ],
      ["Glob", ["pattern", "path", "include_ignored"], ["pattern"]],
      [
        "Grep",
        [
          "pattern",
          "path",
          "output_mode",
          "glob",
          "type",
          "-A",
          "-B",
          "-C",
          "n",
          "i",
          "multiline",
          "head_limit",
          "offset",
          "include_ignored",
        ],
        ["pattern"],
      ],
    ]);
  });

  test("know which of them change something and which may run beside each other", () => {
    const facts = codingTools({ backend: project() }).map(
      ({ name, readOnly, concurrencySafe }) => `${name} ${readOnly} ${concurrencySafe}`,
    );
    expect(facts).toEqual([
      "Bash false false",
      "Read true true",
      "Write false false",
      "Edit false false",
      "Glob true true",
      "Grep true true",
    ]);
  });
});
