import type { Backend, FsChange } from "holdall";
import {
  type DirectoryBackendOptions,
  directoryBackend,
  ensurePermission,
  forgetDirectory,
  type OpfsBackendOptions,
  opfsBackend,
  recallDirectory,
  rememberDirectory,
} from "holdall/opfs";
import { afterEach, describe, expect, test } from "vitest";
import { bytesOf, countCalls, freshName, pattern, readText, streamOf, withProperty } from "./storage-support.ts";

const opened: { backend: Backend; name: string }[] = [];

/** WebKitGTK has the method and no implementation of it. */
const hasHandles = !/AppleWebKit\/[\d.]+ \(KHTML, like Gecko\) (?!Chrome|HeadlessChrome)/.test(navigator.userAgent);

afterEach(async () => {
  const names = new Set<string>();
  for (const { backend, name } of opened.splice(0)) {
    await backend.close?.();
    names.add(name);
  }
  const root = await navigator.storage.getDirectory();
  for (const name of names) await root.removeEntry(name, { recursive: true }).catch(() => {});
});

function open(options: OpfsBackendOptions = {}): Backend {
  const name = options.name ?? freshName();
  const backend = opfsBackend({ ...options, name });
  opened.push({ backend, name });
  return backend;
}

async function pick(
  options: DirectoryBackendOptions = {},
): Promise<{ backend: Backend; handle: FileSystemDirectoryHandle }> {
  const name = freshName();
  const handle = await folder(name);
  const backend = directoryBackend(handle, options);
  opened.push({ backend, name });
  return { backend, handle };
}

async function folder(...names: string[]): Promise<FileSystemDirectoryHandle> {
  let handle = await navigator.storage.getDirectory();
  for (const name of names) handle = await handle.getDirectoryHandle(name, { create: true });
  return handle;
}

async function writeRaw(
  directory: FileSystemDirectoryHandle,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const writable = await (await directory.getFileHandle(name, { create: true })).createWritable();
  await writable.write(bytes);
  await writable.close();
}

async function namesIn(directory: FileSystemDirectoryHandle): Promise<string[]> {
  const names: string[] = [];
  for await (const name of directory.keys()) names.push(name);
  return names.sort();
}

describe("a private file system that cannot be had", () => {
  test.each([
    ["it is missing", undefined],
    ["it may not be used", () => Promise.reject(new DOMException("private", "SecurityError"))],
  ])("is told of where %s, and used when it can be", async (_what, getDirectory) => {
    const { fs } = open();
    await withProperty(StorageManager.prototype, "getDirectory", getDirectory, async () => {
      for (const call of [() => fs.stat("/a"), () => fs.write("/a", bytesOf("x")), () => fs.makeDirectory("/d")])
        await expect(call()).rejects.toMatchObject({ code: "FS_UNSUPPORTED" });
    });
    await fs.write("/a", bytesOf("later"));
    expect((await fs.stat("/a"))?.size).toBe(5);
  });

  test("is told of after close", async () => {
    const { fs, close } = open();
    await fs.write("/a", bytesOf("x"));
    await close?.();
    for (const call of [() => fs.stat("/a"), () => fs.write("/a", bytesOf("x"))])
      await expect(call()).rejects.toMatchObject({ code: "FS_CLOSED" });
  });
});

describe("a disk that is full", () => {
  const full = (): Promise<never> => Promise.reject(new DOMException("full", "QuotaExceededError"));

  test.each([
    ["write", () => pattern(1000)],
    ["writeStream", () => streamOf(3, () => pattern(1000))],
  ] as const)("fails %s and leaves what was there", async (method, content) => {
    const name = freshName();
    const backend = open({ name });
    await backend.fs.write("/f", bytesOf("old"));
    await withProperty(FileSystemWritableFileStream.prototype, "write", full, async () => {
      for (const path of ["/f", "/new/deep/f"]) {
        const given = content();
        const writing =
          given instanceof Uint8Array ? backend.fs.write(path, given) : backend.fs.writeStream(path, given);
        await expect(writing, `${method} ${path}`).rejects.toMatchObject({ code: "FS_NO_SPACE" });
      }
    });
    expect([await readText(backend, "/f"), await backend.fs.stat("/new")]).toEqual(["old", undefined]);
    expect(await namesIn(await folder(name, "scratch"))).toEqual([]);
  });

  test("fails in a picked folder and leaves no empty file", async () => {
    const { backend, handle } = await pick();
    await backend.fs.write("/f", bytesOf("old"));
    await withProperty(FileSystemWritableFileStream.prototype, "write", full, async () => {
      for (const path of ["/f", "/g", "/d/h"])
        await expect(backend.fs.write(path, bytesOf("new"))).rejects.toMatchObject({ code: "FS_NO_SPACE" });
    });
    expect([await readText(backend, "/f"), await namesIn(handle)]).toEqual(["old", ["f"]]);
  });
});

