import { deleteIndexedDb, indexedDbBackend } from "holdall/indexeddb";
import { describe, expect, test } from "vitest";
import { changeRaw, databases, keysOf, openRaw, settled } from "./indexeddb-support.ts";
import { bytesOf, freshName, pattern, readText, streamOf, withProperty } from "./storage-support.ts";

const open = databases();

const lost = (): DOMException => new DOMException("The database connection is closing.", "InvalidStateError");

/** Lets the first calls of `transaction` do something else. */
function withTransactions<T>(
  meddle: (database: IDBDatabase, begin: () => IDBTransaction, call: number) => IDBTransaction,
  run: () => Promise<T>,
): Promise<T> {
  const original = IDBDatabase.prototype.transaction;
  let call = 0;
  const meddling = function (this: IDBDatabase, ...parameters: Parameters<IDBDatabase["transaction"]>): IDBTransaction {
    call += 1;
    return meddle(this, () => original.apply(this, parameters), call);
  };
  return withProperty(IDBDatabase.prototype, "transaction", meddling, run);
}

describe("a database that cannot be had", () => {
  test.each([
    ["there is none", undefined],
    [
      "it may not be used",
      {
        open: () => {
          throw new DOMException("denied", "SecurityError");
        },
      },
    ],
    [
      "it does not open, as in a private window",
      {
        open: () => {
          throw new DOMException("no mutations", "InvalidStateError");
        },
      },
    ],
  ])("is told of where %s, by every call", async (_what, factory) => {
    const { fs } = open();
    await withProperty(globalThis, "indexedDB", factory, async () => {
      for (const call of [
        () => fs.stat("/a"),
        () => fs.write("/a", bytesOf("x")),
        () => fs.glob({ pattern: "*", path: "/" }),
      ])
        await expect(call()).rejects.toMatchObject({ code: "FS_UNSUPPORTED" });
    });
    await fs.write("/a", bytesOf("later"));
    expect((await fs.stat("/a"))?.size).toBe(5);
  });

  test("is told of when its upgrade fails, and opens the next time", async () => {
    const { fs } = open();
    const original = IDBDatabase.prototype.createObjectStore;
    const failing = function (this: IDBDatabase, name: string): IDBObjectStore {
      const store = original.call(this, name);
      store.transaction.abort();
      return store;
    };
    await withProperty(IDBDatabase.prototype, "createObjectStore", failing, async () => {
      await expect(fs.stat("/a")).rejects.toMatchObject({ code: "FS_IO" });
    });
    await fs.write("/a", bytesOf("x"));
    expect((await fs.stat("/a"))?.size).toBe(1);
  });

  test("is told of when it belongs to something else", async () => {
    const name = freshName();
    (await openRaw(name, "other")).close();
    const { fs } = indexedDbBackend({ name });
    await expect(fs.stat("/a")).rejects.toMatchObject({
      code: "FS_IO",
      message: expect.stringContaining("another name"),
    });
  });

  test("is told of when another tab holds it up, and is used once the way is free", async () => {
    const name = freshName();
    const raw = await openRaw(name);
    const deleting = settled(indexedDB.deleteDatabase(name));
    const { fs } = open({ name, openTimeoutMs: 50 });
    await expect(fs.write("/a", bytesOf("x"))).rejects.toMatchObject({ code: "FS_IO", retryable: true });
    raw.close();
    await deleting;
    await expect
      .poll(() =>
        fs.write("/a", bytesOf("x")).then(
          () => "written",
          () => "waiting",
        ),
      )
      .toBe("written");
  });
});

