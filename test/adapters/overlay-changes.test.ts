import { type Backend, type FileSystem, fsError } from "holdall";
import { memoryBackend, memoryFileSystem } from "holdall/memory";
import { overlayBackend, readOnly } from "holdall/overlay";
import { describe, expect, test } from "vitest";
import { bytes, text, treeOf } from "./overlay-support.ts";

const FILES = { "/doc/a.md": "one\ntwo\nthree\n", "/doc/b.md": "b\n", "/src/x.ts": "x", "/src/y.ts": "y" };

function open(files: Record<string, string> = FILES, change: (fs: FileSystem) => FileSystem = (fs) => fs) {
  const memory = memoryBackend({ cwd: "/", files });
  const base: Backend = { ...memory, fs: change(memory.fs) };
  const upper = memoryFileSystem();
  return { base, upper, overlay: overlayBackend(base, { upper }), below: memory.fs };
}

/** A file system some calls of which fail, as long as `broken` says so. */
function failing(isBroken: (method: string, path: string) => boolean) {
  return (fs: FileSystem): FileSystem => {
    const check = (method: string, path: string): void => {
      if (isBroken(method, path)) throw fsError("FS_IO", path);
    };
    return {
      ...fs,
      write: async (path, content, options) => {
        check("write", path);
        return fs.write(path, content, options);
      },
      remove: async (path, options) => {
        check("remove", path);
        await fs.remove(path, options);
      },
      makeDirectory: async (path) => {
        check("makeDirectory", path);
        await fs.makeDirectory(path);
      },
    };
  };
}

describe("changes of an overlay", () => {
  test("are listed by path, with diffs", async () => {
    const { overlay } = open();
    const { fs } = overlay;
    await fs.write("/doc/a.md", bytes("one\n2\nthree\n"));
    await fs.rename("/src", "/lib");
    await fs.write("/lib/y.ts", bytes("y\nmore\n"));
    await fs.remove("/doc/b.md");
    await fs.write("/new.bin", new Uint8Array([0, 1]));
    await fs.symlink?.("doc", "/link");
    await fs.write("/src2/z", bytes(""));
    expect(await overlay.changes()).toEqual([
      {
        kind: "modified",
        path: "/doc/a.md",
        entry: "file",
        oldSize: 14,
        newSize: 12,
        added: 1,
        removed: 1,
        diff: "--- a/doc/a.md\n+++ b/doc/a.md\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
      },
      {
        kind: "deleted",
        path: "/doc/b.md",
        entry: "file",
        oldSize: 2,
        added: 0,
        removed: 1,
        diff: "--- a/doc/b.md\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-b\n",
      },
      { kind: "renamed", path: "/lib", from: "/src", entry: "directory" },
      {
        kind: "renamed",
        path: "/lib/x.ts",
        from: "/src/x.ts",
        entry: "file",
        oldSize: 1,
        newSize: 1,
        added: 0,
        removed: 0,
        diff: "",
      },
      {
        kind: "renamed",
        path: "/lib/y.ts",
        from: "/src/y.ts",
        entry: "file",
        oldSize: 1,
        newSize: 7,
        added: 2,
        removed: 1,
        diff: "--- a/src/y.ts\n+++ b/lib/y.ts\n@@ -1,1 +1,2 @@\n-y\n\\ No newline at end of file\n+y\n+more\n",
      },
      { kind: "created", path: "/link", entry: "symlink" },
      { kind: "created", path: "/new.bin", entry: "file", newSize: 2 },
      { kind: "created", path: "/src2", entry: "directory" },
      { kind: "created", path: "/src2/z", entry: "file", newSize: 0, added: 0, removed: 0, diff: "" },
    ]);
    expect(
      (await overlay.changes({ paths: ["/lib/../doc"], diff: false })).map(({ path, diff }) => [path, diff]),
    ).toEqual([
      ["/doc/a.md", undefined],
      ["/doc/b.md", undefined],
    ]);
  });

  test("are none where the same is written, or what was made is gone again", async () => {
    const { overlay } = open();
    await overlay.fs.write("/doc/a.md", bytes(FILES["/doc/a.md"]));
    await overlay.fs.write("/new", bytes("x"));
    await overlay.fs.remove("/new");
    await overlay.fs.remove("/src", { recursive: true });
    for (const name of ["x", "y"]) await overlay.fs.write(`/src/${name}.ts`, bytes(name));
    expect(await overlay.changes()).toEqual([]);
  });

  test("show what the base has changed elsewhere meanwhile", async () => {
    const { overlay, below } = open();
    await overlay.fs.write("/src/x.ts", bytes("mine"));
    await below.write("/src/y.ts", bytes("theirs"));
    await below.write("/src/z.ts", bytes("new"));
    expect([await text(overlay.fs, "/src/y.ts"), await text(overlay.fs, "/src/z.ts")]).toEqual(["theirs", "new"]);
    expect((await overlay.changes()).map(({ path }) => path)).toEqual(["/src/x.ts"]);
  });

  test("keep the version of what is not changed, so that a file that was read below can be written above", async () => {
    const { overlay, below } = open();
    const version = (await below.stat("/src/x.ts"))?.version ?? "";
    expect((await overlay.fs.stat("/src/x.ts"))?.version).toBe(version);
    await overlay.fs.write("/src/x.ts", bytes("mine"), { ifVersion: version });
    await expect(overlay.fs.write("/src/x.ts", bytes("again"), { ifVersion: version })).rejects.toMatchObject({
      code: "FS_CONFLICT",
    });
  });
});

