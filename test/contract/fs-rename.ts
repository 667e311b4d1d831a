/** Contract cases about moving files and trees. */

import { fails, same } from "./expect.ts";
import { type FsCase, get, put, sameTree } from "./fs-subject.ts";

/** Cases about moving. */
export const renameCases: readonly FsCase[] = [
  {
    name: "rename: moves a file and creates the parents of the new place",
    check: async (subject) => {
      await put(subject, "a/f", "x");
      await subject.fs.rename(subject.at("a/f"), subject.at("b/c/g"));
      await sameTree(subject, { "a/": "", "b/": "", "b/c/": "", "b/c/g": "x" }, "the tree");
    },
  },
  {
    name: "rename: replaces a file by a file",
    check: async (subject) => {
      await put(subject, "f", "new");
      const old = await put(subject, "g", "old");
      await subject.fs.rename(subject.at("f"), subject.at("g"));
      await sameTree(subject, { g: "new" }, "the tree");
      await fails(
        put(subject, "g", "x", { ifVersion: old }),
        "FS_CONFLICT",
        "writing with the version of the replaced file",
      );
    },
  },
  {
    name: "rename: moves a directory with all that is in it",
    check: async (subject) => {
      await put(subject, "a/b/f", "x");
      await put(subject, "a/g", "y");
      await subject.fs.makeDirectory(subject.at("a/empty"));
      await subject.fs.rename(subject.at("a"), subject.at("new/place"));
      await sameTree(
        subject,
        {
          "new/": "",
          "new/place/": "",
          "new/place/b/": "",
          "new/place/b/f": "x",
          "new/place/empty/": "",
          "new/place/g": "y",
        },
        "the tree",
      );
      await put(subject, "new/place/b/f", "z");
      same(
        [await get(subject, "new/place/b/f"), await subject.fs.stat(subject.at("a/b/f"))],
        ["z", undefined],
        "the new and the old file",
      );
    },
  },
  {
    name: "rename: onto itself changes nothing",
    check: async (subject) => {
      const { fs, at } = subject;
      await put(subject, "f", "x");
      await put(subject, "d/g", "y");
      await fs.rename(at("f"), at("f"));
      await fs.rename(at("d"), at("d/"));
      await sameTree(subject, { f: "x", "d/": "", "d/g": "y" }, "the tree");
    },
  },
  {
    name: "rename: refuses to move a directory into itself",
    check: async (subject) => {
      const { fs, at } = subject;
      await put(subject, "a/b/f", "x");
      for (const to of ["a/c", "a/b/c", "a/new/c"])
        await fails(fs.rename(at("a"), at(to)), "FS_INVALID_PATH", `moving a to ${to}`);
      await sameTree(subject, { "a/": "", "a/b/": "", "a/b/f": "x" }, "the tree");
      await fs.rename(at("a"), at("ab"));
      await sameTree(subject, { "ab/": "", "ab/b/": "", "ab/b/f": "x" }, "the tree after a move to a longer name");
    },
  },
  {
    name: "rename: refuses a directory as the new place, full or empty",
    check: async (subject) => {
      const { fs, at } = subject;
      await put(subject, "f", "x");
      await put(subject, "d/g", "y");
      await fs.makeDirectory(at("empty"));
      for (const [from, to] of [
        ["f", "d"],
        ["f", "empty"],
        ["d", "empty"],
        ["empty", "d"],
        ["d/g", "d"],
      ] as const) {
        await fails(fs.rename(at(from), at(to)), "FS_EXISTS", `moving ${from} to ${to}`);
      }
      await sameTree(subject, { f: "x", "d/": "", "d/g": "y", "empty/": "" }, "the tree");
    },
  },
  {
    name: "rename: refuses to move a directory onto a file",
    check: async (subject) => {
      await put(subject, "d/g", "y");
      await put(subject, "f", "x");
      await fails(subject.fs.rename(subject.at("d"), subject.at("f")), "FS_EXISTS", "moving a directory onto a file");
      await sameTree(subject, { f: "x", "d/": "", "d/g": "y" }, "the tree");
    },
  },
  {
    name: "rename: fails on what is not there, and creates nothing",
    check: async (subject) => {
      const { fs, at } = subject;
      await put(subject, "f", "x");
      for (const from of ["missing", "no/where", "f/below"])
        await fails(fs.rename(at(from), at("new/g")), "FS_NOT_FOUND", `moving ${from}`);
      await fails(fs.rename(at("missing"), at("missing")), "FS_NOT_FOUND", "moving what is not there onto itself");
      await sameTree(subject, { f: "x" }, "the tree");
    },
  },
  {
    name: "rename: does not make a file a parent",
    check: async (subject) => {
      await put(subject, "f", "x");
      await put(subject, "g", "y");
      await fails(subject.fs.rename(subject.at("g"), subject.at("f/g")), "FS_NOT_DIRECTORY", "moving below a file");
      await sameTree(subject, { f: "x", g: "y" }, "the tree");
    },
  },
];