describe("a connection that ends", () => {
  test.each([
    ["is closed", (database: IDBDatabase) => database.close()],
    [
      "says that it is closing",
      () => {
        throw lost();
      },
    ],
  ])("is opened again when it %s", async (_what, meddle) => {
    const backend = open();
    await backend.fs.write("/a", bytesOf("before"));
    await withTransactions(
      (database, begin, call) => {
        if (call === 1) meddle(database);
        return begin();
      },
      async () => {
        expect(await readText(backend, "/a")).toBe("before");
        await backend.fs.write("/a", bytesOf("after"));
      },
    );
    expect(await readText(backend, "/a")).toBe("after");
  });

  test("in the middle of a change makes the change once, with its condition", async () => {
    const { fs } = open();
    const { version } = await fs.write("/a", bytesOf("before"));
    await withTransactions(
      (_database, begin, call) => {
        const transaction = begin();
        if (call === 1) transaction.abort();
        return transaction;
      },
      async () => {
        await fs.write("/a", bytesOf("after"), { ifVersion: version });
      },
    );
    await expect(fs.write("/a", bytesOf("again"), { ifVersion: version })).rejects.toMatchObject({
      code: "FS_CONFLICT",
    });
  });

  test("again and again is told of, and changes nothing", async () => {
    const backend = open();
    await backend.fs.write("/a", bytesOf("before"));
    const abortChanges = (_database: IDBDatabase, begin: () => IDBTransaction): IDBTransaction => {
      const transaction = begin();
      if (transaction.mode === "readwrite") transaction.abort();
      return transaction;
    };
    await withTransactions(abortChanges, async () => {
      await expect(backend.fs.write("/a", bytesOf("after"))).rejects.toMatchObject({ code: "FS_IO" });
      await expect(backend.fs.remove("/a")).rejects.toMatchObject({ code: "FS_IO" });
    });
    expect(await readText(backend, "/a")).toBe("before");
  });

  test("lets another tab delete the database, and starts an empty one", async () => {
    const name = freshName();
    const { fs } = open({ name });
    await fs.write("/a", bytesOf("x"));
    await deleteIndexedDb(name);
    expect(await fs.stat("/a")).toBe(undefined);
    await fs.write("/b", bytesOf("y"));
    expect((await fs.glob({ pattern: "**", path: "/" })).matches.map(({ path }) => path)).toEqual(["/b"]);
  });

  test("by close ends watches, and every later call", async () => {
    const { fs, close } = open();
    const watching = (async () => {
      for await (const change of fs.watch?.("/") ?? []) throw new Error(`told of ${change.path}`);
    })();
    await fs.stat("/");
    await close?.();
    await watching;
    await expect(fs.stat("/a")).rejects.toMatchObject({ code: "FS_CLOSED" });
    await expect(fs.write("/a", bytesOf("x"))).rejects.toMatchObject({ code: "FS_CLOSED" });
  });
});

describe("a disk that is full", () => {
  /** Lets chunks above a size fail, at once or by the end of the transaction. */
  function withQuota<T>(bytes: number, run: () => Promise<T>): Promise<T> {
    const original = IDBObjectStore.prototype.put;
    const limited = function (this: IDBObjectStore, value: unknown, key?: IDBValidKey): IDBRequest<IDBValidKey> {
      if (value instanceof Uint8Array && value.length > bytes) throw new DOMException("full", "QuotaExceededError");
      return original.call(this, value, key);
    };
    return withProperty(IDBObjectStore.prototype, "put", limited, run);
  }

  test("fails what does not fit, and nothing beside it", async () => {
    const backend = open();
    await backend.fs.write("/big", bytesOf("old"));
    await withQuota(1000, async () => {
      const outcomes = await Promise.allSettled([
        backend.fs.write("/a", pattern(900)),
        backend.fs.write("/big", pattern(2000)),
        backend.fs.write("/new/deep", pattern(2000)),
        backend.fs.write("/b", pattern(800)),
      ]);
      expect(
        outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value.size : outcome.reason.code)),
      ).toEqual([900, "FS_NO_SPACE", "FS_NO_SPACE", 800]);
    });
    const { matches } = await backend.fs.glob({ pattern: "**", path: "/" });
    expect(matches.map(({ path }) => path).sort()).toEqual(["/a", "/b", "/big"]);
    expect([await readText(backend, "/big"), await backend.fs.stat("/new")]).toEqual(["old", undefined]);
  });

  test("fails a stream that does not fit, and keeps nothing of it", async () => {
    const name = freshName();
    const { fs } = open({ name, cwd: "/" });
    await fs.write("/f", bytesOf("old"));
    const before = await keysOf(name);
    await withQuota(100_000, async () => {
      const stream = streamOf(30, () => pattern(400_000));
      await expect(fs.writeStream("/f", stream)).rejects.toMatchObject({ code: "FS_NO_SPACE" });
    });
    expect(await keysOf(name)).toEqual(before);
  });

  test("is relieved by what dead tabs have left", async () => {
    const name = freshName();
    const { fs } = open({ name, cwd: "/" });
    await fs.write("/f", bytesOf("old"));
    await expect.poll(() => keysOf(name)).toEqual(["/,f"]);
    await leaveBehind(name, "dead", Date.now());
    let isFull = true;
    const original = IDBObjectStore.prototype.put;
    const relieved = IDBObjectStore.prototype.delete;
    const failing = function (this: IDBObjectStore, value: unknown, key?: IDBValidKey): IDBRequest<IDBValidKey> {
      if (isFull) throw new DOMException("full", "QuotaExceededError");
      return original.call(this, value, key);
    };
    const freeing = function (this: IDBObjectStore, key: IDBValidKey | IDBKeyRange): IDBRequest<undefined> {
      isFull = false;
      return relieved.call(this, key);
    };
    await withProperty(IDBObjectStore.prototype, "put", failing, () =>
      withProperty(IDBObjectStore.prototype, "delete", freeing, () => fs.write("/f", bytesOf("new"))),
    );
    expect((await keysOf(name)).filter((key) => key.includes("dead"))).toEqual([]);
  });
});

