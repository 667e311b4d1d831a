import type { FileSystem, FsChange } from "holdall";
import { memoryBackend, memoryFileSystem } from "holdall/memory";
import { mountFileSystem, overlayBackend, readOnlyFileSystem } from "holdall/overlay";
import { describe, expect, test } from "vitest";
import { bytes } from "./overlay-support.ts";

/** Watches while something happens and until marks have been told; gives all that was told before, in order. */
async function toldOf(
  fs: FileSystem,
  path: string,
  run: () => Promise<unknown>,
  marks: Readonly<Record<string, FileSystem>>,
): Promise<string[]> {
  const controller = new AbortController();
  const seen: FsChange[] = [];
  const missing = new Set(Object.keys(marks));
  let begun = (): void => {};
  const isFirst = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const watching = (async () => {
    for await (const change of fs.watch?.(path, { signal: controller.signal }) ?? []) {
      begun();
      missing.delete(change.path);
      seen.push(change);
      if (missing.size === 0) return;
    }
  })();
  const timer = setInterval(() => void fs.write(`${path === "/" ? "" : path}/begin`, bytes("")), 1);
  await Promise.race([isFirst, watching]);
  clearInterval(timer);
  await run();
  for (const [mark, { write }] of Object.entries(marks)) await write(mark, bytes("mark"));
  await watching;
  controller.abort();
  const told = seen.filter((change) => !change.path.endsWith("/begin") && !Object.keys(marks).includes(change.path));
  return told.map((change) => `${change.kind} ${change.path}`);
}

function ground(upper?: FileSystem) {
  const base = memoryBackend({ cwd: "/", files: { "/d/f": "below", "/d/g": "below", "/e/h": "below" } });
  const overlay = overlayBackend(base, upper && { upper });
  return { base: base.fs, overlay, fs: overlay.fs, marks: { "/mark": overlay.fs, "/mark-below": base.fs } };
}

describe("watching an overlay", () => {
  test("tells of its own changes: a whiteout is a removal, what is moved is at both places", async () => {
    const { fs, marks } = ground();
    const told = await toldOf(
      fs,
      "/",
      async () => {
        await fs.write("/new/deep/f", bytes("x"));
        await fs.remove("/d/g");
        await fs.rename("/e", "/moved");
      },
      marks,
    );
    expect(told).toEqual([
      "written /new",
      "written /new/deep",
      "written /new/deep/f",
      "removed /d/g",
      "removed /e",
      "written /moved",
      "written /moved/h",
    ]);
  });

  test("tells of changes of the base where they can be seen", async () => {
    const { fs, base, marks } = ground();
    await fs.write("/d/f", bytes("covered"));
    await fs.remove("/d/g");
    await fs.rename("/e", "/moved");
    const told = await toldOf(
      fs,
      "/",
      async () => {
        await base.write("/seen", bytes("x"));
        await base.write("/d/f", bytes("not seen"));
        await base.write("/d/g", bytes("not seen"));
        await base.write("/e/h", bytes("not seen"));
        await base.write("/d/seen", bytes("x"));
        await base.remove("/d/seen");
        await base.remove("/d", { recursive: true });
      },
      marks,
    );
    // What the overlay has in it keeps the directory.
    expect(told.sort()).toEqual(["removed /d/seen", "written /d", "written /seen"]);
  });

  test("tells what the base creates in a directory that only the overlay had", async () => {
    const { fs, base } = ground();
    await fs.makeDirectory("/own/dir");
    const told = await toldOf(fs, "/own/dir", () => base.write("/own/dir/f", bytes("x")), { "/own/dir/mark": base });
    expect(told).toEqual(["written /own/dir/f"]);
  });

  test("tells what comes back when changes are given up", async () => {
    const { fs, overlay } = ground();
    await fs.write("/d/f", bytes("changed"));
    await fs.write("/d/new", bytes("made"));
    await fs.remove("/d/g");
    const told = await toldOf(fs, "/d", () => overlay.discard(), { "/d/mark": fs });
    expect(told.sort()).toEqual(["removed /d/new", "written /d", "written /d/f", "written /d/g"]);
  });

  test("tells what is different after a rewind, and nothing else", async () => {
    const { fs, overlay } = ground();
    await fs.write("/d/same", bytes("same"));
    await fs.write("/d/f", bytes("early"));
    const mark = await overlay.checkpoint();
    await fs.write("/d/f", bytes("late"));
    await fs.write("/d/new", bytes("late"));
    await fs.remove("/d/g");
    const told = await toldOf(fs, "/d", () => overlay.rewind(mark), { "/d/mark": fs });
    expect(told.sort()).toEqual(["removed /d/new", "written /d/f", "written /d/g"]);
  });

  test("tells what another overlay over the same layer does", async () => {
    const upper = memoryFileSystem();
    const { fs, base } = ground(upper);
    const other = overlayBackend({ name: "base", os: "posix", cwd: "/", fs: base }, { upper });
    const told = await toldOf(
      fs,
      "/",
      async () => {
        await other.fs.write("/d/f", bytes("theirs"));
        await other.fs.remove("/d/g");
      },
      { "/mark": other.fs },
    );
    expect(told.sort()).toEqual(["removed /d/g", "written /d", "written /d/f"]);
  });

  test("over a base that cannot watch tells of its own changes", async () => {
    const { watch: _, ...quiet } = memoryFileSystem({ files: { "/d/f": "x" } });
    const { fs } = overlayBackend({ name: "quiet", os: "posix", cwd: "/", fs: quiet });
    expect(await toldOf(fs, "/d", () => fs.remove("/d/f"), { "/d/mark": fs })).toEqual(["removed /d/f"]);
  });

  test("ends when it is closed", async () => {
    const { fs, overlay } = ground();
    const watching = (async () => {
      for await (const _change of fs.watch?.("/") ?? []) void overlay.close?.();
    })();
    const timer = setInterval(() => void fs.write("/d/f", bytes("x")).catch(() => {}), 1);
    await watching;
    clearInterval(timer);
  });
});

