import type { FileSystem, Shell } from "holdall";
import { memoryBackend, memoryFileSystem } from "holdall/memory";
import { overlayBackend } from "holdall/overlay";
import { describe, expect, test } from "vitest";
import { bytes, text, treeOf } from "./overlay-support.ts";

const base = () => memoryBackend({ cwd: "/", files: { "/d/f": "below" } });

async function contents(upper: FileSystem): Promise<number> {
  if ((await upper.stat("/content")) === undefined) return 0;
  let count = 0;
  for await (const _entry of upper.list("/content")) count += 1;
  return count;
}

describe("the upper layer of an overlay", () => {
  test("keeps thousands of changes, and brings them back", async () => {
    const upper = memoryFileSystem();
    const overlay = overlayBackend(base(), { upper });
    for (let index = 0; index < 1500; index += 1) await overlay.fs.write(`/d/${index % 400}`, bytes(`${index}`));
    const again = overlayBackend(base(), { upper });
    expect(await treeOf(again.fs)).toEqual(await treeOf(overlay.fs));
    expect(await contents(upper)).toBe(400);
    const names: string[] = [];
    for await (const { name } of upper.list("/")) names.push(name.replace(/-.*/, ""));
    expect(names.sort()).toEqual(["content", "head.json", "tree"]);
  });

  test("gives versions that never come again, also when it is opened again", async () => {
    const upper = memoryFileSystem();
    const versions: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      const { fs } = overlayBackend(base(), { upper });
      versions.push((await fs.write("/new", bytes("same"))).version);
      await fs.remove("/new");
    }
    expect(new Set(versions).size).toBe(5);
  });

  test("loses nothing when two overlays change it at once", async () => {
    const upper = memoryFileSystem();
    const both = [overlayBackend(base(), { upper }), overlayBackend(base(), { upper })];
    await Promise.all(
      both.map(async ({ fs }, who) => {
        for (let index = 0; index < 40; index += 1) await fs.write(`/who${who}/${index}`, bytes(`${index}`));
      }),
    );
    const tree = await treeOf(overlayBackend(base(), { upper }).fs);
    expect(Object.keys(tree).filter((path) => path.startsWith("/who")).length).toBe(82);
  });

  test("of two overlays that write one file under one version, one wins", async () => {
    const upper = memoryFileSystem();
    const both = [overlayBackend(base(), { upper }), overlayBackend(base(), { upper })];
    const version = (await both[0]?.fs.stat("/d/f"))?.version ?? "";
    const outcomes = await Promise.allSettled(
      both.map(({ fs }, who) => fs.write("/d/f", bytes(`${who}`), { ifVersion: version })),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("is read again when another overlay has let go of what it holds", async () => {
    const upper = memoryFileSystem();
    const [one, other] = [overlayBackend(base(), { upper }), overlayBackend(base(), { upper })];
    await one.fs.write("/f", bytes("old"));
    expect(await text(other.fs, "/f")).toBe("old");
    await one.fs.write("/f", bytes("new"));
    expect(await text(other.fs, "/f")).toBe("new");
  });

  test("that is full changes nothing, keeps nothing, and says so of the path that was meant", async () => {
    const upper = memoryFileSystem({ maxBytes: 3000 });
    const overlay = overlayBackend(base(), { upper });
    await overlay.fs.write("/small", new Uint8Array(1000));
    const before = await treeOf(overlay.fs);
    await expect(overlay.fs.write("/d/f", new Uint8Array(2500))).rejects.toMatchObject({
      code: "FS_NO_SPACE",
      data: { path: "/d/f" },
    });
    expect([await treeOf(overlay.fs), await contents(upper)]).toEqual([before, 1]);
    expect(await treeOf(overlayBackend(base(), { upper }).fs)).toEqual(before);
  });

  test("holds no content that nothing needs after discard and rewind", async () => {
    const upper = memoryFileSystem();
    const overlay = overlayBackend(base(), { upper });
    await overlay.fs.write("/a", bytes("1"));
    await overlay.fs.write("/a", bytes("2"));
    expect(await contents(upper)).toBe(1);
    const mark = await overlay.checkpoint();
    await overlay.fs.write("/a", bytes("3"));
    await overlay.fs.write("/b", bytes("4"));
    await overlay.rewind(mark);
    expect([await treeOf(overlay.fs), await contents(upper)]).toEqual([{ "/a": "2", "/d/": "", "/d/f": "below" }, 1]);
    await overlay.commit();
    expect([await overlay.checkpoints(), await contents(upper)]).toEqual([[], 0]);
  });

  test("forgets the oldest of many checkpoints, and the later ones after a rewind", async () => {
    const overlay = overlayBackend(base());
    const ids: string[] = [];
    for (let index = 0; index < 103; index += 1) ids.push(await overlay.checkpoint());
    expect(await overlay.checkpoints()).toEqual(ids.slice(3));
    await overlay.rewind(ids[50] ?? "");
    expect(await overlay.checkpoints()).toEqual(ids.slice(3, 51));
    for (const id of [ids[0] ?? "", ids[60] ?? "", "made up"])
      await expect(overlay.rewind(id)).rejects.toMatchObject({ code: "OVERLAY_CHECKPOINT_UNKNOWN", data: { id } });
  });

  test.each([
    ["no JSON", "{"],
    ["another format", '{"format":2,"name":"x","tree":null,"records":[]}'],
    ["a tree elsewhere", '{"format":1,"name":"x","tree":"../../secret","records":[]}'],
    ["a tree that is not there", '{"format":1,"name":"x","tree":"tree-1.json","records":[]}'],
    [
      "a node that contains itself",
      record('[{"kind":"directory","modifiedAt":0,"change":1,"entries":[["a",0]]}]', '[["/d",[0]]]'),
    ],
    ["a node that is not there", record("[]", '[["/d",[7]]]')],
    [
      "a name with a slash",
      record(
        '[{"kind":"file","content":"c","size":1,"modifiedAt":0,"change":1},{"kind":"directory","modifiedAt":0,"change":1,"entries":[["a/../b",0]]}]',
        '[["/d",[1]]]',
      ),
    ],
    [
      "a name of dots",
      record(
        '[{"kind":"file","content":"c","size":1,"modifiedAt":0,"change":1},{"kind":"directory","modifiedAt":0,"change":1,"entries":[["..",0]]}]',
        '[["/d",[1]]]',
      ),
    ],
    [
      "a size that is no number",
      record('[{"kind":"file","content":"c","size":"1","modifiedAt":0,"change":1}]', '[["/d",[0]]]'),
    ],
    [
      "a content elsewhere",
      record('[{"kind":"file","content":"../head.json","size":1,"modifiedAt":0,"change":1}]', '[["/d",[0]]]'),
    ],
    [
      "an unknown checkpoint",
      '{"format":1,"name":"x","tree":null,"records":[{"time":0,"change":1,"nodes":[],"puts":[],"rewind":"x"}]}',
    ],
  ])("with %s is refused", async (_what, head) => {
    const upper = memoryFileSystem({ files: { "/head.json": head, "/kept": "x" } });
    const { fs } = overlayBackend(base(), { upper });
    await expect(fs.read("/d/f")).rejects.toMatchObject({ code: "OVERLAY_UPPER_INVALID" });
    await expect(fs.write("/x", bytes("x"))).rejects.toMatchObject({ code: "OVERLAY_UPPER_INVALID" });
    expect(await text(upper, "/head.json")).toBe(head);
  });
});

describe("overlayBackend", () => {
  test("has the place of its base, never its shell, and makes one over its own files", () => {
    const shell: Shell = { run: () => Promise.reject(new Error("not used")) as never };
    const below = memoryBackend({ home: "/me", shell });
    const plain = overlayBackend(below);
    const { name, os, cwd, home } = plain;
    expect({ name, os, cwd, home, shell: plain.shell }).toEqual({
      name: "overlay of memory",
      os: "posix",
      cwd: "/workspace",
      home: "/me",
      shell: undefined,
    });
    const grounds: unknown[] = [];
    const made = overlayBackend(below, {
      name: "mine",
      shell: (ground) => {
        grounds.push(ground.fs, ground.cwd, ground.home);
        return shell;
      },
    });
    expect([made.name, made.shell, grounds]).toEqual(["mine", shell, [made.fs, "/workspace", "/me"]]);
  });

  test("fails once it is closed, and leaves the base open", async () => {
    const below = base();
    const overlay = overlayBackend(below);
    await overlay.fs.write("/a", bytes("x"));
    await overlay.close?.();
    await expect(overlay.fs.read("/a")).rejects.toMatchObject({ code: "FS_CLOSED" });
    await expect(overlay.fs.write("/b", bytes("x"))).rejects.toMatchObject({ code: "FS_CLOSED" });
    expect(await text(below.fs, "/d/f")).toBe("below");
  });

  test("resolves links of both layers in the tree that it shows", async () => {
    const below = base();
    await below.fs.symlink?.("d", "/link");
    await below.fs.symlink?.("/link/f", "/far");
    const { fs } = overlayBackend(below);
    await fs.write("/link/f", bytes("above"));
    await fs.symlink?.("link/../far", "/own");
    expect([await text(fs, "/far"), await text(fs, "/own"), await text(below.fs, "/far")]).toEqual([
      "above",
      "above",
      "below",
    ]);
    await fs.rename("/d", "/e");
    await fs.symlink?.("e", "/d");
    expect([await text(fs, "/far"), await fs.realpath("/far")]).toEqual(["above", "/e/f"]);
    const { files } = await fs.grep({ pattern: "above|below", path: "/" });
    expect(files.map(({ path }) => path)).toEqual(["/e/f"]);
  });

  test("shows only what the base lets it see", async () => {
    const below = base();
    const { fs } = overlayBackend(below);
    await fs.write("/../../up", bytes("x"));
    await fs.symlink?.("../../../..", "/d/up");
    expect([await text(fs, "/d/up/up"), await below.fs.stat("/up")]).toEqual(["x", undefined]);
  });
});

function record(nodes: string, puts: string): string {
  return `{"format":1,"name":"x","tree":null,"records":[{"time":0,"change":1,"nodes":${nodes},"puts":${puts}}]}`;
}
