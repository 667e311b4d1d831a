import { fsError, type Shell, type ShellGround } from "holdall";
import { memoryBackend, memoryFileSystem } from "holdall/memory";
import { describe, expect, test } from "vitest";

const text = async (fs: ReturnType<typeof memoryFileSystem>, path: string): Promise<string> =>
  new TextDecoder().decode((await fs.read(path)).bytes);

describe("memoryBackend", () => {
  test("stands in /workspace, which exists, and puts relative files there", async () => {
    const { name, os, cwd, home, fs, shell } = memoryBackend({
      files: { "a/b.txt": "rel", "/etc/c": new Uint8Array([1, 2]) },
    });
    expect({ name, os, cwd, home, shell }).toEqual({
      name: "memory",
      os: "posix",
      cwd: "/workspace",
      home: undefined,
      shell: undefined,
    });
    expect([(await fs.stat(cwd))?.kind, await text(fs, "/workspace/a/b.txt"), (await fs.read("/etc/c")).bytes]).toEqual(
      ["directory", "rel", new Uint8Array([1, 2])],
    );
    expect((await memoryBackend().fs.stat("/workspace"))?.kind).toBe("directory");
  });

  test("stands where it is told to, with a home that exists", async () => {
    const { cwd, home, fs } = memoryBackend({ cwd: "/repo/./", home: "/home/me", files: { x: "1" } });
    expect([cwd, home, (await fs.stat("/home/me"))?.kind, await text(fs, "/repo/x")]).toEqual([
      "/repo",
      "/home/me",
      "directory",
      "1",
    ]);
  });

  test("takes a shell, or makes one over its files", async () => {
    const shell: Shell = {
      run: () => ({
        exit: Promise.resolve({ code: 0, timedOut: false, truncated: false }),
        async *[Symbol.asyncIterator]() {},
      }),
    };
    const grounds: ShellGround[] = [];
    const made = memoryBackend({
      home: "/h",
      shell: (ground) => {
        grounds.push(ground);
        return shell;
      },
    });
    expect([memoryBackend({ shell }).shell, made.shell, grounds]).toEqual([
      shell,
      shell,
      [{ fs: made.fs, cwd: "/workspace", home: "/h" }],
    ]);
  });

  test("closes its shell, lets go of its files, and fails from then on", async () => {
    let closed = 0;
    const shell: Shell = {
      run: () => Promise.reject(fsError("FS_IO", "/")) as never,
      close: async () => {
        closed += 1;
      },
    };
    const backend = memoryBackend({ files: { a: "x" }, shell });
    await backend.close?.();
    expect(closed).toBe(1);
    await expect(backend.fs.stat("/workspace/a")).rejects.toMatchObject({ code: "FS_CLOSED" });
    await expect(backend.fs.write("/b", new Uint8Array(0))).rejects.toMatchObject({ code: "FS_CLOSED" });
    await expect(backend.fs.grep({ pattern: "x", path: "/" })).rejects.toMatchObject({ code: "FS_CLOSED" });
  });
});

