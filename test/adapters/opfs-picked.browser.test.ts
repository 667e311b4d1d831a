import type { Backend } from "holdall";
import { type DirectoryBackendOptions, directoryBackend, ensurePermission } from "holdall/opfs";
import { afterEach, describe, expect, test } from "vitest";
import { bytesOf, freshName, pattern, readText, streamOf, withProperty } from "./storage-support.ts";

type Mode = "read" | "readwrite";

/** A folder as a picker gives it: everything at and below it asks for a permission, which can end at any moment. */
interface Picked {
  handle: FileSystemDirectoryHandle;
  /** What is really there, whatever the permission. */
  real: FileSystemDirectoryHandle;
  /** What may be done: nothing, only reading, or everything. */
  allow(mode: Mode | undefined): void;
  /** Ends the permission just before a method is called for the so-manieth time. */
  endBefore(method: string, count: number, left?: Mode): void;
  /** How often the person was asked. */
  readonly questions: number;
}

const opened: Backend[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const backend of opened.splice(0)) await backend.close?.();
  const root = await navigator.storage.getDirectory();
  for (const name of folders.splice(0)) await root.removeEntry(name, { recursive: true }).catch(() => {});
});

/** What changes something; everything else only looks. */
const changing = new Set(["createWritable", "removeEntry", "move", "write", "close"]);

async function pick(): Promise<Picked> {
  const name = freshName();
  folders.push(name);
  const real = await (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true });
  let mode: Mode | undefined = "readwrite";
  let questions = 0;
  let trap: { method: string; count: number; left: Mode | undefined } | undefined;
  const guard = (method: string, parameters: readonly unknown[]): void => {
    if (trap?.method === method) {
      trap.count -= 1;
      if (trap.count === 0) {
        mode = trap.left;
        trap = undefined;
      }
    }
    const [, options] = parameters;
    const creates = typeof options === "object" && options !== null && "create" in options && options.create === true;
    if (mode === "readwrite" || (mode === "read" && !creates && !changing.has(method))) return;
    throw new DOMException("The request is not allowed in the current context.", "NotAllowedError");
  };
  const wrap = <T>(target: T): T => {
    if (typeof target !== "object" || target === null) return target;
    if (Symbol.asyncIterator in target && !("kind" in target)) return wrapIterator(target);
    if (!("kind" in target) && !("abort" in target)) return target;
    return new Proxy(target, {
      get(owner, key) {
        if (key === "queryPermission") return async ({ mode: wanted }: { mode: Mode }) => stateOf(wanted);
        if (key === "requestPermission")
          return async () => {
            questions += 1;
            mode = "readwrite";
            return "granted";
          };
        const value: unknown = Reflect.get(owner, key, owner);
        if (typeof value !== "function") return value;
        return (...parameters: unknown[]): unknown => {
          const run = (): unknown => Reflect.apply(value, owner, parameters.map(unwrap));
          if (["entries", "keys", "values"].includes(String(key))) {
            guard(String(key), parameters);
            return wrap(run());
          }
          return (async () => {
            if (key !== "abort") guard(String(key), parameters);
            return wrap(await run());
          })();
        };
      },
      has: (owner, key) => key === "queryPermission" || key === "requestPermission" || key in owner,
    });
  };
  const stateOf = (wanted: Mode): string => (mode === "readwrite" || mode === wanted ? "granted" : "prompt");
  const wrapIterator = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(owner, key) {
        if (key === Symbol.asyncIterator) return () => wrapIterator(owner);
        const value: unknown = Reflect.get(owner, key, owner);
        if (key !== "next" || typeof value !== "function") return value;
        return async () => {
          const step = await Reflect.apply(value, owner, []);
          return Array.isArray(step.value) ? { ...step, value: step.value.map(wrap) } : step;
        };
      },
    });
  // What is passed on to the browser must be its own.
  const owners = new WeakMap<object, object>();
  const unwrap = (value: unknown): unknown =>
    typeof value === "object" && value !== null ? (owners.get(value) ?? value) : value;
  const handle = wrap(real);
  owners.set(handle, real);
  return {
    handle,
    real,
    allow: (next) => {
      mode = next;
    },
    endBefore: (method, count, left) => {
      trap = { method, count, left };
    },
    get questions() {
      return questions;
    },
  };
}