describe("what other code does to the files", () => {
  test("shows in the version, also of the same size in the same moment", async () => {
    const { backend, handle } = await pick();
    const seen = new Set([(await backend.fs.write("/f", bytesOf("a"))).version]);
    for (const text of ["b", "c", "d"]) {
      await writeRaw(handle, "f", bytesOf(text));
      seen.add((await backend.fs.stat("/f"))?.version ?? "");
    }
    expect(seen.size).toBe(4);
    const [first = ""] = seen;
    await expect(backend.fs.write("/f", bytesOf("e"), { ifVersion: first })).rejects.toMatchObject({
      code: "FS_CONFLICT",
    });
    expect(await readText(backend, "/f")).toBe("d");
  });

  test("is not seen before it is done", async () => {
    const { backend, handle } = await pick();
    const { version } = await backend.fs.write("/f", bytesOf("old"));
    const writable = await (await handle.getFileHandle("f")).createWritable();
    await writable.write(bytesOf("something new"));
    expect([await readText(backend, "/f"), (await backend.fs.stat("/f"))?.version]).toEqual(["old", version]);
    await writable.close();
    expect(await readText(backend, "/f")).toBe("something new");
  });

  test("to a folder that is gone is told of", async () => {
    const { backend, handle } = await pick();
    await backend.fs.write("/d/f", bytesOf("x"));
    await (await navigator.storage.getDirectory()).removeEntry(handle.name, { recursive: true });
    expect(await backend.fs.stat("/d/f")).toBe(undefined);
    const writing = backend.fs.write("/d/f", bytesOf("x"));
    // WebKit, where no folder can be picked, makes the folder anew.
    if (hasHandles) await expect(writing).rejects.toMatchObject({ name: "HoldallError" });
    else await writing;
    const again = await directoryBackend(handle)
      .fs.stat("/")
      .then(
        (stat) => stat?.kind,
        (error: Error) => error.message,
      );
    // WebKit says that a folder which is gone is empty.
    expect(again).toBe(hasHandles ? goneMessage(handle) : "directory");
  });

  test.runIf(hasHandles)("to keep a file open is waited for, or told of", async () => {
    const name = freshName();
    const backend = open({ name });
    await backend.fs.write("/f", bytesOf("old"));
    const holder = await holdOpen([name, "files", "f"]);
    const writing = backend.fs.write("/f", bytesOf("new"));
    expect(await readText(backend, "/f")).toBe("old");
    await holder.release();
    await writing;
    expect(await readText(backend, "/f")).toBe("new");
    const again = await holdOpen([name, "files", "f"]);
    for (const call of [() => backend.fs.write("/f", bytesOf("x")), () => backend.fs.remove("/f")])
      await expect(call()).rejects.toMatchObject({ code: "FS_IO", retryable: true });
    await again.release();
    expect(await readText(backend, "/f")).toBe("new");
  });
});

function goneMessage({ name }: FileSystemDirectoryHandle): string {
  return `FS_NOT_FOUND: the folder "${name}" is no longer where it was picked. Pick it again.`;
}

/** Keeps a file open through a sync access handle, in a worker. */
async function holdOpen(path: readonly string[]): Promise<{ release(): Promise<void> }> {
  const source = `onmessage = async ({ data }) => {
    if (data === "release") { self.held.close(); return postMessage("released"); }
    let folder = await navigator.storage.getDirectory();
    for (const name of data.slice(0, -1)) folder = await folder.getDirectoryHandle(name);
    self.held = await (await folder.getFileHandle(data.at(-1))).createSyncAccessHandle();
    postMessage("held");
  }`;
  const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  const ask = (message: unknown): Promise<unknown> =>
    new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.postMessage(message);
    });
  expect(await ask([...path])).toBe("held");
  return {
    release: async () => {
      await ask("release");
      worker.terminate();
    },
  };
}

