/** The edge worker of the demo in a real workerd: no Node compatibility, no eval, as it would be deployed. */
import { type RemoteBackendOptions, remoteBackend } from "holdall/worker";
import { Miniflare } from "miniflare";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { webAliases } from "../support/aliases.ts";
import { root } from "../support/sources.ts";

const TOKEN = "the-token-of-the-edge-0123456789";

let miniflare: Miniflare;

beforeAll(async () => {
  miniflare = new Miniflare({
    compatibilityDate: "2026-04-20",
    compatibilityFlags: ["no_nodejs_compat_v2"],
    cf: false,
    modules: [{ type: "ESModule", path: "worker.js", contents: await bundleWorker() }],
    bindings: { TOKEN },
    durableObjects: { WORKSPACE: { className: "Workspace", useSQLite: true } },
  });
  await miniflare.ready;
}, 60_000);

afterAll(() => miniflare?.dispose());

describe("the edge worker", () => {
  test("runs a call on the files of the request, streams its events and gives back what changed", async () => {
    const lines = await call({
      call: { id: "c1", name: "Edit", input: { file_path: "/workspace/a.txt", old_string: "old", new_string: "new" } },
      files: { "a.txt": "an old word\n", "b.txt": "stays\n" },
    });
    expect(lines.map(({ type }) => type)).toEqual([
      "TOOL_RESULT_START",
      "TOOL_RESULT_TEXT_DELTA",
      "TOOL_RESULT_END",
      "RESULT",
    ]);
    expect(lines.at(-1)).toMatchObject({
      result: { id: "c1", name: "Edit", state: "success" },
      files: { "/workspace/a.txt": "an new word\n" },
    });
    expect(Object.keys(lines.at(-1)?.files ?? {})).toEqual(["/workspace/a.txt"]);
  });

  test("searches real text", async () => {
    const lines = await call({
      call: { name: "Grep", input: { pattern: "b+c", output_mode: "content" } },
      files: { "src/x.ts": "abbc\nac\n", "src/y.ts": "bc\n" },
    });
    const result = JSON.stringify(lines.at(-1)?.result);
    expect(result).toContain("/workspace/src/x.ts:1:abbc");
    expect(result).toContain("/workspace/src/y.ts:1:bc");
    expect(lines.at(-1)?.files).toEqual({});
  });

  test("keeps nothing from one request to the next", async () => {
    const write = { name: "Write", input: { file_path: "/workspace/secret.txt", content: "mine" } };
    await call({ call: write });
    const lines = await call({ call: { name: "Glob", input: { pattern: "**/*" } } });
    expect(JSON.stringify(lines)).not.toContain("secret.txt");
  });

  test("answers what a model got wrong as a result, not as a failure", async () => {
    const lines = await call({ call: { name: "Read", input: { file_path: 7 } } });
    expect(lines.at(-1)).toMatchObject({ type: "RESULT", result: { state: "error" }, files: {} });
  });

  test("tells how to use it and what the tools take", async () => {
    const usage = await send("/");
    expect([usage.status, await usage.text()]).toEqual([200, expect.stringContaining("POST /call")]);
    const tools = (await (await send("/tools")).json()) as { name: string }[];
    expect(tools.map(({ name }) => name)).toEqual(["Read", "Write", "Edit", "Glob", "Grep"]);
  });

  test.each([
    ["another address", "/etc", { method: "GET" }, 404, "GET / tells what there is"],
    ["another method", "/call", { method: "GET" }, 405, "Use POST"],
    ["no JSON", "/call", { method: "POST", body: "{" }, 400, "not JSON"],
    ["no UTF-8", "/call", { method: "POST", body: new Uint8Array([0x22, 0xff, 0x22]) }, 400, "not UTF-8"],
    ["no call", "/call", { method: "POST", body: "[]" }, 400, "Send {"],
    ["a file that is no text", "/call", post({ call: { name: "Read" }, files: { a: 1 } }), 400, "not a text"],
    ["a path that is none", "/call", post({ call: { name: "Read" }, files: { "a\0b": "" } }), 400, "not a usable path"],
    ["too much", "/call", { method: "POST", body: "x".repeat((1 << 20) + 1) }, 413, "at most 1048576 bytes"],
    ["too many files", "/call", post({ call: { name: "Read" }, files: manyFiles(501) }), 413, "at most 500 files"],
  ])("refuses %s", async (_what, path, init, status, words) => {
    const response = await send(path, init);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: expect.stringContaining(words) });
  });
});

describe("a workspace of the edge worker", () => {
  const connect = async (name: string, token = TOKEN) => {
    const options: RemoteBackendOptions = {
      url: new URL(`/workspace/${name}`, await miniflare.ready).href,
      headers: { authorization: `Bearer ${token}` },
    };
    return remoteBackend(options);
  };

  test("keeps files for whoever has the token, each name by itself", async () => {
    const { fs, cwd } = await connect("mine");
    const { version } = await fs.write(`${cwd}/a.txt`, new TextEncoder().encode("kept"));
    await fs.writeStream(`${cwd}/big`, new Blob([new Uint8Array(5 << 20)]).stream());
    const again = (await connect("mine")).fs;
    expect([
      new TextDecoder().decode((await again.read(`${cwd}/a.txt`)).bytes),
      (await again.stat(`${cwd}/a.txt`))?.version,
      (await again.stat(`${cwd}/big`))?.size,
      await (await connect("yours")).fs.stat(`${cwd}/a.txt`),
    ]).toEqual(["kept", version, 5 << 20, undefined]);
  });

  test("lets nobody else in, and has no other names", async () => {
    await expect(connect("mine", "a-token-that-is-wrong")).rejects.toMatchObject({ code: "BACKEND_UNAUTHORIZED" });
    expect((await send("/workspace/..%2fmine")).status).toBe(404);
    expect((await send("/workspace/")).status).toBe(404);
    expect((await send("/workspace/mine")).status).toBe(401);
  });
});

interface Line {
  type: string;
  result?: object;
  files?: Record<string, string | null>;
}

interface Init {
  method?: string;
  body?: string | Uint8Array<ArrayBuffer>;
}

function send(path: string, init: Init = {}) {
  return miniflare.dispatchFetch(`http://edge.test${path}`, init);
}

async function call(body: object): Promise<Line[]> {
  const response = await send("/call", post(body));
  expect(response.headers.get("content-type")).toBe("application/x-ndjson");
  const text = await response.text();
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

function post(body: object): Init {
  return { method: "POST", body: JSON.stringify(body) };
}

function manyFiles(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, ""]));
}

async function bundleWorker(): Promise<string> {
  const result = await build({
    root,
    configFile: false,
    logLevel: "error",
    publicDir: false,
    resolve: { conditions: ["workerd", "worker", "browser", "module"], alias: webAliases() },
    build: {
      write: false,
      target: "es2022",
      minify: true,
      modulePreload: false,
      rolldownOptions: {
        external: [/^cloudflare:/],
        input: `${root}demo/edge/worker.ts`,
        preserveEntrySignatures: "strict",
        output: { format: "es", entryFileNames: "worker.js", codeSplitting: false },
      },
    },
  });
  const outputs = Array.isArray(result)
    ? result.flatMap((each) => each.output)
    : "output" in result
      ? result.output
      : [];
  const chunk = outputs.find((output) => output.fileName === "worker.js");
  if (chunk?.type !== "chunk") throw new Error("The bundle of the edge worker came out empty.");
  return chunk.code;
}
