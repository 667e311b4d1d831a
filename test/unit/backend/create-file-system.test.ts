import { createFileSystem, type FileSystemParts, fsError, HoldallError } from "holdall";
import { memoryFileSystem } from "holdall/memory";
import { describe, expect, test } from "vitest";
import { endless, plainHost } from "./search-host.ts";

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "no failure",
    (error: unknown) => error,
  );

describe("createFileSystem", () => {
  test("gives the host resolved paths only, and its own options", async () => {
    const calls: unknown[][] = [];
    const record =
      <T>(method: string, result: T) =>
      (...given: unknown[]): T => {
        calls.push([method, ...given]);
        return result;
      };
    const stat = { kind: "file", size: 1, modifiedAt: 0, version: "1" } as const;
    const fs = createFileSystem({
      stat: record("stat", Promise.resolve(stat)),
      read: record("read", Promise.resolve({ bytes: new Uint8Array(0), version: "1" })),
      write: record("write", Promise.resolve(stat)),
      list: record("list", []),
      makeDirectory: record("makeDirectory", Promise.resolve()),
      remove: record("remove", Promise.resolve()),
      rename: record("rename", Promise.resolve()),
      symlink: record("symlink", Promise.resolve()),
    });
    const bytes = new Uint8Array(1);
    await fs.stat("/a/./b", { followSymlinks: false });
    await fs.read("//a/../b", { offset: 1, length: 2 });
    await fs.write("/a/", bytes, { ifVersion: null });
    await fs.list("/..")[Symbol.asyncIterator]().next();
    await fs.makeDirectory("/a//b");
    await fs.remove("/a/.", { recursive: true });
    await fs.rename("/a/../b", "/c/./d");
    await fs.symlink?.("../x/./y", "/a/../l");
    expect(calls).toEqual([
      ["stat", "/a/b", { followSymlinks: false }],
      ["read", "/b", { offset: 1, length: 2 }],
      ["write", "/a", bytes, { ifVersion: null }],
      ["list", "/", undefined],
      ["makeDirectory", "/a/b", undefined],
      ["remove", "/a", { recursive: true }],
      ["rename", "/b", "/c/d", undefined],
      ["symlink", "../x/./y", "/l", undefined],
    ]);
  });

  test("keeps what the host brings, called as its method", async () => {
    class Host {
      readonly parts = plainHost({ "/f": "x" });
      readonly name = "own";
      stat = this.parts.stat;
      read = this.parts.read;
      write = this.parts.write;
      list = this.parts.list;
      makeDirectory = this.parts.makeDirectory;
      remove = this.parts.remove;
      rename = this.parts.rename;
      async *walk() {
        yield { name: this.name, path: `/${this.name}`, kind: "file" } as const;
      }
      readStream() {
        return new Blob([this.name]).stream();
      }
      async writeStream() {
        return { kind: "file", size: this.name.length, modifiedAt: 0, version: this.name } as const;
      }
      async realpath() {
        return `/${this.name}`;
      }
      async readLink() {
        return this.name;
      }
      async glob() {
        return { matches: [{ path: `/${this.name}`, size: 0, modifiedAt: 0 }], truncated: false };
      }
      async grep() {
        return {
          files: [],
          truncated: false,
          timedOut: false,
          searched: this.name.length,
          skipped: { binary: 0, large: 0, unreadable: 0 },
        };
      }
    }
    const fs = createFileSystem(new Host());
    const walked = [];
    for await (const { path } of fs.walk("/")) walked.push(path);
    expect(walked).toEqual(["/own"]);
    expect(await new Response(fs.readStream("/f")).text()).toBe("own");
    expect((await fs.writeStream("/f", new Blob([]).stream())).version).toBe("own");
    expect([await fs.realpath("/f"), await fs.readLink?.("/f")]).toEqual(["/own", "own"]);
    expect((await fs.glob({ pattern: "*", path: "/" })).matches.length).toBe(1);
    expect((await fs.grep({ pattern: "x", path: "/" })).searched).toBe(3);
    expect([fs.symlink, fs.watch]).toEqual([undefined, undefined]);
  });

  test("makes whatever a host throws an error of the port, with its cause", async () => {
    const cause = new TypeError("the disk is on fire");
    const broken = (): never => {
      throw cause;
    };
    const fs = createFileSystem({
      ...plainHost({}),
      stat: broken,
      read: () => Promise.reject(cause),
      list: broken,
      write: () => Promise.reject(fsError("FS_NO_SPACE", "/f")),
    });
    for (const call of [fs.stat("/f"), fs.read("/f"), fs.list("/f")[Symbol.asyncIterator]().next()]) {
      const error = await failureOf(call);
      expect(HoldallError.is(error, "FS_IO") && [error.data, error.cause]).toEqual([{ path: "/f" }, cause]);
    }
    expect(await failureOf(fs.write("/f", new Uint8Array(0)))).toMatchObject({ code: "FS_NO_SPACE" });
  });

  test("keeps from the host what would remove the root, or move something into or onto itself", async () => {
    const changes: unknown[][] = [];
    const kinds: Record<string, "directory" | "file" | "symlink"> = {
      "/": "directory",
      "/d": "directory",
      "/f": "file",
      "/l": "symlink",
    };
    const fs = createFileSystem({
      ...plainHost({}),
      stat: async (path) => {
        const kind = kinds[path];
        return kind && { kind, size: 0, modifiedAt: 0, version: "1" };
      },
      remove: async (path) => void changes.push(["remove", path]),
      rename: async (from, to) => void changes.push(["rename", from, to]),
    });
    for (const call of [
      fs.remove("/"),
      fs.remove("/d/..", { recursive: true }),
      fs.rename("/", "/"),
      fs.rename("/", "/d/x"),
      fs.rename("/d", "/d/x/y"),
    ])
      expect(await failureOf(call)).toMatchObject({ code: "FS_INVALID_PATH" });
    for (const call of [fs.rename("/none", "/none"), fs.rename("/none", "/none/x")])
      expect(await failureOf(call)).toMatchObject({ code: "FS_NOT_FOUND" });
    for (const path of ["/d", "/f", "/l"]) await fs.rename(path, path);
    // Below a file is for the host to refuse, and what a symlink points to may be anywhere.
    await fs.rename("/f", "/f/x");
    await fs.rename("/l", "/l/x");
    await fs.rename("/d", "/dd");
    expect(changes).toEqual([
      ["rename", "/f", "/f/x"],
      ["rename", "/l", "/l/x"],
      ["rename", "/d", "/dd"],
    ]);
  });

  test("refuses paths that are no strings, as a program without types may give them", async () => {
    const fs = memoryFileSystem();
    for (const path of [undefined, null, 5, {}, ["/"]]) {
      expect(await failureOf(fs.stat(path as unknown as string))).toMatchObject({ code: "FS_INVALID_PATH" });
    }
  });

  test.each<
    [
      method: string,
      parts: (promise: Promise<never>) => Partial<FileSystemParts>,
      call: (fs: ReturnType<typeof createFileSystem>, signal: AbortSignal) => Promise<unknown>,
    ]
  >([
    ["stat", (promise) => ({ stat: () => promise }), (fs, signal) => fs.stat("/f", { signal })],
    ["read", (promise) => ({ read: () => promise }), (fs, signal) => fs.read("/f", { signal })],
    [
      "readStream",
      (promise) => ({ read: () => promise }),
      (fs, signal) => fs.readStream("/f", { signal }).getReader().read(),
    ],
    ["realpath", (promise) => ({ realpath: () => promise }), (fs, signal) => fs.realpath("/f", { signal })],
    [
      "list",
      (promise) => ({ list: () => waiting(promise) }),
      (fs, signal) => fs.list("/", { signal })[Symbol.asyncIterator]().next(),
    ],
    [
      "walk",
      (promise) => ({ list: () => waiting(promise) }),
      (fs, signal) => fs.walk("/", { signal })[Symbol.asyncIterator]().next(),
    ],
    [
      "glob",
      (promise) => ({ list: () => waiting(promise) }),
      (fs, signal) => fs.glob({ pattern: "**", path: "/", signal }),
    ],
    ["grep", (promise) => ({ read: () => promise }), (fs, signal) => fs.grep({ pattern: "x", path: "/", signal })],
  ])("gives up %s at once although the host does not listen", async (_method, parts, call) => {
    const { promise, end } = endless();
    promise.catch(() => {});
    const fs = createFileSystem(plainHost({ "/f": "x" }, parts(promise)));
    const controller = new AbortController();
    const outcome = failureOf(call(fs, controller.signal));
    await Promise.resolve();
    const reason = new Error("enough");
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    end(new Error("late"));
  });

  test("waits for a change that the host makes although it was given up, and says so", async () => {
    let finish = (): void => {};
    const written = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const stat = { kind: "file", size: 1, modifiedAt: 0, version: "2" } as const;
    const fs = createFileSystem(plainHost({}, { write: () => written.then(() => stat) }));
    const controller = new AbortController();
    const outcome = fs.write("/f", new Uint8Array(1), { signal: controller.signal });
    await Promise.resolve();
    controller.abort();
    finish();
    expect(await outcome).toEqual(stat);
  });

  test("says that a derived stream is too long for a write, and changes nothing", async () => {
    const { writeStream: _, ...parts } = memoryFileSystem({ files: { f: "old" } });
    const fs = createFileSystem(parts, { maxStreamBytes: 10 });
    expect(await failureOf(fs.writeStream("/f", new Blob(["12345", "678901"]).stream()))).toMatchObject({
      code: "FS_TOO_LARGE",
    });
    await fs.writeStream("/g", new Blob(["1234567890"]).stream());
    expect([new TextDecoder().decode((await fs.read("/f")).bytes), (await fs.stat("/g"))?.size]).toEqual(["old", 10]);
  });

  test("reads a derived stream in parts of bounded size, each when it is asked for", async () => {
    const reads: unknown[] = [];
    const host = plainHost({ "/f": "0123456789" });
    const read: typeof host.read = (path, options) => {
      reads.push([options?.offset, options?.length]);
      return host.read(path, options);
    };
    const fs = createFileSystem({ ...host, read }, { chunkBytes: 4 });
    const reader = fs.readStream("/f", { offset: 1, length: 8 }).getReader();
    expect(reads).toEqual([]);
    expect((await reader.read()).value?.length).toBe(4);
    expect(reads).toEqual([[1, 4]]);
    await reader.cancel();
    expect(await new Response(fs.readStream("/f")).text()).toBe("0123456789");
    expect(reads.slice(1)).toEqual([
      [0, 4],
      [4, 4],
      [8, 4],
    ]);
  });

  test("fails a derived stream when the file changes between two parts", async () => {
    const versions = ["1", "2"];
    const read = async () => ({ bytes: new Uint8Array(4), version: versions.shift() ?? "" });
    const fs = createFileSystem(plainHost({}, { read }), { chunkBytes: 4 });
    const reader = fs.readStream("/f").getReader();
    await reader.read();
    expect(await failureOf(reader.read())).toMatchObject({ code: "FS_CONFLICT" });
  });
});

async function* waiting(promise: Promise<never>): AsyncGenerator<never> {
  yield await promise;
}
