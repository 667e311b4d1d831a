/** Overlays over one layer whose clocks jump, both ways, while others are at work: nothing in use is taken away. */

import { type FileSystem, HoldallError } from "holdall";
import { memoryBackend, memoryFileSystem } from "holdall/memory";
import { type OverlayBackend, overlayBackend } from "holdall/overlay";
import { describe, expect, test } from "vitest";
import { forAll, type Random } from "../unit/property.ts";
import { bytes, outcome, text, treeOf } from "./overlay-support.ts";

const base = () => memoryBackend({ cwd: "/", files: { "/d/f": "below" } });

const NOON = Date.UTC(2026, 0, 1, 12);
const HOUR = 3_600_000;

/** A layer as another process has it: the same files, met through an object of its own. */
const elsewhere = (layer: FileSystem): FileSystem => ({ ...layer });

interface Gate {
  layer: FileSystem;
  /** Resolves once a change of the head waits. */
  reached: Promise<void>;
  open(): void;
}

/** A layer whose head is not written before the gate opens. */
function gated(layer: FileSystem): Gate {
  let open = (): void => {};
  let reach = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const write: FileSystem["write"] = async (path, content, options) => {
    if (path === "/head.json") {
      reach();
      await gate;
    }
    return layer.write(path, content, options);
  };
  return { layer: { ...layer, write }, reached, open };
}

async function contents(layer: FileSystem): Promise<string[]> {
  const names: string[] = [];
  if ((await layer.stat("/content")) === undefined) return names;
  for await (const { name } of layer.list("/content")) names.push(name);
  return names.sort();
}

const overlayAt = (upper: FileSystem, time: number): OverlayBackend =>
  overlayBackend(base(), { upper, clock: () => time });

/** Opens an overlay at a time and has it look around, which takes away what is left behind. */
const lookAround = (upper: FileSystem, time: number): Promise<unknown> => treeOf(overlayAt(upper, time).fs);

const streamOf = (...parts: string[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(bytes(part));
      controller.close();
    },
  });

const jumps = [
  -24 * HOUR,
  -1,
  0,
  HOUR - 1,
  HOUR + 1,
  24 * HOUR,
  1000 * 24 * HOUR,
  Number.NaN,
  Number.POSITIVE_INFINITY,
];

const writes: readonly [how: string, write: (fs: FileSystem, path: string) => Promise<unknown>][] = [
  ["write", (fs, path) => fs.write(path, bytes("kept"))],
  ["stream", (fs, path) => fs.writeStream(path, streamOf("ke", "pt"))],
  ["move what is below", (fs, path) => fs.rename("/d/f", path)],
];

describe("an overlay that opens while another is about to save", () => {
  const rows = writes.flatMap(([how, write]) => jumps.map((jump) => [how, jump, write] as const));

  test.each(rows)(
    "a %s, with a clock that is %d ms off: nothing is taken away, in one process",
    async (how, jump, write) => {
      const memory = memoryFileSystem({ clock: () => NOON });
      const gate = gated(memory);
      const writing = write(overlayAt(gate.layer, NOON).fs, "/new");
      await gate.reached;
      const [content] = await contents(memory);
      // The same layer, so the same object.
      const opening = lookAround(gate.layer, NOON + jump);
      gate.open();
      await Promise.all([writing, opening]);
      expect([await contents(memory), await treeOf(overlayAt(memory, NOON).fs)]).toEqual([
        [content],
        how === "move what is below" ? { "/d/": "", "/new": "below" } : { "/d/": "", "/d/f": "below", "/new": "kept" },
      ]);
    },
  );

  test.each(rows)(
    "a %s, with a clock that is %d ms off: it is saved all the same, in two",
    async (how, jump, write) => {
      const memory = memoryFileSystem({ clock: () => NOON });
      const gate = gated(memory);
      const one = overlayAt(gate.layer, NOON);
      const writing = write(one.fs, "/new");
      await gate.reached;
      await lookAround(elsewhere(memory), NOON + jump);
      gate.open();
      const isTaken = await writing.then(
        () => false,
        (error: unknown) => {
          expect(error).toMatchObject({ code: "FS_IO", retryable: true, data: { path: "/new" } });
          return true;
        },
      );
      // Only a stream cannot be made anew by itself, and only a clock that jumps over the hour makes that necessary.
      expect(isTaken && !(how === "stream" && jump > HOUR)).toBe(false);
      if (isTaken) {
        expect(await treeOf(overlayAt(memory, NOON).fs)).toEqual({ "/d/": "", "/d/f": "below" });
        await write(one.fs, "/new");
      }
      expect(await treeOf(overlayAt(memory, NOON).fs)).toEqual(
        how === "move what is below" ? { "/d/": "", "/new": "below" } : { "/d/": "", "/d/f": "below", "/new": "kept" },
      );
      expect((await contents(memory)).length).toBe(1);
    },
  );
});

