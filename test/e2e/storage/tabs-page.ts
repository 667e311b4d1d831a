/** A page whose storages are used by several tabs at once, or filled up. */
import type { Backend, FileSystem, FsChange } from "holdall";
import { indexedDbBackend } from "holdall/indexeddb";
import { opfsBackend } from "holdall/opfs";

/** What there is on a disk that is full. */
export interface Full {
  code: string;
  /** The name of what the browser failed with. */
  cause: string;
  /** How many files were written, how many of them are as they were written, how many are listed. */
  written: number;
  whole: number;
  listed: number;
  /** What became of a stream that is longer than all the room there is. */
  streamed: string;
  /** What is stored of files that were never finished. */
  unfinished: number;
}

/** What the test asks of a page. */
export interface TabsPage {
  write(kind: string, path: string, text: string, ifVersion?: string): Promise<{ version?: string; code?: string }>;
  read(kind: string, path: string): Promise<string>;
  /** Begins to write without end, and resolves when something of it is stored. */
  stream(kind: string, path: string): Promise<void>;
  watch(kind: string, path: string): Promise<void>;
  heard(): FsChange[];
  /** Writes files of 2 MiB until one does not fit; tells what that and a longer stream fail with, and what is there. */
  fill(kind: string): Promise<Full>;
  /** Removes three files, and tells whether one can be written then, and how many are whole. */
  makeRoom(kind: string): Promise<{ again: string; rest: number }>;
  /** Counts what is stored of files that were never finished. */
  unfinished(kind: string): Promise<number>;
}

declare global {
  var tabs: TabsPage;
}

const backends: Readonly<Record<string, Backend>> = {
  indexeddb: indexedDbBackend({ name: "tabs" }),
  opfs: opfsBackend({ name: "tabs" }),
};
const changes: FsChange[] = [];
const SIZE = 2 << 20;

function backend(kind: string): Backend {
  const found = backends[kind];
  if (found === undefined) throw new Error(`There is no backend ${kind}.`);
  return found;
}

globalThis.tabs = {
  async write(kind, path, text, ifVersion) {
    try {
      const bytes = new TextEncoder().encode(text);
      const { version } = await backend(kind).fs.write(path, bytes, ifVersion === undefined ? {} : { ifVersion });
      return { version };
    } catch (error) {
      return { code: codeOf(error) };
    }
  },
  async read(kind, path) {
    return new TextDecoder().decode((await backend(kind).fs.read(path)).bytes);
  },
  stream: (kind, path) =>
    new Promise((resolve) => {
      let count = 0;
      const endless = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            count += 1;
            if (count === 10) resolve();
            if (count <= 10) controller.enqueue(new Uint8Array(1 << 20));
          },
        },
        { highWaterMark: 0 },
      );
      void backend(kind).fs.writeStream(path, endless);
    }),
  async watch(kind, path) {
    const watching = backend(kind).fs.watch?.(path) ?? [];
    void (async () => {
      for await (const change of watching) changes.push(change);
    })();
    await backend(kind).fs.stat(path);
  },
  heard: () => changes,
  async fill(kind) {
    const { fs } = backend(kind);
    for (let written = 0; ; written += 1) {
      if (written === 100) throw new Error("There is no limit.");
      try {
        await fs.write(fullPath(written), noise(written));
      } catch (error) {
        const stream = new Blob(Array.from({ length: 8 }, (_, index) => noise(1000 + index))).stream();
        const streamed = await fs.writeStream("/full/streamed", stream).then(() => "written", codeOf);
        return {
          code: codeOf(error),
          cause: error instanceof Error && error.cause instanceof Error ? error.cause.name : String(error),
          written,
          whole: await countWhole(fs, written),
          listed: (await fs.glob({ pattern: "**", path: "/full" })).matches.length,
          streamed,
          unfinished: await tabs.unfinished(kind),
        };
      }
    }
  },
  async makeRoom(kind) {
    const { fs } = backend(kind);
    const count = (await fs.glob({ pattern: "**", path: "/full" })).matches.length;
    for (const index of [0, 1, 2]) await fs.remove(fullPath(index));
    // Where nothing is written over, room is made some moments later.
    let again = "";
    for (let attempt = 0; attempt < 100 && again !== "written"; attempt += 1) {
      again = await fs.write(fullPath(0), noise(0)).then(() => "written", codeOf);
      if (again !== "written") await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return { again, rest: await countWhole(fs, count) };
  },
  async unfinished(kind) {
    if (kind === "opfs") {
      const base = await (await navigator.storage.getDirectory()).getDirectoryHandle("tabs");
      let count = 0;
      for await (const name of (await base.getDirectoryHandle("scratch")).keys())
        count += name.endsWith(".crswap") ? 0 : 1;
      return count;
    }
    const database = await settled(indexedDB.open("tabs"));
    const count = await settled(
      database
        .transaction("files")
        .objectStore("files")
        .count(IDBKeyRange.bound(["!"], ['"'])),
    );
    database.close();
    return count;
  },
};

function fullPath(index: number): string {
  return `/full/f${index}`;
}

async function countWhole({ read, stat }: FileSystem, count: number): Promise<number> {
  let whole = 0;
  for (let index = 0; index < count; index += 1) {
    if ((await stat(fullPath(index))) === undefined) continue;
    const { bytes } = await read(fullPath(index));
    if (isSame(bytes, noise(index))) whole += 1;
  }
  return whole;
}

/** Makes bytes that no browser can store in less room than they take. */
function noise(seed: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(SIZE / 4);
  let state = seed + 1;
  for (let index = 0; index < words.length; index += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[index] = state;
  }
  return new Uint8Array(words.buffer);
}

/** A call for each of some millions of bytes would take longer than all else. */
function isSame(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index += 1) if (left[index] !== right[index]) return false;
  return true;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
