/** Contract cases about reading and writing whole files and parts of them. */

import { bytesOf, fails, holds, same, textOf } from "./expect.ts";
import { type FsCase, get, manyBytes, namesIn, put, sameTree } from "./fs-subject.ts";

/** Cases about reading and writing. */
export const readWriteCases: readonly FsCase[] = [
  {
    name: "write: gives the facts that stat gives",
    check: async ({ fs, at }) => {
      const written = await fs.write(at("f"), bytesOf("héllo"));
      same(written, await fs.stat(at("f")), "the stat of what was written");
      same([written.kind, written.size], ["file", 6], "kind and size");
      holds(typeof written.version === "string" && written.version !== "", "the version is a text");
      holds(Number.isFinite(written.modifiedAt) && written.modifiedAt >= 0, "the time is a number of milliseconds");
    },
  },
  {
    name: "write: keeps an empty file",
    check: async (subject) => {
      await put(subject, "empty", "");
      same((await subject.fs.stat(subject.at("empty")))?.size, 0, "the size");
      same((await subject.fs.read(subject.at("empty"))).bytes.length, 0, "the bytes");
      same(await namesIn(subject, ""), ["empty"], "the listing");
    },
  },
  {
    name: "write: keeps every byte of a file of more than a megabyte",
    check: async ({ fs, at }) => {
      const bytes = manyBytes((1 << 20) + 7);
      await fs.write(at("big"), bytes);
      same((await fs.stat(at("big")))?.size, bytes.length, "the size");
      same((await fs.read(at("big"))).bytes, bytes, "the bytes");
    },
  },
  {
    name: "write: replaces the whole file, also by a shorter one",
    check: async (subject) => {
      await put(subject, "f", "a long text");
      await put(subject, "f", "short");
      same(await get(subject, "f"), "short", "the content");
      same((await subject.fs.stat(subject.at("f")))?.size, 5, "the size");
    },
  },
  {
    name: "write: creates missing parents",
    check: async (subject) => {
      await put(subject, "a/b/c", "x");
      await sameTree(subject, { "a/": "", "a/b/": "", "a/b/c": "x" }, "the tree");
    },
  },
  {
    name: "write: does not replace a directory",
    check: async (subject) => {
      await put(subject, "a/b", "x");
      await fails(put(subject, "a", "y"), "FS_IS_DIRECTORY", "writing a directory");
      await fails(put(subject, "a/", "y"), "FS_IS_DIRECTORY", "writing a directory with a slash at its end");
      await sameTree(subject, { "a/": "", "a/b": "x" }, "the tree");
    },
  },
  {
    name: "write: does not make a file a parent",
    check: async (subject) => {
      await put(subject, "f", "x");
      await fails(put(subject, "f/below", "y"), "FS_NOT_DIRECTORY", "writing below a file");
      await fails(put(subject, "f/far/below", "y"), "FS_NOT_DIRECTORY", "writing far below a file");
      await sameTree(subject, { f: "x" }, "the tree");
    },
  },
  {
    name: "write: refuses what is no bytes, and changes nothing",
    check: async (subject) => {
      const { fs, at } = subject;
      await put(subject, "f", "x");
      for (const wrong of ["text", undefined, [1, 2], new ArrayBuffer(2), new Uint16Array(2)]) {
        await fails(
          fs.write(at("f"), wrong as unknown as Uint8Array),
          "FS_INVALID_ARGUMENT",
          `writing ${typeof wrong}`,
        );
      }
      await sameTree(subject, { f: "x" }, "the tree");
    },
  },
  {
    name: "write: takes a view of a larger buffer for what it shows",
    check: async ({ fs, at }) => {
      const whole = manyBytes(100);
      await fs.write(at("f"), whole.subarray(10, 20));
      same((await fs.read(at("f"))).bytes, manyBytes(100).slice(10, 20), "the bytes");
      same(whole.length, 100, "the caller's buffer");
    },
  },
  {
    name: "write: does not see what the caller does to the bytes afterwards",
    check: async (subject) => {
      const bytes = bytesOf("hello");
      await subject.fs.write(subject.at("f"), bytes);
      bytes.fill(0);
      same(await get(subject, "f"), "hello", "the content");
    },
  },
  {
    name: "read: gives bytes that are the caller's own",
    check: async (subject) => {
      await put(subject, "f", "hello");
      (await subject.fs.read(subject.at("f"))).bytes.fill(0);
      (await subject.fs.read(subject.at("f"), { offset: 1, length: 2 })).bytes.fill(0);
      same(await get(subject, "f"), "hello", "the content");
    },
  },
  {
    name: "read: gives the part that is asked for, and nothing past the end",
    check: async (subject) => {
      const version = await put(subject, "f", "0123456789");
      const parts: [offset: number | undefined, length: number | undefined, expected: string][] = [
        [undefined, undefined, "0123456789"],
        [0, 0, ""],
        [0, 3, "012"],
        [undefined, 4, "0123"],
        [4, undefined, "456789"],
        [4, 3, "456"],
        [9, 100, "9"],
        [10, 5, ""],
        [10, undefined, ""],
        [1000, 5, ""],
        [2 ** 40, 5, ""],
        [0, 2 ** 40, "0123456789"],
      ];
      for (const [offset, length, expected] of parts) {
        const read = await subject.fs.read(subject.at("f"), {
          ...(offset !== undefined && { offset }),
          ...(length !== undefined && { length }),
        });
        same([textOf(read.bytes), read.version], [expected, version], `the part from ${offset} of ${length} bytes`);
      }
    },
  },
  {
    name: "read: refuses a part that is not made of whole numbers from 0",
    check: async (subject) => {
      await put(subject, "f", "x");
      for (const wrong of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        await fails(subject.fs.read(subject.at("f"), { offset: wrong }), "FS_INVALID_ARGUMENT", `offset ${wrong}`);
        await fails(subject.fs.read(subject.at("f"), { length: wrong }), "FS_INVALID_ARGUMENT", `length ${wrong}`);
      }
    },
  },
  {
    name: "read: fails on what is not there and on directories, and names the path",
    check: async (subject) => {
      const { fs, at } = subject;
      await put(subject, "a/f", "x");
      const failure = await fails(fs.read(at("missing")), "FS_NOT_FOUND", "reading what is not there");
      same(failure.data.path, at("missing"), "the path in the error");
      await fails(fs.read(at("no/where")), "FS_NOT_FOUND", "reading in a folder that is not there");
      await fails(fs.read(at("a/f/below")), "FS_NOT_FOUND", "reading below a file");
      await fails(fs.read(at("a")), "FS_IS_DIRECTORY", "reading a directory");
    },
  },
  {
    name: "stat: tells files, directories and what is not there apart",
    check: async (subject) => {
      const { fs, at } = subject;
      await put(subject, "a/f", "xyz");
      const file = await fs.stat(at("a/f"));
      same([file?.kind, file?.size], ["file", 3], "a file");
      const directory = await fs.stat(at("a"));
      same([directory?.kind, directory?.size], ["directory", 0], "a directory");
      same(
        [await fs.stat(at("b")), await fs.stat(at("b/c")), await fs.stat(at("a/f/below"))],
        [undefined, undefined, undefined],
        "what is not there",
      );
      same(await fs.stat(at("a/f"), { followSymlinks: false }), file, "a file without following links");
    },
  },
];
