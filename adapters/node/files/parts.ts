/** What a file system on a disk can do by itself; `createFileSystem` adds the rest. */

import { type FileSystemParts, fsError } from "holdall";
import { globDisk, grepDisk } from "../search/disk-search.ts";
import { makeDirectory, makeLink, move, readLink, statEntry } from "./change-tree.ts";
import type { Disk } from "./disk.ts";
import { statOf } from "./facts.ts";
import { createGate } from "./gate.ts";
import { listDirectory } from "./list-directory.ts";
import { lookAt } from "./open.ts";
import { readFile } from "./read-file.ts";
import { findReal } from "./real-path.ts";
import { remove } from "./remove.ts";
import { watchTree } from "./watch-tree.ts";
import { writeFile } from "./write-file.ts";
import { writeStream } from "./write-stream.ts";

/** Calls that use files at the same time; each opens a few, and a process may often open no more than 1024. */
const CALLS_AT_ONCE = 64;

/** Makes the parts over a disk. */
export function diskParts(disk: Disk): FileSystemParts {
  const gate = createGate(CALLS_AT_ONCE);
  const open = (path: string): void => {
    if (disk.closing.aborted) throw fsError("FS_CLOSED", path);
  };
  const call = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
    open(path);
    return gate(work);
  };
  return {
    stat: (path, options) =>
      call(path, async () => {
        const facts = await (options?.followSymlinks === false ? statEntry(disk, path) : follow(disk, path));
        return facts && statOf(facts);
      }),
    read: (path, options) => call(path, () => readFile(disk, path, options)),
    write: (path, bytes, options) => call(path, () => writeFile(disk, path, bytes, options)),
    // Not gated: its source may be a file that is to be read first.
    writeStream: async (path, stream, options) => {
      open(path);
      return writeStream(disk, path, stream, options);
    },
    list: async function* list(path) {
      yield* await call(path, () => listDirectory(disk, path));
    },
    makeDirectory: (path) => call(path, () => makeDirectory(disk, path)),
    remove: (path, options) => call(path, () => remove(disk, path, options)),
    rename: (from, to) => call(from, () => move(disk, from, to)),
    symlink: (target, path) => call(path, () => makeLink(disk, target, path)),
    readLink: (path) => call(path, () => readLink(disk, path)),
    realpath: (path) => call(path, async () => (await findReal(disk, path)).path),
    glob: async (query) => {
      open(query.path);
      return globDisk(disk, query);
    },
    grep: async (query) => {
      open(query.path);
      return grepDisk(disk, query);
    },
    watch: async function* watch(path, options) {
      open(path);
      yield* watchTree(disk, path, options?.signal);
    },
  };
}

async function follow(disk: Disk, path: string): ReturnType<typeof lookAt> {
  const { path: real, exists } = await findReal(disk, path);
  return exists ? lookAt(disk, real, path) : undefined;
}
