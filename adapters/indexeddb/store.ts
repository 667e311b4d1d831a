/** The files of one database: who looks, who changes, who watches. */

import {
  createSharedWatchers,
  type DirEntry,
  type FileStat,
  fsError,
  HoldallError,
  type ReadOptions,
  type ReadResult,
  type Watchers,
  type WriteOptions,
} from "holdall";
import { promisifyRequest } from "idb-keyval";
import { type Batches, createChanges, createLooks, type Task } from "./batches.ts";
import { findTarget, makeDirectory, writeFile } from "./changes.ts";
import { type Connection, type ConnectionOptions, connect } from "./connection.ts";
import { CHUNK_BYTES, entriesOf, type NodeRecord } from "./layout.ts";
import { findPlace } from "./place.ts";
import { readFile } from "./read.ts";
import { entryOf } from "./snapshot.ts";
import { createStaging, type Staging } from "./staging.ts";
import { createStamps, type Stamp } from "./stamp.ts";
import type { View } from "./view.ts";

/** Everything that one backend knows. */
export interface Store {
  readonly connection: Connection;
  readonly watchers: Watchers;
  readonly stamps: () => Stamp;
  /** Looks at something, together with what is looked at meanwhile. */
  look<T>(path: string, run: (view: View) => Promise<T>): Promise<T>;
  /** Changes something, together with what is changed meanwhile. */
  change<T>(task: Task<T>): Promise<T>;
  readonly staging: Staging;
  close(): void;
}

/** What a store is made with. */
export interface StoreOptions extends ConnectionOptions {
  clock: () => number;
  /** Directories that are there from the start. */
  directories: readonly string[];
}

/** Bytes that a stream gathers before they are stored: 4 MiB. */
const BLOCK_BYTES: number = 8 * CHUNK_BYTES;

/** Makes a store; nothing is opened yet. */
export function createStore(options: StoreOptions): Store {
  const connection = connect(options);
  const watchers = createSharedWatchers(`holdall:indexeddb:${options.name}`);
  const stamps = createStamps(options.clock);
  const staging = createStaging(connection, options.clock);
  const looks = createLooks(connection);
  const changes = createChanges(connection, watchers.tell);
  let preparing: Promise<void> | undefined;
  let isPrepared = options.directories.length === 0;
  let isSwept = false;

  const prepare = (): Promise<void> => {
    preparing ??= createDirectories({ looks, changes }, options.directories, stamps).then(
      () => {
        isPrepared = true;
      },
      (error) => {
        preparing = undefined;
        throw error;
      },
    );
    return preparing;
  };

  return {
    connection,
    watchers,
    stamps,
    staging,
    look: async (path, run) => {
      if (!isPrepared) await prepare();
      return looks.add({ path, run });
    },
    change: async (task) => {
      if (!isPrepared) await prepare();
      if (!isSwept) void staging.sweep().catch(() => {});
      isSwept = true;
      try {
        return await changes.add(task);
      } catch (error) {
        if (!HoldallError.is(error, "FS_NO_SPACE") || !(await staging.sweep())) throw error;
        return changes.add(task);
      }
    },
    close: () => {
      connection.close();
      watchers.close();
    },
  };
}

/** Creates what is missing of the directories; one that cannot be created is told of by whoever uses it. */
async function createDirectories(
  { looks, changes }: { looks: Batches; changes: Batches },
  directories: readonly string[],
  stamps: () => Stamp,
): Promise<void> {
  for (const path of directories) {
    const found = await looks.add({ path, run: (view) => findPlace(view, path, true) });
    if (found.node !== undefined || found.isBlocked) continue;
    await changes.add({ path, run: (view) => makeDirectory(view, path, stamps) });
  }
}

/** Reads a file or a part of it. */
export function read(store: Store, path: string, options: ReadOptions = {}): Promise<ReadResult> {
  return store.look(path, (view) => readFile(view, path, options));
}

/** Writes a whole file. */
export function write(store: Store, path: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<FileStat> {
  return store.change({
    path,
    looksAt: [path, path.slice(0, path.lastIndexOf("/")) || "/"],
    bytes: bytes.length,
    signal: options.signal,
    run: (view) => writeFile(view, path, bytes, options.ifVersion, store.stamps),
  });
}

/** Writes a whole file from a stream; one that is longer than a block is stored piece by piece, and appears at its end. */
export async function writeStream(
  store: Store,
  path: string,
  stream: ReadableStream<Uint8Array>,
  options: WriteOptions = {},
): Promise<FileStat> {
  const { ifVersion, signal } = options;
  // Found out before anything is read, and once more when the file is put in its place.
  await store.look(path, (view) => findTarget(view, path, ifVersion));
  const blocks = readBlocks(stream);
  const first = await blocks.next();
  if (first.done === true) return write(store, path, new Uint8Array(0), options);
  if (first.value.length < BLOCK_BYTES) return write(store, path, first.value, options);
  const staged = await store.staging.stage(path, `${store.stamps().version}`, chain(first.value, blocks));
  let isUsed = false;
  try {
    const run = (view: View): Promise<FileStat> => writeFile(view, path, staged, ifVersion, store.stamps);
    const stat = await store.change({ path, signal, run });
    isUsed = true;
    return stat;
  } finally {
    await staged.release(isUsed);
  }
}

async function* chain(
  first: Uint8Array,
  rest: AsyncGenerator<Uint8Array, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield first;
  yield* rest;
}

/** Gathers the parts of a stream into blocks; all but the last are full. */
async function* readBlocks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  let block = new Uint8Array(BLOCK_BYTES);
  let filled = 0;
  for (let next = await reader.read(); next.done !== true; next = await reader.read()) {
    for (let part = next.value; part.length > 0; ) {
      const taken = part.subarray(0, BLOCK_BYTES - filled);
      block.set(taken, filled);
      filled += taken.length;
      part = part.subarray(taken.length);
      if (filled < BLOCK_BYTES) continue;
      yield block;
      block = new Uint8Array(BLOCK_BYTES);
      filled = 0;
    }
  }
  if (filled > 0) yield block.subarray(0, filled);
}

/** Lists a directory by name. */
export function list(store: Store, path: string): Promise<DirEntry[]> {
  return store.look(path, async (view) => {
    const reading = readEntries(view, path);
    reading.catch(() => {});
    const { node, path: real } = await findPlace(view, path, true);
    if (node?.kind !== "directory") throw fsError(node === undefined ? "FS_NOT_FOUND" : "FS_NOT_DIRECTORY", path);
    const records = await (real === path ? reading : readEntries(view, real));
    return records.map(entryOf);
  });
}

function readEntries({ store }: View, directory: string): Promise<NodeRecord[]> {
  return promisifyRequest(store.getAll(entriesOf(directory)));
}
