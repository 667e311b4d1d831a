/** The files of a search, read without waiting: a turn of the event loop for each takes longer than reading it. */

import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type DirEntry, type FileStat, type GlobHost, isInside, type ReadResult, type SearchHost } from "holdall";
import { isDraftName } from "../files/draft-name.ts";
import { kindOf } from "../files/facts.ts";
import { errorNumber, hostError, isMissing } from "../files/host-error.ts";
import { isDoubtful, textName } from "../files/list-directory.ts";
import { lookAhead } from "./look-ahead.ts";
import type { Ripgrep } from "./ripgrep.ts";
import type { SearchGround } from "./search-ground.ts";
import { createSyncReader } from "./sync-read.ts";

/** What is known of files that need not be searched; one of them is taken for an empty file. */
export interface SearchHints {
  /** A text without which a file has no match. */
  required?: string | undefined;
  helper?: Ripgrep | undefined;
}

/** Bytes of a folder itself, where the host counts them, from which on it is not listed in one go: some thousand entries. */
const LARGE_FOLDER = 128 << 10;

/** Entries of a large folder that are listed together. */
const ENTRIES_AT_ONCE = 256;

/** Makes the files of a search. Bytes are lent until the next read. */
export function syncHost(ground: SearchGround, hints: SearchHints = {}): GlobHost & SearchHost {
  const isMoved = ground.real !== ground.path;
  const toReal = (path: string): string =>
    isMoved && isInside(path, ground.path)
      ? ground.real + path.slice(ground.path === "/" ? 0 : ground.path.length)
      : path;
  const readFile = createSyncReader(ground);
  return {
    stat: async (path) => statSyncAt(ground, path, toReal(path)),
    list: (path) => {
      try {
        return listAt(ground, path, toReal(path));
      } catch (error) {
        // A folder that may not be looked into ends no search, unless it is the one that is searched.
        if (path !== ground.path && isForbidden(error)) return [];
        throw hostError(error, path);
      }
    },
    lookAhead: () => lookAhead((path) => ground.paths.toHost(toReal(path))),
    // Node's own turn of the event loop: a message takes several times as long.
    rest: nextTurn,
    readsAhead: 0,
    read: (path, { length = Number.MAX_SAFE_INTEGER, signal } = {}) => {
      const real = toReal(path);
      // Rules are read for what they say, and a little later than they are asked for.
      if (path.endsWith("/.gitignore")) return copied(readFile({ path, real, length, required: undefined }, signal));
      if (hints.helper?.rulesOut(ground.paths.toHost(real)) === true) return { bytes: nothing, version: "" };
      return readFile({ path, real, length, required: hints.required }, signal);
    },
  };
}

/** Copies before anything else is read. */
function copied(reading: ReadResult | Promise<ReadResult>): ReadResult | Promise<ReadResult> {
  const copy = ({ bytes, version }: ReadResult): ReadResult => ({ bytes: new Uint8Array(bytes), version });
  return "then" in reading ? reading.then(copy) : copy(reading);
}

const nothing = new Uint8Array(0);

function statSyncAt({ paths, boundary }: SearchGround, path: string, real: string): FileStat | undefined {
  try {
    const host = paths.toHost(real);
    let facts: Stats | undefined = lstatSync(host, { throwIfNoEntry: false });
    // Outside of the place that is searched, symlinks may stand on the way as well.
    if (facts?.isSymbolicLink() || !boundary.contains(real)) {
      const target = realpathSync.native(host);
      boundary.check(paths.fromHost(target), path);
      facts = statSync(target, { throwIfNoEntry: false });
    }
    return (
      facts && {
        kind: kindOf(facts),
        size: facts.isDirectory() ? 0 : facts.size,
        modifiedAt: Math.floor(facts.mtimeMs),
        version: "",
      }
    );
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw hostError(error, path);
  }
}

function listAt({ paths, boundary, openFiles }: SearchGround, path: string, real: string): Iterable<DirEntry> {
  const host = paths.toHost(real);
  if (openFiles === undefined) {
    boundary.check(paths.fromHost(realpathSync.native(host)), path);
    return statSync(host).size > LARGE_FOLDER ? manyEntriesOf(host, path) : entriesOf(host);
  }
  const file = openSync(host, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  let isLent = false;
  try {
    boundary.check(readlinkSync(`${openFiles}/${file}`), path);
    if (fstatSync(file).size <= LARGE_FOLDER) return entriesOf(`${openFiles}/${file}`);
    isLent = true;
    return manyEntriesOf(`${openFiles}/${file}`, path, () => closeSync(file));
  } finally {
    if (!isLent) closeSync(file);
  }
}

function isForbidden(error: unknown): boolean {
  return ["EACCES", "EPERM"].includes(errorNumber(error));
}

function entriesOf(host: string): DirEntry[] {
  const entries: DirEntry[] = [];
  for (const entry of readdirSync(host, { withFileTypes: true })) {
    if (isDoubtful(entry.name)) return exactEntriesOf(host);
    if (!isDraftName(entry.name)) entries.push(entryOf(entry));
  }
  return entries;
}

/** Lists a folder that may have very many entries, some at a time: whoever takes them can pause. */
function* manyEntriesOf(
  host: string,
  path: string,
  close: () => void = () => {},
): Generator<DirEntry, void, undefined> {
  try {
    const folder = opendirSync(host, { bufferSize: ENTRIES_AT_ONCE });
    let isExact = true;
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
        if (isDoubtful(entry.name)) isExact = false;
        else if (!isDraftName(entry.name)) yield entryOf(entry);
      }
    } finally {
      folder.closeSync();
    }
    if (!isExact) yield* exactEntriesOf(host).filter(({ name }) => isDoubtful(name));
  } catch (error) {
    throw hostError(error, path);
  } finally {
    close();
  }
}

function exactEntriesOf(host: string): DirEntry[] {
  return readdirSync(host, { withFileTypes: true, encoding: "buffer" }).flatMap((entry) => {
    const name = textName(entry.name);
    return name === undefined || isDraftName(name) ? [] : [{ name, kind: kindOf(entry) }];
  });
}

function entryOf(entry: Dirent): DirEntry {
  return { name: entry.name, kind: kindOf(entry) };
}