function open({ handle }: Picked, options: DirectoryBackendOptions = {}): Backend {
  const backend = directoryBackend(handle, options);
  opened.push(backend);
  return backend;
}

/** Gives all there really is: text by path, directories with a slash. */
async function treeOf(folder: FileSystemDirectoryHandle, path = ""): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for await (const [name, handle] of folder.entries()) {
    if (name.endsWith(".crswap")) continue;
    if (isDirectory(handle)) Object.assign(tree, { [`${path}/${name}/`]: "" }, await treeOf(handle, `${path}/${name}`));
    else if (isFile(handle)) tree[`${path}/${name}`] = await (await handle.getFile()).text();
  }
  return tree;
}

const isDirectory = (handle: FileSystemHandle): handle is FileSystemDirectoryHandle => handle.kind === "directory";
const isFile = (handle: FileSystemHandle): handle is FileSystemFileHandle => handle.kind === "file";

async function put(folder: FileSystemDirectoryHandle, name: string, text: string): Promise<void> {
  const writable = await (await folder.getFileHandle(name, { create: true })).createWritable();
  await writable.write(text);
  await writable.close();
}

const refused = { code: "FS_IO", retryable: true, message: expect.stringContaining("ensurePermission") };

describe("a permission that ends in the middle of", () => {
  const old = { "/d/": "", "/d/f": "old" };
  const writes: readonly [what: string, path: string, write: (backend: Backend, path: string) => Promise<unknown>][] = [
    ["a write over a file", "/d/f", ({ fs }, path) => fs.write(path, bytesOf("new"))],
    ["a write of a new file", "/d/g", ({ fs }, path) => fs.write(path, bytesOf("new"))],
    [
      "a write of a file that must be new",
      "/d/g",
      ({ fs }, path) => fs.write(path, bytesOf("new"), { ifVersion: null }),
    ],
    ["a write into new folders", "/n/m/g", ({ fs }, path) => fs.write(path, bytesOf("new"), { ifVersion: null })],
    [
      "a stream over a file",
      "/d/f",
      ({ fs }, path) =>
        fs.writeStream(
          path,
          streamOf(1, () => bytesOf("new")),
        ),
    ],
    [
      "a stream into new folders",
      "/n/m/g",
      ({ fs }, path) =>
        fs.writeStream(
          path,
          streamOf(1, () => bytesOf("new")),
        ),
    ],
  ];
  const moments = [
    ["getFileHandle", 1],
    ["createWritable", 1],
    ["write", 1],
    ["close", 1],
  ] as const;

  test.each(
    writes.flatMap((each) => moments.map(([method, count]) => [each[0], method, count, each[1], each[2]] as const)),
  )(
    "%s, before %s %i: it fails, and once it is given again the same call succeeds",
    async (_what, method, count, path, write) => {
      const picked = await pick();
      const backend = open(picked);
      await backend.fs.write("/d/f", bytesOf("old"));
      // Known paths are not looked up again.
      if (method === "getFileHandle") await open(picked).close?.();
      picked.endBefore(method, count);
      const failed = await write(backend, path).then(
        () => false,
        (error: unknown) => {
          expect(error).toMatchObject(refused);
          return true;
        },
      );
      if (!failed) {
        // This write had no need of that method.
        expect(method).toBe("getFileHandle");
        return;
      }
      await expect(backend.fs.stat(path)).rejects.toMatchObject(refused);
      expect(await ensurePermission(picked.handle)).toBe("granted");
      expect([picked.questions, await readText(backend, "/d/f")]).toEqual([1, "old"]);
      expect((await backend.fs.stat(path))?.size).toBe(path === "/d/f" ? 3 : undefined);
      expect(await treeOf(picked.real)).toEqual(old);
      await write(backend, path);
      expect(await readText(backend, path)).toBe("new");
    },
  );

  test("a write into new folders leaves what others have put there meanwhile", async () => {
    const picked = await pick();
    const backend = open(picked);
    picked.endBefore("createWritable", 1);
    await expect(backend.fs.write("/n/g", bytesOf("new"))).rejects.toMatchObject(refused);
    const folder = await picked.real.getDirectoryHandle("n");
    await put(folder, "g", "theirs");
    await put(folder, "h", "theirs, too");
    picked.allow("readwrite");
    expect([await readText(backend, "/n/g"), await treeOf(picked.real)]).toEqual([
      "theirs",
      { "/n/": "", "/n/g": "theirs", "/n/h": "theirs, too" },
    ]);
  });

  test("a write where reading is still allowed shows nothing but what was there, once writing is", async () => {
    const picked = await pick();
    const backend = open(picked);
    await backend.fs.write("/f", bytesOf("old"));
    picked.endBefore("createWritable", 1, "read");
    await expect(backend.fs.write("/g", bytesOf("new"))).rejects.toMatchObject(refused);
    expect(await readText(backend, "/f")).toBe("old");
    await expect(backend.fs.write("/f", bytesOf("new"))).rejects.toMatchObject(refused);
    picked.allow("readwrite");
    await backend.fs.write("/g", bytesOf("new"), { ifVersion: null });
    expect(await treeOf(picked.real)).toEqual({ "/f": "old", "/g": "new" });
  });

  test.each([
    ["removeEntry", 1],
    ["createWritable", 1],
    ["createWritable", 2],
    ["close", 2],
  ] as const)(
    "a move of a folder, before %s %i: the old one stays whole, and no half of a new one",
    async (method, count) => {
      const picked = await pick();
      const backend = open(picked);
      for (const name of ["a", "b", "c"]) await backend.fs.write(`/from/${name}`, bytesOf(name));
      const before = await treeOf(picked.real);
      const run = async (): Promise<void> => {
        picked.endBefore(method, count);
        await expect(backend.fs.rename("/from", "/to/place")).rejects.toMatchObject(refused);
        picked.allow("readwrite");
        expect(await readText(backend, "/from/c")).toBe("c");
        expect(await treeOf(picked.real)).toEqual(before);
        await backend.fs.rename("/from", "/to/place");
        expect(await treeOf(picked.real)).toEqual({
          "/to/": "",
          "/to/place/": "",
          "/to/place/a": "a",
          "/to/place/b": "b",
          "/to/place/c": "c",
        });
      };
      await withProperty(FileSystemFileHandle.prototype, "move", undefined, () =>
        withProperty(FileSystemDirectoryHandle.prototype, "move", undefined, run),
      );
    },
  );

  test.each([
    ["createWritable", new DOMException("no", "NotAllowedError")],
    ["createWritable", new DOMException("full", "QuotaExceededError")],
    ["removeEntry", new DOMException("no", "NotAllowedError")],
    ["removeEntry", new DOMException("broken", "UnknownError")],
  ] as const)("a move of a file, in %s (%s): the old one stays, and no new one", async (method, error) => {
    const picked = await pick();
    const backend = open(picked);
    await backend.fs.write("/f", bytesOf("old"));
    const isEnd = error.name === "NotAllowedError";
    const owner = method === "removeEntry" ? FileSystemDirectoryHandle.prototype : FileSystemFileHandle.prototype;
    const original: unknown = Reflect.get(owner, method);
    let isFirst = true;
    const failing = function (this: unknown, ...parameters: unknown[]): unknown {
      if (isFirst && !isEnd) {
        isFirst = false;
        return Promise.reject(error);
      }
      return typeof original === "function" ? Reflect.apply(original, this, parameters) : undefined;
    };
    await withProperty(FileSystemFileHandle.prototype, "move", undefined, () =>
      withProperty(owner, method, failing, async () => {
        if (isEnd) picked.endBefore(method, 1);
        await expect(backend.fs.rename("/f", "/d/g")).rejects.toMatchObject({ name: "HoldallError" });
        picked.allow("readwrite");
        expect([await backend.fs.stat("/d/g"), await treeOf(picked.real)]).toEqual([undefined, { "/f": "old" }]);
        await backend.fs.rename("/f", "/d/g");
        expect(await treeOf(picked.real)).toEqual({ "/d/": "", "/d/g": "old" });
      }),
    );
  });

  test.each<[what: string, look: (backend: Backend) => Promise<unknown>]>([
    ["stat", ({ fs }) => fs.stat("/d/f")],
    ["read", ({ fs }) => fs.read("/d/f")],
    [
      "list",
      async ({ fs }) => {
        for await (const _entry of fs.list("/d"));
      },
    ],
    ["glob", ({ fs }) => fs.glob({ pattern: "**", path: "/" })],
    ["grep", ({ fs }) => fs.grep({ pattern: "old", path: "/" })],
    [
      "walk",
      async ({ fs }) => {
        for await (const _entry of fs.walk("/"));
      },
    ],
    ["remove", ({ fs }) => fs.remove("/d/f")],
    ["makeDirectory", ({ fs }) => fs.makeDirectory("/d/e")],
  ])("a visit: %s says so, and nothing is taken for gone", async (_what, look) => {
    const picked = await pick();
    const backend = open(picked);
    await backend.fs.write("/d/f", bytesOf("old"));
    picked.allow(undefined);
    await expect(look(backend)).rejects.toMatchObject(refused);
    picked.allow("readwrite");
    expect(await readText(backend, "/d/f")).toBe("old");
  });

  test("a search says so instead of finding less", async () => {
    const picked = await pick();
    const backend = open(picked);
    for (let index = 0; index < 6; index += 1) await backend.fs.write(`/d${index}/f`, bytesOf("old"));
    picked.endBefore("getFile", 4);
    await expect(backend.fs.grep({ pattern: "old", path: "/" })).rejects.toMatchObject(refused);
    picked.allow("readwrite");
    expect((await backend.fs.grep({ pattern: "old", path: "/" })).files.length).toBe(6);
  });
});

