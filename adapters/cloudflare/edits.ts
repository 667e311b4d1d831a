/** The changes of a workspace; each runs inside a transaction and is whole or not at all. */

import { type FileStat, fsError, isInside, parentPath } from "holdall";
import { dropContent, putContent } from "./content.ts";
import {
  childrenOf,
  type Database,
  first,
  type NodeRow,
  nextChange,
  rangeBelow,
  reserve,
  run,
  versionOf,
} from "./database.ts";
import { findPlace, isBlocked, type Place } from "./place.ts";

/** Gives the facts of a node as the port tells them. */
export function statOf(database: Database, node: NodeRow): FileStat {
  const { kind, size, modifiedAt } = node;
  return { kind, size, modifiedAt, version: versionOf(database, node) };
}

/** Writes a whole file. */
export function write(
  database: Database,
  path: string,
  bytes: Uint8Array,
  ifVersion: string | null | undefined,
): FileStat {
  const place = checkFile(database, path, ifVersion);
  const content = nextChange(database);
  putContent(database, content, bytes);
  return putFile(database, path, place, { content, size: bytes.length, reserved: 0 });
}

/** Finds the place of a file that is to be written, and checks the condition. */
export function checkFile(database: Database, path: string, ifVersion: string | null | undefined): Place {
  const place = findPlace(database, path, true);
  const { node } = place;
  if (node !== undefined && node.kind !== "file") throw fsError("FS_IS_DIRECTORY", path);
  if (isBlocked(place)) throw fsError("FS_NOT_DIRECTORY", path);
  if (ifVersion !== undefined && ifVersion !== (node === undefined ? null : versionOf(database, node)))
    throw fsError("FS_CONFLICT", path);
  return place;
}

/** Puts a file with a content in its place; `reserved` is the room that was taken for the content before. */
export function putFile(
  database: Database,
  path: string,
  place: Place,
  { content, size, reserved }: { content: number; size: number; reserved: number },
): FileStat {
  const { node } = place;
  if (node === undefined) makeParents(database, path, place);
  reserve(database, path, size - reserved - (node?.size ?? 0), node === undefined ? 1 : 0);
  dropContent(database, node?.content ?? null);
  const file: NodeRow = {
    path: place.path,
    kind: "file",
    size,
    modifiedAt: database.clock(),
    change: nextChange(database),
    content,
    target: null,
  };
  putNode(database, file);
  if (node === undefined) touch(database, parentPath(place.path));
  return statOf(database, file);
}

/** Creates a directory and its parents. */
export function makeDirectory(database: Database, path: string): void {
  const place = findPlace(database, path, true);
  if (place.node?.kind === "directory") return;
  // A symlink that leads nowhere is in the way as well.
  if (place.node !== undefined || findPlace(database, path, false).node !== undefined) throw fsError("FS_EXISTS", path);
  if (isBlocked(place)) throw fsError("FS_NOT_DIRECTORY", path);
  makeParents(database, path, { ...place, path: `${place.path}/` });
}

/** Creates a symlink. */
export function symlink(database: Database, target: string, path: string): void {
  const place = findPlace(database, path, false);
  if (place.node !== undefined) throw fsError("FS_EXISTS", path);
  if (isBlocked(place)) throw fsError("FS_NOT_DIRECTORY", path);
  makeParents(database, path, place);
  reserve(database, path, 0, 1);
  const facts = { size: 0, modifiedAt: database.clock(), change: nextChange(database), content: null };
  putNode(database, { path: place.path, kind: "symlink", target, ...facts });
  touch(database, parentPath(place.path));
}

/** Removes a file, a symlink or a directory. */
export function remove(database: Database, path: string, recursive: boolean): void {
  const { node } = findPlace(database, path, false);
  if (node === undefined) throw fsError("FS_NOT_FOUND", path);
  if (node.kind === "directory" && !recursive && childrenOf(database, node.path).length > 0)
    throw fsError("FS_NOT_EMPTY", path);
  removeTree(database, node);
  touch(database, parentPath(node.path));
}

/** Moves a file, a symlink or a tree, by its paths only. */
export function rename(database: Database, from: string, to: string): void {
  const source = findPlace(database, from, false);
  const target = findPlace(database, to, false);
  const { node } = source;
  if (node === undefined) throw fsError("FS_NOT_FOUND", from);
  if (node.path === target.path && node.path !== "/") return;
  if (node.path === "/" || (node.kind === "directory" && isInside(target.path, node.path)))
    throw fsError("FS_INVALID_PATH", from);
  if (isBlocked(target)) throw fsError("FS_NOT_DIRECTORY", to);
  if (target.node?.kind === "directory" || (target.node !== undefined && node.kind === "directory"))
    throw fsError("FS_EXISTS", to);
  if (target.node === undefined) makeParents(database, to, target);
  else removeTree(database, target.node);
  move(database, node.path, target.path);
  for (const path of [node.path, target.path]) touch(database, parentPath(path));
}

function move({ storage }: Database, from: string, to: string): void {
  const [first, last] = rangeBelow(from);
  // In SQL, positions count characters from 1; the rest begins after the old path.
  const rest = Array.from(from).length + 1;
  run(
    storage,
    `UPDATE holdall_nodes SET path = ?1 || substr(path, ?2),
       parent = CASE WHEN path = ?3 THEN ?4 ELSE ?1 || substr(parent, ?2) END
     WHERE path = ?3 OR (path >= ?5 AND path < ?6)`,
    to,
    rest,
    from,
    parentPath(to),
    first,
    last,
  );
}

function removeTree(database: Database, node: NodeRow): void {
  const { storage } = database;
  const [from, to] = rangeBelow(node.path);
  const which = "path = ?1 OR (path >= ?2 AND path < ?3)";
  const sum = first(
    storage,
    `SELECT COUNT(*) AS entries, SUM(size) AS bytes FROM holdall_nodes WHERE ${which}`,
    node.path,
    from,
    to,
  );
  run(
    storage,
    `DELETE FROM holdall_chunks WHERE content IN (SELECT content FROM holdall_nodes WHERE kind = 'file' AND (${which}))`,
    node.path,
    from,
    to,
  );
  run(storage, `DELETE FROM holdall_nodes WHERE ${which}`, node.path, from, to);
  reserve(database, node.path, -Number(sum?.bytes), -Number(sum?.entries));
}

/** Creates the directories that are missing above a place. */
function makeParents(database: Database, asked: string, { path, above }: Place): void {
  const missing: string[] = [];
  for (
    let at = path.slice(0, path.lastIndexOf("/"));
    at !== "" && at !== above?.path;
    at = at.slice(0, at.lastIndexOf("/"))
  )
    missing.push(at);
  if (missing.length === 0) return;
  reserve(database, asked, 0, missing.length);
  for (const each of missing.reverse()) {
    const facts = { size: 0, modifiedAt: database.clock(), change: nextChange(database), content: null, target: null };
    putNode(database, { path: each, kind: "directory", ...facts });
  }
  if (above !== undefined) touch(database, above.path);
}

function putNode({ storage }: Database, { path, kind, size, modifiedAt, change, content, target }: NodeRow): void {
  run(
    storage,
    "INSERT OR REPLACE INTO holdall_nodes (path, parent, kind, size, modified_at, change, content, target) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    path,
    parentPath(path),
    kind,
    size,
    modifiedAt,
    change,
    content,
    target,
  );
}

/** Notes that the entries of a directory have changed. */
function touch(database: Database, path: string): void {
  run(
    database.storage,
    "UPDATE holdall_nodes SET modified_at = ?, change = ? WHERE path = ?",
    database.clock(),
    nextChange(database),
    path,
  );
}
