/** Searches files for a pattern, over any file system. */

import { abortable, hostTimers, startDeadline, type Timers } from "../base/abort.ts";
import { HoldallError } from "../base/errors.ts";
import type { LongText } from "../base/long-text.ts";
import { type Breather, type BreatherOptions, CHECK_UNITS, createBreather, takeInTurns } from "./breather.ts";
import type { FileSystemParts, WalkEntry } from "./file-system.ts";
import { fileTypes } from "./file-types.ts";
import { checkCount } from "./fs-arguments.ts";
import { fsError } from "./fs-error.ts";
import { type IgnoreHost, respectingGitIgnore } from "./gitignore.ts";
import { linesAround } from "./grep-lines.ts";
import { type GrepPattern, prepareGrepPattern } from "./grep-pattern.ts";
import { scanText } from "./grep-scan.ts";
import type { LineHit } from "./line-hits.ts";
import { anyOf, type PathFilter, unitsOfPatterns } from "./path-filter.ts";
import { createReadAhead } from "./read-ahead.ts";
import {
  DEFAULT_GREP_DEADLINE,
  DEFAULT_GREP_LIMIT,
  DEFAULT_LINE_LENGTH,
  type GrepLine,
  type GrepMode,
  type GrepQuery,
  type GrepResult,
  MAX_GREP_CONTEXT,
  MAX_GREP_FILE_BYTES,
  MAX_GREP_TEXT,
  VERSION_CONTROL,
} from "./search.ts";
import { decodeSteps, decodeText, PIECE_BYTES } from "./text-file.ts";
import { walkRuns } from "./walk.ts";

/** What a search needs of a file system. */
export interface SearchHost extends Pick<FileSystemParts, "list">, Pick<BreatherOptions, "rest">, IgnoreHost {
  /** The text of bytes that never change, where the host keeps it for files that are searched again and again. */
  texts?: TextMemory;
}

/** Remembers the text of bytes, by their identity. */
export interface TextMemory {
  get(bytes: Uint8Array): LongText | undefined;
  set(bytes: Uint8Array, text: LongText): void;
}

/** What a test replaces. */
export interface GrepSeams {
  breather?: Breather;
  timers?: Timers;
}

/** What a line costs of {@link MAX_GREP_TEXT} beside its text. */
const LINE_UNITS = 32;

/** Lines that are given in one step. */
const STEP_LINES = 512;

/**
 * Searches as the port's `grep` promises.
 *
 * @param host The file system; its paths are resolved already.
 * @param query What to search for; its path is resolved already.
 * @param seams What a test replaces.
 */
export async function grepFiles(host: SearchHost, query: GrepQuery, seams: GrepSeams = {}): Promise<GrepResult> {
  const breather = seams.breather ?? createBreather(host.rest && { rest: host.rest });
  const result = emptyResult();
  const deadline = startDeadline(
    query.signal,
    query.deadlineMs ?? DEFAULT_GREP_DEADLINE,
    "the search",
    seams.timers ?? hostTimers,
  );
  try {
    const work = startSearch(query, result, breather).then((search) => searchPath(host, search, deadline.signal));
    await abortable(work, deadline.signal);
  } catch (error) {
    if (!deadline.expired) throw error;
    result.timedOut = true;
  } finally {
    deadline.close();
  }
  // A copy: what still goes on after the deadline must not change it.
  return { ...result, files: [...result.files], skipped: { ...result.skipped } };
}

function emptyResult(): GrepResult {
  const skipped = { binary: 0, large: 0, unreadable: 0 };
  return { files: [], truncated: false, timedOut: false, searched: 0, skipped };
}