describe("what an earlier visit has left", () => {
  test("of contents is taken away, unless its tab lives", async () => {
    const name = freshName();
    const scratch = await folder(name, "scratch");
    await writeRaw(scratch, "dead.1", pattern(100));
    await writeRaw(scratch, "alive.1", pattern(100));
    let release = (): void => {};
    await new Promise<void>((held) => {
      void navigator.locks.request(`holdall:opfs:${name}:tab:alive`, () => {
        held();
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      });
    });
    await open({ name }).fs.write("/f", bytesOf("x"));
    await expect.poll(() => namesIn(scratch)).toEqual(["alive.1"]);
    release();
  });

  test.each([
    [25, ["journal"]],
    [23, ["dead.1", "journal"]],
  ])("of contents is taken away after a day where tabs do not see each other: %s hours", async (hours, left) => {
    const name = freshName();
    const scratch = await folder(name, "scratch");
    await writeRaw(scratch, "dead.1", pattern(100));
    await writeRaw(scratch, "journal", bytesOf(JSON.stringify({ from: "/a", to: "/b" })));
    const { lastModified } = await (await scratch.getFileHandle("dead.1")).getFile();
    await withProperty(Navigator.prototype, "locks", undefined, async () => {
      const { fs } = open({ name, clock: () => lastModified + hours * 3_600_000 });
      await fs.write("/f", bytesOf("x"));
      await expect.poll(() => namesIn(scratch)).toEqual(left.filter((entry) => entry !== "journal"));
    });
  });

  test("of a move is finished before anything else is seen", async () => {
    const name = freshName();
    const files = await folder(name, "files");
    await writeRaw(await folder(name, "files", "from", "d"), "left", bytesOf("left"));
    await writeRaw(await folder(name, "files", "to", "d"), "moved", bytesOf("moved"));
    await writeRaw(await folder(name, "scratch"), "journal", bytesOf(JSON.stringify({ from: "/from", to: "/to" })));
    const { fs } = open({ name, cwd: "/" });
    const { matches } = await fs.glob({ pattern: "**", path: "/" });
    expect(matches.map(({ path }) => path).sort()).toEqual(["/to/d/left", "/to/d/moved"]);
    expect([await namesIn(files), await namesIn(await folder(name, "scratch"))]).toEqual([["to"], []]);
  });
});

describe("a move that cannot be finished", () => {
  test("puts everything back", async () => {
    const name = freshName();
    const backend = open({ name, cwd: "/" });
    for (const path of ["/from/a", "/from/d/b", "/from/d/c"]) await backend.fs.write(path, bytesOf(path));
    let count = 0;
    const original: unknown = Reflect.get(FileSystemFileHandle.prototype, "move");
    const failing = function (this: FileSystemFileHandle, ...parameters: unknown[]): unknown {
      count += 1;
      if (count === 3) return Promise.reject(new DOMException("broken", "UnknownError"));
      return typeof original === "function" ? Reflect.apply(original, this, parameters) : undefined;
    };
    // The first of these moves is that of the journal.
    await withProperty(FileSystemFileHandle.prototype, "move", failing, () =>
      withProperty(FileSystemDirectoryHandle.prototype, "move", undefined, async () => {
        await expect(backend.fs.rename("/from", "/to/place")).rejects.toMatchObject({ code: "FS_IO" });
      }),
    );
    const { matches } = await backend.fs.glob({ pattern: "**", path: "/" });
    expect(matches.map(({ path }) => path).sort()).toEqual(["/from/a", "/from/d/b", "/from/d/c"]);
    expect([await backend.fs.stat("/to"), await namesIn(await folder(name, "scratch"))]).toEqual([undefined, []]);
  });

  test("in a picked folder leaves the old tree, and no half of a new one", async () => {
    const { backend } = await pick();
    for (const path of ["/from/a", "/from/d/b"]) await backend.fs.write(path, bytesOf(path));
    const broken = (): Promise<never> => Promise.reject(new DOMException("full", "QuotaExceededError"));
    await withProperty(FileSystemDirectoryHandle.prototype, "move", undefined, () =>
      withProperty(FileSystemWritableFileStream.prototype, "write", broken, async () => {
        await expect(backend.fs.rename("/from", "/to")).rejects.toMatchObject({ code: "FS_NO_SPACE" });
      }),
    );
    const { matches } = await backend.fs.glob({ pattern: "**", path: "/" });
    expect(matches.map(({ path }) => path).sort()).toEqual(["/from/a", "/from/d/b"]);
    await backend.fs.rename("/from", "/to");
    expect(await readText(backend, "/to/d/b")).toBe("/from/d/b");
  });
});

