import type { Backend } from "holdall";
import { deleteIndexedDb, indexedDbBackend } from "holdall/indexeddb";
import { opfsBackend } from "holdall/opfs";
import { describe, test } from "vitest";
import { checkLargeFile, type Ledger } from "./large-file.ts";
import { throughHttp } from "./remote-support.ts";
import { freshName, withProperty } from "./storage-support.ts";
import { throughPort } from "./worker-support.ts";

/** Firefox and WebKit write so much slower that a smaller file must do. */
const mebibytes = navigator.userAgent.includes("Chrome") ? 200 : 32;

/** What goes through another door first is as little as shows that it does not pile up there. */
const THROUGH = 24;

interface Store {
  open(name: string): Backend;
  remove(name: string): Promise<void>;
  /** Runs something while the bytes that the browser is given, and gives, are counted. */
  counted(run: (ledger: Ledger) => Promise<void>): Promise<void>;
  /** Mebibytes that it gathers before they are stored. */
  gathers: number;
}

const stores: Readonly<Record<string, Store>> = {
  IndexedDB: {
    open: (name) => indexedDbBackend({ name, cwd: "/" }),
    remove: deleteIndexedDb,
    counted: countDatabase,
    // A block, and the one that is made meanwhile.
    gathers: 9,
  },
  OPFS: {
    open: (name) => opfsBackend({ name, cwd: "/" }),
    remove: async (name) => (await navigator.storage.getDirectory()).removeEntry(name, { recursive: true }),
    counted: countFiles,
    gathers: 2,
  },
};

describe.each(Object.entries(stores))(
  "a large file in %s",
  { timeout: 60_000 },
  (_name, { open, remove, counted, gathers }) => {
    const check = async (size: number, held: number, door: (near: Backend) => Promise<Backend>): Promise<void> => {
      const name = freshName();
      const near = open(name);
      await counted(async (ledger) => checkLargeFile((await door(near)).fs, size, ledger, held << 20));
      await near.close?.();
      await remove(name);
    };

    test(`of ${mebibytes} MiB is streamed in and read by range, and never held whole`, () =>
      check(mebibytes, gathers, async (near) => near));

    test(`of ${THROUGH} MiB is not held whole by a port`, () =>
      // Its window is eight pieces.
      check(THROUGH, gathers + 9, async (near) => (await throughPort(near)).far));

    test(`of ${THROUGH} MiB is not held whole by HTTP`, () =>
      check(THROUGH, gathers + 8, async (near) => (await throughHttp(near)).far));
  },
);

function createLedger(): Ledger & { put(value: unknown): void; got(value: unknown): void } {
  let [written, read] = [0, 0];
  return {
    written: () => written,
    read: () => read,
    reset: () => {
      written = 0;
      read = 0;
    },
    put: (value) => {
      written += ArrayBuffer.isView(value) ? value.byteLength : 0;
    },
    got: (value) => {
      if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) read += value.byteLength;
      else if (Array.isArray(value)) for (const each of value) if (ArrayBuffer.isView(each)) read += each.byteLength;
    },
  };
}

async function countDatabase(run: (ledger: Ledger) => Promise<void>): Promise<void> {
  const ledger = createLedger();
  const { put, get, getAll } = IDBObjectStore.prototype;
  const asking = (original: (...given: never[]) => IDBRequest) =>
    function (this: IDBObjectStore, ...given: never[]): IDBRequest {
      const request = original.apply(this, given);
      request.addEventListener("success", () => ledger.got(request.result));
      return request;
    };
  const putting = function (this: IDBObjectStore, value: unknown, key?: IDBValidKey): IDBRequest {
    ledger.put(value);
    return put.call(this, value, key);
  };
  await withProperty(IDBObjectStore.prototype, "put", putting, () =>
    withProperty(IDBObjectStore.prototype, "get", asking(get), () =>
      withProperty(IDBObjectStore.prototype, "getAll", asking(getAll), () => run(ledger)),
    ),
  );
}

async function countFiles(run: (ledger: Ledger) => Promise<void>): Promise<void> {
  const ledger = createLedger();
  const { write } = FileSystemWritableFileStream.prototype;
  const { arrayBuffer } = Blob.prototype;
  const writing = async function (this: FileSystemWritableFileStream, data: FileSystemWriteChunkType): Promise<void> {
    await write.call(this, data);
    ledger.put(data);
  };
  const reading = async function (this: Blob): Promise<ArrayBuffer> {
    const buffer = await arrayBuffer.call(this);
    ledger.got(buffer);
    return buffer;
  };
  await withProperty(FileSystemWritableFileStream.prototype, "write", writing, () =>
    withProperty(Blob.prototype, "arrayBuffer", reading, () => run(ledger)),
  );
}
