/** The tables of a workspace, and the few statements that read and count. */

import { fsError, HoldallError } from "holdall";
import type { DurableStorage, SqlRow, SqlValue } from "./types.ts";

/** One file, directory or symlink. */
export interface NodeRow {
  path: string;
  kind: "file" | "directory" | "symlink";
  size: number;
  modifiedAt: number;
  /** The number of the change that gave it its content. */
  change: number;
  /** What its chunks are filed under; null for anything but a file. */
  content: number | null;
  target: string | null;
}

/** How large a workspace may become. */
export interface WorkspaceLimits {
  /** Bytes of all files together, uploads under way included. */
  maxBytes: number;
  /** Files, directories and symlinks. */
  maxEntries: number;
}

/** An open workspace. */
export interface Database {
  readonly storage: DurableStorage;
  readonly limits: WorkspaceLimits;
  readonly clock: () => number;
  /** What makes its versions different from those of any other workspace. */
  readonly name: string;
}

/** Bytes of one chunk: a row may have two million, its other columns included. */
export const CHUNK_BYTES: number = 1 << 20;

/** The form of the tables; another one is refused. */
const FORMAT = 1;

const TABLES = [
  `CREATE TABLE IF NOT EXISTS holdall_facts (
    id INTEGER PRIMARY KEY CHECK (id = 1), format INTEGER NOT NULL, name TEXT NOT NULL,
    change INTEGER NOT NULL, bytes INTEGER NOT NULL, entries INTEGER NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS holdall_nodes (
    path TEXT PRIMARY KEY, parent TEXT NOT NULL, kind TEXT NOT NULL, size INTEGER NOT NULL,
    modified_at INTEGER NOT NULL, change INTEGER NOT NULL, content INTEGER, target TEXT) WITHOUT ROWID`,
  "CREATE INDEX IF NOT EXISTS holdall_children ON holdall_nodes (parent, path)",
  `CREATE TABLE IF NOT EXISTS holdall_chunks (
    content INTEGER NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (content, part))`,
  `CREATE TABLE IF NOT EXISTS holdall_uploads (
    content INTEGER PRIMARY KEY, bytes INTEGER NOT NULL, touched_at INTEGER NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS holdall_keys (
    key TEXT PRIMARY KEY, call TEXT NOT NULL, outcome TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID`,
  "CREATE INDEX IF NOT EXISTS holdall_key_ages ON holdall_keys (at)",
];

const NODE = "path, kind, size, modified_at, change, content, target";

/** Opens a workspace, and makes its tables when it is new. */
export function openDatabase(storage: DurableStorage, limits: WorkspaceLimits, clock: () => number): Database {
  return storage.transactionSync(() => {
    for (const table of TABLES) run(storage, table);
    const facts = first(storage, "SELECT format, name FROM holdall_facts");
    if (facts !== undefined && facts.format !== FORMAT) throw otherFormat();
    const name = facts === undefined ? randomName() : String(facts.name);
    if (facts === undefined) {
      run(storage, "INSERT INTO holdall_facts VALUES (1, ?, ?, 0, 0, 0)", FORMAT, name);
      run(
        storage,
        "INSERT INTO holdall_nodes (path, parent, kind, size, modified_at, change) VALUES ('/', '', 'directory', 0, ?, 0)",
        clock(),
      );
    }
    return { storage, limits, clock, name };
  });
}

/** Runs a statement for what it does. */
export function run(storage: DurableStorage, query: string, ...bindings: (SqlValue | ArrayBufferView)[]): void {
  for (const _row of storage.sql.exec(query, ...bindings)) break;
}

/** Gives the first row of a query. */
export function first(storage: DurableStorage, query: string, ...bindings: SqlValue[]): SqlRow | undefined {
  for (const row of storage.sql.exec(query, ...bindings)) return row;
  return undefined;
}

/** Finds the node at exactly a path. */
export function nodeAt({ storage }: Database, path: string): NodeRow | undefined {
  const row = first(storage, `SELECT ${NODE} FROM holdall_nodes WHERE path = ?`, path);
  return row && toNode(row);
}

/** Gives the nodes in a directory, by name. */
export function childrenOf({ storage }: Database, path: string): NodeRow[] {
  const rows = storage.sql.exec(`SELECT ${NODE} FROM holdall_nodes WHERE parent = ? ORDER BY path`, path);
  return Array.from(rows, toNode);
}

/** Gives the bounds of all paths below a directory: from the first, up to the second. No character is a wildcard there. */
export function rangeBelow(path: string): [from: string, to: string] {
  // The character after the slash is the zero.
  return path === "/" ? ["/", "0"] : [`${path}/`, `${path}0`];
}

/** Takes the number of a new change. */
export function nextChange({ storage }: Database): number {
  return Number(first(storage, "UPDATE holdall_facts SET change = change + 1 RETURNING change")?.change);
}

/** Takes room, or gives it back; fails with `FS_NO_SPACE` before it is taken when there is none. */
export function reserve({ storage, limits }: Database, path: string, bytes: number, entries: number): void {
  const now = first(
    storage,
    "UPDATE holdall_facts SET bytes = bytes + ?, entries = entries + ? RETURNING bytes, entries",
    bytes,
    entries,
  );
  // The transaction takes it back.
  if ((bytes > 0 && Number(now?.bytes) > limits.maxBytes) || (entries > 0 && Number(now?.entries) > limits.maxEntries))
    throw fsError("FS_NO_SPACE", path);
}

/** Gives the version of a node: a state may outlive the files it speaks of, so no two workspaces share one. */
export function versionOf({ name }: Database, { change }: NodeRow): string {
  return `${name}.${change.toString(36)}`;
}

/** Runs a change in a transaction; what the database itself refuses is told as the port promises. */
export function transact<T>({ storage }: Database, path: string, change: () => T): T {
  try {
    return storage.transactionSync(change);
  } catch (error) {
    throw asSpaceError(error, path);
  }
}

/** Makes `FS_NO_SPACE` of what the database says when it is full. */
export function asSpaceError(error: unknown, path: string): unknown {
  if (HoldallError.is(error) || !(error instanceof Error)) return error;
  return /SQLITE_FULL|database or disk is full|storage limit/i.test(error.message)
    ? fsError("FS_NO_SPACE", path, undefined, error)
    : error;
}

function toNode({ path, kind, size, modified_at, change, content, target }: SqlRow): NodeRow {
  return {
    path: String(path),
    kind: kind === "file" || kind === "symlink" ? kind : "directory",
    size: Number(size),
    modifiedAt: Number(modified_at),
    change: Number(change),
    content: typeof content === "number" ? content : null,
    target: typeof target === "string" ? target : null,
  };
}

function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function otherFormat(): HoldallError {
  return new HoldallError(
    "WORKSPACE_FORMAT",
    "the storage holds a workspace of another version of this package. Use that version, or another object.",
  );
}
