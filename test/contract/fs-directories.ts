/** Contract cases about listing, walking, creating and removing directories. */

import { collect, fails, same } from "./expect.ts";
import { type FsCase, get, namesIn, put, sameTree } from "./fs-subject.ts";

/** Cases about directories. */
export const directoryCases: readonly FsCase[] = [
  {
    name: "list: gives every entry once, with its kind and, where told, its size",
    check: async (subject) => {
      const { fs, root } = subject;
      await put(subject, "b.txt", "12345");
      await put(subject, "a/inner", "x");
      await fs.makeDirectory(subject.at("empty"));
      const entries = await collect(fs.list(root));
      const found = entries.map(({ name, kind, size }) => [name, kind, kind === "file" ? (size ?? 5) : 0]);
      same(
        found.sort(),
        [
          ["a", "directory", 0],
          ["b.txt", "file", 5],
          ["empty", "directory", 0],
        ],
        "the entries",
      );
    },
  },
  {
    name: "list: an empty directory has no entries",
    check: async (subject) => {
      same(await namesIn(subject, ""), [], "the root");
      await subject.fs.makeDirectory(subject.at("d"));
      same(await namesIn(subject, "d"), [], "a new directory");
    },
  },
  {
    name: "list: gives all of 300 entries",
    check: async (subject) => {
      const names = Array.from({ length: 300 }, (_, index) => `f${String(index).padStart(3, "0")}`);
      const { fs, at } = subject;
      // Some stores take long over a file.
      await Promise.all(
        names.map((name, index) =>
          index % 6 === 0 ? put(subject, `d/${name}`, name) : fs.makeDirectory(at(`d/${name}`)),
        ),
      );
      same(await namesIn(subject, "d"), names, "the names");
    },
  },
  {
    name: "list: fails on what is not there and on files, when it is read and not before",
    check: async (subject) => {
      const { fs, at } = subject;
      await put(subject, "f", "x");
      const attempts: [path: string, code: string][] = [
        ["missing", "FS_NOT_FOUND"],
        ["f", "FS_NOT_DIRECTORY"],
        ["f/below", "FS_NOT_FOUND"],
      ];
      for (const [path, code] of attempts) {
        const listing = fs.list(at(path));
        await fails(collect(listing), code, `listing ${path}`);
      }
    },
  },
  {
    name: "list: ends well when the directory changes meanwhile",
    check: async (subject) => {
      const { fs, at } = subject;
      for (let index = 0; index < 20; index += 1) await put(subject, `d/keep${index}`, "x");
      const met: string[] = [];
      for await (const { name } of fs.list(at("d"))) {
        met.push(name);
        if (met.length > 200) throw new Error("The listing does not end while entries are added.");
        await put(subject, `d/new${met.length}`, "y");
        if (met.length === 1) await put(subject, "d/gone", "z");
        if (met.length === 2) await fs.remove(at("d/gone"));
      }
      const kept = met.filter((name) => name.startsWith("keep")).sort();
      same(
        kept,
        Array.from({ length: 20 }, (_, index) => `keep${index}`).sort(),
        "the entries that were there all the time",
      );
    },
  },
  {
    name: "list: can be left early",
    check: async (subject) => {
      await put(subject, "a", "x");
      await put(subject, "b", "x");
      for await (const { name } of subject.fs.list(subject.root)) if (name !== "") break;
      same(await namesIn(subject, ""), ["a", "b"], "the next listing");
    },
  },
  {
    name: "makeDirectory: creates parents and leaves what is there",
    check: async (subject) => {
      const { fs, at } = subject;
      await fs.makeDirectory(at("a/b/c"));
      await put(subject, "a/b/f", "x");
      await fs.makeDirectory(at("a/b/c"));
      await fs.makeDirectory(at("a"));
      await sameTree(subject, { "a/": "", "a/b/": "", "a/b/c/": "", "a/b/f": "x" }, "the tree");
    },
  },
  {
    name: "makeDirectory: does not replace a file, nor make one a parent",
    check: async (subject) => {
      const { fs, at } = subject;
      await put(subject, "f", "x");
      await fails(fs.makeDirectory(at("f")), "FS_EXISTS", "a directory over a file");
      await fails(fs.makeDirectory(at("f/d")), "FS_NOT_DIRECTORY", "a directory below a file");
      await sameTree(subject, { f: "x" }, "the tree");
    },
  },
  {
    name: "makeDirectory: many at once with the same parents succeed",
    check: async (subject) => {
      await Promise.all(
        Array.from({ length: 10 }, (_, index) => subject.fs.makeDirectory(subject.at(`a/b/c${index % 3}`))),
      );
      same(await namesIn(subject, "a/b"), ["c0", "c1", "c2"], "the directories");
    },
  },
  {
    name: "remove: takes a file away, and leaves the directory it was in",
    check: async (subject) => {
      const { fs, at } = subject;
      await put(subject, "a/f", "x");
      await fs.remove(at("a/f"));
      await sameTree(subject, { "a/": "" }, "the tree");
      await put(subject, "a/f", "again");
      same(await get(subject, "a/f"), "again", "a file of the same name");
    },
  },
  {
    name: "remove: fails on what is not there",
    check: async (subject) => {
      const { fs, at } = subject;
      await put(subject, "f", "x");
      for (const path of ["missing", "no/where", "f/below"]) {
        await fails(fs.remove(at(path)), "FS_NOT_FOUND", `removing ${path}`);
        await fails(fs.remove(at(path), { recursive: true }), "FS_NOT_FOUND", `removing ${path} with all in it`);
      }
      await sameTree(subject, { f: "x" }, "the tree");
    },
  },
  {
    name: "remove: takes a full directory only with all that is in it",
    check: async (subject) => {
      const { fs, at } = subject;
      await put(subject, "a/b/f", "x");
      await put(subject, "ab", "beside");
      await fails(fs.remove(at("a")), "FS_NOT_EMPTY", "removing a full directory");
      same(await get(subject, "a/b/f"), "x", "the file in it");
      await fs.remove(at("a"), { recursive: true });
      await sameTree(subject, { ab: "beside" }, "the tree");
      same(await fs.stat(at("a/b/f")), undefined, "the file in it");
    },
  },
  {
    name: "remove: takes an empty directory, and a file with recursive",
    check: async (subject) => {
      const { fs, at } = subject;
      await fs.makeDirectory(at("d"));
      await put(subject, "f", "x");
      await fs.remove(at("d"));
      await fs.remove(at("f"), { recursive: true });
      await sameTree(subject, {}, "the tree");
    },
  },
  {
    name: "walk: meets parents before children, siblings by name, with absolute paths",
    check: async (subject) => {
      const { fs, at, root } = subject;
      for (const path of ["b/z", "b/a/deep", "a.txt", "a/x", "Z", "c"]) await put(subject, path, "x");
      await fs.makeDirectory(at("b/empty"));
      const met = (await collect(fs.walk(root))).map(({ path, name, kind }) => [path, name, kind]);
      const expected = ["Z", "a/", "a/x", "a.txt", "b/", "b/a/", "b/a/deep", "b/empty/", "b/z", "c"].map((path) => {
        const plain = path.replace(/\/$/, "");
        return [at(plain), plain.slice(plain.lastIndexOf("/") + 1), plain === path ? "file" : "directory"];
      });
      same(met, expected, "the walk");
    },
  },
  {
    name: "walk: meets but does not enter what is to be skipped, and can be left early",
    check: async (subject) => {
      const { fs, at } = subject;
      for (const path of ["d/node_modules/x", "d/a/node_modules/y", "d/a/z"]) await put(subject, path, "x");
      const met = (await collect(fs.walk(at("d"), { skip: ["node_modules"] }))).map(({ path }) => path);
      same(met, ["d/a", "d/a/node_modules", "d/a/z", "d/node_modules"].map(at), "the walk");
      for await (const { path } of fs.walk(at("d"))) if (path !== "") break;
    },
  },
  {
    name: "walk: fails on what is not there and on files",
    check: async (subject) => {
      await put(subject, "f", "x");
      await fails(collect(subject.fs.walk(subject.at("missing"))), "FS_NOT_FOUND", "walking what is not there");
      await fails(collect(subject.fs.walk(subject.at("f"))), "FS_NOT_DIRECTORY", "walking a file");
      same(await collect(subject.fs.walk(subject.root)).then((all) => all.length), 1, "the entries of the root");
    },
  },
];
