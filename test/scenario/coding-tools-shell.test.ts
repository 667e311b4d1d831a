/** Bash over the files that the other tools see: one workspace, two ways in. */

import { type AgentState, createAgentState, outputText, Toolkit } from "holdall";
import { justBashShell } from "holdall/just-bash";
import { memoryBackend } from "holdall/memory";
import { codingTools } from "holdall/tools";
import { describe, expect, test } from "vitest";

function open() {
  const backend = memoryBackend({ cwd: "/app", files: { "a.txt": "one\n" }, shell: justBashShell() });
  const toolkit = new Toolkit({ tools: codingTools({ backend }) });
  const call = async (state: AgentState, name: string, input: Record<string, unknown>): Promise<string> => {
    const result = await toolkit.run({ name, input }, { state });
    return `${result.state}: ${outputText(result.output)}`;
  };
  return { backend, call, state: createAgentState() };
}

describe("Bash and the file tools", () => {
  test("see the same files", async () => {
    const { backend, call, state } = open();
    expect(await call(state, "Bash", { command: "cat a.txt && printf 'two\\n' > b.txt" })).toBe("success: one\n");
    expect(await call(state, "Read", { file_path: "b.txt" })).toBe("success:      1\ttwo");
    expect(await call(state, "Bash", { command: "printf 'three\\n' >> b.txt" })).toBe("success: (no output)");
    expect(await call(state, "Edit", { file_path: "b.txt", old_string: "two", new_string: "2" })).toBe(
      "error: /app/b.txt has changed since it was read; nothing was written. Read it again, then repeat the call.\nWhat has changed since:\n--- a/app/b.txt\n+++ b/app/b.txt\n@@ -1,1 +1,2 @@\n two\n+three\n",
    );
    await backend.close?.();
  });

  test("report failures with what was printed, and keep lines and quotes", async () => {
    const { backend, call, state } = open();
    expect(await call(state, "Bash", { command: "echo before; exit 3" })).toBe("error: before\n[Exit code 3.]");
    expect(await call(state, "Bash", { command: 'echo "a"\necho "b" | cat' })).toBe("success: a\nb\n");
    expect(await call(state, "Bash", { command: "echo '<4:name|t5:x,' | cat" })).toBe("success: <4:name|t5:x,\n");
    await backend.close?.();
  });

  test("stay in their folder from call to call, each conversation in its own", async () => {
    const { backend, call, state } = open();
    const other = createAgentState();
    await call(state, "Bash", { command: "mkdir -p sub && cd sub" });
    expect(await call(state, "Bash", { command: "pwd" })).toBe("success: /app/sub\n");
    expect(await call(other, "Bash", { command: "pwd" })).toBe("success: /app\n");
    await backend.close?.();
  });
});
