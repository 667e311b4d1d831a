import {
  createAgentState,
  defineTool,
  type FileSystem,
  HoldallError,
  isInside,
  RuntimeContext,
  resolvePath,
  type ToolInterceptor,
  Toolkit,
  type ToolResultBlock,
} from "holdall";
import { memoryFileSystem } from "holdall/memory";
import * as v from "valibot";
import { expect, test } from "vitest";

const text = new TextEncoder();

/** Keeps the paths of one tool inside the folder of the user who asks; whoever has no name gets nothing. */
function pathSandbox(fs: FileSystem, rootOf: (userId: string) => string): ToolInterceptor {
  const deny = (id: string, name: string, why: string): ToolResultBlock => ({
    type: "tool_result",
    id,
    name,
    output: [{ type: "text", text: `PathSandbox: ${why}` }],
    state: "denied",
    metadata: {},
  });
  return {
    name: "PathSandbox",
    async intercept(invocation, next) {
      if (invocation.toolName !== "write_text_file") return next(invocation);
      const { userId } = invocation.context;
      const refuse = (why: string): ToolResultBlock => deny(invocation.toolCallId, invocation.toolName, why);
      if (userId === undefined || !/^[a-z]+$/.test(userId)) return refuse("no user to whom a workspace belongs");
      const root = rootOf(userId);
      const input = invocation.input as { file_path: string };
      try {
        // Symlinks are resolved too, for a new file those of its nearest existing folder.
        const real = await fs.realpath(resolvePath(input.file_path, root));
        if (!isInside(real, root)) return refuse("the path must stay inside your workspace; use relative paths");
        return next(invocation.withInput({ ...input, file_path: real }));
      } catch (error) {
        if (HoldallError.is(error)) return refuse("the path cannot be used");
        throw error;
      }
    },
  };
}

async function setUp(): Promise<{ fs: FileSystem; toolkit: Toolkit }> {
  const fs = memoryFileSystem();
  await fs.makeDirectory("/users/ann");
  await fs.write("/users/bob/secret.txt", text.encode("bob's"));
  await fs.symlink?.("/users/bob", "/users/ann/link");
  await fs.symlink?.("../bob/new.txt", "/users/ann/dangling");
  const write = defineTool({
    name: "write_text_file",
    description: "Writes.",
    input: v.object({ file_path: v.string(), content: v.string() }),
    async execute({ file_path, content }) {
      await fs.write(file_path, text.encode(content));
      return `wrote ${file_path}`;
    },
  });
  return {
    fs,
    toolkit: new Toolkit({ tools: [write], interceptors: [pathSandbox(fs, (userId) => `/users/${userId}`)] }),
  };
}

test.each([
  ["../bob/secret.txt"],
  ["/users/bob/secret.txt"],
  ["/users/ann/../bob/secret.txt"],
  ["link/secret.txt"],
  ["link/new/deep.txt"],
  ["dangling"],
  ["/users/annabel/x.txt"],
  ["a\u0000b"],
])("%j leads out of the workspace and is denied", async (file_path) => {
  const { fs, toolkit } = await setUp();
  const state = createAgentState();
  const context = new RuntimeContext({ userId: "ann" });
  const result = await toolkit.run({ name: "write_text_file", input: { file_path, content: "x" } }, { context, state });
  expect(result.state).toBe("denied");
  expect(state.dispatches.map(({ decision, by }) => [decision, by])).toEqual([["denied", "PathSandbox"]]);
  expect(new TextDecoder().decode((await fs.read("/users/bob/secret.txt")).bytes)).toBe("bob's");
  expect(await fs.stat("/users/bob/new.txt")).toBe(undefined);
});

test("a path inside runs rewritten, and the record shows what ran", async () => {
  const { toolkit } = await setUp();
  const state = createAgentState();
  const run = (userId: string | undefined) =>
    toolkit.run(
      { name: "write_text_file", input: { file_path: "notes/a.txt", content: "x" } },
      { context: new RuntimeContext(userId === undefined ? {} : { userId }), state },
    );
  expect((await run("ann")).output).toEqual([{ type: "text", text: "wrote /users/ann/notes/a.txt" }]);
  expect(state.dispatches[0]).toMatchObject({
    decision: "dispatched",
    input: { file_path: "/users/ann/notes/a.txt", content: "x" },
  });
  expect((await run(undefined)).state).toBe("denied");
  expect((await run("../bob")).state).toBe("denied");
});