async function searchPath(host: SearchHost, search: Search, signal: AbortSignal): Promise<void> {
  const { query, result, breather } = search;
  const root = await host.stat(query.path, { signal });
  if (root === undefined) throw fsError("FS_NOT_FOUND", query.path);
  const ahead = createReadAhead(host, {
    length: MAX_GREP_FILE_BYTES + 1,
    signal,
    take: (path, bytes) => {
      signal.throwIfAborted();
      return searchBytes(host, search, path, bytes, signal);
    },
  });
  if (root.kind === "directory") {
    const walk = {
      signal,
      breather,
      units: () => search.units,
      omits: (entry: WalkEntry) => isLeftOut(search, entry),
    };
    const options = query.includeIgnored === true ? walk : respectingGitIgnore(host, query.path, walk);
    for await (const { entries } of walkRuns(host, query.path, options)) {
      for (const entry of entries) {
        if (entry.kind !== "file" || !search.isSearched(entry.path)) continue;
        const wait = ahead.add(entry.path, entry.size);
        if (wait !== undefined) await wait;
        if (result.truncated) return;
      }
    }
  } else await ahead.add(query.path, root.size);
  await ahead.finish();
}

interface Search {
  query: GrepQuery;
  pattern: GrepPattern;
  mode: GrepMode;
  breather: Breather;
  isSearched: PathFilter;
  isExcluded: PathFilter;
  /** What asking both costs. */
  units: number;
  result: GrepResult;
  /** Matches still to pass over. */
  skip: number;
  /** Matches still to give. */
  left: number;
  /** Units of text still to give. */
  room: number;
}

async function startSearch(query: GrepQuery, result: GrepResult, breather: Breather): Promise<Search> {
  const { path, limit = DEFAULT_GREP_LIMIT, offset = 0, mode = "content" } = query;
  for (const name of ["limit", "offset", "before", "after", "maxLineLength", "deadlineMs"] as const)
    checkCount(query[name], name, path);
  const globs = typeof query.glob === "string" ? [query.glob] : (query.glob ?? []);
  const wanted = globs.filter((glob) => !glob.startsWith("!"));
  const isWanted = wanted.length === 0 ? () => true : anyOf(wanted, path);
  const isOfType = query.type === undefined ? () => true : anyOf(patternsOf(query.type), path);
  return {
    query,
    pattern: await takeInTurns(prepareGrepPattern(query.pattern, query), breather, query.signal),
    mode,
    breather,
    isSearched: (file) => isOfType(file) && isWanted(file),
    isExcluded: anyOf(
      globs.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1)),
      path,
    ),
    units: unitsOfPatterns(globs),
    result,
    skip: offset,
    left: limit,
    room: MAX_GREP_TEXT,
  };
}

function patternsOf(type: string): readonly string[] {
  const patterns = Object.hasOwn(fileTypes, type) ? fileTypes[type] : undefined;
  if (patterns !== undefined) return patterns;
  const known = Object.keys(fileTypes);
  throw new HoldallError(
    "GREP_TYPE_UNKNOWN",
    `there is no file type ${JSON.stringify(type)}. Use glob instead, or one of ${known.join(", ")}.`,
    { data: { type, known } },
  );
}

function isLeftOut(search: Search, entry: WalkEntry): boolean {
  return VERSION_CONTROL.includes(entry.name) || search.isExcluded(entry.path);
}

/** Searches one file; gives a promise only when it takes so long that a pause is due. */
function searchBytes(
  host: SearchHost,
  search: Search,
  path: string,
  bytes: Uint8Array | undefined,
  signal: AbortSignal,
): Promise<void> | undefined {
  const { result } = search;
  if (bytes === undefined || bytes.length > MAX_GREP_FILE_BYTES) {
    result.skipped[bytes === undefined ? "unreadable" : "large"] += 1;
    return undefined;
  }
  const take = (text: LongText | undefined): Promise<void> | undefined => {
    if (text === undefined) result.skipped.binary += 1;
    else result.searched += 1;
    return text === undefined || result.truncated ? undefined : searchText(search, path, text, signal);
  };
  const known = host.texts?.get(bytes);
  if (known !== undefined) return take(known);
  const keep = (text: LongText | undefined): Promise<void> | undefined => {
    if (text !== undefined) host.texts?.set(bytes, text);
    return take(text);
  };
  if (bytes.length <= PIECE_BYTES) return keep(decodeText(bytes));
  return takeInTurns(decodeSteps(bytes), search.breather, signal).then(keep);
}

