/** Contract cases about versions, conditional writes, and many writers at the same time. */

import { bytesOf, fails, holds, same, settle } from "./expect.ts";
import { type FsCase, type FsSubject, get, manyBytes, put, sameTree } from "./fs-subject.ts";

/** Cases about versions and conditions. */
export const conditionCases: readonly FsCase[] = [
  {
    name: "version: changes with every change of the content, also of the same size in the same instant",
    check: async (subject) => {
      const { fs, at } = subject;
      const seen: string[] = [];
      for (const text of ["aaa", "bbb", "ccc", "aaa", "aab"]) {
        const version = await put(subject, "f", text);
        holds(!seen.slice(-1).includes(version), `the version after ${text} is new`);
        same(
          [(await fs.stat(at("f")))?.version, (await fs.read(at("f"))).version],
          [version, version],
          "the version of stat and read",
        );
        seen.push(version);
      }
    },
  },
  {
    name: "version: stays while nothing is written to the file",
    check: async (subject) => {
      const { fs, at } = subject;
      const version = await put(subject, "a/f", "x");
      await put(subject, "a/g", "y");
      await fs.read(at("a/f"), { length: 0 });
      await fs.remove(at("a/g"));
      same((await fs.stat(at("a/f")))?.version, version, "the version");
    },
  },
  {
    name: "condition: a write with the version of now succeeds, again and again",
    check: async (subject) => {
      let version = await put(subject, "f", "0");
      for (const text of ["1", "2", "2", "3"]) version = await put(subject, "f", text, { ifVersion: version });
      same(await get(subject, "f"), "3", "the content");
    },
  },
  {
    name: "condition: a write with an old or foreign version fails and changes nothing",
    check: async (subject) => {
      const old = await put(subject, "f", "one");
      const now = await put(subject, "f", "two");
      for (const version of [old, "", "foreign", "0"]) {
        await fails(
          put(subject, "f", "three", { ifVersion: version }),
          "FS_CONFLICT",
          `writing with the version ${JSON.stringify(version)}`,
        );
      }
      same(
        [await get(subject, "f"), (await subject.fs.stat(subject.at("f")))?.version],
        ["two", now],
        "content and version",
      );
    },
  },
  {
    name: "condition: null creates a file and fails where there is one",
    check: async (subject) => {
      await put(subject, "a/f", "one", { ifVersion: null });
      await fails(put(subject, "a/f", "two", { ifVersion: null }), "FS_CONFLICT", "creating it again");
      await fails(put(subject, "a", "two", { ifVersion: null }), "FS_IS_DIRECTORY", "creating a file over a directory");
      await sameTree(subject, { "a/": "", "a/f": "one" }, "the tree");
    },
  },
  {
    name: "condition: a version of what is gone fails, and creates neither file nor folders",
    check: async (subject) => {
      const version = await put(subject, "f", "x");
      await subject.fs.remove(subject.at("f"));
      await fails(put(subject, "f", "y", { ifVersion: version }), "FS_CONFLICT", "writing what was removed");
      await fails(put(subject, "new/f", "y", { ifVersion: version }), "FS_CONFLICT", "writing what never was");
      await sameTree(subject, {}, "the tree");
    },
  },
  {
    name: "condition: a version from before a file was removed and written anew fails",
    check: async (subject) => {
      const version = await put(subject, "f", "before");
      await subject.fs.remove(subject.at("f"));
      await put(subject, "f", "behind");
      await fails(put(subject, "f", "z", { ifVersion: version }), "FS_CONFLICT", "writing with the old version");
      same(await get(subject, "f"), "behind", "the content");
    },
  },
  {
    name: "concurrency: of 20 writers with one version, one wins",
    check: async (subject) => {
      const version = await put(subject, "f", "start");
      await oneWins(subject, "f", version);
    },
  },
  {
    name: "concurrency: of 20 writers that create one file, one wins",
    check: (subject) => oneWins(subject, "new/f", null),
  },
  {
    name: "concurrency: nothing is lost when 8 writers count in one file",
    check: async (subject) => {
      await put(subject, "count", "0");
      await Promise.all(Array.from({ length: 8 }, () => countUp(subject)));
      same(await get(subject, "count"), "8", "the count");
    },
  },
  {
    name: "concurrency: the last of many writers leaves a whole file",
    check: async ({ fs, at }) => {
      const contents = Array.from({ length: 12 }, (_, index) => manyBytes(50_000 + index * 1000));
      await Promise.all(contents.map((bytes) => fs.write(at("f"), bytes)));
      const { bytes } = await fs.read(at("f"));
      holds(
        contents.some((one) => one.length === bytes.length),
        "the size is that of one of them",
      );
      same(bytes, manyBytes(bytes.length), "the content");
    },
  },
  {
    name: "concurrency: a reader meets the old or the new content, with its version",
    check: async (subject) => {
      const { fs, at } = subject;
      const versions = new Map([[await put(subject, "f", "a".repeat(5000)), "a"]]);
      const writing = put(subject, "f", "b".repeat(7000));
      const reads = await Promise.all(Array.from({ length: 5 }, () => fs.read(at("f"))));
      versions.set(await writing, "b");
      for (const { bytes, version } of reads) {
        const letter = versions.get(version) ?? "?";
        same(bytes, bytesOf(letter.repeat(letter === "a" ? 5000 : 7000)), `the content of version ${letter}`);
      }
    },
  },
  {
    name: "concurrency: 100 files in new folders are all written",
    check: async (subject) => {
      const paths = Array.from({ length: 100 }, (_, index) => `d${index % 7}/e${index % 3}/f${index}`);
      await Promise.all(paths.map((path) => put(subject, path, path)));
      const contents = await Promise.all(paths.map((path) => get(subject, path)));
      same(contents, paths, "the contents");
    },
  },
  {
    name: "concurrency: creating, moving and removing in one folder at once loses nothing else",
    check: async (subject) => {
      const { fs, at } = subject;
      await Promise.all(Array.from({ length: 10 }, (_, index) => put(subject, `d/keep${index}`, "k")));
      await Promise.all(Array.from({ length: 10 }, (_, index) => put(subject, `d/move${index}`, "m")));
      await Promise.all(
        Array.from({ length: 10 }, async (_, index) => {
          await Promise.all([
            put(subject, `d/new${index}`, "n"),
            fs.rename(at(`d/move${index}`), at(`e/moved${index}`)),
          ]);
          await fs.remove(at(`d/new${index}`));
        }),
      );
      const expected: Record<string, string> = { "d/": "", "e/": "" };
      for (let index = 0; index < 10; index += 1)
        Object.assign(expected, { [`d/keep${index}`]: "k", [`e/moved${index}`]: "m" });
      await sameTree(subject, expected, "the tree");
    },
  },
];

async function oneWins(subject: FsSubject, path: string, ifVersion: string | null): Promise<void> {
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, index) => settle(put(subject, path, `writer ${index}`, { ifVersion }))),
  );
  const winners = outcomes.flatMap(({ kind }, index) => (kind === "fulfilled" ? [`writer ${index}`] : []));
  same(winners.length, 1, "the number of winners");
  same(await get(subject, path), winners[0], "the content");
  for (const outcome of outcomes) {
    if (outcome.kind === "rejected") await fails(Promise.reject(outcome.error), "FS_CONFLICT", "a loser");
  }
}

async function countUp({ fs, at }: FsSubject): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const { bytes, version } = await fs.read(at("count"));
    const next = Number(new TextDecoder().decode(bytes)) + 1;
    const outcome = await settle(fs.write(at("count"), bytesOf(String(next)), { ifVersion: version }));
    if (outcome.kind === "fulfilled") return;
    await fails(Promise.reject(outcome.error), "FS_CONFLICT", "a write that came too late");
  }
  throw new Error("A writer did not get its turn in 200 attempts.");
}
