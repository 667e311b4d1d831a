import { type Backend, createFileSystem, type FileSystem } from "holdall";
import { deleteIndexedDb, indexedDbBackend } from "holdall/indexeddb";
import { justBashShell } from "holdall/just-bash";
import { memoryBackend } from "holdall/memory";
import { opfsBackend } from "holdall/opfs";
import { mountBackend, overlayBackend } from "holdall/overlay";
import { fileSystemContract } from "holdall/testing";
import { afterAll, describe, expect, test } from "vitest";
import { run } from "./just-bash-support.ts";
import { bytes, text, treeOf } from "./overlay-support.ts";
import { freshName } from "./storage-support.ts";

const can = { symlinks: true, watch: true };
const names = { indexedDb: freshName(), opfs: freshName() };
const stores: Readonly<Record<keyof typeof names, () => Backend>> = {
  indexedDb: () => indexedDbBackend({ name: names.indexedDb, cwd: "/" }),
  opfs: () => opfsBackend({ name: names.opfs, cwd: "/" }),
};
const opened = new Map<string, Backend>();

/** One store for all tests of this file: each has a folder of its own. */
function store(kind: keyof typeof names): Backend {
  const backend = opened.get(kind) ?? stores[kind]();
  opened.set(kind, backend);
  return backend;
}

afterAll(async () => {
  for (const backend of opened.values()) await backend.close?.();
  await deleteIndexedDb(names.indexedDb);
  const root = await navigator.storage.getDirectory();
  await root.getDirectoryHandle(names.opfs, { create: true });
  await root.removeEntry(names.opfs, { recursive: true });
});

/**
 * What goes through the layer; that reading and searching see both layers is shown over memory. Each change is two
 * files of the layer, and Firefox takes a tenth of a second for each of them in OPFS.
 */
const changing = {
  indexedDb: /^(write|writeStream|version|condition|concurrency|remove|rename|streams|links|watch):|^abort: (write|re)/,
  opfs: /^(write|writeStream|condition|streams|watch): (?!.*again and again)|^abort: write/,
};

describe.each(["indexedDb", "opfs"] as const)("overlayBackend with its layer in %s", { timeout: 60_000 }, (kind) => {
  const create = (): FileSystem =>
    overlayBackend(memoryBackend({ cwd: "/" }), { upper: store(kind).fs, folder: `/${freshName()}` }).fs;
  for (const { name, run: check } of fileSystemContract({ create, can }))
    if (changing[kind].test(name)) test(name, check);

  test("comes back in another overlay, rewinds, and commits", async () => {
    const base = memoryBackend({ cwd: "/", files: { "/d/f": "below" } });
    const options = { upper: store(kind).fs, folder: `/${freshName()}` };
    const first = overlayBackend(base, options);
    await first.fs.write("/d/f", bytes("early"));
    const mark = await first.checkpoint();
    await first.fs.remove("/d", { recursive: true });
    await first.close?.();
    const again = overlayBackend(base, options);
    expect(await treeOf(again.fs)).toEqual({});
    await again.rewind(mark);
    expect([await text(again.fs, "/d/f"), await text(base.fs, "/d/f")]).toEqual(["early", "below"]);
    await again.commit();
    expect([await again.changes(), await treeOf(base.fs)]).toEqual([[], { "/d/": "", "/d/f": "early" }]);
  });
});

describe.each(["indexedDb", "opfs"] as const)("overlayBackend over %s", { timeout: 60_000 }, (kind) => {
  /** The folder of the store that stands for its root. */
  const part = async (): Promise<Backend> => {
    const root = `/${freshName()}`;
    await store(kind).fs.makeDirectory(root);
    return mountBackend({ "/": { fs: store(kind).fs, root } });
  };

  test("shows its files and keeps changes to itself; commands see both", async () => {
    const base = await part();
    await base.fs.write("/d/f", bytes("below\n"));
    const overlay = overlayBackend(base, { shell: justBashShell({ worker: false }) });
    if (overlay.shell === undefined) throw new Error("The backend has no shell.");
    const { stdout } = await run(overlay.shell, "cd /; cat d/f; mv d e; echo new > e/g; cat e/*; ls");
    expect(stdout).toBe("below\nbelow\nnew\ne\n");
    expect(await treeOf(base.fs)).toEqual({ "/d/": "", "/d/f": "below\n" });
    await overlay.commit();
    expect(await treeOf(base.fs)).toEqual({ "/e/": "", "/e/f": "below\n", "/e/g": "new\n" });
  });

  test("commits nothing when the store is full, and keeps all changes", async () => {
    const base = await part();
    await base.fs.write("/f", bytes("below"));
    const full = createFileSystem({
      ...base.fs,
      write: (path, content, options) =>
        path === "/g"
          ? Promise.reject(new DOMException("The disk is full.", "QuotaExceededError"))
          : base.fs.write(path, content, options),
    });
    const overlay = overlayBackend({ ...base, fs: full });
    await overlay.fs.write("/f", bytes("above"));
    await overlay.fs.write("/g", bytes("above"));
    await expect(overlay.commit()).rejects.toMatchObject({ data: { path: "/g" } });
    expect(await treeOf(base.fs)).toEqual({ "/f": "below" });
    expect(await treeOf(overlay.fs)).toEqual({ "/f": "above", "/g": "above" });
  });
});
