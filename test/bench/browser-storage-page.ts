/** What is measured in the page. */
import type { Backend } from "holdall";
import { indexedDbBackend } from "holdall/indexeddb";
import { opfsBackend } from "holdall/opfs";
import { portBackend } from "holdall/worker";
import { type Comparison, compare } from "./harness.ts";

declare global {
  var bench: { run(): Promise<void> };
}

const SMALL = 1000;
const FEW = 100;
const MEBIBYTE = 1 << 20;

globalThis.bench = {
  async run() {
    await measureIndexedDb();
    await measureOpening();
    await measureOpfs();
    await measurePort();
  },
};

/** Everything here waits for somebody else; the rounds are few, because each is long. */
function compareWaits(comparison: Omit<Comparison, "clock">): Promise<unknown> {
  return compare({ rounds: 9, roundTime: 150, ...comparison, clock: "wall" });
}

function contents(count: number, size: number): Uint8Array<ArrayBuffer>[] {
  return Array.from({ length: count }, (_, index) => new Uint8Array(size + index).fill(index));
}

async function openRaw(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name);
  request.onupgradeneeded = () => request.result.createObjectStore("files");
  return settled(request);
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Does something in one transaction of its own. */
function inRaw(database: IDBDatabase, work: (store: IDBObjectStore) => void): Promise<void> {
  const transaction = database.transaction("files", "readwrite");
  work(transaction.objectStore("files"));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

function getAndPut(store: IDBObjectStore, key: string, value: Uint8Array): void {
  store.get(key).onsuccess = () => store.put(value, key);
}

async function measureIndexedDb(): Promise<void> {
  const { fs } = indexedDbBackend({ name: "bench" });
  const raw = await openRaw("raw");
  const files = contents(SMALL, 500);
  await compareWaits({
    title: `IndexedDB: ${SMALL} small files at the same time`,
    base: {
      name: "one raw transaction of puts",
      run: () => inRaw(raw, (store) => files.forEach((bytes, index) => void store.put(bytes, `f${index}`))),
    },
    candidates: [
      {
        name: "one raw transaction of gets and puts",
        run: () => inRaw(raw, (store) => files.forEach((bytes, index) => void getAndPut(store, `f${index}`, bytes))),
      },
      {
        name: "write",
        atMost: 2.5,
        run: () => Promise.all(files.map((bytes, index) => fs.write(`/workspace/d/f${index}`, bytes))),
      },
    ],
  });
  const few = files.slice(0, FEW);
  await compareWaits({
    title: `IndexedDB: ${FEW} small files one by one`,
    base: {
      name: "raw get and put",
      run: async () => {
        for (const [index, bytes] of few.entries()) await inRaw(raw, (store) => getAndPut(store, `g${index}`, bytes));
      },
    },
    candidates: [
      {
        name: "write",
        atMost: 1.3,
        run: async () => {
          for (const [index, bytes] of few.entries()) await fs.write(`/workspace/e/f${index}`, bytes);
        },
      },
    ],
  });
}

async function measureOpening(): Promise<void> {
  const first = indexedDbBackend({ name: "many" });
  const empty = new Uint8Array(10);
  await Promise.all(
    Array.from({ length: 10_000 }, (_, index) => first.fs.write(`/workspace/d${index % 100}/f${index}`, empty)),
  );
  await first.close?.();
  const original = IDBObjectStore.prototype.getAll;
  let requests = 0;
  IDBObjectStore.prototype.getAll = function (...parameters) {
    requests += 1;
    return original.apply(this, parameters);
  };
  const open = async (): Promise<void> => {
    const backend = indexedDbBackend({ name: "many" });
    const { matches } = await backend.fs.glob({ pattern: "**", path: "/", limit: 10_000 });
    if (matches.length !== 10_000) throw new Error(`${matches.length} files are there.`);
    await backend.close?.();
  };
  await open();
  console.log(`\nIndexedDB: a workspace of 10,000 files is opened and listed with ${requests} listing request(s)`);
  IDBObjectStore.prototype.getAll = original;
  const raw = await openRaw("many");
  await compareWaits({
    title: "IndexedDB: opening and listing 10,000 files",
    base: {
      name: "raw getAll of all facts",
      run: () => {
        const range = IDBKeyRange.bound(["/"], ["0"], false, true);
        return settled(raw.transaction("files").objectStore("files").getAll(range));
      },
    },
    candidates: [{ name: "open and glob", run: open }],
  });
  raw.close();
}

async function measureOpfs(): Promise<void> {
  const root = await (await navigator.storage.getDirectory()).getDirectoryHandle("raw", { create: true });
  const write = async (name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> => {
    const file = await root.getFileHandle(name, { create: true });
    const writable = await file.createWritable();
    await writable.write(bytes);
    await writable.close();
  };
  const read = async (name: string): Promise<ArrayBuffer> =>
    (await (await root.getFileHandle(name)).getFile()).arrayBuffer();
  const stream = opfsBackend({ name: "bench" });
  for (const [title, files] of [
    ["small files", contents(20, 2000)],
    ["files of 1 MiB", contents(4, MEBIBYTE)],
  ] as const) {
    const each = async (work: (index: number, bytes: Uint8Array<ArrayBuffer>) => Promise<unknown>): Promise<void> => {
      for (const [index, bytes] of files.entries()) await work(index, bytes);
    };
    const path = (index: number): string => `/workspace/${title}/f${index}`;
    await compareWaits({
      title: `OPFS: writing ${title}`,
      base: { name: "raw writable stream", run: () => each((index, bytes) => write(`${title} ${index}`, bytes)) },
      candidates: [
        {
          name: "write",
          atMost: 1.3,
          run: () => each((index, bytes) => stream.fs.write(path(index), bytes)),
        },
      ],
    });
    await compareWaits({
      title: `OPFS: reading ${title}`,
      base: { name: "raw getFile", run: () => each((index) => read(`${title} ${index}`)) },
      candidates: [{ name: "read", atMost: 1.3, run: () => each((index) => stream.fs.read(path(index))) }],
    });
  }
}

async function measurePort(): Promise<void> {
  const start = (name: string): Worker => new Worker("/bench-worker.js", { type: "module", name });
  const bare = start("bare");
  const ask = (message: unknown): Promise<unknown> =>
    new Promise((resolve) => {
      bare.onmessage = ({ data }) => resolve(data);
      bare.postMessage(message);
    });
  await ask("ping");
  const backend: Backend = await portBackend(start("served"));
  await backend.fs.write("/workspace/big", new Uint8Array(MEBIBYTE).fill(1));
  await compareWaits({
    title: "MessagePort: reading 1 MiB",
    base: { name: "bare postMessage with transfer", run: () => ask("big") },
    candidates: [{ name: "read", atMost: 1.25, run: () => backend.fs.read("/workspace/big") }],
  });
  await compareWaits({
    title: "MessagePort: small calls",
    base: { name: "ping", run: () => ask("ping") },
    candidates: [{ name: "stat", atMost: 1.5, run: () => backend.fs.stat("/workspace/big") }],
  });
  bare.terminate();
  await backend.close?.();
}
