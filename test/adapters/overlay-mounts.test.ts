import type { FileSystem } from "holdall";
import { memoryBackend, memoryFileSystem } from "holdall/memory";
import { mountBackend, mountFileSystem, overlayBackend, readOnly, readOnlyFileSystem } from "holdall/overlay";
import { fileSystemContract } from "holdall/testing";
import { describe, expect, test } from "vitest";
import { createRandom, dealt, forAll } from "../unit/property.ts";
import { bytes, outcome, randomOperation, text, treeOf } from "./overlay-support.ts";

const can = { symlinks: true, watch: true };

const grounds: Readonly<Record<string, () => FileSystem | { fs: FileSystem; root: string }>> = {
  "alone at the root": () => mountFileSystem({ "/": memoryFileSystem() }),
  "below another": () => ({
    fs: mountFileSystem({ "/": memoryFileSystem(), "/data": memoryFileSystem() }),
    root: "/data",
  }),
  "without one at the root, a folder of it only": () => ({
    fs: mountFileSystem({ "/deep/data": { fs: memoryFileSystem({ files: { "/part/x/y": "" } }), root: "/part/z" } }),
    root: "/deep/data/new",
  }),
  "above another": () => ({
    fs: mountFileSystem({ "/": memoryFileSystem(), "/w/x/y": memoryFileSystem(), "/z": memoryFileSystem() }),
    root: "/w/other",
  }),
};

const names = Object.keys(grounds);
/** The grounds, and an overlay. */
const SUBJECTS = names.length + 1;

describe.each(names)("mountFileSystem, %s", (name) => {
  const create = async () => {
    const ground = grounds[name]?.() ?? memoryFileSystem();
    if ("root" in ground) await ground.fs.makeDirectory(ground.root);
    return ground;
  };
  const cases = dealt(fileSystemContract({ create, can }), names.indexOf(name), SUBJECTS);
  for (const { name: promise, run } of cases) test(promise, run);
});

describe("overlayBackend over mounts", () => {
  const create = () => ({
    fs: overlayBackend(mountBackend({ "/": memoryBackend(), "/data": memoryFileSystem() })).fs,
    root: "/data",
  });
  for (const { name, run } of dealt(fileSystemContract({ create, can }), names.length, SUBJECTS)) test(name, run);
});

function threeMounts() {
  const [root, data, deep] = [
    memoryFileSystem({ files: { "/a": "root", "/data/hidden": "never seen", "/data/deep": "never seen" } }),
    memoryFileSystem({ files: { "/a": "data", "/sub/b": "needle" } }),
    memoryFileSystem({ files: { "/a": "deep needle" } }),
  ];
  return { root, data, deep, fs: mountFileSystem({ "/": root, "/data": data, "/data/x/deep": deep }) };
}