describe("two writers of a picked folder", () => {
  test("in two tabs: of writes under one version one wins, and every file is whole", async () => {
    const picked = await pick();
    const [one, other] = [open(picked), open(picked)];
    const { version } = await one.fs.write("/f", bytesOf("start"));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? one : other).fs.write("/f", bytesOf(`writer ${index}`), { ifVersion: version }),
      ),
    );
    const winners = outcomes.flatMap(({ status }, index) => (status === "fulfilled" ? [`writer ${index}`] : []));
    const codes = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason.code] : []));
    expect([winners.length, new Set(codes), await treeOf(picked.real)]).toEqual([
      1,
      new Set(["FS_CONFLICT"]),
      { "/f": winners[0] },
    ]);
  });

  test("in two tabs: of new files of one name one is made", async () => {
    const picked = await pick();
    const [one, other] = [open(picked), open(picked)];
    const outcomes = await Promise.allSettled(
      [one, other, one, other].map(({ fs }, index) => fs.write("/d/new", bytesOf(`${index}`), { ifVersion: null })),
    );
    const winners = outcomes.flatMap(({ status }, index) => (status === "fulfilled" ? [`${index}`] : []));
    expect([winners.length, await treeOf(picked.real)]).toEqual([1, { "/d/": "", "/d/new": winners[0] }]);
  });

  test("that call it by different names each put whole files there", async () => {
    const picked = await pick();
    const writers = [open(picked, { name: "one" }), open(picked, { name: "other" })];
    const contents = writers.map((_, index) => pattern(200_000, index));
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(
        writers.map(async ({ fs }, index) => {
          await fs.write("/f", contents[index] ?? bytesOf("")).catch((error: unknown) => {
            // The file may be in use by the other.
            expect(error).toMatchObject({ code: "FS_IO", retryable: true });
          });
        }),
      );
      const { bytes } = await (writers[0] ?? open(picked)).fs.read("/f");
      expect(
        contents.some((content) => content.every((byte, at) => byte === bytes[at]) && content.length === bytes.length),
      ).toBe(true);
    }
  });

  test("of which one is another program: a new file that fails leaves what the other has put there", async () => {
    const picked = await pick();
    const backend = open(picked);
    const { write } = FileSystemWritableFileStream.prototype;
    let isFirst = true;
    const full = async function (
      this: FileSystemWritableFileStream,
      ...parameters: Parameters<typeof write>
    ): Promise<void> {
      if (!isFirst) return write.apply(this, parameters);
      isFirst = false;
      await put(picked.real, "f", "theirs");
      throw new DOMException("full", "QuotaExceededError");
    };
    await withProperty(FileSystemWritableFileStream.prototype, "write", full, async () => {
      await expect(backend.fs.write("/f", bytesOf("mine"))).rejects.toMatchObject({ code: "FS_NO_SPACE" });
    });
    expect(await treeOf(picked.real)).toEqual({ "/f": "theirs" });
  });

  test("of which one removes the folder while the other writes: the file is whole, or not there", async () => {
    const picked = await pick();
    const [one, other] = [open(picked), open(picked)];
    for (let round = 0; round < 3; round += 1) {
      await one.fs.write("/d/e/f", bytesOf("old"));
      const [writing] = await Promise.allSettled([
        one.fs.write("/d/e/f", bytesOf("new")),
        other.fs.remove("/d", { recursive: true }),
      ]);
      expect(writing.status).toBe("fulfilled");
      const tree = await treeOf(picked.real);
      expect([{}, { "/d/": "", "/d/e/": "", "/d/e/f": "new" }]).toContainEqual(tree);
      expect((await one.fs.stat("/d/e/f"))?.size).toBe(tree["/d/e/f"]?.length);
    }
  });
});