describe("watching mounts", () => {
  function tree() {
    const data = memoryFileSystem({ files: { "/part/a/f": "x", "/else": "x" } });
    const root = memoryFileSystem({ files: { "/r": "x", "/data/hidden": "never seen" } });
    return { data, root, fs: mountFileSystem({ "/": root, "/data/in": { fs: data, root: "/part" } }) };
  }

  test("tells of each by its place in the tree, and of nothing that is covered or not shown", async () => {
    const { fs, root, data } = tree();
    const told = await toldOf(
      fs,
      "/",
      async () => {
        await root.write("/data/in/covered", bytes("x"));
        await root.write("/data/hidden", bytes("seen"));
        await data.write("/else", bytes("not shown"));
        await data.remove("/part/a/f");
      },
      { "/mark": root, "/data/in/mark": fs },
    );
    expect(told.sort()).toEqual(["removed /data/in/a/f", "written /data/hidden"]);
  });

  test("tells of a directory inside a mount only", async () => {
    const { fs, root, data } = tree();
    const told = await toldOf(
      fs,
      "/data/in/a",
      async () => {
        await root.write("/r", bytes("elsewhere"));
        await data.write("/part/b", bytes("elsewhere"));
        await data.write("/part/a/g", bytes("here"));
      },
      { "/data/in/a/mark": fs },
    );
    expect(told).toEqual(["written /data/in/a/g"]);
  });

  test("tells of what a symlink at the shown directory leads to", async () => {
    const data = memoryFileSystem({ files: { "/real/f": "x" } });
    await data.symlink?.("/real", "/link");
    const fs = mountFileSystem({ "/m": { fs: data, root: "/link" } });
    const told = await toldOf(fs, "/m", () => data.write("/real/g", bytes("x")), { "/m/mark": fs });
    expect(told).toEqual(["written /m/g"]);
  });

  test("fails where nothing can watch, and is not there when no mount can", async () => {
    const { watch: _, ...quiet } = memoryFileSystem({ files: { "/f": "x" } });
    const fs = mountFileSystem({ "/": readOnlyFileSystem(quiet), "/loud": memoryFileSystem() });
    const first = fs.watch?.("/")[Symbol.asyncIterator]().next();
    await expect(first).rejects.toMatchObject({ code: "FS_UNSUPPORTED", data: { path: "/" } });
    expect(mountFileSystem({ "/": quiet }).watch).toBe(undefined);
  });
});
