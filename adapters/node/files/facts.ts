/** What the host knows about a file, as the port tells it. */

import type { BigIntStats } from "node:fs";
import type { FileKind, FileStat } from "holdall";

/** What tells kinds apart: stats and directory entries. */
interface KindFacts {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** Gives the kind of what the host describes. */
export function kindOf(facts: KindFacts): FileKind {
  if (facts.isFile()) return "file";
  if (facts.isDirectory()) return "directory";
  return facts.isSymbolicLink() ? "symlink" : "other";
}

/** Gives the facts of the port. */
export function statOf(facts: BigIntStats): FileStat {
  const kind = kindOf(facts);
  return {
    kind,
    size: kind === "directory" ? 0 : Number(facts.size),
    modifiedAt: Number(facts.mtimeMs),
    version: versionOf(facts),
  };
}

/**
 * Gives the version of a file: which file it is, how long, when its content and when its entry changed, to the
 * nanosecond. Every process that looks at the same file gets the same.
 */
export function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].map((number) => number.toString(36)).join(".");
}

/** Tells whether the content of an open file is still the same; its entry may have changed. */
export function isSameContent(before: BigIntStats, after: BigIntStats): boolean {
  return before.mtimeNs === after.mtimeNs && before.size === after.size;
}
