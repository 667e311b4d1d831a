import type { FsChange } from "holdall";
import { describe, expect, test } from "vitest";
import { databases } from "./indexeddb-support.ts";
import { bytesOf, countCalls, freshName, pattern, readText, streamOf } from "./storage-support.ts";

const open = databases();

const REQUESTS = ["get", "getAll", "getKey", "getAllKeys", "openCursor", "openKeyCursor", "count"];

/** Counts what is asked of stores. */
function countRequests<T>(run: () => Promise<T>): Promise<{ result: T; calls: Record<string, number> }> {
  return countCalls(IDBObjectStore.prototype, REQUESTS, run);
}

describe("a workspace in IndexedDB", { timeout: 60_000 }, () => {
  test("of 10,000 files is opened with one listing", async () => {
    const name = freshName();
    const paths = Array.from({ length: 10_000 }, (_, index) => `/src/d${index % 90}/e${index % 7}/f${index}.ts`);
    const first = open({ name, cwd: "/" });
    await Promise.all(paths.map((path) => first.fs.write(path, bytesOf(path))));
    const second = open({ name, cwd: "/" });
    const glob = await countRequests(() =>
      second.fs.glob({ pattern: "**/*.ts", path: "/", includeIgnored: true, limit: 20_000 }),
    );
    expect([glob.result.matches.length, glob.calls]).toEqual([10_000, { getAll: 1 }]);
    const walk = await countRequests(async () => {
      let files = 0;
      for await (const { kind } of second.fs.walk("/")) if (kind === "file") files += 1;
      return files;
    });
    expect([walk.result, walk.calls]).toEqual([10_000, { getAll: 1 }]);
    const listing = await countRequests(async () => {
      const names: string[] = [];
      for await (const entry of second.fs.list("/")) names.push(entry.name);
      return names;
    });
    expect([listing.result, listing.calls]).toEqual([["src"], { getAll: 1 }]);
    const grep = await countRequests(() => second.fs.grep({ pattern: "e6/f5557", path: "/src/d67" }));
    // The directory, its entries, all below; then each file is one request.
    expect(grep.result.files.map(({ path }) => path)).toEqual(["/src/d67/e6/f5557.ts"]);
    expect(Object.values(grep.calls).reduce((sum, count) => sum + count, 0)).toBeLessThan(111 + 20);
  });

  test("makes few transactions of many writes, and keeps every condition", async () => {
    const { fs } = open();
    const { version } = await fs.write("/d/f0", bytesOf("first"));
    const { result, calls } = await countCalls(IDBDatabase.prototype, ["transaction"], () =>
      Promise.allSettled(
        Array.from({ length: 1000 }, (_, index) =>
          fs.write(`/d/f${index % 500}`, bytesOf(`${index}`), index % 500 === 0 ? { ifVersion: version } : {}),
        ),
      ),
    );
    const refused = result.flatMap((outcome, index) =>
      outcome.status === "rejected" ? [[index, outcome.reason.code]] : [],
    );
    expect(refused).toEqual([[500, "FS_CONFLICT"]]);
    expect(calls.transaction).toBeLessThan(5);
    expect(
      [await fs.read("/d/f499"), await fs.read("/d/f0")].map(({ bytes }) => new TextDecoder().decode(bytes)),
    ).toEqual(["999", "0"]);
  });

  test("moves a tree in one transaction, without its contents", async () => {
    const { fs } = open();
    await Promise.all(
      Array.from({ length: 200 }, (_, index) => fs.write(`/a/d${index % 9}/f${index}`, pattern(5000, index))),
    );
    const { calls } = await countCalls(IDBDatabase.prototype, ["transaction"], () =>
      countRequests(() => fs.rename("/a", "/b/c")),
    );
    expect(calls).toEqual({ transaction: 1 });
    expect((await fs.glob({ pattern: "**", path: "/b", limit: 500 })).matches.length).toBe(200);
    expect((await fs.read("/b/c/d1/f100")).bytes).toEqual(pattern(5000, 100));
  });

  test("is the same for two backends: one of them wins, and each hears of the other", async () => {
    const name = freshName();
    const [one, other] = [open({ name }), open({ name, durability: "strict" })];
    const controller = new AbortController();
    const heard: FsChange[] = [];
    const watching = (async () => {
      for await (const change of other.fs.watch?.("/workspace", { signal: controller.signal }) ?? [])
        heard.push(change);
    })();
    await other.fs.stat("/workspace");
    const { version } = await one.fs.write("/workspace/f", bytesOf("start"));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? one : other).fs.write("/workspace/f", bytesOf(`${index}`), { ifVersion: version }),
      ),
    );
    const winners = outcomes.flatMap(({ status }, index) => (status === "fulfilled" ? [`${index}`] : []));
    expect([winners.length, await readText(one, "/workspace/f"), await readText(other, "/workspace/f")]).toEqual([
      1,
      winners[0],
      winners[0],
    ]);
    await one.fs.remove("/workspace/f");
    await expect.poll(() => heard.at(-1)).toEqual({ path: "/workspace/f", kind: "removed" });
    controller.abort();
    await watching;
  });

  test("can be used while something else is waited for", async () => {
    const backend = open();
    await backend.fs.write("/f", bytesOf("x"));
    const reading = backend.fs.readStream("/f").getReader();
    await fetch(import.meta.url);
    await reading.read();
    const slow = streamOf(
      3,
      () => bytesOf("y"),
      () => fetch(import.meta.url),
    );
    await backend.fs.writeStream("/g", slow);
    expect(await readText(backend, "/g")).toBe("yyy");
  });

  test("can be used in a worker", async () => {
    const name = freshName();
    const worker = new Worker(new URL("./storage-worker.ts", import.meta.url), { type: "module" });
    const said = new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
    });
    worker.postMessage(`indexeddb|${name}`);
    expect(await said).toBe("two wo /d /d/f /workspace");
    // The worker stays: WebKit may forget that one which is ended has closed what it opened.
    expect(await readText(open({ name }), "/d/f")).toBe("two");
  });
});