describe("memoryFileSystem", () => {
  test("copies the bytes it is given at the start", async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const fs = memoryFileSystem({ files: { "/f": bytes } });
    bytes.fill(0);
    expect((await fs.read("/f")).bytes).toEqual(new Uint8Array([1, 2, 3]));
  });

  test("copies bytes whose slice shares memory", async () => {
    class Sharing extends Uint8Array {
      override slice(start?: number, end?: number) {
        return super.subarray(start, end) as never;
      }
    }
    const bytes = new Sharing([1, 2, 3]);
    const fs = memoryFileSystem();
    await fs.write("/f", bytes);
    bytes.fill(0);
    expect((await fs.read("/f")).bytes).toEqual(new Uint8Array([1, 2, 3]));
  });

  test("keeps the version while the same bytes are written, and the time of each write", async () => {
    let now = 1;
    const fs = memoryFileSystem({ clock: () => now, files: { "/f": "same" } });
    const before = await fs.stat("/f");
    now = 2;
    const after = await fs.write("/f", new TextEncoder().encode("same"));
    expect([after.version === before?.version, before?.modifiedAt, after.modifiedAt]).toEqual([true, 1, 2]);
  });

  test("has versions that no other one has", async () => {
    const files = { "/f": "x" };
    const versions = await Promise.all(
      [memoryFileSystem({ files }), memoryFileSystem({ files })].map(async (fs) => (await fs.stat("/f"))?.version),
    );
    expect(versions[0]).not.toBe(versions[1]);
  });

  test("searches what a file holds now, and finds it where it is now", async () => {
    const fs = memoryFileSystem({ files: { "/d/f": "old text" } });
    const find = async (pattern: string): Promise<string[]> =>
      (await fs.grep({ pattern, path: "/" })).files.map(({ path }) => path);
    expect([await find("old"), await find("new")]).toEqual([["/d/f"], []]);
    await fs.write("/d/f", new TextEncoder().encode("new text"));
    expect([await find("old"), await find("new")]).toEqual([[], ["/d/f"]]);
    await fs.rename("/d", "/e");
    expect([await fs.stat("/d/f"), await find("new")]).toEqual([undefined, ["/e/f"]]);
    await fs.symlink?.("e", "/d");
    expect([(await fs.stat("/d/f"))?.size, await find("new")]).toEqual([8, ["/e/f"]]);
    await fs.remove("/d");
    expect(await fs.stat("/d/f")).toBeUndefined();
  });

  test("refuses files that cannot be together", () => {
    expect(() => memoryFileSystem({ files: { "/a": "x", "/a/b": "y" } })).toThrow("FS_NOT_DIRECTORY");
    expect(() => memoryFileSystem({ files: { "/a/b": "x", "/a": "y" } })).toThrow("FS_IS_DIRECTORY");
    expect(() => memoryFileSystem({ files: { "": "x" } })).toThrow("FS_INVALID_PATH");
    expect(() => memoryFileSystem({ files: { "/a": "xxx" }, maxBytes: 2 })).toThrow("FS_NO_SPACE");
  });

  test("keeps to its room in bytes, and changes nothing when there is none", async () => {
    const fs = memoryFileSystem({ maxBytes: 10 });
    const write = (path: string, size: number) => fs.write(path, new Uint8Array(size));
    const full = { code: "FS_NO_SPACE" };
    await write("/a", 6);
    await expect(write("/new/b", 5)).rejects.toMatchObject(full);
    await expect(fs.writeStream("/new/b", new Blob(["12345"]).stream())).rejects.toMatchObject(full);
    expect(await fs.stat("/new")).toBeUndefined();
    await write("/b", 4);
    await expect(write("/b", 5)).rejects.toMatchObject(full);
    expect((await fs.stat("/b"))?.size).toBe(4);
    await write("/a", 1);
    await write("/b", 9);
    await fs.rename("/b", "/a");
    await write("/c", 1);
    await expect(write("/d", 1)).rejects.toMatchObject(full);
    await fs.remove("/a");
    await write("/d", 9);
  });

  test("keeps to its room in entries, parents and links included", async () => {
    const fs = memoryFileSystem({ maxEntries: 3 });
    const full = { code: "FS_NO_SPACE" };
    await expect(fs.makeDirectory("/a/b/c/d")).rejects.toMatchObject(full);
    await fs.makeDirectory("/a/b");
    await expect(fs.write("/x/y", new Uint8Array(0))).rejects.toMatchObject(full);
    await fs.symlink?.("a", "/link");
    await expect(fs.symlink?.("a", "/other")).rejects.toMatchObject(full);
    await expect(fs.rename("/link", "/new/link")).rejects.toMatchObject(full);
    await fs.remove("/a", { recursive: true });
    await fs.rename("/link", "/new/link");
    await fs.write("/x", new Uint8Array(0));
  });

  test("tells a slow watcher the last change of each path, and of too many that its directory has changed", async () => {
    const fs = memoryFileSystem({ files: { "/d/f": "0", "/e": "" } });
    const changes = fs.watch?.("/d")[Symbol.asyncIterator]();
    const next = async (): Promise<unknown> => (await changes?.next())?.value;
    const first = next();
    await fs.write("/d/f", new Uint8Array([1]));
    await fs.remove("/d/f");
    await fs.write("/d/g", new Uint8Array([1]));
    await fs.write("/d/f", new Uint8Array([2]));
    await fs.rename("/d/g", "/e");
    expect([await first, await next(), await next()]).toEqual([
      { path: "/d/f", kind: "written" },
      { path: "/d/f", kind: "written" },
      { path: "/d/g", kind: "removed" },
    ]);
    for (let index = 0; index <= 10_000; index += 1) await fs.write(`/d/${index}`, new Uint8Array(0));
    expect(await next()).toEqual({ path: "/d", kind: "written" });
    await changes?.return?.();
  });
});
