/** The shapes of answers, checked where they arrive: at the client. */

import type {
  DirEntry,
  FileKind,
  FileStat,
  FsChange,
  GlobResult,
  GrepResult,
  ReadResult,
  ShellExit,
  ShellOutput,
  WalkEntry,
} from "holdall";
import * as v from "valibot";
import { MAX_ITEMS, MAX_LIST, MAX_PATH, MAX_STATS, MAX_TEXT } from "./limits.ts";
import type { AskMethod, Asks, BackendFacts, StatOutcome, StreamMethod, Streams, WireError } from "./protocol.ts";
import { bytes, count, finite, listOf, maybe, type Reader, reader, text } from "./shapes.ts";

/** The most files or matches in one answer. */
const MAX_FOUND = 1_000_000;

/** The longest piece of output, in UTF-16 units. */
const MAX_PIECE: number = 64 << 20;

const path = text(MAX_PATH);
const kind: v.GenericSchema<unknown, FileKind> = v.picklist(["file", "directory", "symlink", "other"]);

const statSchema: v.GenericSchema<unknown, FileStat> = v.object({
  kind,
  size: count,
  modifiedAt: finite,
  version: path,
});

const errorSchema: v.GenericSchema<unknown, WireError> = v.object({
  code: v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9_]{0,63}$/)),
  message: text(MAX_TEXT),
  data: v.optional(v.record(text(MAX_PATH), v.unknown())),
  retryable: v.optional(v.boolean()),
});

const entryFields = {
  // Whoever joins names to paths must not be led elsewhere by one.
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_PATH), v.check(isPlainName)),
  kind,
  size: v.exactOptional(count),
  modifiedAt: v.exactOptional(finite),
};

const globSchema: v.GenericSchema<unknown, GlobResult> = v.object({
  matches: listOf(v.object({ path, size: count, modifiedAt: finite }), MAX_FOUND),
  truncated: v.boolean(),
});

const grepLine = v.object({
  line: count,
  text: v.string(),
  kind: v.picklist(["match", "context"]),
  cut: v.boolean(),
});

const grepSchema: v.GenericSchema<unknown, GrepResult> = v.object({
  files: listOf(v.object({ path, matches: listOf(grepLine, MAX_FOUND), count }), MAX_FOUND),
  truncated: v.boolean(),
  timedOut: v.boolean(),
  searched: count,
  skipped: v.object({ binary: count, large: count, unreadable: count }),
});

const factsSchema: v.GenericSchema<unknown, BackendFacts> = v.object({
  protocol: count,
  name: path,
  os: v.picklist(["posix", "windows"]),
  cwd: path,
  home: v.optional(path),
  readOnly: v.boolean(),
  shell: v.boolean(),
  symlink: v.boolean(),
  readLink: v.boolean(),
  watch: v.boolean(),
});

const outcomes: v.GenericSchema<unknown, StatOutcome[]> = listOf(
  v.object({ stat: maybe(statSchema), error: v.optional(errorSchema) }),
  MAX_STATS,
);

/** JSON has no undefined. */
const nothing: Reader<undefined> = reader("an answer", maybe(v.never()));

const statShape = reader("a stat", maybe(statSchema));

/** The answer that comes most often is looked at without the detour over its shape. */
function readStatAnswer(value: unknown): FileStat | undefined {
  if (typeof value !== "object" || value === null) return statShape(value);
  const { kind: what, size, modifiedAt, version }: { [K in keyof FileStat]?: unknown } = value;
  const isKnown = what === "file" || what === "directory";
  if (!isKnown || typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) return statShape(value);
  if (typeof modifiedAt !== "number" || !Number.isFinite(modifiedAt)) return statShape(value);
  if (typeof version !== "string" || version.length > MAX_PATH) return statShape(value);
  return { kind: what, size, modifiedAt, version };
}

const answers: { [M in AskMethod]: Reader<Asks[M]["gives"]> } = {
  hello: reader("the greeting", factsSchema),
  stat: readStatAnswer,
  statMany: reader("a list of stats", outcomes),
  read: reader<ReadResult>("what was read", v.object({ bytes, version: path })),
  write: reader("what was written", statSchema),
  makeDirectory: nothing,
  remove: nothing,
  rename: nothing,
  symlink: nothing,
  readLink: reader("the target of a symlink", path),
  realpath: reader("a real path", path),
  glob: reader("what a glob found", globSchema),
  grep: reader("what a grep found", grepSchema),
};

const items: { [M in StreamMethod]: Reader<Streams[M]["items"][]> } = {
  list: many<DirEntry>("an entry", v.object(entryFields)),
  walk: many<WalkEntry>("an entry", v.object({ ...entryFields, path })),
  watch: many<FsChange>("a change", v.object({ path, kind: v.picklist(["written", "removed"]) })),
  readStream: many("a chunk", bytes),
  run: many<ShellOutput>(
    "a piece of output",
    v.object({ stream: v.picklist(["stdout", "stderr"]), text: text(MAX_PIECE) }),
  ),
};

const ends: { [M in StreamMethod]: Reader<Streams[M]["ends"]> } = {
  list: nothing,
  walk: nothing,
  watch: nothing,
  readStream: nothing,
  run: reader<ShellExit>(
    "the end of a command",
    v.object({
      code: v.nullable(v.pipe(v.number(), v.safeInteger())),
      signal: v.exactOptional(text(100)),
      timedOut: v.boolean(),
      truncated: v.boolean(),
      cwd: v.exactOptional(path),
    }),
  ),
};

/** Reads the answer to a call. */
export function readAnswer<M extends AskMethod>(method: M, value: unknown): Asks[M]["gives"] {
  return answers[method](value);
}

/** Reads some pieces of an answer. */
export function readItems<M extends StreamMethod>(method: M, value: unknown): Streams[M]["items"][] {
  return items[method](value);
}

/** Reads how an answer in pieces ended. */
export function readEnd<M extends StreamMethod>(method: M, value: unknown): Streams[M]["ends"] {
  return ends[method](value);
}

/** Reads an error. */
export const readError: Reader<WireError> = reader("an error", errorSchema);

/** Reads what a file is after it was written. */
export const readStat: Reader<FileStat> = reader("what was written", statSchema);

function many<T>(what: string, item: v.GenericSchema<unknown, T>): Reader<T[]> {
  return reader(what, listOf(item, Math.max(MAX_ITEMS, MAX_LIST)));
}

function isPlainName(name: string): boolean {
  return !/[/\0]/.test(name) && name !== "." && name !== "..";
}
