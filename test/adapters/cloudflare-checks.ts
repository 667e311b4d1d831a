/** Checks of files in a Durable Object that look at its storage. */
import { HoldallError } from "holdall";
import { type DurableStorage, durableObjectFileSystem, sweepWorkspace } from "holdall/cloudflare";
import { memoryFileSystem } from "holdall/memory";
import { durableKeys } from "../../adapters/cloudflare/keys.ts";
import { createRandom } from "../unit/property.ts";
import { bytes, outcome, randomOperation, text, treeOf } from "./overlay-support.ts";

/** A check; it gets an empty storage. */
type Check = (storage: DurableStorage) => Promise<void>;

/** The checks by what they show. */
export const checks: Readonly<Record<string, Check>> = {
  "a tree moves by its paths only, whatever characters they have": async (storage) => {
    const fs = durableObjectFileSystem(storage);
    const names = ["100%", "a_b", "a*b", "[x]", "é", "🦊🦊", "o'k", 'say "hi"', "0", "back\\slash"];
    for (const name of names) for (const other of names) await fs.write(`/${name}/${other}/f`, bytes(name + other));
    for (const name of names) await fs.rename(`/${name}`, `/moved/${name}🦊/x`);
    for (const name of names)
      for (const other of names) same(await text(fs, `/moved/${name}🦊/x/${other}/f`), name + other);
    for (const name of names) await fs.remove(`/moved/${name}🦊`, { recursive: true });
    same(await treeOf(fs), { "/moved/": "" });
    same(count(storage, "holdall_chunks"), 0);
  },

  "random changes come out as in memory, and leave no chunk behind": async (storage) => {
    const fs = durableObjectFileSystem(storage);
    const model = memoryFileSystem();
    const random = createRandom(7);
    for (let step = 0; step < 400; step += 1) {
      const seed = random.below(2 ** 31);
      const shouldBe = await outcome(randomOperation(createRandom(seed), step), model);
      same(await outcome(randomOperation(createRandom(seed), step), fs), shouldBe);
    }
    const tree = await treeOf(model);
    same(await treeOf(fs), tree);
    const files = Object.entries(tree).filter(([path]) => !/[/@]$/.test(path));
    same(count(storage, "holdall_chunks"), files.length);
    const [facts] = [...storage.sql.exec("SELECT bytes, entries FROM holdall_facts")];
    same(facts, {
      bytes: files.reduce((sum, [, content]) => sum + content.length, 0),
      entries: Object.keys(tree).length,
    });
  },

  "a file of many chunks is read by range": async (storage) => {
    const fs = durableObjectFileSystem(storage);
    const size = 5 * (1 << 20) + 17;
    const whole = pattern(size);
    await fs.write("/big", whole);
    for (const [offset, length] of [
      [0, 10],
      [(1 << 20) - 3, 6],
      [(1 << 20) * 2, 1 << 20],
      [size - 5, 100],
      [7, size],
    ] as const) {
      const { bytes: part } = await fs.read("/big", { offset, length });
      same(part.length, Math.min(length, size - offset));
      if (!part.every((byte, index) => byte === whole[offset + index]))
        throw new Error(`The part at ${offset} differs.`);
    }
    await fs.writeStream("/copy", fs.readStream("/big"));
    same(
      (await fs.read("/copy")).bytes.every((byte, index) => byte === whole[index]),
      true,
    );
    same(count(storage, "holdall_chunks"), 12);
    same(count(storage, "holdall_uploads"), 0);
  },

  "ten thousand files are listed in one query": async (storage) => {
    const fs = durableObjectFileSystem(storage);
    // Made in one turn of the event loop, they are committed as one.
    await Promise.all(Array.from({ length: 10_000 }, (_, index) => fs.write(`/d/${index}`, bytes("x"))));
    let queries = 0;
    const counted: DurableStorage = {
      sql: {
        exec: (query, ...bindings) => {
          queries += 1;
          return storage.sql.exec(query, ...bindings);
        },
      },
      transactionSync: (run) => storage.transactionSync(run),
      getAlarm: () => storage.getAlarm(),
      setAlarm: (time) => storage.setAlarm(time),
    };
    const watched = durableObjectFileSystem(counted);
    queries = 0;
    let entries = 0;
    for await (const { size } of watched.list("/d")) entries += size ?? 0;
    same([entries, queries], [10_000, 2]);
    const { matches } = await watched.glob({ pattern: "**/99*", path: "/" });
    same(matches.length, 111);
    same(queries < 10, true);
  },

  "a full database is told as no room, and nothing is changed": async (storage) => {
    const broken: DurableStorage = {
      sql: {
        exec: (query, ...bindings) => {
          if (query.startsWith("INSERT INTO holdall_chunks")) throw new Error("database or disk is full: SQLITE_FULL");
          return storage.sql.exec(query, ...bindings);
        },
      },
      transactionSync: (run) => storage.transactionSync(run),
      getAlarm: () => storage.getAlarm(),
      setAlarm: (time) => storage.setAlarm(time),
    };
    const fs = durableObjectFileSystem(storage);
    await fs.write("/d/f", bytes("old"));
    const full = durableObjectFileSystem(broken);
    for (const write of [
      () => full.write("/d/f", bytes("new")),
      () => full.write("/new/f", bytes("new")),
      () => full.writeStream("/new/f", new Blob(["new"]).stream()),
    ])
      same(await codeOf(write), "FS_NO_SPACE");
    same(await treeOf(fs), { "/d/": "", "/d/f": "old" });
    same([count(storage, "holdall_chunks"), count(storage, "holdall_uploads")], [1, 0]);
  },

  "limits of bytes and entries hold, also for streams, and a file may replace itself": async (storage) => {
    const fs = durableObjectFileSystem(storage, { maxBytes: 3 << 20, maxEntries: 4 });
    await fs.write("/a", new Uint8Array(2 << 20));
    await fs.write("/a", new Uint8Array(3 << 20));
    same(await codeOf(() => fs.write("/b", new Uint8Array(1))), "FS_NO_SPACE");
    await fs.write("/a", new Uint8Array(1 << 20));
    const large = new Blob([new Uint8Array(5 << 20)]);
    same(await codeOf(() => fs.writeStream("/b", large.stream())), "FS_NO_SPACE");
    same(count(storage, "holdall_chunks"), 1);
    await fs.write("/b", new Uint8Array(2 << 20));
    same(await codeOf(() => fs.makeDirectory("/x/y/z")), "FS_NO_SPACE");
    await fs.makeDirectory("/x/y");
    same(await treeOf(fs).then((tree) => Object.keys(tree)), ["/a", "/b", "/x/", "/x/y/"]);
  },

  "an upload that is given up or breaks off leaves nothing": async (storage) => {
    const fs = durableObjectFileSystem(storage);
    await fs.write("/f", bytes("old"));
    const controller = new AbortController();
    const reason = new Error("given up");
    const endless = new ReadableStream<Uint8Array>({
      pull: (source) => {
        source.enqueue(new Uint8Array(1 << 20));
        if (count(storage, "holdall_chunks") > 3) controller.abort(reason);
      },
    });
    same(
      await fs.writeStream("/f", endless, { signal: controller.signal }).catch((error: unknown) => error === reason),
      true,
    );
    let parts = 0;
    const broken = new ReadableStream<Uint8Array>({
      pull: (source) => {
        parts += 1;
        if (parts > 3) source.error(new Error("cut off"));
        else source.enqueue(new Uint8Array(1 << 20));
      },
    });
    await fs.writeStream("/new/f", broken).catch(() => {});
    await nextTask();
    same(await treeOf(fs), { "/f": "old" });
    same([count(storage, "holdall_chunks"), count(storage, "holdall_uploads")], [1, 0]);
    same([...storage.sql.exec("SELECT bytes FROM holdall_facts")], [{ bytes: 3 }]);
  },

  "the alarm lets go of uploads that were left behind, and of no others": async (storage) => {
    const start = 1_800_000_000_000;
    const fs = durableObjectFileSystem(storage, { alarms: true, clock: () => start });
    let go = (): void => {};
    const waiting = new Promise<void>((resolve) => {
      go = resolve;
    });
    let parts = 0;
    const slow = new ReadableStream<Uint8Array>({
      pull: async (source) => {
        parts += 1;
        if (parts === 3) await waiting;
        if (parts > 3) source.close();
        else source.enqueue(new Uint8Array(1 << 20));
      },
    });
    const writing = fs.writeStream("/f", slow);
    writing.catch(() => {});
    for (let turn = 0; turn < 1000 && count(storage, "holdall_chunks") < 2; turn += 1) await nextTask();
    same(await storage.getAlarm(), start + 60 * 60 * 1000);
    await sweepWorkspace(storage, start + 1000);
    same(count(storage, "holdall_uploads"), 1);
    // What the end of the object would leave.
    await sweepWorkspace(storage, start + 2 * 60 * 60 * 1000);
    same([count(storage, "holdall_chunks"), count(storage, "holdall_uploads")], [0, 0]);
    go();
    same(await codeOf(() => writing), "FS_IO");
    same(await treeOf(fs), {});
  },

  "what came of changes is kept for those who ask again, for a while and so many": async (storage) => {
    let now = 1_800_000_000_000;
    const open = () => durableKeys(storage, () => now);
    const keys = open();
    keys.save("k", { call: "c", outcome: { value: { size: 1 } } });
    keys.save("e", { call: "c", outcome: { error: { code: "FS_NOT_FOUND", message: "none" } } });
    await nextTask();
    same(await storage.getAlarm(), now + 600_000);
    same(
      [open().find("k"), open().find("e")?.outcome, open().find("none"), open().find("")],
      [
        { call: "c", outcome: { value: { size: 1 } } },
        { error: { code: "FS_NOT_FOUND", message: "none" } },
        undefined,
        undefined,
      ],
    );
    same([open().instance === keys.instance, open().hasForgotten()], [true, false]);
    for (let index = 0; index < 1000; index += 1) {
      now += 1;
      keys.save(`${index}`, { call: "c", outcome: { value: null } });
    }
    same([keys.find("k"), keys.find("999") !== undefined, keys.hasForgotten()], [undefined, true, true]);
    await sweepWorkspace(storage, now + 700_000);
    now += 700_000;
    same([count(storage, "holdall_keys"), keys.hasForgotten()], [0, false]);
  },

  "its tables stand beside others, and another format is refused": async (storage) => {
    [...storage.sql.exec("CREATE TABLE mine (x TEXT)")];
    const fs = durableObjectFileSystem(storage);
    await fs.write("/f", bytes("x"));
    same(count(storage, "mine"), 0);
    [...storage.sql.exec("UPDATE holdall_facts SET format = 99")];
    same(await codeOf(async () => durableObjectFileSystem(storage)), "WORKSPACE_FORMAT");
  },

  "text that looks like SQL is text": async (storage) => {
    const fs = durableObjectFileSystem(storage);
    const path = "/'; DROP TABLE holdall_nodes; --/%_*?[a]";
    await fs.write(path, bytes("x"));
    await fs.write("/'; DROP TABLE holdall_nodes; --z/other", bytes("y"));
    await fs.remove("/'; DROP TABLE holdall_nodes; --", { recursive: true });
    same(await treeOf(fs), {
      "/'; DROP TABLE holdall_nodes; --z/": "",
      "/'; DROP TABLE holdall_nodes; --z/other": "y",
    });
  },

  "a path of thousands of names is refused or kept, in short time": async (storage) => {
    const fs = durableObjectFileSystem(storage);
    const deep = "/a".repeat(2048);
    same(await fs.stat(deep), undefined);
    await fs.write(deep, bytes("x"));
    same(await text(fs, deep), "x");
    await fs.rename("/a", "/b");
    same(await fs.stat(`/b${"/a".repeat(2047)}`).then((stat) => stat?.size), 1);
    await fs.remove("/b", { recursive: true });
    same(count(storage, "holdall_nodes"), 1);
  },
};

function count(storage: DurableStorage, table: string): number {
  for (const row of storage.sql.exec(`SELECT COUNT(*) AS count FROM ${table}`)) return Number(row.count);
  return -1;
}

function pattern(size: number): Uint8Array {
  const content = new Uint8Array(size);
  for (let index = 0; index < size; index += 1) content[index] = (index * 31 + (index >> 9)) & 0xff;
  return content;
}

async function codeOf(run: () => Promise<unknown>): Promise<string> {
  try {
    await run();
    return "done";
  } catch (error) {
    return HoldallError.is(error) ? error.code : String(error);
  }
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

function same(is: unknown, shouldBe: unknown): void {
  const sorted = (value: unknown): string =>
    JSON.stringify(value, (_key, part: unknown) =>
      typeof part === "object" && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
        : part,
    );
  if (sorted(is) !== sorted(shouldBe)) throw new Error(`Expected ${sorted(shouldBe)}, got ${sorted(is)}.`);
}
