/** Keeps an overlay in a file system: contents in files of their own, the tree and its latest changes in a head. */

import { childPath, type FileSystem, fsError, HoldallError } from "holdall";
import { type ChangeRecord, decodeRecord, decodeTrees, encodeRecord, encodeTrees, parseObject } from "./codec.ts";
import { heldIn, sweepOrphans } from "./orphans.ts";
import { type DirectoryNode, directory, flatten, type NodeFacts, putEntries } from "./tree.ts";

/** All that an overlay knows. */
export interface OverlayState {
  /** What makes its versions different from those of any other overlay. */
  readonly name: string;
  root: DirectoryNode;
  /** The highest number a change has had. */
  change: number;
  /** Counts checkpoints; a directory of an earlier epoch is copied before it is changed. */
  epoch: number;
  /** Trees by id, oldest first. */
  checkpoints: Map<string, DirectoryNode>;
}

/** The layer that changes go to. */
export interface Upper {
  /** Reads the state as it was saved last, or starts one. */
  load(): Promise<OverlayState>;
  /** Saves a change and makes it; fails with `FS_CONFLICT` when another overlay has saved one meanwhile. */
  save(state: OverlayState, record: ChangeRecord): Promise<void>;
  /** Keeps bytes; gives their id. A sweep leaves them alone until they are released. */
  keep(bytes: Uint8Array, path: string): Promise<string>;
  /** Keeps what a stream gives, in the same way; gives its id and size. */
  keepStream(stream: ReadableStream<Uint8Array>, path: string): Promise<{ content: string; size: number }>;
  /**
   * Gives an id under which what a stream gave may be named now: a new one where another overlay may have taken the old
   * one for left behind. Where it has taken it away already, it fails with `FS_IO` and `retryable`.
   */
  renew(content: string, path: string): Promise<string>;
  /** Says that a tree needs what was kept, or nobody does. */
  release(content: string): void;
  /** Reads what was kept. */
  read(content: string, options: { offset?: number; length?: number }): Promise<Uint8Array>;
  /** Reads what was kept as a stream. */
  stream(content: string): ReadableStream<Uint8Array>;
  /** Lets go of what was kept; what is not there is fine. */
  drop(contents: Iterable<string>): Promise<void>;
  /** Lets go of everything that no tree needs. */
  sweep(state: OverlayState): Promise<void>;
  /** Tells whenever the head may be another; ends at once where the file system cannot watch. */
  follow(signal: AbortSignal): AsyncIterable<"head">;
  /** Tells whether another overlay has saved a change; to be asked while this one saves none. */
  isOvertaken(): Promise<boolean>;
}

/** UTF-16 units of changes after which the tree is written anew, whatever their number. */
const RECORDS_LENGTH = 1 << 16;

/** How often a tree that has just been replaced is looked for again. */
const LOAD_ATTEMPTS = 5;

/** Checkpoints that are kept; beyond them the oldest is forgotten. */
export const MAX_CHECKPOINTS = 100;

/**
 * Opens the layer in a folder of a file system.
 *
 * @param fs The file system.
 * @param folder The folder that belongs to this overlay alone.
 * @param clock Gives milliseconds since 1970.
 */