describe("mountFileSystem", () => {
  test("gives each path to the longest mount that fits, and lists what leads to mounts", async () => {
    const { fs } = threeMounts();
    expect(await treeOf(fs)).toEqual({
      "/a": "root",
      "/data/": "",
      "/data/a": "data",
      "/data/sub/": "",
      "/data/sub/b": "needle",
      "/data/x/": "",
      "/data/x/deep/": "",
      "/data/x/deep/a": "deep needle",
    });
    expect((await fs.stat("/data/x"))?.kind).toBe("directory");
    expect(await fs.realpath("/data/./x/../x/deep/a")).toBe("/data/x/deep/a");
  });

  test("searches across mounts", async () => {
    const { fs } = threeMounts();
    const found = await fs.grep({ pattern: "needle", path: "/" });
    expect(found.files.map(({ path }) => path)).toEqual(["/data/sub/b", "/data/x/deep/a"]);
    const { matches } = await fs.glob({ pattern: "**/a", path: "/" });
    expect(matches.map(({ path }) => path).sort()).toEqual(["/a", "/data/a", "/data/x/deep/a"]);
    expect((await fs.grep({ pattern: "needle", path: "/data/sub" })).files.map(({ path }) => path)).toEqual([
      "/data/sub/b",
    ]);
  });

  test("moves files, trees and links from one mount to another", async () => {
    const { fs, root, data, deep } = threeMounts();
    await fs.symlink?.("b", "/data/sub/link");
    await fs.rename("/data/sub", "/new/place");
    await fs.rename("/a", "/data/x/deep/a");
    expect(await treeOf(root)).toMatchObject({ "/new/place/": "", "/new/place/b": "needle", "/new/place/link@": "b" });
    expect([await treeOf(data), await treeOf(deep)]).toEqual([{ "/a": "data" }, { "/a": "root" }]);
  });

  test("moves nothing, and leaves nothing behind, when the other mount fails in the middle", async () => {
    const from = memoryFileSystem({ files: { "/d/1": "x", "/d/2": "xxxxxxxxxx" } });
    const to = memoryFileSystem({ maxBytes: 5 });
    const fs = mountFileSystem({ "/": from, "/small": to });
    await expect(fs.rename("/d", "/small/new/d")).rejects.toMatchObject({ code: "FS_NO_SPACE" });
    expect([await treeOf(from), await treeOf(to)]).toEqual([{ "/d/": "", "/d/1": "x", "/d/2": "xxxxxxxxxx" }, {}]);
  });

  test("moves nothing, and leaves nothing behind, when it is given up in the middle", async () => {
    const from = memoryFileSystem({ files: { "/d/1": "x", "/d/2": "y", "/f": "z" } });
    const near = memoryFileSystem({ files: { "/g": "old" } });
    const enough = new Error("enough");
    const controllers: AbortController[] = [];
    const to: FileSystem = {
      ...near,
      writeStream: async (path, stream, options) => {
        const stat = await near.writeStream(path, stream, options);
        controllers.at(-1)?.abort(enough);
        return stat;
      },
    };
    const fs = mountFileSystem({ "/": from, "/far": to });
    const controller = new AbortController();
    controllers.push(controller);
    await expect(fs.rename("/d", "/far/new/d", { signal: controller.signal })).rejects.toBe(enough);
    expect([await treeOf(from), await treeOf(near)]).toEqual([
      { "/d/": "", "/d/1": "x", "/d/2": "y", "/f": "z" },
      { "/g": "old" },
    ]);
  });

  test("loses nothing of what somebody writes into a file while that is moved", async () => {
    const near = memoryFileSystem({ files: { "/f": "old" } });
    const to = memoryFileSystem();
    const fs = mountFileSystem({
      "/": near,
      "/far": {
        ...to,
        writeStream: async (path, stream, options) => {
          const stat = await to.writeStream(path, stream, options);
          await near.write("/f", bytes("new"));
          return stat;
        },
      },
    });
    await expect(fs.rename("/f", "/far/f")).rejects.toMatchObject({ code: "FS_CONFLICT" });
    expect([await treeOf(near), await treeOf(to)]).toEqual([{ "/f": "new" }, {}]);
  });

  test("brings the replaced file back when the original cannot be removed", async () => {
    const from = readOnlyFileSystem(memoryFileSystem({ files: { "/f": "new" } }));
    const to = memoryFileSystem({ files: { "/f": "old" } });
    const fs = mountFileSystem({ "/": to, "/fixed": from });
    await expect(fs.rename("/fixed/f", "/f")).rejects.toMatchObject({ code: "FS_READ_ONLY" });
    await expect(fs.rename("/fixed/f", "/g/h")).rejects.toMatchObject({ code: "FS_READ_ONLY" });
    expect(await treeOf(to)).toEqual({ "/f": "old" });
  });

  test.each([
    ["remove /data", (fs: FileSystem) => fs.remove("/data", { recursive: true })],
    ["remove what holds a mount", (fs: FileSystem) => fs.remove("/data/x", { recursive: true })],
    ["remove it through dots", (fs: FileSystem) => fs.remove("/a/../data/x/deep/.", { recursive: true })],
    ["move a mount", (fs: FileSystem) => fs.rename("/data", "/b")],
    ["move what holds a mount", (fs: FileSystem) => fs.rename("/data/x", "/b")],
    ["remove it through a link", (fs: FileSystem) => fs.remove("/link/x", { recursive: true })],
  ])("refuses to %s", async (_what, run) => {
    const { fs } = threeMounts();
    await fs.symlink?.("data", "/link");
    const before = await treeOf(fs);
    await expect(run(fs)).rejects.toMatchObject({ code: "FS_INVALID_PATH" });
    expect(await treeOf(fs)).toEqual(before);
  });

  test("follows links through the tree: from mount to mount, and never around one", async () => {
    const secret = memoryFileSystem({ files: { "/f": "below the mount" } });
    const root = memoryFileSystem({ files: { "/data/f": "hidden by the mount" } });
    const fs = mountFileSystem({ "/": root, "/data": secret, "/fixed": readOnlyFileSystem(secret) });
    await root.symlink?.("data/f", "/to-data");
    await root.symlink?.("/fixed", "/to-fixed");
    await secret.symlink?.("../..", "/up");
    await secret.symlink?.("/data/f", "/absolute");
    expect([await text(fs, "/to-data"), await text(fs, "/data/up/to-data"), await text(fs, "/data/absolute")]).toEqual([
      "below the mount",
      "below the mount",
      "below the mount",
    ]);
    await expect(fs.write("/data/up/to-fixed/f", bytes("x"))).rejects.toMatchObject({ code: "FS_READ_ONLY" });
    await expect(fs.rename("/to-fixed/f", "/moved")).rejects.toMatchObject({ code: "FS_READ_ONLY" });
    expect(await fs.realpath("/data/up/to-fixed/f")).toBe("/fixed/f");
  });

  test("does not take a name that only begins like a mount for a part of it", async () => {
    const { fs, root } = threeMounts();
    await fs.write("/data2/f", bytes("x"));
    expect(await text(root, "/data2/f")).toBe("x");
  });

  test("names the path that was asked for in errors", async () => {
    const fs = mountFileSystem({ "/data": { fs: memoryFileSystem(), root: "/inner" } });
    await expect(fs.read("/data/missing")).rejects.toMatchObject({
      code: "FS_NOT_FOUND",
      data: { path: "/data/missing" },
    });
    await expect(fs.read("/data/missing")).rejects.not.toThrow("inner");
    await expect(fs.write("/elsewhere", bytes("x"))).rejects.toMatchObject({ code: "FS_READ_ONLY" });
  });

  test.each([
    ["no mount", {}],
    ["a relative path", { data: memoryFileSystem() }],
    ["one path twice", { "/data": memoryFileSystem(), "/data/": memoryFileSystem() }],
  ])("refuses %s", (_what, mounts) => {
    expect(() => mountFileSystem(mounts)).toThrow("MOUNT_INVALID");
  });

  test("holds under random changes what one file system would", () =>
    forAll(30, async (random) => {
      const fs = mountFileSystem({ "/": memoryFileSystem(), "/a/b": memoryFileSystem(), "/c": memoryFileSystem() });
      const model = memoryFileSystem();
      const points = ["/a", "/a/b", "/c"];
      for (const point of points) await model.makeDirectory(point);
      for (let step = 0; step < 40; step += 1) {
        const seed = random.below(2 ** 31);
        const before = await treeOf(model);
        const shouldBe = await outcome(randomOperation(createRandom(seed), step), model);
        const kept = await Promise.all(
          points.map(async (point) => (await model.stat(point, { followSymlinks: false }))?.kind),
        );
        const is = await outcome(randomOperation(createRandom(seed), step), fs);
        if (!kept.every((kind) => kind === "directory")) {
          // It took a mount away, which only the mounts refuse.
          expect([is, await treeOf(fs)]).toEqual(["FS_INVALID_PATH", before]);
          return;
        }
        // Of two things that are wrong, either may be told.
        if (shouldBe === "done" || is !== "FS_INVALID_PATH") expect(is).toBe(shouldBe);
        expect(await treeOf(fs)).toEqual(await treeOf(model));
      }
    }));
});

describe("mountBackend", () => {
  test("takes backends, stands where it is told to, and makes a shell over the tree", async () => {
    const grounds: object[] = [];
    const shell = { run: () => Promise.reject(new Error("not used")) as never };
    const { name, os, cwd, home, fs } = mountBackend(
      { "/": memoryBackend({ files: { "/f": "x" } }), "/ro": readOnly(memoryBackend({ files: { "/g": "y" } })) },
      {
        cwd: "/workspace",
        home: "~",
        shell: (ground) => {
          grounds.push(ground);
          return shell;
        },
      },
    );
    expect({ name, os, cwd, home }).toEqual({ name: "mounts", os: "posix", cwd: "/workspace", home: "/workspace/~" });
    expect(grounds).toEqual([{ fs, cwd: "/workspace", home: "/workspace/~" }]);
    expect([await text(fs, "/f"), await text(fs, "/ro/g")]).toEqual(["x", "y"]);
    await expect(fs.write("/ro/g", bytes("z"))).rejects.toMatchObject({ code: "FS_READ_ONLY" });
  });
});