describe("a stream", () => {
  test.each(jumps)(
    "that lasts while the clock goes on by %d ms, and others come and go, is kept whole",
    async (jump) => {
      let now = NOON;
      const memory = memoryFileSystem({ clock: () => now });
      const one = overlayBackend(base(), { upper: elsewhere(memory), clock: () => now });
      await one.fs.write("/first", bytes("first"));
      let step = 0;
      const slow = new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            step += 1;
            now = NOON + step * (Number.isFinite(jump) ? jump : HOUR);
            await lookAround(elsewhere(memory), now);
            if (step > 4) return controller.close();
            controller.enqueue(bytes(`${step}`));
          },
        },
        { highWaterMark: 0 },
      );
      await one.fs.writeStream("/slow", slow);
      await lookAround(elsewhere(memory), now + 2 * HOUR);
      expect(await treeOf(overlayAt(memory, now).fs)).toEqual({
        "/d/": "",
        "/d/f": "below",
        "/first": "first",
        "/slow": "1234",
      });
    },
  );

  test("that has waited for its turn through the sweep of another process is named anew", async () => {
    const memory = memoryFileSystem({ clock: () => NOON });
    const upper = elsewhere(memory);
    const one = overlayAt(upper, NOON);
    await memory.write("/content/0123456789abcdef-1", bytes("left behind"));
    await one.fs.write("/first", bytes("first"));
    // Between the end of the stream and its turn, another overlay announces a sweep, and this one hears of it.
    const watching: FileSystem = {
      ...upper,
      writeStream: async (path, stream, options) => {
        const result = await upper.writeStream(path, stream, options);
        await overlayAt(elsewhere(memory), NOON + 2 * HOUR)
          .fs.write("/other", bytes("other"))
          .catch(() => {});
        return result;
      },
    };
    const two = overlayAt(watching, NOON);
    await two.fs.stat("/first");
    const outcomes = await Promise.allSettled([two.fs.writeStream("/streamed", streamOf("whole"))]);
    const tree = await treeOf(overlayAt(memory, NOON).fs);
    // Taken away before it was named, it is told of; else it is there. It is never named without being there.
    const isThere = outcomes[0].status === "fulfilled";
    expect([tree, await memory.stat("/content/0123456789abcdef-1")]).toEqual([
      { "/d/": "", "/d/f": "below", "/first": "first", "/other": "other", ...(isThere && { "/streamed": "whole" }) },
      undefined,
    ]);
    if (!isThere) {
      expect(outcomes[0]).toMatchObject({ reason: { code: "FS_IO", retryable: true } });
      await overlayAt(upper, NOON).fs.writeStream("/streamed", streamOf("whole"));
      expect(await text(overlayAt(memory, NOON).fs, "/streamed")).toBe("whole");
    }
  });
});