export function openUpper(fs: FileSystem, folder: string, clock: () => number): Upper {
  const inFolder = (name: string): string => childPath(folder, name);
  const headPath = inFolder("head.json");
  const contentPath = (content: string): string => inFolder(`content/${content}`);
  const session = randomName();
  let contents = 0;
  const held = heldIn(fs);
  /** How often the head was read, and how often it had been when a stream ended. */
  let loads = 0;
  const streamed = new Map<string, number>();
  /** The version of the head, the tree it names, and the changes since that tree. */
  let head: { version: string | null; tree: string | null; records: string[] } = {
    version: null,
    tree: null,
    records: [],
  };

  const writeHead = async (state: OverlayState, next: Omit<typeof head, "version">, swept?: string): Promise<void> => {
    const facts = JSON.stringify({ format: 1, name: state.name, tree: next.tree, swept });
    const json = `${facts.slice(0, -1)},"records":[${next.records.join(",")}]}`;
    const { version } = await fs.write(headPath, new TextEncoder().encode(json), { ifVersion: head.version });
    head = { ...next, version };
  };

  const nextContent = (): string => {
    contents += 1;
    return `${session}-${contents.toString(36)}`;
  };
  const keepAt = async <T>(content: string, path: string, write: (at: string) => Promise<T>): Promise<T> => {
    held.add(contentPath(content));
    try {
      return await write(contentPath(content));
    } catch (error) {
      held.delete(contentPath(content));
      throw HoldallError.is(error, "FS_NO_SPACE") ? fsError("FS_NO_SPACE", path, undefined, error) : error;
    }
  };

  const release = (content: string): void => {
    held.delete(contentPath(content));
    streamed.delete(content);
  };

  return {
    async load() {
      // Whoever writes the tree anew removes the old one, maybe just after it was named here.
      for (let attempt = 1; ; attempt += 1) {
        const found = await readText(fs, headPath);
        const state = newState(clock());
        if (found === undefined) {
          head = { version: null, tree: null, records: [] };
          loads += 1;
          return state;
        }
        const { name, tree, records, format } = parseObject(found.text);
        if (format !== 1 || typeof name !== "string" || !Array.isArray(records) || !isTreeName(tree))
          throw unreadable();
        const kept = tree === null ? undefined : await readText(fs, inFolder(tree));
        if (tree !== null && kept === undefined) {
          if (attempt < LOAD_ATTEMPTS) continue;
          throw unreadable();
        }
        const opened: OverlayState = { ...state, name, ...(kept && decodeTrees(parseObject(kept.text), 0)) };
        for (const record of records) applyRecord(opened, decodeRecord(record, 0));
        head = { version: found.version, tree, records: records.map((record) => JSON.stringify(record)) };
        loads += 1;
        return opened;
      }
    },

    async save(state, record) {
      const text = encodeRecord(record);
      const records = [...head.records, text];
      const length = records.reduce((sum, each) => sum + each.length, 0);
      if (length <= RECORDS_LENGTH) {
        await writeHead(state, { tree: head.tree, records });
        applyRecord(state, record);
        return;
      }
      // The changes so far go into a tree of their own file; this one is the first after it.
      const tree = `tree-${session}-${record.change.toString(36)}.json`;
      await fs.write(inFolder(tree), new TextEncoder().encode(encodeTrees(state)));
      const old = head.tree;
      await writeHead(state, { tree, records: [text] });
      applyRecord(state, record);
      if (old !== null) await fs.remove(inFolder(old)).catch(() => {});
    },

    async keep(bytes, path) {
      const content = nextContent();
      await keepAt(content, path, (at) => fs.write(at, bytes));
      return content;
    },
    async keepStream(stream, path) {
      const content = nextContent();
      const { size } = await keepAt(content, path, (at) => fs.writeStream(at, stream));
      streamed.set(content, loads);
      return { content, size };
    },
    async renew(content, path) {
      // The head is as it was, but for changes of this overlay: nobody has announced a sweep.
      if (streamed.get(content) === loads) return content;
      const next = nextContent();
      await keepAt(next, path, (at) => fs.rename(contentPath(content), at)).catch((error: unknown) => {
        throw HoldallError.is(error, "FS_NOT_FOUND") ? takenAway(path, error) : error;
      });
      release(content);
      streamed.set(next, loads);
      return next;
    },
    release,
    read: async (content, options) => (await fs.read(contentPath(content), options)).bytes,
    stream: (content) => fs.readStream(contentPath(content)),

    async drop(list) {
      for (const content of list) {
        await fs.remove(contentPath(content)).catch(() => {});
        release(content);
      }
    },

    async sweep(state) {
      const needed = contentsOf(state);
      await sweepOrphans({
        fs,
        folder: inFolder("content"),
        clock,
        isOwn: (content) => content.startsWith(`${session}-`),
        isNeeded: (content) => needed.has(content),
        announce: () => writeHead(state, { tree: head.tree, records: head.records }, randomName()),
      });
    },

    async *follow(signal) {
      if (fs.watch === undefined) return;
      await fs.makeDirectory(folder);
      for await (const { path } of fs.watch(folder, { signal })) {
        // Told of a directory, when there was too much to tell, it may be the head as well.
        if (!/\/(content(\/[^/]*)?|tree-[^/]*)$/.test(path)) yield "head";
      }
    },
    isOvertaken: async () => ((await fs.stat(headPath))?.version ?? null) !== head.version,
  };
}

/** Makes a change to a state. */
export function applyRecord(state: OverlayState, record: ChangeRecord): void {
  const { puts, checkpoint, rewind, forget } = record;
  state.change = Math.max(state.change, record.change);
  if (forget === true) state.checkpoints.clear();
  if (rewind !== undefined) goBack(state, rewind);
  const facts: NodeFacts = { modifiedAt: record.time, change: record.change };
  state.root = putEntries(state.root, puts, state.epoch, facts);
  if (checkpoint === undefined) return;
  state.checkpoints.set(checkpoint, state.root);
  state.epoch += 1;
  const [oldest] = state.checkpoints.keys();
  if (state.checkpoints.size > MAX_CHECKPOINTS && oldest !== undefined) state.checkpoints.delete(oldest);
}

function goBack(state: OverlayState, id: string): void {
  const root = state.checkpoints.get(id);
  if (root === undefined) throw unreadable();
  state.root = root;
  const ids = [...state.checkpoints.keys()];
  for (const later of ids.slice(ids.indexOf(id) + 1)) state.checkpoints.delete(later);
  state.epoch += 1;
}

function newState(time: number): OverlayState {
  const root = directory(1, { modifiedAt: time, change: 0 }, false);
  return { name: randomName(), root, change: 0, epoch: 1, checkpoints: new Map() };
}

function* trees({ root, checkpoints }: OverlayState): Generator<DirectoryNode, void, undefined> {
  yield root;
  yield* checkpoints.values();
}

function contentsOf(state: OverlayState): Set<string> {
  const contents = new Set<string>();
  for (const tree of trees(state)) {
    for (const [, node] of flatten(tree)) if (node.kind === "file") contents.add(node.content);
  }
  return contents;
}

async function readText(fs: FileSystem, path: string): Promise<{ text: string; version: string } | undefined> {
  try {
    const { bytes, version } = await fs.read(path);
    return { text: new TextDecoder().decode(bytes), version };
  } catch (error) {
    if (HoldallError.is(error, "FS_NOT_FOUND")) return undefined;
    throw error;
  }
}

function isTreeName(value: unknown): value is string | null {
  return value === null || (typeof value === "string" && /^tree-[\w-]+\.json$/.test(value));
}

/** Drawn when an overlay is first used: edge workers refuse randomness at module level. */
function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function takenAway(path: string, cause: unknown): HoldallError {
  return new HoldallError(
    "FS_IO",
    `another overlay over the same layer took what was streamed to ${path} for left behind; nothing was written. Write it again.`,
    { data: { path }, cause, retryable: true },
  );
}

function unreadable(): HoldallError {
  return new HoldallError(
    "OVERLAY_UPPER_INVALID",
    "what is kept of the overlay cannot be read. Give it the folder that an overlay wrote, or an empty one.",
  );
}
