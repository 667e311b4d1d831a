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
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { type DirEntry, type FileStat, type GlobHost, isInside, type ReadResult, type SearchHost } from "holdall";
import type { Boundary } from "../files/boundary.ts";
import { isDraftName } from "../files/draft-name.ts";
import { kindOf } from "../files/facts.ts";
import { errorNumber, hostError, isMissing } from "../files/host-error.ts";
import { isDoubtful, textName } from "../files/list-directory.ts";
import { CAREFULLY } from "../files/open.ts";
import type { HostPaths } from "../paths/host-paths.ts";
import { lookAhead } from "./look-ahead.ts";
import type { Ripgrep } from "./ripgrep.ts";

/** What a search may look at. */
export interface SearchGround {
  paths: HostPaths;
  boundary: Boundary;
  /** Where this process sees what it has open; undefined where the host does not show it. */
  openFiles: string | undefined;
  /** The path that is searched, as the caller gave it. */
  path: string;
  /** The same without symlinks, inside the boundary. */
  real: string;
}

/** What is known of files that need not be searched; one of them is taken for an empty file. */
export interface SearchHints {
  /** A text without which a file has no match. */
  required?: string | undefined;
  helper?: Ripgrep | undefined;
}

/** Bytes that are read at first. */
const FIRST_BYTES = 128 << 10;

/** Bytes of a folder itself, where the host counts them, from which on it is not listed in one go: some thousand entries. */
const LARGE_FOLDER = 128 << 10;

/** Entries of a large folder that are listed together. */
const ENTRIES_AT_ONCE = 256;

/** Bytes that are looked at to tell text from binary, as the portable search does. */
const SNIFFED_BYTES = 8192;

/** Makes the files of a search. Bytes are lent until the next read. */
export function syncHost(ground: SearchGround, hints: SearchHints = {}): GlobHost & SearchHost {
  const isMoved = ground.real !== ground.path;
  const toReal = (path: string): string =>
    isMoved && isInside(path, ground.path)
      ? ground.real + path.slice(ground.path === "/" ? 0 : ground.path.length)
      : path;
  const buffer = { bytes: Buffer.allocUnsafeSlow(FIRST_BYTES) };
  const read = (path: string, length: number): Uint8Array => {
    const real = toReal(path);
    // Rules are read for what they say, and a little later than they are asked for.
    if (path.endsWith("/.gitignore")) return new Uint8Array(readAt(ground, path, real, buffer, length, undefined));
    if (hints.helper?.rulesOut(ground.paths.toHost(real)) === true) return nothing;
    return readAt(ground, path, real, buffer, length, hints.required);
  };
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
    read: (path, { length = Number.MAX_SAFE_INTEGER } = {}) =>
      ({ bytes: read(path, length), version: "" }) satisfies ReadResult,
  };
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

function listAt(
  { paths, boundary, openFiles }: SearchGround,
  path: string,
  real: string,
): DirEntry[] | AsyncIterable<DirEntry> {
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
async function* manyEntriesOf(
  host: string,
  path: string,
  close: () => void = () => {},
): AsyncGenerator<DirEntry, void, undefined> {
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

/** Reads the start of a file, as long as it may be. */
function readAt(
  { paths, boundary, openFiles }: SearchGround,
  path: string,
  real: string,
  buffer: { bytes: Buffer },
  length: number,
  required: string | undefined,
): Uint8Array {
  let file: number | undefined;
  try {
    file = openSync(paths.toHost(real), constants.O_RDONLY | CAREFULLY);
    const bytes = readWhole(file, buffer, length);
    // One that goes on is too large to be searched, and is told of as such.
    if (required !== undefined && bytes.length < length && !mayContain(bytes, required)) return bytes.subarray(0, 0);
    // Only now: what is not told of need not be asked about.
    const opened =
      openFiles === undefined
        ? paths.fromHost(realpathSync.native(paths.toHost(real)))
        : readlinkSync(`${openFiles}/${file}`);
    boundary.check(opened, path);
    return bytes;
  } catch (error) {
    throw hostError(error, path);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function readWhole(file: number, buffer: { bytes: Buffer }, length: number): Buffer {
  for (let size = 0; ; ) {
    const room = Math.min(buffer.bytes.length, length) - size;
    const got = readSync(file, buffer.bytes, size, room, size);
    size += got;
    // Files give as much as is asked for, until they end.
    if (got < room || size >= length) return buffer.bytes.subarray(0, size);
    const known = fstatSync(file).size + 1;
    const larger = Buffer.allocUnsafeSlow(Math.min(length, Math.max(known, 2 * buffer.bytes.length)));
    buffer.bytes.copy(larger, 0, 0, size);
    buffer.bytes = larger;
  }
}

/** Tells whether the bytes have to be looked at as text. What is no plain UTF-8 always has. */
function mayContain(bytes: Buffer, required: string): boolean {
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  if (mark === 0xfffe || mark === 0xfeff) return true;
  return bytes.includes(required, 0, "latin1") || bytes.subarray(0, SNIFFED_BYTES).includes(0);
}
