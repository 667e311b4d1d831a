/** Writes trees and changes of an overlay as JSON, and reads them back; what cannot be meant is refused. */

import { HoldallError } from "holdall";
import { type DirectoryNode, type Entry, NOTHING, type OverlayNode, type Put, type Seen } from "./tree.ts";

/** A change as it is kept until the tree is written anew. */
export interface ChangeRecord {
  /** Milliseconds since 1970. */
  time: number;
  /** The highest number that any change had afterwards. */
  change: number;
  puts: readonly Put[];
  /** The checkpoint that is made after the puts. */
  checkpoint?: string;
  /** The checkpoint whose tree comes back before the puts. */
  rewind?: string;
  /** Whether all checkpoints are forgotten. */
  forget?: boolean;
}

/** Trees that share nodes, as one table. */
export interface TreeImage {
  /** The highest number that any change had. */
  change: number;
  root: DirectoryNode;
  checkpoints: Map<string, DirectoryNode>;
}

/** Writes a change. */
export function encodeRecord({ puts, ...rest }: ChangeRecord): string {
  const table = createTable();
  const list = puts.map(([path, entry]) => [path, entry === undefined ? null : table.entry(entry)]);
  return JSON.stringify({ ...rest, nodes: table.rows, puts: list });
}

/** Reads a change. */
export function decodeRecord(value: unknown, epoch: number): ChangeRecord {
  const record = object(value);
  const nodes = decodeNodes(record.nodes, epoch);
  return {
    time: number(record.time),
    change: number(record.change),
    puts: array(record.puts).map((put): Put => {
      const [path, entry] = array(put);
      return [text(path), entry === null ? undefined : decodeEntry(entry, nodes)];
    }),
    ...(record.checkpoint !== undefined && { checkpoint: text(record.checkpoint) }),
    ...(record.rewind !== undefined && { rewind: text(record.rewind) }),
    ...(record.forget === true && { forget: true }),
  };
}

/** Writes trees. */
export function encodeTrees({ change, root, checkpoints }: TreeImage): string {
  const table = createTable();
  const top = table.add(root);
  const kept = Array.from(checkpoints, ([id, tree]) => [id, table.add(tree)]);
  return JSON.stringify({ change, nodes: table.rows, root: top, checkpoints: kept });
}

/** Reads trees. */
export function decodeTrees(value: unknown, epoch: number): TreeImage {
  const image = object(value);
  const nodes = decodeNodes(image.nodes, epoch);
  const tree = (index: unknown): DirectoryNode => {
    const node = nodes[number(index)];
    return node?.kind === "directory" ? node : refuse("a root that is no directory");
  };
  return {
    change: number(image.change),
    root: tree(image.root),
    checkpoints: new Map(
      array(image.checkpoints).map((kept) => {
        const [id, index] = array(kept);
        return [text(id), tree(index)];
      }),
    ),
  };
}

/** Reads JSON that must be an object. */
export function parseObject(json: string): Record<string, unknown> {
  try {
    return object(JSON.parse(json));
  } catch (error) {
    return HoldallError.is(error) ? rethrow(error) : refuse("text that is no JSON");
  }
}

/** A row of the table; directories name their children, which come before them, by index. */
type Row = Record<string, unknown>;

function createTable(): { rows: Row[]; add(node: OverlayNode): number; entry(entry: Entry): unknown[] } {
  const rows: Row[] = [];
  const indexes = new Map<OverlayNode, number>();
  const add = (node: OverlayNode): number => {
    const known = indexes.get(node);
    if (known !== undefined) return known;
    rows.push(node.kind === "directory" ? rowOf(node) : { ...node });
    indexes.set(node, rows.length - 1);
    return rows.length - 1;
  };
  const entry = ({ node, seen }: Entry): unknown[] => {
    const index = node === undefined ? -1 : add(node);
    return seen === undefined ? [index] : [index, [...seen]];
  };
  const rowOf = ({ entries, epoch: _epoch, ...facts }: DirectoryNode): Row => ({
    ...facts,
    entries: Array.from(entries, ([name, each]) => [name, ...entry(each)]),
  });
  return { rows, add, entry };
}

function decodeNodes(rows: unknown, epoch: number): OverlayNode[] {
  const nodes: OverlayNode[] = [];
  for (const row of array(rows)) nodes.push(decodeNode(object(row), nodes, epoch));
  return nodes;
}

function decodeNode(row: Row, nodes: readonly OverlayNode[], epoch: number): OverlayNode {
  const facts = {
    modifiedAt: number(row.modifiedAt),
    change: number(row.change),
    ...(row.origin !== undefined && { origin: text(row.origin) }),
  };
  if (row.kind === "file") return { kind: "file", content: contentId(row.content), size: number(row.size), ...facts };
  if (row.kind === "symlink") return { kind: "symlink", target: text(row.target), ...facts };
  if (row.kind !== "directory") return refuse("a node of an unknown kind");
  const entries = array(row.entries).map((entry): [string, Entry] => {
    const [name, ...rest] = array(entry);
    return [nameOf(name), decodeEntry(rest, nodes)];
  });
  return { kind: "directory", entries: new Map(entries), opaque: row.opaque === true, epoch, ...facts };
}

function decodeEntry(value: unknown, nodes: readonly OverlayNode[]): Entry {
  const [index, marks] = array(value);
  // Children come before their directory, so nothing can contain itself.
  const node = index === -1 ? undefined : (nodes[number(index)] ?? refuse("a node that is not there"));
  return marks === undefined ? { node } : { node, seen: decodeSeen(marks) };
}

function decodeSeen(value: unknown): Seen {
  const marks = array(value).map((mark): [string, string] => {
    const [path, facts] = array(mark);
    return [text(path), text(facts)];
  });
  return marks.length === 0 ? NOTHING : new Map(marks);
}

function contentId(value: unknown): string {
  const id = text(value);
  return /^[\w-]+$/.test(id) ? id : refuse("an impossible content");
}

function nameOf(value: unknown): string {
  const name = text(value);
  return name === "" || name === "." || name === ".." || /[/\0]/.test(name) ? refuse("an impossible name") : name;
}

function object(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return refuse("no object");
  return { ...value };
}

function array(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : refuse("no list");
}

function text(value: unknown): string {
  return typeof value === "string" ? value : refuse("no text");
}

function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : refuse("no number");
}

function rethrow(error: Error): never {
  throw error;
}

function refuse(what: string): never {
  throw new HoldallError(
    "OVERLAY_UPPER_INVALID",
    `what is kept of the overlay has ${what} where it must not be. Give it the folder that an overlay wrote, or an empty one.`,
  );
}