/** Searches one text; gives a promise only when it takes so long that a pause is due. */
function searchText(search: Search, path: string, text: LongText, signal: AbortSignal): Promise<void> | undefined {
  const { mode, pattern } = search;
  if (text.length <= pattern.window) {
    // Most files have no match, and finding that out is cheaper than a scan.
    pattern.regexp.lastIndex = 0;
    if (!pattern.regexp.test(text.slice(0, text.length))) return search.breather.spend(unitsOf(search, text));
  }
  // One more than can be given shows whether there are more.
  const most = mode === "content" ? search.left + 1 : mode === "count" ? Number.POSITIVE_INFINITY : 1;
  return advance(search, workOn(search, { path, text, hits: [], count: 0, most }), signal);
}

interface Found {
  path: string;
  text: LongText;
  /** Those that are given; for more than one the mode must be `content`. */
  hits: LineHit[];
  count: number;
  /** Lines after which no more are needed. */
  most: number;
}

/** Takes steps, each of which tells what it cost, until they end or a pause is due. */
function advance(search: Search, steps: Iterator<number, void>, signal: AbortSignal): Promise<void> | undefined {
  for (let step = steps.next(); step.done !== true; step = steps.next()) {
    const pause = search.breather.spend(step.value);
    if (pause === undefined) continue;
    return pause.then(() => {
      signal.throwIfAborted();
      return advance(search, steps, signal);
    });
  }
  return undefined;
}

function* workOn(search: Search, found: Found): Generator<number, void, undefined> {
  const units = unitsOf(search, found.text);
  for (const hits of scanText(found.text, search.pattern)) {
    if (search.mode === "content") {
      for (const hit of hits) {
        if (search.skip > 0) search.skip -= 1;
        else found.count = found.hits.push(hit);
      }
    } else found.count += hits.count;
    if (found.count >= found.most || found.hits.length * LINE_UNITS > search.room) break;
    yield units;
  }
  if (found.count === 0) return;
  if (search.mode === "content") yield* addLines(search, found);
  else addFile(search, found.path, search.mode === "count" ? found.count : 1);
}

/** Gives what one step costs; a text may be made to take long, so then the clock is looked at after each step. */
function unitsOf({ pattern }: Search, text: LongText): number {
  return pattern.isLinear ? Math.min(text.length, pattern.window) : CHECK_UNITS;
}

function addFile(search: Search, path: string, count: number): void {
  if (search.skip > 0) search.skip -= 1;
  else if (search.left === 0) search.result.truncated = true;
  else {
    search.left -= 1;
    search.result.files.push({ path, matches: [], count });
  }
}

function* addLines(search: Search, { path, text, hits }: Found): Generator<number, void, undefined> {
  const { query, result } = search;
  const shown = hits.slice(0, search.left);
  if (hits.length > shown.length) result.truncated = true;
  search.left -= shown.length;
  if (shown.length === 0) return;
  const around = (lines: number | undefined): number => Math.min(lines ?? 0, MAX_GREP_CONTEXT);
  const options = {
    before: around(query.before),
    after: around(query.after),
    maxLineLength: query.maxLineLength ?? DEFAULT_LINE_LENGTH,
  };
  const matches: GrepLine[] = [];
  for (const line of linesAround(text, shown, options)) {
    if (line === undefined) {
      yield CHECK_UNITS;
      continue;
    }
    search.room -= line.text.length + LINE_UNITS;
    if (search.room < 0) {
      result.truncated = true;
      break;
    }
    if (matches.push(line) % STEP_LINES === 0) yield CHECK_UNITS;
  }
  const count = matches.filter((line) => line.kind === "match").length;
  if (count > 0) result.files.push({ path, matches, count });
}