describe("two backends of one folder", () => {
  test("take turns: one of many writers wins, and each hears of the other", async () => {
    const name = freshName();
    const [one, other] = [open({ name }), open({ name })];
    const controller = new AbortController();
    const heard: FsChange[] = [];
    const watching = (async () => {
      for await (const change of other.fs.watch?.("/workspace", { signal: controller.signal }) ?? [])
        heard.push(change);
    })();
    await other.fs.stat("/workspace");
    const { version } = await one.fs.write("/workspace/f", bytesOf("start"));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        (index % 2 === 0 ? one : other).fs.write("/workspace/f", bytesOf(`${index}`), { ifVersion: version }),
      ),
    );
    const winners = outcomes.flatMap(({ status }, index) => (status === "fulfilled" ? [`${index}`] : []));
    expect([winners.length, await readText(other, "/workspace/f")]).toEqual([1, winners[0]]);
    await one.fs.remove("/workspace/f");
    await expect.poll(() => heard.at(-1)).toEqual({ path: "/workspace/f", kind: "removed" });
    controller.abort();
    await watching;
  });

  test("give up waiting for their turn when told to", async () => {
    const name = freshName();
    const backend = open({ name });
    await backend.fs.write("/f", bytesOf("old"));
    let release = (): void => {};
    await new Promise<void>((held) => {
      void navigator.locks.request(`holdall:opfs:${name}`, () => {
        held();
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      });
    });
    const controller = new AbortController();
    const writing = backend.fs.write("/f", bytesOf("new"), { signal: controller.signal });
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(writing).rejects.toBe(reason);
    release();
    await backend.fs.write("/g", bytesOf("x"));
    expect(await readText(backend, "/f")).toBe("old");
  });
});

describe("what another tab does to a path that this one knows", () => {
  const changes: readonly [what: string, change: (other: Backend) => Promise<unknown>, code: string | undefined][] = [
    ["removes the file", ({ fs }) => fs.remove("/d/f"), undefined],
    ["removes the folder", ({ fs }) => fs.remove("/d", { recursive: true }), undefined],
    ["moves the file away", ({ fs }) => fs.rename("/d/f", "/d/away"), undefined],
    ["moves the folder away", ({ fs }) => fs.rename("/d", "/away"), undefined],
    [
      "puts another folder in its place",
      async ({ fs }) => {
        await fs.rename("/d", "/away");
        await fs.write("/d/other", bytesOf("other"));
      },
      undefined,
    ],
    [
      "makes a folder of the file",
      async ({ fs }) => {
        await fs.remove("/d/f");
        await fs.makeDirectory("/d/f");
      },
      "FS_IS_DIRECTORY",
    ],
    [
      "makes a file of the folder",
      async ({ fs }) => {
        await fs.remove("/d", { recursive: true });
        await fs.write("/d", bytesOf("file"));
      },
      "FS_NOT_DIRECTORY",
    ],
  ];
  const writes: Readonly<Record<string, (backend: Backend, path: string) => Promise<unknown>>> = {
    write: ({ fs }, path) => fs.write(path, bytesOf("mine")),
    writeStream: ({ fs }, path) => fs.writeStream(path, new Blob(["mine"]).stream()),
  };

  test.each(changes.flatMap((change) => Object.keys(writes).map((method) => [method, ...change] as const)))(
    "%s writes it whole where it belongs, or says what is in the way, when the other %s",
    async (method, _what, change, code) => {
      const name = freshName();
      const [mine, other] = [open({ name, cwd: "/" }), open({ name, cwd: "/" })];
      for (const path of ["/d/f", "/d/g"]) await mine.fs.write(path, bytesOf("old"));
      await mine.fs.write("/d/f", bytesOf("older"));
      await change(other);
      const seen = async (backend: Backend): Promise<Record<string, string>> => {
        const files: Record<string, string> = {};
        for await (const { path, kind } of backend.fs.walk("/"))
          files[path] = kind === "file" ? await readText(backend, path) : kind;
        return files;
      };
      const before = await seen(other);
      const writing = writes[method]?.(mine, "/d/f");
      if (code === undefined) await writing;
      else await expect(writing).rejects.toMatchObject({ code });
      const after = code === undefined ? { ...before, "/d": "directory", "/d/f": "mine" } : before;
      expect([await seen(other), await seen(mine)]).toEqual([after, after]);
    },
  );
});

