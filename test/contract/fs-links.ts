/** Contract cases about symlinks and real paths. */

import type { FileSystem } from "holdall";
import { bytesOf, collect, fails, holds, same } from "./expect.ts";
import { type FsCase, type FsSubject, get, namesIn, put, sameTree } from "./fs-subject.ts";

/** Cases about symlinks. */
export const linkCases: readonly FsCase[] = [
  {
    name: "links: the file system has them exactly when it says so",
    check: async ({ fs, can }) => {
      same(
        [fs.symlink !== undefined, fs.readLink !== undefined],
        [can.symlinks === true, can.symlinks === true],
        "symlink and readLink",
      );
      same(fs.watch !== undefined, can.watch === true, "watch");
    },
  },
  {
    name: "realpath: gives plain paths as they are, existing or not",
    check: async (subject) => {
      const { fs, at, root } = subject;
      await put(subject, "a/f", "x");
      const base = await fs.realpath(root);
      const real = (path: string): string => (base === "/" ? `/${path}` : `${base}/${path}`);
      for (const path of ["a", "a/f", "missing", "a/no/where", "a/f/below"])
        same(await fs.realpath(at(path)), real(path), `the real path of ${path}`);
    },
  },
  {
    name: "links: a link to a file is read and written through",
    needs: "symlinks",
    check: async (subject) => {
      const { fs, at } = subject;
      await put(subject, "d/f", "one");
      await link(fs, "f", at("d/relative"));
      await link(fs, at("d/f"), at("absolute"));
      same([await get(subject, "d/relative"), await get(subject, "absolute")], ["one", "one"], "what is read");
      await put(subject, "absolute", "two");
      same([await get(subject, "d/f"), await get(subject, "d/relative")], ["two", "two"], "what is read after a write");
      same((await fs.stat(at("absolute")))?.kind, "file", "the kind with following");
      same((await fs.stat(at("absolute"), { followSymlinks: false }))?.kind, "symlink", "the kind without following");
      same(await fs.readLink?.(at("d/relative")), "f", "where the relative link points");
      const kinds = (await collect(fs.list(at("d")))).map(({ name, kind }) => `${name} ${kind}`).sort();
      same(kinds, ["f file", "relative symlink"], "the listing");
    },
  },
  {
    name: "links: a link to a directory leads into it",
    needs: "symlinks",
    check: async (subject) => {
      const { fs, at } = subject;
      await put(subject, "real/sub/f", "x");
      await link(fs, "real", at("link"));
      same(await get(subject, "link/sub/f"), "x", "a file below the link");
      same(await namesIn(subject, "link"), ["sub"], "the listing of the link");
      await put(subject, "link/new/g", "y");
      await fs.makeDirectory(at("link"));
      await sameTree(
        subject,
        { "link@": "", "real/": "", "real/new/": "", "real/new/g": "y", "real/sub/": "", "real/sub/f": "x" },
        "the tree",
      );
    },
  },
  {
    name: "links: one that leads nowhere is there, and what it points to is not",
    needs: "symlinks",
    check: async (subject) => {
      const { fs, at } = subject;
      await link(fs, "nowhere", at("link"));
      same(await fs.stat(at("link")), undefined, "the stat of the target");
      same((await fs.stat(at("link"), { followSymlinks: false }))?.kind, "symlink", "the stat of the link");
      await fails(fs.read(at("link")), "FS_NOT_FOUND", "reading");
      await fails(collect(fs.list(at("link"))), "FS_NOT_FOUND", "listing");
      await fails(fs.makeDirectory(at("link")), "FS_EXISTS", "making a directory");
      same(await namesIn(subject, ""), ["link"], "the listing");
      await fs.write(at("link"), bytesOf("created"));
      await sameTree(subject, { "link@": "", nowhere: "created" }, "the tree after writing through it");
    },
  },
  {
    name: "links: a circle is found out, and its links can be removed",
    needs: "symlinks",
    check: async (subject) => {
      const { fs, at } = subject;
      await link(fs, "b", at("a"));
      await link(fs, "a", at("b"));
      await link(fs, "self/x", at("self"));
      for (const path of ["a", "b", "a/below", "self", "self/y"]) {
        await fails(fs.read(at(path)), "FS_LOOP", `reading ${path}`);
        await fails(fs.write(at(path), bytesOf("x")), "FS_LOOP", `writing ${path}`);
        await fails(fs.stat(at(path)), "FS_LOOP", `the stat of ${path}`);
        await fails(fs.realpath(at(path)), "FS_LOOP", `the real path of ${path}`);
        await fails(collect(fs.list(at(path))), "FS_LOOP", `listing ${path}`);
      }
      for (const path of ["a", "b", "self"]) await fs.remove(at(path));
      await sameTree(subject, {}, "the tree");
    },
  },
  {
    name: "links: removing one leaves what it points to",
    needs: "symlinks",
    check: async (subject) => {
      const { fs, at } = subject;
      await put(subject, "d/f", "x");
      await link(fs, "d", at("to-directory"));
      await link(fs, "d/f", at("to-file"));
      await fs.remove(at("to-file"));
      await fs.remove(at("to-directory"), { recursive: true });
      await link(fs, "../d", at("other/inside"));
      await fs.remove(at("other"), { recursive: true });
      await sameTree(subject, { "d/": "", "d/f": "x" }, "the tree");
    },
  },
  {
    name: "links: moving one moves the link, moving onto one replaces it",
    needs: "symlinks",
    check: async (subject) => {
      const { fs, at } = subject;
      await put(subject, "f", "x");
      await put(subject, "d/g", "y");
      await link(fs, at("f"), at("link"));
      await link(fs, at("d"), at("other"));
      await fs.rename(at("link"), at("new/link"));
      same([await get(subject, "new/link"), await fs.readLink?.(at("new/link"))], ["x", at("f")], "the moved link");
      await fs.rename(at("f"), at("other"));
      await sameTree(subject, { "d/": "", "d/g": "y", "new/": "", "new/link@": "", other: "x" }, "the tree");
    },
  },
  {
    name: "links: one cannot take the place of something, and only links can be read as links",
    needs: "symlinks",
    check: async (subject) => {
      const { fs, at } = subject;
      await put(subject, "d/f", "x");
      await link(fs, "nowhere", at("link"));
      for (const path of ["d", "d/f", "link"])
        await fails(link(fs, "elsewhere", at(path)), "FS_EXISTS", `a link at ${path}`);
      await fails(link(fs, "x", at("d/f/below")), "FS_NOT_DIRECTORY", "a link below a file");
      await fails(fs.readLink?.(at("d/f")) ?? Promise.resolve(), "FS_INVALID_PATH", "reading a file as a link");
      await fails(
        fs.readLink?.(at("missing")) ?? Promise.resolve(),
        "FS_NOT_FOUND",
        "reading what is not there as a link",
      );
      for (const target of ["", "nul\0"])
        await fails(link(fs, target, at("new")), "FS_INVALID_PATH", `a link to ${JSON.stringify(target)}`);
      same(await namesIn(subject, ""), ["d", "link"], "the listing");
    },
  },
  {
    name: "links: a walk meets them and does not follow them",
    needs: "symlinks",
    check: async (subject) => {
      const { fs, at, root } = subject;
      await put(subject, "d/f", "x");
      await link(fs, "..", at("d/up"));
      await link(fs, "d", at("link"));
      const met = (await collect(fs.walk(root))).map(({ path, kind }) => `${path} ${kind}`);
      same(
        met,
        [`${at("d")} directory`, `${at("d/f")} file`, `${at("d/up")} symlink`, `${at("link")} symlink`],
        "the walk",
      );
      const below = (await collect(fs.walk(at("link")))).map(({ name }) => name);
      same(below, ["f", "up"], "a walk that starts at a link");
    },
  },
  {
    name: "realpath: resolves links on the way, at the end, and above what does not exist",
    needs: "symlinks",
    check: async (subject) => {
      const { fs, at, root } = subject;
      await put(subject, "real/sub/f", "x");
      await link(fs, "real", at("one"));
      await link(fs, at("one/sub"), at("two"));
      await link(fs, "two/f", at("file"));
      await link(fs, "gone/away", at("dangling"));
      await link(fs, "../..", at("real/sub/up"));
      const base = await fs.realpath(root);
      const real = (path: string): string => (base === "/" ? `/${path}` : `${base}/${path}`);
      const expected: Readonly<Record<string, string>> = {
        one: "real",
        "one/sub/f": "real/sub/f",
        two: "real/sub",
        file: "real/sub/f",
        "two/missing/deep": "real/sub/missing/deep",
        dangling: "gone/away",
        "dangling/below": "gone/away/below",
        "two/up/real": "real",
      };
      for (const [path, target] of Object.entries(expected))
        same(await fs.realpath(at(path)), real(target), `the real path of ${path}`);
    },
  },
  {
    // POSIX promises eight; how many more a host follows may depend on what else it does.
    name: "links: eight in a row are followed, a hundred are too many",
    needs: "symlinks",
    check: async (subject) => {
      const { fs, at } = subject;
      await put(subject, "l0", "x");
      for (let index = 1; index <= 100; index += 1) await link(fs, `l${index - 1}`, at(`l${index}`));
      holds((await get(subject, "l8")) === "x", "eight links lead to the file");
      await fails(fs.read(at("l100")), "FS_LOOP", "reading through a hundred links");
    },
  },
  {
    name: "links: a glob lists links to files only, a grep follows none",
    needs: "symlinks",
    check: async (subject) => {
      const { fs, at, root } = subject;
      await put(subject, "d/f", "needle");
      await link(fs, "d/f", at("to-file"));
      await link(fs, "d", at("to-directory"));
      await link(fs, "nowhere", at("dangling"));
      await link(fs, "circle", at("circle"));
      const { matches } = await fs.glob({ pattern: "**", path: root });
      same(
        matches.map(({ path, size }) => `${path} ${size}`).sort(),
        [`${at("d/f")} 6`, `${at("to-file")} 6`],
        "what the glob lists",
      );
      const { files } = await fs.grep({ pattern: "needle", path: root });
      same(
        files.map(({ path }) => path),
        [at("d/f")],
        "what the grep finds",
      );
      const linked = await fs.grep({ pattern: "needle", path: at("to-file") });
      same(linked.files.length, 1, "what the grep of the link itself finds");
    },
  },
];

function link(fs: FileSystem, target: string, path: FsSubject["root"]): Promise<void> {
  return fs.symlink?.(target, path) ?? Promise.reject(new Error("The file system has no symlink method."));
}
