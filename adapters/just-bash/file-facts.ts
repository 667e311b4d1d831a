/** Modes and times that commands set: the file system port has neither, so the shell keeps them beside it. */

import { isInside } from "holdall";
import { MAX_FILE_FACTS } from "./limits.ts";
import type { Look } from "./shell-files.ts";

/** What was set for one path. */
export interface FileFact {
  /** The permission bits, such as 0o755. */
  mode?: number;
  /** The time that was set, in milliseconds since 1970. */
  time?: number;
  /** The host's time and size when the time was set; the time holds as long as they do. */
  basis?: { modifiedAt: number; size: number };
}

/** Facts by absolute path; plain JSON. */
export type FileFacts = Readonly<Record<string, FileFact>>;

/** The table of one shell. */
export interface FactTable {
  mode(path: string, look: Look): number;
  time(path: string, look: Look): number;
  setMode(path: string, mode: number): void;
  setTime(path: string, time: number, look: Look): void;
  /** Copies or moves what is known of a path and all below it. */
  carry(from: string, to: string, move: boolean): void;
  /** Forgets a path and all below it. */
  drop(path: string): void;
  /** The whole table. */
  all(): FileFacts;
  /** What has changed since the table was made; null: forgotten. */
  changes(): [path: string, fact: FileFact | null][];
  /** Takes over the changes of another table. */
  apply(changes: readonly [path: string, fact: FileFact | null][]): void;
}

const defaultModes = { directory: 0o755, file: 0o644, symlink: 0o777, other: 0o666 } as const;

/** Makes a table that starts with some facts. */
export function createFactTable(start: FileFacts = {}): FactTable {
  const facts = new Map(Object.entries(start));
  const changed = new Map<string, FileFact | null>();
  const put = (path: string, fact: FileFact | null): void => {
    facts.delete(path);
    if (fact === null) {
      // What was never told needs no taking back, or the list of changes would grow with every file.
      if (Object.hasOwn(start, path)) changed.set(path, null);
      else changed.delete(path);
      return;
    }
    changed.set(path, fact);
    facts.set(path, fact);
    for (const oldest of facts.keys()) {
      if (facts.size <= MAX_FILE_FACTS) break;
      facts.delete(oldest);
      changed.delete(oldest);
    }
  };
  const below = (path: string): [string, FileFact][] => [...facts].filter(([other]) => isInside(other, path));
  return {
    mode: (path, look) => facts.get(path)?.mode ?? defaultModes[look.kind],
    time: (path, look) => {
      const fact = facts.get(path);
      const holds = fact?.basis?.modifiedAt === look.modifiedAt && fact.basis.size === look.size;
      return holds ? (fact.time ?? look.modifiedAt) : look.modifiedAt;
    },
    setMode: (path, mode) => put(path, { ...facts.get(path), mode: mode & 0o7777 }),
    setTime: (path, time, { modifiedAt, size }) => put(path, { ...facts.get(path), time, basis: { modifiedAt, size } }),
    carry: (from, to, move) => {
      for (const [path, fact] of below(from)) {
        put(to + path.slice(from.length), fact);
        if (move) put(path, null);
      }
    },
    drop: (path) => {
      for (const [other] of below(path)) put(other, null);
    },
    all: () => Object.fromEntries(facts),
    changes: () => [...changed],
    apply: (changes) => {
      for (const [path, fact] of changes) put(path, fact);
    },
  };
}
