/** What one transaction sees of the tree: each node is asked for once, changes are seen at once. */

import { baseName, type FsChange, isInside, parentPath } from "holdall";
import { promisifyRequest } from "idb-keyval";
import { type NodeRecord, nodeKey, ROOT } from "./layout.ts";

/** The tree as a transaction sees it. */
export interface View {
  readonly store: IDBObjectStore;
  /** What was changed, for those who watch. */
  readonly changes: FsChange[];
  /** Asks for nodes together, so that looking for them one by one need not wait. */
  preload(paths: Iterable<string>): Promise<void>;
  /** Looks a node up; symlinks on the way are not followed. */
  find(path: string): Promise<NodeRecord | undefined>;
  put(record: NodeRecord): void;
  delete(path: string): void;
  /** Forgets what is known at and below a path, after it was changed in the store. */
  forget(path: string): void;
}

/** Entries of one directory that are looked up together rather than one by one. */
const MANY = 8;

/** Makes the view of a transaction. */
export function openView(store: IDBObjectStore): View {
  const known = new Map<string, Promise<NodeRecord | undefined>>();
  const know = (path: string, record: NodeRecord | undefined): void => void known.set(path, Promise.resolve(record));
  const view: View = {
    store,
    changes: [],
    async preload(paths) {
      const loading = [...groupByFolder(paths)].map(([folder, names]) =>
        names.length < MANY
          ? Promise.all(names.map((name) => view.find(childOf(folder, name))))
          : loadMany(folder, names),
      );
      await Promise.all(loading);
    },
    find(path) {
      const found = known.get(path);
      if (found !== undefined) return found;
      const asked: Promise<NodeRecord | undefined> =
        path === "/" ? Promise.resolve(ROOT) : promisifyRequest(store.get(nodeKey(path)));
      known.set(path, asked);
      return asked;
    },
    put(record) {
      store.put(record, nodeKey(record.path));
      know(record.path, record);
    },
    delete(path) {
      store.delete(nodeKey(path));
      know(path, undefined);
    },
    forget(path) {
      for (const other of known.keys()) if (isInside(other, path)) known.delete(other);
    },
  };

  /** A range is one request; its length is bounded, because most of a large directory may not be asked for. */
  async function loadMany(folder: string, names: readonly string[]): Promise<void> {
    const sorted = [...names].sort();
    const limit = names.length * 4;
    const last = sorted[sorted.length - 1] ?? "";
    const range = IDBKeyRange.bound([folder, sorted[0]], [folder, last]);
    const records: NodeRecord[] = await promisifyRequest(store.getAll(range, limit));
    const end = records.length < limit ? last : baseName(records[records.length - 1]?.path ?? "");
    for (const record of records) know(record.path, record);
    const rest = sorted.filter((name) => {
      const path = childOf(folder, name);
      if (known.has(path)) return false;
      if (name > end) return true;
      know(path, undefined);
      return false;
    });
    await Promise.all(rest.map((name) => view.find(childOf(folder, name))));
  }

  return view;
}

function groupByFolder(paths: Iterable<string>): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const path of new Set(paths)) {
    if (path === "/") continue;
    const folder = parentPath(path);
    const names = groups.get(folder);
    if (names === undefined) groups.set(folder, [baseName(path)]);
    else names.push(baseName(path));
  }
  return groups;
}

function childOf(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}
