import { createFileSystem, type FileSystem, HoldallError } from "holdall";
import { memoryBackend, memoryFileSystem } from "holdall/memory";
import { overlayBackend } from "holdall/overlay";
import { describe, expect, test } from "vitest";
import { bytes, text, treeOf } from "./overlay-support.ts";
import { streamOf } from "./storage-support.ts";

/** A layer that keeps of each stream no more than how much it was, and the most that it ever held at once. */
function countingLayer() {
  const fs = memoryFileSystem();
  const sizes = new Map<string, number>();
  const upper = createFileSystem({
    ...fs,
    writeStream: async (path, stream) => {
      const reader = stream.getReader();
      let size = 0;
      for (let next = await reader.read(); next.done !== true; next = await reader.read()) size += next.value.length;
      sizes.set(path, size);
      return { ...(await fs.write(path, bytes("…"))), size };
    },
  });
  return { upper, sizes };
}

async function contentsOf(upper: FileSystem): Promise<string[]> {
  const names: string[] = [];
  for await (const { path, name } of upper.walk("/")) if (path.startsWith("/content/")) names.push(name);
  return names;
}

const ground = (upper: FileSystem = memoryFileSystem()) => ({
  upper,
  overlay: overlayBackend(memoryBackend({ cwd: "/", files: { "/d/f": "below" } }), { upper }),
});

describe("a stream into an overlay", () => {
  test("goes to the layer piece by piece, however long it is", async () => {
    const { upper, sizes } = countingLayer();
    const { overlay } = ground(upper);
    const piece = new Uint8Array(1 << 20);
    let asked = 0;
    const stream = streamOf(
      300,
      () => piece,
      () => (asked += 1),
    );
    const { size } = await overlay.fs.writeStream("/d/f", stream);
    expect({ size, asked, sizes: [...sizes.values()] }).toEqual({ size: 300 << 20, asked: 301, sizes: [300 << 20] });
  });

  test("shows the old file until it has ended, and lets other changes by meanwhile", async () => {
    const { overlay, upper } = ground();
    const { fs } = overlay;
    const mark = await overlay.checkpoint();
    const seen: string[] = [];
    const stream = streamOf(
      3,
      (index) => bytes(`${index}`),
      async (index) => {
        await fs.write("/beside", bytes(`${index}`));
        // Sweeps whatever no tree needs.
        if (index === 2) await overlay.rewind(mark);
        seen.push(await text(fs, "/d/f"));
      },
    );
    await fs.writeStream("/d/f", stream);
    expect([seen, await treeOf(fs)]).toEqual([
      ["below", "below", "below", "below"],
      { "/beside": "3", "/d/": "", "/d/f": "012" },
    ]);
    expect(await treeOf(ground(upper).overlay.fs)).toEqual(await treeOf(fs));
  });

  const failures: Readonly<Record<string, (fs: FileSystem) => Promise<unknown>>> = {
    "that breaks": (fs) =>
      fs.writeStream(
        "/d/f",
        streamOf(
          3,
          () => bytes("x"),
          (index) => (index === 2 ? Promise.reject(new Error("broken")) : undefined),
        ),
      ),
    "that is given up": (fs) => {
      const controller = new AbortController();
      const stream = streamOf(
        3,
        () => bytes("x"),
        (index) => index === 2 && controller.abort(new Error("broken")),
      );
      return fs.writeStream("/d/f", stream, { signal: controller.signal });
    },
    "under a version that changes meanwhile": async (fs) => {
      const ifVersion = (await fs.stat("/d/f"))?.version ?? "";
      const stream = streamOf(
        3,
        () => bytes("x"),
        (index) => index === 1 && fs.write("/d/f", bytes("faster")),
      );
      await fs.writeStream("/d/f", stream, { ifVersion }).catch((error: unknown) => {
        throw HoldallError.is(error, "FS_CONFLICT") ? new Error("broken") : error;
      });
    },
    "to what becomes a directory meanwhile": async (fs) => {
      const stream = streamOf(
        3,
        () => bytes("x"),
        (index) => index === 1 && fs.makeDirectory("/d/new"),
      );
      await fs.writeStream("/d/new", stream).catch((error: unknown) => {
        throw HoldallError.is(error, "FS_IS_DIRECTORY") ? new Error("broken") : error;
      });
    },
  };

  test.each(Object.keys(failures))("%s leaves the file as it was, and nothing in the layer", async (name) => {
    const { overlay, upper } = ground();
    await expect(failures[name]?.(overlay.fs)).rejects.toThrow("broken");
    const expected = name.includes("version") ? "faster" : "below";
    expect(await text(overlay.fs, "/d/f")).toBe(expected);
    expect((await contentsOf(upper)).length).toBe(expected === "faster" ? 1 : 0);
  });

  test("with a condition that does not hold is not begun", async () => {
    const { overlay } = ground();
    let asked = 0;
    const stream = streamOf(
      1,
      () => bytes("x"),
      () => (asked += 1),
    );
    await expect(overlay.fs.writeStream("/d/f", stream, { ifVersion: null })).rejects.toMatchObject({
      code: "FS_CONFLICT",
    });
    expect(asked).toBe(0);
  });
});

describe("the layer of an overlay", () => {
  test("keeps what is named by a save whose answer was lost", async () => {
    const fs = memoryFileSystem();
    let isCut = false;
    const upper: FileSystem = {
      ...fs,
      write: async (path, content, options) => {
        const stat = await fs.write(path, content, options);
        if (isCut && path.endsWith("head.json")) {
          isCut = false;
          throw new HoldallError("FS_IO", "the connection was cut. Try again.");
        }
        return stat;
      },
    };
    const { overlay } = ground(upper);
    await overlay.fs.write("/d/f", bytes("first"));
    isCut = true;
    await expect(overlay.fs.write("/d/f", bytes("second"))).rejects.toMatchObject({ code: "FS_IO" });
    expect(await text(ground(upper).overlay.fs, "/d/f")).toBe("second");
    await overlay.fs.write("/d/g", bytes("third"));
    expect(await treeOf(overlay.fs)).toEqual({ "/d/": "", "/d/f": "second", "/d/g": "third" });
  });

  test("is read anew only between changes: a condition is never checked against what is no longer there", async () => {
    const upper = memoryFileSystem();
    const [one, other] = [ground(upper).overlay, ground(upper).overlay];
    await one.fs.write("/d/f", bytes("0"));
    await text(other.fs, "/d/f");
    for (let round = 1; round <= 20; round += 1) {
      const ifVersion = (await other.fs.stat("/d/f"))?.version ?? "";
      await one.fs.write("/d/f", bytes(`one ${round}`));
      const [written, , now] = await Promise.all([
        other.fs.write("/d/f", bytes(`other ${round}`), { ifVersion }).catch((error: HoldallError) => error.code),
        text(other.fs, "/d/f"),
        text(other.fs, "/d/f"),
      ]);
      expect([written, now, await text(one.fs, "/d/f")]).toEqual(["FS_CONFLICT", `one ${round}`, `one ${round}`]);
    }
  });

  test("gives files that were copied at once versions of their own", async () => {
    const { fs } = overlayBackend(memoryBackend({ cwd: "/", files: { "/d/f": "one", "/d/g": "two" } }));
    await fs.rename("/d", "/e");
    const before = await fs.stat("/e/g");
    await fs.rename("/e/f", "/e/g");
    const after = await fs.read("/e/g");
    expect([after.bytes, after.version === before?.version]).toEqual([bytes("one"), false]);
  });
});
