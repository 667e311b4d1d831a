import type { Backend } from "holdall";
import { describe, expect, test } from "vitest";
import { changeRaw, databases, keysOf, openRaw, settled } from "./indexeddb-support.ts";
import { bytesOf, countCalls, freshName, pattern, readText } from "./storage-support.ts";

const open = databases();

/** The most bytes that lie with the facts of a file. */
const SMALL = 1024;
const CHUNK = 512 << 10;

/** What is asked of the store, and how often. */
function countRequests(run: () => Promise<unknown>): Promise<{ calls: Record<string, number> }> {
  return countCalls(IDBObjectStore.prototype, ["get", "getAll", "put", "delete"], run);
}

async function readAll({ fs }: Backend, path: string): Promise<Uint8Array> {
  return (await fs.read(path)).bytes;
}

/** Shows no difference, which takes seconds for a million bytes. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

describe("a small file in IndexedDB", () => {
  test("lies with its facts: a write is one look and one record", async () => {
    const name = freshName();
    const { fs } = open({ name, cwd: "/d" });
    await fs.write("/d/f", pattern(SMALL, 1));
    const write = await countRequests(() => fs.write("/d/f", pattern(SMALL, 2)));
    const read = await countRequests(() => fs.read("/d/f"));
    expect([write.calls, read.calls, await keysOf(name)]).toEqual([{ get: 1, put: 1 }, { get: 1 }, ["/,d", "/d,f"]]);
  });

  test("is found by a search without a request of its own", async () => {
    const backend = open({ cwd: "/d" });
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => backend.fs.write(`/d/f${index}`, bytesOf(`n${index}.`))),
    );
    const { calls, result } = await countCalls(IDBObjectStore.prototype, ["get", "getAll"], () =>
      backend.fs.grep({ pattern: "n7\\.", path: "/d", mode: "files_with_matches" }),
    );
    expect(result.files.map(({ path }) => path)).toEqual(["/d/f7"]);
    // The directory, its entries, all below, and rules of what to ignore.
    expect(Object.values(calls).reduce((sum, count) => sum + count, 0)).toBeLessThan(10);
  });

  test.each([0, 1, SMALL - 1, SMALL])("of %i bytes is read by range", async (size) => {
    const backend = open();
    await backend.fs.write("/f", pattern(size));
    const ranges = [
      { offset: 0, length: 1 },
      { offset: 3, length: 500 },
      { offset: size, length: 1 },
      { offset: size + 9 },
    ];
    const read = await Promise.all(ranges.map(async (range) => (await backend.fs.read("/f", range)).bytes));
    expect([await readAll(backend, "/f"), ...read]).toEqual([
      pattern(size),
      ...ranges.map(({ offset, length = size }) => pattern(size).slice(offset, offset + length)),
    ]);
  });

  test("is nobody else's: neither what was given nor what was read changes it", async () => {
    const backend = open();
    const buffer = pattern(4096);
    await backend.fs.write("/f", buffer.subarray(10, 20));
    buffer.fill(0);
    const [one, other] = await Promise.all([readAll(backend, "/f"), readAll(backend, "/f")]);
    one.fill(0);
    expect([other, await readAll(backend, "/f")]).toEqual([pattern(4096).slice(10, 20), pattern(4096).slice(10, 20)]);
  });

  test("takes no more room than its bytes, however large the buffer they come from", async () => {
    const name = freshName();
    const { fs } = open({ name, cwd: "/" });
    await fs.write("/f", pattern(4096).subarray(10, 20));
    const database = await openRaw(name);
    const record = await settled(database.transaction("files").objectStore("files").get(["/", "f"]));
    database.close();
    expect(record.bytes.buffer.byteLength).toBe(10);
  });

  test("that grows and shrinks leaves no chunk behind", async () => {
    const name = freshName();
    const backend = open({ name, cwd: "/" });
    const kept: Record<number, string[]> = {};
    const sizes = [10, SMALL + 1, CHUNK + 1, SMALL, 2 * CHUNK, 0];
    for (const size of sizes) {
      await backend.fs.write("/f", pattern(size, size));
      expect(isSame(await readAll(backend, "/f"), pattern(size, size))).toBe(true);
      kept[size] = (await keysOf(name)).map((key) => key.replace(/^#[^,]*/, "#"));
    }
    expect(kept).toEqual({
      0: ["/,f"],
      10: ["/,f"],
      [SMALL]: ["/,f"],
      [SMALL + 1]: ["#,0", "/,f"],
      [CHUNK + 1]: ["#,0", "#,1", "/,f"],
      [2 * CHUNK]: ["#,0", "#,1", "/,f"],
    });
  });

  test("goes with its directory, and is gone with it", async () => {
    const name = freshName();
    const backend = open({ name, cwd: "/" });
    await backend.fs.write("/a/b/f", bytesOf("moved"));
    await backend.fs.rename("/a", "/c");
    expect(await readText(backend, "/c/b/f")).toBe("moved");
    await backend.fs.remove("/c", { recursive: true });
    expect(await keysOf(name)).toEqual([]);
  });
});