describe("what was left behind", () => {
  const orphan = "0123456789abcdef-1";

  test.each<[age: number, isGone: boolean]>([
    [HOUR + 1, true],
    [HOUR, false],
    [0, false],
    [-24 * HOUR, false],
    [Number.NaN, false],
  ])("for %d ms is taken away: %s", async (age, isGone) => {
    const memory = memoryFileSystem({ clock: () => NOON });
    await memory.write(`/content/${orphan}`, bytes("x"));
    await lookAround(memory, NOON + age);
    expect(await contents(memory)).toEqual(isGone ? [] : [orphan]);
  });

  test("is only what has the name of a content", async () => {
    const memory = memoryFileSystem({ clock: () => NOON });
    const names = [`.${orphan}.tmp`, `${orphan}.crswap`, "0123456789ABCDEF-1", "README.md", "head.json"];
    for (const name of names) await memory.write(`/content/${name}`, bytes("x"));
    await lookAround(memory, NOON + 24 * HOUR);
    expect(await contents(memory)).toEqual([...names].sort());
  });

  test("stays where the head cannot be written, and everything can be read", async () => {
    const memory = memoryFileSystem({ clock: () => NOON });
    await overlayAt(memory, NOON).fs.write("/new", bytes("kept"));
    await memory.write(`/content/${orphan}`, bytes("x"));
    const refusing: FileSystem = {
      ...memory,
      write: () => Promise.reject(new HoldallError("FS_READ_ONLY", "read-only. Write elsewhere.")),
    };
    expect(await lookAround(refusing, NOON + 24 * HOUR)).toEqual({ "/d/": "", "/d/f": "below", "/new": "kept" });
    expect((await contents(memory)).length).toBe(2);
  });

  test("by a failed change of this overlay is taken away whatever the clock says", async () => {
    const memory = memoryFileSystem({ clock: () => NOON });
    let isBroken = false;
    const upper: FileSystem = {
      ...memory,
      write: async (path, content, options) => {
        if (isBroken && path === "/head.json") throw new HoldallError("FS_IO", "broken. Try again.");
        return memory.write(path, content, options);
      },
    };
    const { fs } = overlayAt(upper, NOON - 24 * HOUR);
    await fs.write("/a", bytes("1"));
    isBroken = true;
    for (const [, write] of writes) await expect(write(fs, "/b")).rejects.toMatchObject({ code: "FS_IO" });
    isBroken = false;
    await fs.write("/c", bytes("2"));
    expect([await contents(memory), await treeOf(fs)]).toMatchObject([
      { length: 2 },
      { "/a": "1", "/c": "2", "/d/": "", "/d/f": "below" },
    ]);
  });
});

describe("a clock that goes backwards", () => {
  test.each(jumps.filter(Number.isFinite))(
    "or jumps by %d ms at every change loses and mixes up nothing",
    async (jump) => {
      let now = NOON;
      const clock = (): number => {
        now += jump;
        return now;
      };
      const upper = memoryFileSystem({ clock });
      const overlay = overlayBackend(base(), { upper, clock });
      const versions = new Set<string>();
      for (let step = 0; step < 6; step += 1) versions.add((await overlay.fs.write("/d/f", bytes("same"))).version);
      const mark = await overlay.checkpoint();
      await overlay.fs.writeStream("/e", streamOf("later"));
      await overlay.fs.remove("/d", { recursive: true });
      await overlay.rewind(mark);
      expect([
        versions.size,
        await treeOf(overlay.fs),
        await treeOf(overlayBackend(base(), { upper, clock }).fs),
      ]).toEqual([6, { "/d/": "", "/d/f": "same" }, { "/d/": "", "/d/f": "same" }]);
      await overlay.commit();
      expect(await contents(upper)).toEqual([]);
    },
  );
});

/** Does something at random with an overlay. */
function act(random: Random, overlay: OverlayBackend, step: number): Promise<unknown> {
  const { fs } = overlay;
  const path = random.pick(["/a", "/b", "/d/f", "/d/g", "/e/f"]);
  const kind = random.below(12);
  if (kind < 4) return fs.write(path, bytes(`${step}`));
  if (kind < 7) return fs.writeStream(path, streamOf(`${step}`, "+"));
  if (kind < 8) return fs.remove(random.pick([path, "/d"]), { recursive: true });
  if (kind < 10) return fs.rename(path, random.pick(["/a", "/c", "/e/g"]));
  if (kind < 11) return overlay.checkpoint();
  return overlay.checkpoints().then(([first]) => (first === undefined ? undefined : overlay.rewind(first)));
}

describe("overlays of several processes at work at once, with clocks that jump about", () => {
  test("name nothing that is not there, and leave a layer that any other can read", async () => {
    await forAll(120, async (random) => {
      const memory = memoryFileSystem({ clock: () => NOON });
      const open = (): OverlayBackend =>
        overlayBackend(base(), {
          upper: elsewhere(memory),
          clock: () => NOON + random.pick([-48, -1, 0, 0, 2, 48]) * HOUR,
        });
      const overlays = [open(), open(), open()];
      for (let round = 0; round < 5; round += 1) {
        await Promise.all(
          overlays.map((overlay, who) => outcome(async () => act(random, overlay, round * 3 + who), overlay.fs)),
        );
        if (random.once(3)) overlays[random.below(3)] = open();
      }
      const seen = await treeOf(open().fs);
      for (const overlay of overlays) {
        // Each hears of the others' changes by its own next one.
        await overlay.fs.write("/last", bytes("last"));
        expect(await treeOf(overlay.fs)).toEqual({ ...seen, "/last": "last" });
      }
    });
  });
});