/** Gives all files the times that a clock tells, in the order they are looked at. */
async function withTimes<T>(timeOf: (file: File) => number, run: () => Promise<T>): Promise<T> {
  const { getFile } = FileSystemFileHandle.prototype;
  const timed = async function (this: FileSystemFileHandle): Promise<File> {
    const file = await getFile.call(this);
    return new File([await file.arrayBuffer()], file.name, { lastModified: timeOf(file) });
  };
  return withProperty(FileSystemFileHandle.prototype, "getFile", timed, run);
}

describe("a clock that goes backwards", () => {
  const noon = 1_700_000_000_001;

  test("to the tick of an earlier write, under two tabs: no write is lost", async () => {
    const picked = await pick();
    await withTimes(
      () => noon,
      async () => {
        const [one, other] = [
          open(picked, { clock: () => noon + 60_000 }),
          open(picked, { clock: () => noon + 60_000 }),
        ];
        await one.fs.write("/f", bytesOf("one"));
        const seen = await one.fs.stat("/f");
        await other.fs.write("/f", bytesOf("two"));
        const late = one.fs.write("/f", bytesOf("six"), { ifVersion: seen?.version ?? "" });
        await expect(late).rejects.toMatchObject({ code: "FS_CONFLICT" });
        expect(await treeOf(picked.real)).toEqual({ "/f": "two" });
      },
    );
  });

  test("to the tick of an earlier write, by another program: no write is lost", async () => {
    const picked = await pick();
    await withTimes(
      () => noon,
      async () => {
        const { fs } = open(picked, { clock: () => noon + 60_000 });
        await fs.write("/f", bytesOf("one"));
        const seen = await fs.stat("/f");
        await put(picked.real, "f", "two");
        const late = fs.write("/f", bytesOf("six"), { ifVersion: seen?.version ?? "" });
        await expect(late).rejects.toMatchObject({ code: "FS_CONFLICT" });
        expect(await treeOf(picked.real)).toEqual({ "/f": "two" });
      },
    );
  });

  test.each([-86_400_000, -1, 0, 86_400_000, Number.NaN])(
    "or jumps by %d between any two steps: versions still tell contents apart",
    async (jump) => {
      const picked = await pick();
      let now = noon;
      await withTimes(
        () => now,
        async () => {
          const writers = [open(picked, { clock: () => now }), open(picked, { clock: () => now })];
          const [one, other] = writers;
          if (one === undefined || other === undefined) return;
          const versions = new Map<string, string>();
          for (let step = 0; step < 8; step += 1) {
            const text = ["aaa", "bbb", "ccc"][step % 3] ?? "";
            const { version } = await (step % 2 === 0 ? one : other).fs.write("/f", bytesOf(text));
            now += jump;
            for (const { fs } of writers) {
              const { bytes, version: seen } = await fs.read("/f");
              expect([new TextDecoder().decode(bytes), seen]).toEqual([text, version]);
            }
            versions.set(version, text);
          }
          expect([...versions.values()].sort()).toEqual(["aaa", "bbb", "ccc"]);
        },
      );
    },
  );
});
