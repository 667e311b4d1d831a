/** What lies below a directory, read in one pass, so that a search asks for no directory by itself. */

import { baseName, type DirEntry, parentPath } from "holdall";
import { promisifyRequest } from "idb-keyval";
import { type NodeRecord, nodesBelow } from "./layout.ts";
import { findPlace } from "./place.ts";
import type { View } from "./view.ts";

/** All below a directory at one moment, or as much of it as is kept. */
export interface Snapshot {
  /** Gives the entries of a directory by name; undefined when they are not known. */
  list(directory: string): readonly DirEntry[] | undefined;
  /** Gives a node; undefined when it is not known. */
  node(path: string): NodeRecord | undefined;
}

/** Nodes that are read in one pass; the directories beyond are asked for one by one. */
const MAX_NODES = 20_000;

/** Takes a snapshot; it knows nothing of what is no directory, or lies behind a symlink. */
export async function takeSnapshot(view: View, root: string, limit: number = MAX_NODES): Promise<Snapshot> {
  const reading = Promise.all(nodesBelow(root).map((range) => readRange(view, range, limit)));
  reading.catch(() => {});
  const { path, node } = await findPlace(view, root, true);
  const snapshot = createSnapshot();
  if (path !== root || node?.kind !== "directory") return snapshot;
  snapshot.open(root);
  for (const records of await reading) {
    for (const record of records) snapshot.add(record);
    // Of the last directory only a part may have been read.
    if (records.length === limit) snapshot.close(parentPath(records[limit - 1]?.path ?? root));
  }
  return snapshot;
}

function readRange({ store }: View, range: IDBKeyRange, limit: number): Promise<NodeRecord[]> {
  return promisifyRequest(store.getAll(range, limit));
}

interface OpenSnapshot extends Snapshot {
  open(directory: string): void;
  add(record: NodeRecord): void;
  /** Forgets this directory and all that come after it in the order of the store. */
  close(directory: string): void;
}

function createSnapshot(): OpenSnapshot {
  const nodes = new Map<string, NodeRecord>();
  const folders = new Map<string, DirEntry[]>();
  return {
    list: (directory) => folders.get(directory),
    node: (path) => nodes.get(path),
    open: (directory) => void folders.set(directory, []),
    add(record) {
      nodes.set(record.path, record);
      folders.get(parentPath(record.path))?.push(entryOf(record));
      if (record.kind === "directory") folders.set(record.path, []);
    },
    close(directory) {
      for (const folder of folders.keys()) if (folder >= directory) folders.delete(folder);
    },
  };
}

/** Gives a node as an entry of its directory. */
export function entryOf({ path, kind, size, modifiedAt }: NodeRecord): DirEntry {
  return { name: baseName(path), kind, size, modifiedAt };
}