describe("a clock that goes back", () => {
  test("to the very tick of an earlier write does not pass one content for the other", async () => {
    const tick = 1_700_000_000_001;
    const { getFile } = FileSystemFileHandle.prototype;
    const stopped = async function (this: FileSystemFileHandle): Promise<File> {
      const file = await getFile.call(this);
      return new File([await file.arrayBuffer()], file.name, { lastModified: tick });
    };
    await withProperty(FileSystemFileHandle.prototype, "getFile", stopped, async () => {
      const { fs } = open({ clock: () => tick + 60_000 });
      await fs.write("/f", bytesOf("one"));
      const first = await fs.stat("/f");
      const second = await fs.write("/f", bytesOf("two"));
      expect([(await fs.stat("/f"))?.version, first?.version === second.version]).toEqual([second.version, false]);
      const late = fs.write("/f", bytesOf("ten"), { ifVersion: first?.version ?? "" });
      await expect(late).rejects.toMatchObject({ code: "FS_CONFLICT" });
      await fs.write("/g", bytesOf("six"));
      await fs.stat("/g");
      await fs.rename("/f", "/g");
      expect((await fs.stat("/g"))?.version).toBe(second.version);
    });
  });
});

describe.runIf(hasHandles)("the worker that fills files", () => {
  const scripted = (source: string): Worker =>
    new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })), { type: "module" });

  test("leaves the caller's buffer alone, and takes only what is shown of it", async () => {
    const { fs } = open({ access: "handle" });
    const whole = pattern(1000);
    await fs.write("/f", whole.subarray(100, 200));
    expect([whole, (await fs.read("/f")).bytes]).toEqual([pattern(1000), pattern(1000).slice(100, 200)]);
  });

  test.each([
    ["throws at start", "throw new Error('broken')"],
    ["has a syntax error", "const ="],
    ["dies in the middle of a call", "onmessage = () => { setTimeout(() => { throw new Error('crashed'); }); }"],
  ])("that %s fails the write, and the next one gets another", async (_what, source) => {
    let count = 0;
    const { spawnWorker } = await import("../../adapters/opfs/spawn-worker.ts");
    const worker = (): Worker => {
      count += 1;
      return count === 1 ? scripted(source) : spawnWorker();
    };
    const backend = open({ access: "handle", worker });
    await expect(backend.fs.write("/f", bytesOf("x"))).rejects.toMatchObject({ code: "FS_IO", retryable: true });
    await backend.fs.write("/f", bytesOf("y"));
    expect([await readText(backend, "/f"), count]).toEqual(["y", 2]);
  });

  test("that cannot be made fails the write", async () => {
    const worker = (): never => {
      throw new Error("not allowed here");
    };
    const { fs } = open({ access: "handle", worker });
    await expect(fs.write("/f", bytesOf("x"))).rejects.toMatchObject({
      code: "FS_IO",
      cause: { message: "not allowed here" },
    });
    expect(await fs.stat("/f")).toBe(undefined);
  });

  test.each(["opfs", "opfs by handles"])("is not needed in a worker: %s", async (kind) => {
    const name = freshName();
    const worker = new Worker(new URL("./storage-worker.ts", import.meta.url), { type: "module" });
    const said = new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
    });
    worker.postMessage(`${kind}|${name}`);
    expect(await said).toBe("two wo /d /d/f /workspace");
    worker.terminate();
    expect(await readText(open({ name }), "/d/f")).toBe("two");
  });
});