describe("a database of the former layout, with small files in chunks as well,", () => {
  const facts = { kind: "file", modifiedAt: 1000 };

  /** Puts into a database what was once written there. */
  async function keepFormer(name: string): Promise<void> {
    await changeRaw(name, (store) => {
      store.put({ path: "/d", kind: "directory", size: 0, modifiedAt: 900, version: "t.1" }, ["/", "d"]);
      store.put({ ...facts, path: "/d/none", size: 0, version: "t.2", content: "t.2", chunkBytes: CHUNK }, [
        "/d",
        "none",
      ]);
      store.put({ ...facts, path: "/d/small", size: 9, version: "t.3", content: "t.3", chunkBytes: CHUNK }, [
        "/d",
        "small",
      ]);
      store.put(bytesOf("old small"), ["#t.3", 0]);
      store.put({ ...facts, path: "/d/large", size: 250, version: "t.4", content: "t.4", chunkBytes: 100 }, [
        "/d",
        "large",
      ]);
      for (const index of [0, 1, 2]) store.put(pattern(250).slice(100 * index, 100 * index + 100), ["#t.4", index]);
    });
  }

  test("is read, searched, moved and listed as it is", async () => {
    const name = freshName();
    await keepFormer(name);
    const backend = open({ name, cwd: "/" });
    await backend.fs.rename("/d", "/e");
    const { files } = await backend.fs.grep({ pattern: "old", path: "/e", mode: "files_with_matches" });
    expect({
      none: await readText(backend, "/e/none"),
      small: await readText(backend, "/e/small"),
      large: await readAll(backend, "/e/large"),
      part: (await backend.fs.read("/e/large", { offset: 95, length: 10 })).bytes,
      found: files.map(({ path }) => path),
      stat: await backend.fs.stat("/e/large"),
    }).toEqual({
      none: "",
      small: "old small",
      large: pattern(250),
      part: pattern(250).slice(95, 105),
      found: ["/e/small"],
      stat: { kind: "file", size: 250, modifiedAt: 1000, version: "t.4" },
    });
  });

  test("becomes one of this layout file by file, as they are written", async () => {
    const name = freshName();
    await keepFormer(name);
    const backend = open({ name, cwd: "/" });
    await backend.fs.write("/d/small", bytesOf("new"), { ifVersion: "t.3" });
    await backend.fs.write("/d/none", pattern(SMALL + 1), { ifVersion: "t.2" });
    await backend.fs.write("/d/large", pattern(40), { ifVersion: "t.4" });
    expect([await readText(backend, "/d/small"), await keysOf(name)]).toEqual([
      "new",
      ["#t.2,0", "/,d", "/d,large", "/d,none", "/d,small"],
    ]);
    await backend.fs.remove("/d", { recursive: true });
    expect(await keysOf(name)).toEqual([]);
  });
});
