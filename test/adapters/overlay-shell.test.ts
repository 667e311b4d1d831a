import type { Backend, FileSystem } from "holdall";
import { justBashShell } from "holdall/just-bash";
import { memoryBackend, memoryFileSystem } from "holdall/memory";
import { mountBackend, overlayBackend, readOnlyFileSystem } from "holdall/overlay";
import { shellContract } from "holdall/testing";
import { describe, expect, test } from "vitest";
import { run } from "./just-bash-support.ts";
import { text, treeOf } from "./overlay-support.ts";

const shell = justBashShell({ worker: false });

function withShell(backend: Backend) {
  if (backend.shell === undefined) throw new Error("The backend has no shell.");
  return { shell: backend.shell, fs: backend.fs, cwd: backend.cwd };
}

const grounds: Readonly<Record<string, () => Backend>> = {
  "an overlay": () => overlayBackend(memoryBackend({ cwd: "/work" }), { shell }),
  mounts: () =>
    mountBackend(
      { "/": memoryFileSystem(), "/work": { fs: memoryFileSystem({ files: { "/part/x/y": "" } }), root: "/part/z" } },
      { cwd: "/work", shell },
    ),
};

/** What a shell prints, and how it is ended, has nothing to do with where its files are; see the tests of just-bash. */
const elsewhere = /^(output|deadline):/;

describe.each(Object.keys(grounds))("just-bash over %s", { timeout: 60_000 }, (name) => {
  const create = async () => {
    const ground = withShell(grounds[name]?.() ?? memoryBackend());
    await ground.fs.makeDirectory(ground.cwd);
    return ground;
  };
  for (const { name: promise, run: check } of shellContract({ create })) {
    if (!elsewhere.test(promise)) test(promise, check);
  }
});

const files = {
  "/work/src/a.ts": "export const a = 1;\n",
  "/work/src/b.ts": "export const b = 2;\n",
  "/work/old/notes.txt": "one\ntwo\n",
  "/work/readme.md": "# read me\n",
};

/** Gives what a command printed, on both streams. */
async function printed(backend: Backend, command: string): Promise<string> {
  const { stdout, stderr } = await run(withShell(backend).shell, command);
  return stdout + stderr;
}

describe("commands over an overlay", () => {
  function ground() {
    const base = memoryBackend({ cwd: "/work", files });
    return { base, overlay: overlayBackend(base, { shell }) };
  }

  test("change the overlay only, until it is committed", async () => {
    const { base, overlay } = ground();
    const before = await treeOf(base.fs);
    const script = [
      "sed -i s/1/10/ src/a.ts",
      "mv src/b.ts src/c.ts",
      "rm -r old",
      "mkdir -p new/deep && echo made > new/deep/f",
      "echo more >> readme.md",
      "cat src/*.ts readme.md; ls; find . -type f | sort",
    ].join("\n");
    expect(await printed(overlay, script)).toBe(
      "export const a = 10;\nexport const b = 2;\n# read me\nmore\nnew\nreadme.md\nsrc\n./new/deep/f\n./readme.md\n./src/a.ts\n./src/c.ts\n",
    );
    expect(await treeOf(base.fs)).toEqual(before);
    const changes = await overlay.changes({ diff: false });
    expect(changes.map(({ kind, path, from }) => [kind, path, ...(from === undefined ? [] : [from])])).toEqual([
      ["created", "/work/new"],
      ["created", "/work/new/deep"],
      ["created", "/work/new/deep/f"],
      ["deleted", "/work/old"],
      ["deleted", "/work/old/notes.txt"],
      ["modified", "/work/readme.md"],
      ["modified", "/work/src/a.ts"],
      ["renamed", "/work/src/c.ts", "/work/src/b.ts"],
    ]);
    const shown = await treeOf(overlay.fs);
    await overlay.commit();
    expect(await treeOf(base.fs)).toEqual(shown);
  });

  test("see what a rewind brings back, and what the base has changed", async () => {
    const { base, overlay } = ground();
    await printed(overlay, "echo early > f");
    const mark = await overlay.checkpoint();
    expect(await printed(overlay, "rm -r src old; echo late > f; cat f; ls")).toBe("late\nf\nreadme.md\n");
    await overlay.rewind(mark);
    await base.fs.write("/work/src/new.ts", new TextEncoder().encode("new\n"));
    expect(await printed(overlay, "cat f src/new.ts; ls . src")).toBe(
      "early\nnew\n.:\nf\nold\nreadme.md\nsrc\n\nsrc:\na.ts\nb.ts\nnew.ts\n",
    );
  });

  test("keep working when the overlay is given up", async () => {
    const { overlay } = ground();
    await printed(overlay, "rm -r src; echo x > readme.md");
    await overlay.discard({ paths: ["/work/src"] });
    expect(await printed(overlay, "cat src/a.ts readme.md")).toBe("export const a = 1;\nx\n");
    await overlay.discard();
    expect(await printed(overlay, "cat readme.md")).toBe("# read me\n");
  });
});

describe("commands over mounts", () => {
  function ground(): { backend: Backend; data: FileSystem } {
    const data = memoryFileSystem();
    const docs = readOnlyFileSystem(memoryFileSystem({ files: { "/guide.md": "guide\n" } }));
    const backend = mountBackend(
      { "/": memoryBackend({ cwd: "/work", files }), "/work/data": data, "/work/docs": docs },
      { cwd: "/work", shell },
    );
    return { backend, data };
  }

  test("work across them", async () => {
    const { backend, data } = ground();
    const script =
      "cp -r src data/; mv old/notes.txt data/src/; cat docs/guide.md > data/guide; ls data data/src; grep -rl const . | sort";
    expect(await printed(backend, script)).toBe(
      "data:\nguide\nsrc\n\ndata/src:\na.ts\nb.ts\nnotes.txt\ndata/src/a.ts\ndata/src/b.ts\nsrc/a.ts\nsrc/b.ts\n",
    );
    expect(await text(data, "/src/notes.txt")).toBe("one\ntwo\n");
  });

  test("are refused what a mount refuses", async () => {
    const { backend } = ground();
    expect(await printed(backend, "echo x > docs/guide.md")).toBe("bash: /work/docs/guide.md: Read-only file system\n");
    expect(await printed(backend, "rm docs/guide.md 2>/dev/null || cat docs/guide.md")).toBe("guide\n");
    expect(await printed(backend, "rmdir data 2>/dev/null || ls -d data")).toBe("data\n");
  });

  test("are seen and undone through an overlay over the mounts", async () => {
    const { backend, data } = ground();
    const overlay = overlayBackend(backend, { shell });
    const mark = await overlay.checkpoint();
    expect(await printed(overlay, "echo x > data/f; echo y > docs/guide.md; cat data/f docs/guide.md")).toBe("x\ny\n");
    await overlay.rewind(mark);
    expect(await printed(overlay, "cat data/f docs/guide.md 2>/dev/null")).toBe("guide\n");
    expect(await data.stat("/f")).toBe(undefined);
  });
});
