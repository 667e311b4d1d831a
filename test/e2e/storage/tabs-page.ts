/** A page whose storages are used by several tabs at once, or filled up. */
import type { Backend, FsChange } from "holdall";
import { indexedDbBackend } from "holdall/indexeddb";
import { opfsBackend } from "holdall/opfs";

/** What the test asks of a page. */
export interface TabsPage {
  write(kind: string, path: string, text: string, ifVersion?: string): Promise<{ version?: string; code?: string }>;
  read(kind: string, path: string): Promise<string>;
  /** Begins to write without end, and resolves when something of it is stored. */
  stream(kind: string, path: string): Promise<void>;
  watch(kind: string, path: string): Promise<void>;
  heard(): FsChange[];
  /** Writes files of 2 MiB until one does not fit; gives the code, and how many were written, are whole, and are listed. */
  fill(kind: string): Promise<{ code: string; written: number; whole: number; listed: number }>;
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
    const pathOf = (index: number): string => `/full/f${index}`;
    for (let count = 0; ; count += 1) {
      try {
        await fs.write(pathOf(count), new Uint8Array(SIZE).fill(count));
      } catch (error) {
        let whole = 0;
        for (let index = 0; index < count; index += 1) {
          const { bytes } = await fs.read(pathOf(index));
          if (bytes.length === SIZE && bytes.every((byte) => byte === index)) whole += 1;
        }
        const { matches } = await fs.glob({ pattern: "**", path: "/full" });
        return { code: codeOf(error), written: count, whole, listed: matches.length };
      }
    }
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

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
