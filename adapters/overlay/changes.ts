/** Lists what an overlay would change in its base, with the differences of texts. */

import { type FileKind, type FsOptions, resolvePath, unifiedDiff } from "holdall";
import { signalOf } from "./base-facts.ts";
import { compareRegion, type Difference, isChosen, regionsOf } from "./differences.ts";
import type { Session } from "./session.ts";
import type { OverlayState } from "./upper.ts";

/** What to list. */
export interface ChangesOptions extends FsOptions {
  /** Absolute paths, without symlinks on the way; what is there or below is listed. Defaults to everything. */
  paths?: readonly string[];
  /** Whether differences of texts are made. Defaults to true. */
  diff?: boolean;
  /** UTF-16 units of each diff; hunks beyond them are left out. Defaults to 100,000. */
  maxDiffLength?: number;
}

/** One change. */
export interface OverlayChange {
  kind: "created" | "modified" | "deleted" | "renamed";
  /** Where it is; of something deleted, where it was. */
  path: string;
  /** Where it was, of something renamed; its content may have changed as well. */
  from?: string;
  /** What it is; of something deleted, what it was. */
  entry: FileKind;
  /** Bytes in the base. */
  oldSize?: number;
  /** Bytes in the overlay. */
  newSize?: number;
  /** A unified diff, of texts up to {@link MAX_DIFF_BYTES}; left out for anything else. */
  diff?: string;
  /** Lines that are new, where there is a diff. */
  added?: number;
  /** Lines that are gone, where there is a diff. */
  removed?: number;
  /** Whether hunks of the diff were left out. */
  diffTruncated?: true;
  /** Whether the base has changed there meanwhile, so that a commit would fail. */
  conflict?: true;
}

/** Files with more bytes have no diff: 1 MiB. */
export const MAX_DIFF_BYTES: number = 1 << 20;

/** Lists the changes by path. */
export async function listChanges(
  session: Session,
  state: OverlayState,
  options: ChangesOptions,
): Promise<OverlayChange[]> {
  const chosen = plainPaths(options);
  const found: Difference[] = [];
  // All regions, because something chosen may have come from elsewhere.
  for (const region of regionsOf(state.root, undefined)) {
    for (const each of await compareRegion(session, region, undefined, signalOf(options))) {
      if (!each.isEqual) found.push(each);
    }
  }
  const changes: OverlayChange[] = [];
  for (const pair of pairRenames(found)) {
    if (!isChosen(pair.difference.path, chosen)) continue;
    options.signal?.throwIfAborted();
    changes.push(await describe(session, pair, options));
  }
  return changes.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Makes chosen paths plain. They are taken literally, because what is gone may lie below what is now a symlink. */
export function plainPaths({ paths }: { paths?: readonly string[] }): string[] | undefined {
  return paths?.map((path) => resolvePath(path));
}

interface Pair {
  difference: Difference;
  /** What was deleted where it came from. */
  source?: Difference;
}

/** Finds what was moved: something new that came from a place where now something is gone. */
function pairRenames(differences: readonly Difference[]): Pair[] {
  const deleted = new Map(differences.filter(({ after }) => after === undefined).map((each) => [each.path, each]));
  const pairs: Pair[] = [];
  for (const difference of differences) {
    const { before, after } = difference;
    if (after === undefined) continue;
    const source = before === undefined && after.origin !== undefined ? deleted.get(after.origin) : undefined;
    const isMoved = source?.before?.kind === after.kind;
    if (isMoved && source !== undefined) deleted.delete(source.path);
    pairs.push(isMoved && source !== undefined ? { difference, source } : { difference });
  }
  return [...pairs, ...Array.from(deleted.values(), (difference) => ({ difference }))];
}

async function describe(
  session: Session,
  { difference, source }: Pair,
  options: ChangesOptions,
): Promise<OverlayChange> {
  const { path, after } = difference;
  const before = difference.before ?? source?.before;
  const isConflict = difference.isConflict || source?.isConflict === true;
  const kind =
    source !== undefined
      ? "renamed"
      : after === undefined
        ? "deleted"
        : difference.before === undefined
          ? "created"
          : "modified";
  return {
    kind,
    path,
    ...(source && { from: source.path }),
    entry: after?.kind ?? before?.kind ?? "other",
    ...(before?.kind === "file" && { oldSize: before.size }),
    ...(after?.kind === "file" && { newSize: after.size }),
    ...(options.diff !== false && (await diffOf(session, difference, source, options))),
    ...(isConflict && { conflict: true as const }),
  };
}

async function diffOf(
  session: Session,
  { path, before: there, after }: Difference,
  source: Difference | undefined,
  options: ChangesOptions,
): Promise<Pick<OverlayChange, "diff" | "added" | "removed" | "diffTruncated">> {
  const before = there ?? source?.before;
  if (after?.kind !== "file" && before?.kind !== "file") return {};
  const from = source?.path ?? path;
  const old = before?.kind === "file" ? await textOf(before.size, () => readBase(session, from, options)) : "";
  const now = after?.kind === "file" ? await textOf(after.size, () => session.upper.read(after.content, {})) : "";
  if (old === undefined || now === undefined) return {};
  const length = options.maxDiffLength === undefined ? {} : { maxLength: options.maxDiffLength };
  const diff = unifiedDiff(before?.kind === "file" ? old : undefined, now, path, length);
  return {
    diff: renameHeader(diff.text, from, path, after?.kind === "file"),
    added: diff.added,
    removed: diff.removed,
    ...(diff.truncated && { diffTruncated: true as const }),
  };
}

/** Names the old path, and nothing in the place of what is gone. */
function renameHeader(diff: string, from: string, to: string, isThere: boolean): string {
  const [old, name] = [from.slice(1), to.slice(1)];
  const header = `--- a/${name}\n+++ b/${name}\n`;
  if (!diff.startsWith(header)) return diff;
  return `--- a/${old}\n+++ ${isThere ? `b/${name}` : "/dev/null"}\n${diff.slice(header.length)}`;
}

async function readBase({ base }: Session, path: string, options: ChangesOptions): Promise<Uint8Array> {
  return (await base.read(path, signalOf(options))).bytes;
}

/** Reads a text; undefined when it is too large or no text. */
async function textOf(size: number, read: () => Promise<Uint8Array>): Promise<string | undefined> {
  if (size > MAX_DIFF_BYTES) return undefined;
  const bytes = await read();
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
