/** Workspaces in Durable Objects, in a real workerd without Node compatibility and without eval. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Backend } from "holdall";
import { fileSystemContract } from "holdall/testing";
import { type FetchLike, remoteBackend } from "holdall/worker";
import { Miniflare } from "miniflare";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { webAliases } from "../support/aliases.ts";
import { root } from "../support/sources.ts";
import { checks } from "./cloudflare-checks.ts";
import { bytes, text, treeOf } from "./overlay-support.ts";

const TOKEN = "a-token-of-some-length";

let folder: string;
let code: string;
let miniflare: Miniflare;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdall-objects-"));
  code = await bundleWorker();
  miniflare = start();
}, 60_000);

afterAll(async () => {
  await miniflare?.dispose();
  await rm(folder, { recursive: true, force: true });
});

describe("durableObjectFileSystem, in its object", () => {
  for (const { name } of fileSystemContract({ create: notHere, can: { symlinks: true, watch: true } }))
    test(name, () => passes("inside", name));
  for (const name of Object.keys(checks)) test(name, () => passes("inside", name));
});

describe("rpcBackend, from another worker", () => {
  for (const { name } of fileSystemContract({ create: notHere, can: { symlinks: true } }))
    test.concurrent(name, () => passes("rpc", name));
});

describe("remoteBackend over the object's fetch", () => {
  let objects = 0;
  const create = async () => {
    objects += 1;
    return (await open(`http-${objects}`)).fs;
  };
  for (const { name, run } of fileSystemContract({ create, can: { symlinks: true, watch: true } }))
    test.concurrent(name, run);
});

describe("a workspace object", () => {
  test("has everything after a restart", async () => {
    const { fs } = await open("kept");
    const big = new Uint8Array(3 << 20).fill(7);
    await fs.write("/d/big", big);
    await fs.write("/d/f", bytes("x"));
    await fs.symlink?.("d/f", "/link");
    const before = { version: (await fs.stat("/d/f"))?.version ?? "", tree: Object.keys(await treeOf(fs)) };
    await miniflare.dispose();
    miniflare = start();
    const again = (await open("kept")).fs;
    expect(Object.keys(await treeOf(again))).toEqual(before.tree);
    const read = (await again.read("/d/big")).bytes;
    expect([read.length, read.every((byte) => byte === 7)]).toEqual([big.length, true]);
    await again.write("/link", bytes("y"), { ifVersion: before.version });
    expect(await text(again, "/d/f")).toBe("y");
    await expect(again.write("/d/f", bytes("z"), { ifVersion: before.version })).rejects.toMatchObject({
      code: "FS_CONFLICT",
    });
  });

  test("makes a change once that is sent again after a restart, because its answer was lost", async () => {
    let losing = false;
    const { fs } = await open("lost", async (url, init) => {
      const response = await fetch(new URL(new URL(url).pathname, await miniflare.ready), init);
      if (!losing) return response;
      losing = false;
      await response.arrayBuffer();
      await miniflare.dispose();
      miniflare = start();
      throw new TypeError("the connection was lost");
    });
    await fs.write("/a", bytes("1"));
    losing = true;
    await fs.rename("/a", "/b");
    await fs.write("/a", bytes("2"));
    expect(await treeOf(fs)).toEqual({ "/a": "2", "/b": "1" });
  });

  test("lets one of two clients win that write under one version", async () => {
    const both = [(await open("shared")).fs, (await open("shared")).fs];
    const { version } = (await both[0]?.write("/f", bytes("start"))) ?? { version: "" };
    const outcomes = await Promise.allSettled(
      both.map((fs, who) => fs.write("/f", bytes(`${who}`), { ifVersion: version })),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("is nobody's but those it lets in, each name by itself", async () => {
    const stranger = remoteBackend({
      url: await address("kept"),
      headers: { authorization: "Bearer a-token-that-is-wrong" },
    });
    await expect(stranger).rejects.toMatchObject({ code: "BACKEND_UNAUTHORIZED" });
    expect(await (await open("another")).fs.stat("/d")).toBeUndefined();
    const rpcOnly = await miniflare.dispatchFetch("http://worker.test/small/one/");
    expect([rpcOnly.status, await rpcOnly.text()]).toEqual([403, "This workspace answers RPC only."]);
  });

  test("keeps nothing of an upload that is cut off", async () => {
    const { fs } = await open("cut");
    await fs.write("/f", bytes("old"));
    let parts = 0;
    const broken = new ReadableStream<Uint8Array>({
      pull: (source) => {
        parts += 1;
        if (parts > 4) source.error(new Error("cut off"));
        else source.enqueue(new Uint8Array(1 << 20));
      },
    });
    await expect(fs.writeStream("/f", broken)).rejects.toThrow("cut off");
    expect(await treeOf(fs)).toEqual({ "/f": "old" });
  });
});

function start(): Miniflare {
  return new Miniflare({
    modules: [{ type: "ESModule", path: "worker.js", contents: code }],
    compatibilityDate: "2026-04-20",
    compatibilityFlags: ["no_nodejs_compat_v2"],
    cf: false,
    bindings: { TOKEN },
    durableObjects: Object.fromEntries(
      Object.entries({ WORKSPACE: "Workspace", SMALL: "Small", BENCH: "Bench" }).map(([binding, className]) => [
        binding,
        { className, useSQLite: true },
      ]),
    ),
    durableObjectsPersist: folder,
  });
}

async function passes(where: string, name: string): Promise<void> {
  const response = await miniflare.dispatchFetch(`http://worker.test/${where}?name=${encodeURIComponent(name)}`);
  expect(await response.text()).toBe("");
}

/** Over the network, as it would be from anywhere. */
async function address(object: string): Promise<string> {
  return new URL(`/workspace/${object}/`, await miniflare.ready).href;
}

async function open(object: string, send: FetchLike = (url, init) => fetch(url, init)): Promise<Backend> {
  return remoteBackend({ url: await address(object), headers: { authorization: `Bearer ${TOKEN}` }, fetch: send });
}

function notHere(): never {
  throw new Error("This runs in the worker.");
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
      minify: false,
      modulePreload: false,
      rolldownOptions: {
        external: [/^cloudflare:/],
        input: `${root}test/adapters/cloudflare-worker.ts`,
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
  if (chunk?.type !== "chunk") throw new Error("The bundle of the worker came out empty.");
  return chunk.code;
}
