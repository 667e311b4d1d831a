/** The page whose browser is killed: it writes without end, and tells what it finds after a restart. */
import type { Backend } from "holdall";
import { indexedDbBackend } from "holdall/indexeddb";
import { opfsBackend } from "holdall/opfs";

/** The version of each file, by kind of storage and name. */
export type Versions = Record<string, number>;

/** What a page finds. */
export interface Found {
  /** The version of each file; a text says what is wrong with it. */
  files: Record<string, number | string>;
  /** How many files each moving tree has. */
  trees: number[];
  /** What belongs to nothing. */
  orphans: string[];
  /** Whether the database is still there that nothing of ours has to do with. */
  hasWitness: boolean;
}

/** What the test asks of the page. */
export interface CrashPage {
  /**
   * Writes newer and newer versions until the page ends, to every kind of storage at once; `acknowledge` hears of each
   * that is done. Resolves as soon as there is a version of everything.
   */
  write(from: Readonly<Versions>): Promise<void>;
  check(): Promise<Found>;
}

declare global {
  var crash: CrashPage;
  function acknowledge(file: string, version: number): Promise<void>;
}

/** Sizes on both sides of what is stored in one piece, in several, and piece by piece. */
const SIZES: Readonly<Record<string, number>> = {
  small: 300,
  middle: 200_000,
  large: 1_500_000,
  streamed: 5_000_000,
};

const TREE_FILES = 20;

/** One storage; what one page does to one must not wait for another. */
interface Kind {
  open(): Backend;
  listOrphans(): Promise<string[]>;
}

const kinds: Readonly<Record<string, Kind>> = {
  indexeddb: { open: () => indexedDbBackend({ name: "crash" }), listOrphans },
  opfs: { open: () => opfsBackend({ name: "crash" }), listOrphans: () => listScratch("crash") },
  handles: {
    open: () => opfsBackend({ name: "crash by handles", access: "handle" }),
    listOrphans: () => listScratch("crash by handles"),
  },
};

globalThis.crash = {
  async write(from) {
    await writeWitness();
    await Promise.all(
      Object.entries(kinds).map(async ([kind, { open }]) => {
        const backend = open();
        const tree = await prepareTree(backend);
        const started = Object.keys(SIZES).map(async (file) => {
          const version = from[`${kind} ${file}`] ?? 0;
          if (version === 0) await writeVersion(backend, kind, file, 1);
          void writeOn(backend, kind, file, Math.max(version, 1));
        });
        await Promise.all(started);
        void moveOn(backend, tree);
      }),
    );
  },
  async check() {
    const found: Found = { files: {}, trees: [], orphans: [], hasWitness: await findWitness() };
    await Promise.all(Object.entries(kinds).map(([name, kind]) => checkKind(name, kind, found)));
    return found;
  },
};

async function checkKind(name: string, kind: Kind, found: Found): Promise<void> {
  const backend = kind.open();
  const versions = Object.keys(SIZES).map(
    async (file) => [`${name} ${file}`, await readVersion(backend, file)] as const,
  );
  Object.assign(found.files, Object.fromEntries(await Promise.all(versions)));
  found.trees.push(...(await findTrees(backend)));
  // The first change takes away what the dead page has left.
  await backend.fs.write("/workspace/after", new Uint8Array([1]));
  for await (const entry of backend.fs.list("/workspace")) if (entry.name.includes("swap")) found.trees.push(0);
  found.orphans.push(...(await untilNone(kind.listOrphans)));
  await backend.close?.();
}

function contentOf(file: string, version: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array((SIZES[file] ?? 0) + (version % 1000)).fill((version * 37) & 0xff);
  new DataView(bytes.buffer).setUint32(0, version);
  return bytes;
}

async function writeOn(backend: Backend, kind: string, file: string, from: number): Promise<void> {
  for (let version = from + 1; ; version += 1) await writeVersion(backend, kind, file, version);
}

async function writeVersion({ fs }: Backend, kind: string, file: string, version: number): Promise<void> {
  const bytes = contentOf(file, version);
  if (file === "streamed") await fs.writeStream(`/workspace/${file}`, new Blob([bytes]).stream());
  else await fs.write(`/workspace/${file}`, bytes);
  await acknowledge(`${kind} ${file}`, version);
}