describe("commit of an overlay", () => {
  const conflicts: readonly [
    what: string,
    mine: (fs: FileSystem) => Promise<unknown>,
    theirs: (fs: FileSystem) => Promise<unknown>,
    path: string,
  ][] = [
    [
      "a file both changed",
      (fs) => fs.write("/src/x.ts", bytes("m")),
      (fs) => fs.write("/src/x.ts", bytes("t")),
      "/src/x.ts",
    ],
    ["a file both created", (fs) => fs.write("/new", bytes("m")), (fs) => fs.write("/new", bytes("t")), "/new"],
    ["a file removed below", (fs) => fs.write("/src/x.ts", bytes("m")), (fs) => fs.remove("/src/x.ts"), "/src/x.ts"],
    ["a file removed above", (fs) => fs.remove("/src/x.ts"), (fs) => fs.write("/src/x.ts", bytes("t")), "/src/x.ts"],
    [
      "a file in a removed folder",
      (fs) => fs.remove("/src", { recursive: true }),
      (fs) => fs.write("/src/y.ts", bytes("t")),
      "/src/y.ts",
    ],
    [
      "a new file in a removed folder",
      (fs) => fs.remove("/src", { recursive: true }),
      (fs) => fs.write("/src/z", bytes("t")),
      "/src/z",
    ],
    [
      "a file in a moved folder",
      (fs) => fs.rename("/src", "/lib"),
      (fs) => fs.write("/src/y.ts", bytes("t")),
      "/src/y.ts",
    ],
    ["a file that became a folder", (fs) => fs.write("/n", bytes("m")), (fs) => fs.write("/n/f", bytes("t")), "/n"],
    [
      "a file changed before its folder was removed",
      async (fs) => {
        await fs.write("/src/x.ts", bytes("m"));
      },
      (fs) => fs.write("/src/x.ts", bytes("t")),
      "/src/x.ts",
    ],
  ];

  test.each(conflicts)("finds %s, and commits nothing", async (_what, mine, theirs, path) => {
    const { overlay, below } = open();
    await overlay.fs.write("/doc/a.md", bytes("other"));
    await mine(overlay.fs);
    await theirs(below);
    const [above, before] = [await treeOf(overlay.fs), await treeOf(below)];
    const { conflicts: found } = await overlay.commit().then(
      () => ({ conflicts: [] }),
      (error: { code: string; data: { conflicts: string[] } }) => error.data,
    );
    expect(found).toContain(path);
    expect([await treeOf(overlay.fs), await treeOf(below)]).toEqual([above, before]);
    expect((await overlay.changes()).filter(({ conflict }) => conflict).length).toBeGreaterThan(0);
    expect(await overlay.commit({ paths: ["/doc"] })).toEqual({ written: ["/doc/a.md"], removed: [] });
  });

  test("remembers what a file was like when its folder is removed after it was changed", async () => {
    const { overlay, below } = open();
    await overlay.fs.write("/src/x.ts", bytes("mine"));
    await below.write("/src/x.ts", bytes("theirs"));
    await overlay.fs.remove("/src", { recursive: true });
    await expect(overlay.commit()).rejects.toMatchObject({ code: "FS_CONFLICT", data: { conflicts: ["/src/x.ts"] } });
  });

  test("overwrites what has changed when it is told to", async () => {
    const { overlay, below } = open();
    await overlay.fs.write("/src/x.ts", bytes("mine"));
    await overlay.fs.remove("/doc", { recursive: true });
    await below.write("/src/x.ts", bytes("theirs"));
    await below.write("/doc/a.md", bytes("theirs"));
    expect(await overlay.commit({ overwrite: true })).toEqual({
      written: ["/src/x.ts"],
      removed: ["/doc", "/doc/a.md", "/doc/b.md"],
    });
    expect(await treeOf(below)).toEqual({ "/src/": "", "/src/x.ts": "mine", "/src/y.ts": "y" });
  });

  test("is no conflict where both made the same", async () => {
    const { overlay, below } = open();
    for (const fs of [overlay.fs, below]) await fs.write("/src/x.ts", bytes("same"));
    await overlay.fs.write("/both/mine", bytes("m"));
    await below.write("/both/theirs", bytes("t"));
    expect(await overlay.commit()).toEqual({ written: ["/both/mine"], removed: [] });
    expect(await overlay.changes()).toEqual([]);
  });

  test.each(["/doc/a.md", "/doc/new/f", "/src", "/src/z"])(
    "takes back what it wrote when %s cannot be written",
    async (bad) => {
      let isBroken = true;
      const { overlay, below, upper } = open(
        FILES,
        failing((method, path) => isBroken && method !== "remove" && path === bad),
      );
      const { fs } = overlay;
      await fs.write("/doc/a.md", bytes("changed"));
      await fs.write("/doc/new/f", bytes("created"));
      await fs.remove("/src", { recursive: true });
      await fs.write("/src", bytes("a file now"));
      if (bad === "/src/z") {
        await fs.remove("/src");
        await fs.write("/src/z", bytes("created"));
      }
      const [above, before] = [await treeOf(fs), await treeOf(below)];
      await expect(overlay.commit()).rejects.toMatchObject({ code: "FS_IO" });
      expect([await treeOf(fs), await treeOf(below)]).toEqual([above, before]);
      isBroken = false;
      await overlay.commit();
      expect(await treeOf(below)).toEqual(above);
      expect(await contents(upper)).toEqual([]);
    },
  );

  test("completes what it could not remove when it is called again", async () => {
    let isBroken = true;
    const { overlay, below } = open(
      FILES,
      failing((method, path) => isBroken && method === "remove" && path === "/doc/a.md"),
    );
    await overlay.fs.write("/src/x.ts", bytes("changed"));
    await overlay.fs.remove("/doc", { recursive: true });
    const above = await treeOf(overlay.fs);
    await expect(overlay.commit()).rejects.toMatchObject({ code: "FS_IO" });
    expect(await treeOf(overlay.fs)).toEqual(above);
    isBroken = false;
    await overlay.commit();
    expect([await treeOf(below), await overlay.changes()]).toEqual([above, []]);
  });

  test("is completed by an overlay that is opened again after a crash in the middle", async () => {
    const { base, overlay, upper, below } = open();
    await overlay.fs.rename("/src", "/lib");
    await overlay.fs.write("/doc/a.md", bytes("changed"));
    const above = await treeOf(overlay.fs);
    // What a crash leaves: some of it is in the base, the overlay does not know.
    await below.write("/lib/x.ts", bytes("x"));
    await below.write("/doc/a.md", bytes("changed"));
    await below.remove("/src/x.ts");
    const again = overlayBackend(base, { upper });
    expect(await treeOf(again.fs)).toEqual(above);
    await again.commit();
    expect([await treeOf(below), await again.changes()]).toEqual([above, []]);
  });

  test("refuses symlinks before anything is changed where the base has none", async () => {
    const { overlay, below } = open(FILES, ({ symlink: _symlink, readLink: _readLink, ...fs }) => fs);
    await overlay.fs.write("/a", bytes("x"));
    await overlay.fs.symlink?.("a", "/link");
    await expect(overlay.commit()).rejects.toMatchObject({ code: "FS_UNSUPPORTED", data: { path: "/link" } });
    expect(await below.stat("/a")).toBeUndefined();
    await overlay.commit({ paths: ["/a"] });
    expect((await overlay.changes()).map(({ path }) => path)).toEqual(["/link"]);
  });

  test("leaves everything in the overlay when the base is read only", async () => {
    const overlay = overlayBackend(readOnly(memoryBackend({ cwd: "/", files: FILES })));
    await overlay.fs.write("/src/x.ts", bytes("mine"));
    await expect(overlay.commit()).rejects.toMatchObject({ code: "FS_READ_ONLY" });
    expect(await text(overlay.fs, "/src/x.ts")).toBe("mine");
  });

  test("given up beforehand changes nothing", async () => {
    const { overlay, below } = open();
    await overlay.fs.write("/src/x.ts", bytes("mine"));
    const reason = new Error("given up");
    await expect(overlay.commit({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(await text(below, "/src/x.ts")).toBe("x");
  });
});

async function contents(upper: FileSystem): Promise<string[]> {
  if ((await upper.stat("/content")) === undefined) return [];
  const names: string[] = [];
  for await (const { name } of upper.list("/content")) names.push(name);
  return names;
}