/** Puts into the store what a tab leaves that dies while it streams. */
function leaveBehind(name: string, content: string, at: number): Promise<void> {
  return changeRaw(name, (store) => {
    store.put({ content, at }, [`!${content}`]);
    store.put(pattern(10), [`#${content}`, 0]);
  });
}

describe("a stream", () => {
  test("appears at its end, and nothing of it stays when it is given up", async () => {
    const name = freshName();
    const backend = open({ name, cwd: "/" });
    await backend.fs.write("/f", bytesOf("old"));
    const before = await keysOf(name);
    const seen: string[] = [];
    const look = async (index: number): Promise<void> => {
      if (index === 9) seen.push(await readText(backend, "/f"));
    };
    await backend.fs.writeStream(
      "/f",
      streamOf(10, (index) => pattern(1 << 20, index), look),
    );
    expect([seen, (await backend.fs.stat("/f"))?.size]).toEqual([["old"], 10 << 20]);
    await backend.fs.write("/f", bytesOf("old"));
    const controller = new AbortController();
    const reason = new Error("given up");
    const stream = streamOf(
      30,
      () => pattern(1 << 20),
      (index) => index === 20 && controller.abort(reason),
    );
    await expect(backend.fs.writeStream("/f", stream, { signal: controller.signal })).rejects.toBe(reason);
    await expect.poll(() => keysOf(name).then((keys) => keys.length)).toBe(before.length);
    expect(await readText(backend, "/f")).toBe("old");
  });

  test("whose condition breaks while it comes in changes nothing", async () => {
    const name = freshName();
    const backend = open({ name, cwd: "/" });
    const { version } = await backend.fs.write("/f", bytesOf("old"));
    const write = (index: number): unknown => index === 6 && backend.fs.write("/f", bytesOf("between"));
    const stream = streamOf(9, () => pattern(1 << 20), write);
    await expect(backend.fs.writeStream("/f", stream, { ifVersion: version })).rejects.toMatchObject({
      code: "FS_CONFLICT",
    });
    expect([await readText(backend, "/f"), await keysOf(name)]).toEqual(["between", ["/,f"]]);
  });

  test.each([
    ["with locks, however young", true, 0, []],
    ["without locks, after a day", false, 25, []],
    ["without locks, not before", false, 23, ["!dead", "#dead,0"]],
  ])("of a dead tab is taken away %s", async (_what, hasLocks, hours, left) => {
    const name = freshName();
    await leaveBehind(name, "dead", 1_000_000);
    const run = async (): Promise<void> => {
      const { fs } = open({ name, cwd: "/", clock: () => 1_000_000 + hours * 3_600_000 });
      await fs.write("/f", bytesOf("x"));
      await expect.poll(async () => (await keysOf(name)).filter((key) => key.includes("dead"))).toEqual(left);
    };
    if (hasLocks) await run();
    else await withProperty(Navigator.prototype, "locks", undefined, run);
  });

  test("of a tab that lives is left alone", async () => {
    const name = freshName();
    const first = open({ name, cwd: "/" });
    const other = open({ name, cwd: "/" });
    const meddle = (index: number): unknown => index === 8 && other.fs.write("/other", bytesOf("x"));
    await first.fs.writeStream(
      "/f",
      streamOf(12, (index) => pattern(1 << 20, index), meddle),
    );
    expect((await other.fs.read("/f", { offset: 9 << 20, length: 100 })).bytes).toEqual(
      pattern(1 << 20, 9).slice(0, 100),
    );
  });
});

describe("what a file system in IndexedDB tells", () => {
  test("of damage names the file", async () => {
    const name = freshName();
    const { fs } = open({ name });
    await fs.write("/f", pattern(2 << 20));
    await changeRaw(name, async (store) => {
      const keys = await settled(store.getAllKeys());
      const chunk = keys.find((key) => Array.isArray(key) && String(key[0]).startsWith("#") && key[1] === 2);
      if (chunk !== undefined) store.delete(chunk);
    });
    await expect(fs.read("/f")).rejects.toMatchObject({ code: "FS_IO", data: { path: "/f" } });
    expect((await fs.read("/f", { length: 10 })).bytes).toEqual(pattern(10));
  });

  test("of versions does not depend on the clock", async () => {
    let time = 1_000_000;
    const { fs } = open({ clock: () => (time -= 1000) });
    const first = await fs.write("/f", bytesOf("a"));
    const second = await fs.write("/f", bytesOf("b"), { ifVersion: first.version });
    expect([second.version === first.version, second.modifiedAt < first.modifiedAt]).toEqual([false, true]);
    await expect(fs.write("/f", bytesOf("c"), { ifVersion: first.version })).rejects.toMatchObject({
      code: "FS_CONFLICT",
    });
  });
});
