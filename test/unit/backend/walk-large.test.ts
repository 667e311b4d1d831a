import type { DirEntry, WalkEntry } from "holdall";
import { memoryBackend } from "holdall/memory";
import { describe, expect, test } from "vitest";
import { walkRuns } from "../../../src/backend/walk.ts";

/** More than are listed in one go, so that they are kept in columns. */
const MANY = 5000;

const entries: readonly DirEntry[] = Array.from({ length: MANY }, (_, index) => {
  // A step without a common divisor meets each number once.
  const name = `f${(index * 1237) % MANY}`;
  if (index % 5 === 0) return { name, kind: "directory" };
  if (index % 5 === 1) return { name, kind: "symlink" };
  if (index % 5 === 2) return { name, kind: "file", size: index };
  return { name, kind: "file", size: index, modifiedAt: index * 1000 };
});

const inOrder: readonly WalkEntry[] = [...entries]
  .sort((one, other) => (one.name < other.name ? -1 : 1))
  .map((entry) => ({ path: `/d/${entry.name}`, ...entry }));

type List = () => Iterable<DirEntry> | AsyncIterable<DirEntry>;

const listings: readonly [kind: string, list: List][] = [
  ["an array", () => entries as DirEntry[]],
  [
    "an iterable",
    function* () {
      yield* entries;
    },
  ],
  [
    "an async iterable",
    async function* () {
      yield* entries;
    },
  ],
];

describe.each(listings)("a directory of very many entries that is listed as %s", (_kind, list) => {
  test("is met in the order of names, with what its listing tells", async () => {
    const met: WalkEntry[] = [];
    const host = { list: (path: string) => (path === "/d" ? list() : []) };
    for await (const run of walkRuns(host, "/d")) met.push(...run.entries);
    expect(met).toEqual(inOrder);
  });

  test("tells what is in it before it is met", async () => {
    const told: unknown[] = [];
    const opened = (directory: string, kindOf: (name: string) => unknown): undefined => {
      if (directory === "/d") told.push(kindOf("f0"), kindOf("f1237"), kindOf("f4999"), kindOf("none"));
    };
    for await (const _run of walkRuns({ list: (path: string) => (path === "/d" ? list() : []) }, "/d", { opened }));
    const kindOf = (name: string): unknown => entries.find((entry) => entry.name === name)?.kind;
    expect(told).toEqual([kindOf("f0"), kindOf("f1237"), kindOf("f4999"), undefined]);
  });

  test("ends when it is aborted", async () => {
    const controller = new AbortController();
    controller.abort(new Error("enough"));
    const walk = walkRuns({ list }, "/d", { signal: controller.signal, breather: { spend: async () => {} } });
    await expect(walk.next()).rejects.toThrow("enough");
  });
});

describe("a directory of very many entries in memory", () => {
  const files = Object.fromEntries(Array.from({ length: MANY }, (_, index) => [`/d/f${index}`, `${index}`]));

  test("gives what was there, as far as it still is, while it changes", async () => {
    const { fs } = memoryBackend({ files, cwd: "/" });
    const names: string[] = [];
    for await (const { name } of fs.list("/d")) {
      names.push(name);
      if (name !== "f0") continue;
      await fs.remove("/d/f4000");
      await fs.remove("/d/f3000");
      await fs.write("/d/f3000", new Uint8Array(1));
      await fs.write("/d/new", new Uint8Array(1));
    }
    expect([names.length, new Set(names).size]).toEqual([MANY - 1, MANY - 1]);
    expect(names.filter((name) => ["f4000", "f3000", "new"].includes(name))).toEqual(["f3000"]);
  });

  test("obeys the rules that lie among them", async () => {
    const { fs } = memoryBackend({ files: { ...files, "/d/.gitignore": "*7\n" }, cwd: "/" });
    const { matches } = await fs.glob({ pattern: "**", path: "/", limit: 2 * MANY });
    expect(matches.length).toBe(MANY - MANY / 10 + 1);
  });
});