async function readVersion({ fs }: Backend, file: string): Promise<number | string> {
  if ((await fs.stat(`/workspace/${file}`)) === undefined) return 0;
  const { bytes } = await fs.read(`/workspace/${file}`);
  if (bytes.length < 4) return `${bytes.length} bytes are left`;
  const version = new DataView(bytes.buffer).getUint32(0);
  const expected = contentOf(file, version);
  if (bytes.length !== expected.length) return `version ${version} has ${bytes.length} of ${expected.length} bytes`;
  // A call for each of some millions of bytes would take longer than all else.
  for (let index = 0; index < bytes.length; index += 1)
    if (bytes[index] !== expected[index]) return `version ${version} has a foreign byte at ${index}`;
  return version;
}

/** Gives where the tree is; makes one where there is none. */
async function prepareTree({ fs }: Backend): Promise<string> {
  for (const path of ["/workspace/a", "/workspace/b"]) if ((await fs.stat(path)) !== undefined) return path;
  const writes = Array.from({ length: TREE_FILES }, (_, index) =>
    fs.write(`/workspace/new/d${index % 3}/f${index}`, new Uint8Array(1000).fill(index)),
  );
  await Promise.all(writes);
  await fs.rename("/workspace/new", "/workspace/a");
  return "/workspace/a";
}

async function moveOn({ fs }: Backend, tree: string): Promise<void> {
  for (let from = tree; ; ) {
    const to = from === "/workspace/a" ? "/workspace/b" : "/workspace/a";
    await fs.rename(from, to);
    from = to;
  }
}

async function findTrees({ fs }: Backend): Promise<number[]> {
  const trees: number[] = [];
  for (const path of ["/workspace/a", "/workspace/b"]) {
    if ((await fs.stat(path)) === undefined) continue;
    trees.push((await fs.glob({ pattern: "**", path })).matches.length);
  }
  return trees;
}

/** Looks again for a while: what a dead page has left is taken away beside everything else. */
async function untilNone(look: () => Promise<string[]>): Promise<string[]> {
  for (let attempt = 0; ; attempt += 1) {
    const found = await look();
    if (found.length === 0 || attempt === 200) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Looks for files that were being written, by us or by the browser, and for the journal of a move. */
async function listScratch(name: string): Promise<string[]> {
  const base = await (await navigator.storage.getDirectory()).getDirectoryHandle(name);
  const names: string[] = [];
  for await (const name of (await base.getDirectoryHandle("scratch")).keys()) names.push(name);
  const folder = await (await base.getDirectoryHandle("files")).getDirectoryHandle("workspace");
  for await (const name of folder.keys()) if (!(name in SIZES) && !["a", "b", "after"].includes(name)) names.push(name);
  return names;
}

/** Looks for contents without a file, and for files without their content. */
async function listOrphans(): Promise<string[]> {
  const database = await settled(indexedDB.open("crash"));
  const store = database.transaction("files").objectStore("files");
  const [nodes, keys] = await Promise.all([
    settled<{ content?: string; size: number; chunkBytes: number }[]>(
      store.getAll(IDBKeyRange.bound(["/"], ["0"], false, true)),
    ),
    settled(store.getAllKeys()),
  ]);
  database.close();
  const left = new Set(keys.filter((key) => Array.isArray(key) && !String(key[0]).startsWith("/")).map(String));
  const missing: string[] = [];
  for (const { content, size, chunkBytes } of nodes) {
    for (let index = 0; content !== undefined && index < Math.ceil(size / chunkBytes); index += 1) {
      if (!left.delete(`#${content},${index}`)) missing.push(`missing ${content} ${index}`);
    }
  }
  return [...left, ...missing];
}

/** A database of its own, by plain calls: when it is gone, the browser has thrown all databases of the page away. */
function openWitness(): Promise<IDBDatabase> {
  const request = indexedDB.open("witness", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("facts");
  return settled(request);
}

async function writeWitness(): Promise<void> {
  const database = await openWitness();
  const transaction = database.transaction("facts", "readwrite", { durability: "strict" });
  transaction.objectStore("facts").put("I am here.", "fact");
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
  database.close();
}

async function findWitness(): Promise<boolean> {
  const database = await openWitness();
  const fact: unknown = await settled(database.transaction("facts").objectStore("facts").get("fact"));
  database.close();
  return fact !== undefined;
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
