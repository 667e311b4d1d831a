/** The files of one file system in memory: the tree, how much room it takes, who watches it. */

import { createWatchers, type FileStat, fsError, type Watchers } from "holdall";
import { createTextCache, type TextCache } from "./text-cache.ts";
import { type DirectoryNode, findPlace, type Place, type TreeNode } from "./tree.ts";

/** Limits and seams of a store. */
export interface StoreOptions {
  maxBytes: number;
  maxEntries: number;
  clock: () => number;
}

/** Everything that one file system knows. */
export interface Store {
  readonly options: StoreOptions;
  readonly root: DirectoryNode;
  readonly watchers: Watchers;
  readonly texts: TextCache;
  /** Bytes of all files. */
  bytes: number;
  /** Files, directories and symlinks, without the root. */
  entries: number;
  /** Changes so far; each has a number of its own. */
  changes: number;
  /** The directory that was looked into last, and after how many changes that was. */
  recent: { folder: string; node: DirectoryNode; changes: number };
  /** What makes its versions different from those of any other store. */
  name: string | undefined;
  isClosed: boolean;
}

/** Makes a store without files. */
export function createStore(options: StoreOptions): Store {
  const root: DirectoryNode = { kind: "directory", entries: new Map(), modifiedAt: options.clock(), change: 0 };
  return {
    options,
    root,
    recent: { folder: "", node: root, changes: 0 },
    watchers: createWatchers(),
    texts: createTextCache(),
    bytes: 0,
    entries: 0,
    changes: 0,
    name: undefined,
    isClosed: false,
  };
}

/** Lets go of all files; calls afterwards fail. */
export function closeStore(store: Store): void {
  store.isClosed = true;
  store.root.entries.clear();
}

/** Finds the place of a path; `follow` tells whether a symlink at its end is looked through. */
export function find(store: Store, path: string, follow: boolean): Place {
  if (store.isClosed) throw fsError("FS_CLOSED", path);
  const cut = path.lastIndexOf("/");
  const { recent } = store;
  if (recent.changes === store.changes && recent.folder === path.slice(0, cut)) {
    const name = path.slice(cut + 1);
    const node = recent.node.entries.get(name);
    if (node !== undefined && node.kind !== "symlink")
      return { path, parent: recent.node, names: [name], node, isBlocked: false };
  }
  const place = findPlace(store.root, path, follow);
  // Without symlinks on the way, and until anything changes, the siblings are found at once.
  if (place.path === path)
    store.recent = {
      folder: path.slice(0, cut),
      node: place.parent,
      changes: place.names.length === 1 ? store.changes : -1,
    };
  return place;
}

/** Gives the facts of a change that is made now. */
export function newFacts(store: Store): { modifiedAt: number; change: number } {
  store.changes += 1;
  return { modifiedAt: store.options.clock(), change: store.changes };
}

/** Gives the facts of a node as the port tells them. */
export function statOf(store: Store, node: TreeNode): FileStat {
  return { kind: node.kind, size: sizeOf(node), modifiedAt: node.modifiedAt, version: versionOf(store, node) };
}

/** Gives the version of a node: a state may outlive the files it speaks of, so no two stores share one. */
export function versionOf(store: Store, node: TreeNode): string {
  // Workers refuse randomness at module level, where a file system may be made, so it is drawn at the first use.
  store.name ??= Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  return `${store.name}.${node.change.toString(36)}`;
}

/** Gives the bytes of a node. */
export function sizeOf(node: TreeNode): number {
  return node.kind === "file" ? node.bytes.length : 0;
}

/** Takes room, or gives it back; fails before anything is changed when there is none. */
export function reserve(store: Store, path: string, bytes: number, entries: number): void {
  const { maxBytes, maxEntries } = store.options;
  if (store.bytes + bytes > maxBytes || store.entries + entries > maxEntries) throw fsError("FS_NO_SPACE", path);
  store.bytes += bytes;
  store.entries += entries;
}

/** Puts a new node in its place and tells the watchers. */
export function create(store: Store, place: Place, node: TreeNode): void {
  reserve(store, place.path, sizeOf(node), place.names.length);
  attach(store, place, node);
  store.watchers.tell([{ path: place.path, kind: "written" }]);
}

/** Puts a node in its place and creates missing parents; room was taken before. */
export function attach(store: Store, { parent, names }: Place, node: TreeNode): void {
  let folder = parent;
  Object.assign(folder, newFacts(store));
  for (const name of names.slice(0, -1)) {
    const made: DirectoryNode = { kind: "directory", entries: new Map(), ...newFacts(store) };
    folder.entries.set(name, made);
    folder = made;
  }
  folder.entries.set(names[names.length - 1] ?? "", node);
}

/** Takes a node out of its place. */
export function detach(store: Store, { parent, names }: Place): void {
  parent.entries.delete(names[0] ?? "");
  Object.assign(parent, newFacts(store));
}