describe("a picked folder", () => {
  test("that is only for reading refuses every change", async () => {
    const { backend, handle } = await pick({ readOnly: true, cwd: "/work" });
    await writeRaw(handle, "f", bytesOf("x"));
    const { fs } = backend;
    for (const call of [
      () => fs.write("/f", bytesOf("y")),
      () =>
        fs.writeStream(
          "/f",
          streamOf(1, () => bytesOf("y")),
        ),
      () => fs.makeDirectory("/d"),
      () => fs.remove("/f"),
      () => fs.rename("/f", "/g"),
    ])
      await expect(call()).rejects.toMatchObject({ code: "FS_READ_ONLY" });
    expect([await readText(backend, "/f"), await namesIn(handle)]).toEqual(["x", ["f"]]);
  });

  test("whose permission has ended says so, and is used once it is given again", async () => {
    const { backend } = await pick();
    await backend.fs.write("/f", bytesOf("x"));
    const denied = (): Promise<never> => Promise.reject(new DOMException("not allowed", "NotAllowedError"));
    await withProperty(FileSystemFileHandle.prototype, "createWritable", denied, async () => {
      await expect(backend.fs.write("/f", bytesOf("y"))).rejects.toMatchObject({
        code: "FS_IO",
        retryable: true,
        message: expect.stringContaining("ensurePermission"),
      });
    });
    await backend.fs.write("/f", bytesOf("y"));
    expect(await readText(backend, "/f")).toBe("y");
  });

  test.each([
    ["granted", "granted", "granted", 0],
    ["denied", "granted", "denied", 0],
    ["prompt", "granted", "granted", 1],
    ["prompt", "denied", "denied", 1],
    ["prompt", new DOMException("no click", "SecurityError"), "prompt", 1],
  ] as const)("whose permission is %s and then %s is %s", async (query, request, expected, asked) => {
    const handle = await folder(freshName());
    let questions = 0;
    Object.assign(handle, {
      queryPermission: async () => query,
      requestPermission: async () => {
        questions += 1;
        if (typeof request !== "string") throw request;
        return request;
      },
    });
    expect([await ensurePermission(handle), questions]).toEqual([expected, asked]);
  });

  test("is remembered from one visit to the next, where the browser can", async () => {
    const handle = await folder(freshName());
    const key = freshName();
    expect(await recallDirectory(key)).toBe(undefined);
    const outcome = await rememberDirectory(key, handle).then(
      () => "remembered",
      (error: { code: string }) => error.code,
    );
    expect(outcome).toBe(hasHandles ? "remembered" : "FS_UNSUPPORTED");
    if (outcome !== "remembered") return;
    expect(await (await recallDirectory(key))?.isSameEntry(handle)).toBe(true);
    await forgetDirectory(key);
    expect(await recallDirectory(key)).toBe(undefined);
  });

  test("keeps a name that its browser takes, and refuses one that it does not", async () => {
    const { backend, handle } = await pick();
    for (const name of [`it's "x"`, "50%25", "a:b"]) await backend.fs.write(`/${name}`, bytesOf(name));
    expect(await namesIn(handle)).toEqual(["50%25", "a:b", `it's "x"`]);
    const outcome = await backend.fs.write("/back\\slash", bytesOf("x")).then(
      () => "written",
      (error: { code: string }) => error.code,
    );
    expect(["written", "FS_INVALID_PATH"]).toContain(outcome);
  });

  test("must be a directory", () => {
    expect(() => directoryBackend({ kind: "file" } as never)).toThrow("FS_INVALID_ARGUMENT");
  });
});

describe("names that look like the browser's own", () => {
  test("are kept, and swap files that were left behind are not seen and taken away", async () => {
    const name = freshName();
    const { fs } = open({ name, cwd: "/" });
    const names = ["a.crswap", "b%2Ecrswap", "c%252E", "d\\e", "f%5C"];
    for (const each of names) await fs.write(`/${each}`, bytesOf(each));
    const files = await folder(name, "files");
    await writeRaw(files, "left.crswap", bytesOf("left"));
    const list = async (): Promise<string[]> => {
      const found: string[] = [];
      for await (const entry of fs.list("/")) found.push(entry.name);
      return found.sort();
    };
    expect(await list()).toEqual(names);
    await expect.poll(async () => (await namesIn(files)).includes("left.crswap")).toBe(false);
    expect(await list()).toEqual(names);
    await fs.makeDirectory("/d");
    await writeRaw(await folder(name, "files", "d"), "left.crswap", bytesOf("left"));
    await fs.remove("/d");
    expect(await fs.stat("/d")).toBe(undefined);
  });
});

describe("large files", { timeout: 60_000 }, () => {
  test("are read in part without being read to know their version", async () => {
    const { fs } = open();
    await fs.writeStream(
      "/big",
      streamOf(6, (index) => pattern(1 << 20, index)),
    );
    const before = await fs.stat("/big");
    const { result, calls } = await countCalls(Blob.prototype, ["arrayBuffer"], () =>
      fs.read("/big", { offset: (5 << 20) + 7, length: 100 }),
    );
    expect([result.bytes, result.version]).toEqual([pattern(1 << 20, 5).slice(7, 107), before?.version]);
    expect(calls.arrayBuffer ?? 0).toBeLessThanOrEqual(2);
    await fs.write("/big", pattern(5 << 20));
    expect((await fs.stat("/big"))?.version).not.toBe(before?.version);
  });
});
