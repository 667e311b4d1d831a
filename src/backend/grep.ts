/** Searches files for a pattern, over any file system. */

import { abortable, hostTimers, startDeadline, type Timers } from "../base/abort.ts";
import { HoldallError } from "../base/errors.ts";
import { type Breather, CHECK_UNITS, createBreather } from "./breather.ts";
import type { FileSystemParts, WalkEntry } from "./file-system.ts";
import { fileTypes } from "./file-types.ts";
import { checkCount } from "./fs-arguments.ts";
import { fsError } from "./fs-error.ts";
import { respectingGitIgnore } from "./gitignore.ts";
import { linesAround } from "./grep-lines.ts";
import { compileGrepPattern, type GrepPattern } from "./grep-pattern.ts";
import { type LineHit, scanText } from "./grep-scan.ts";
import { anyOf, type PathFilter } from "./path-filter.ts";
import { createReadAhead, type ReadingHost } from "./read-ahead.ts";
import {
  DEFAULT_GREP_DEADLINE,
  DEFAULT_GREP_LIMIT,
  DEFAULT_LINE_LENGTH,
  type GrepMode,
  type GrepQuery,
  type GrepResult,
  MAX_GREP_CONTEXT,
  MAX_GREP_FILE_BYTES,
  MAX_GREP_TEXT,
  VERSION_CONTROL,
} from "./search.ts";
import { decodeText } from "./text-file.ts";
import { type TreeOptions, walkRuns } from "./walk.ts";

/** What a search needs of a file system. */
export interface SearchHost extends Pick<FileSystemParts, "stat" | "list">, ReadingHost {
  /**
   * Decodes what was read, where the host keeps text of files that are searched again and again.
   *
   * @param bytes The bytes, as `read` gave them.
   * @param decode Decodes them; gives undefined for a binary file.
   */
  decode?(bytes: Uint8Array, decode: (bytes: Uint8Array) => string | undefined): string | undefined;
}

/** What a test replaces. */
export interface GrepSeams {
  breather?: Breather;
  timers?: Timers;
}

/** What a line costs of {@link MAX_GREP_TEXT} beside its text. */
const LINE_UNITS = 32;

/**
 * Searches as the port's `grep` promises.
 *
 * @param host The file system; its paths are resolved already.
 * @param query What to search for; its path is resolved already.
 * @param seams What a test replaces.
 */
export async function grepFiles(host: SearchHost, query: GrepQuery, seams: GrepSeams = {}): Promise<GrepResult> {
  const search = startSearch(query, seams.breather ?? createBreather());
  const deadline = startDeadline(
    query.signal,
    query.deadlineMs ?? DEFAULT_GREP_DEADLINE,
    "the search",
    seams.timers ?? hostTimers,
  );
  try {
    await abortable(searchPath(host, search, deadline.signal), deadline.signal);
  } catch (error) {
    if (!deadline.expired) throw error;
    search.result.timedOut = true;
  } finally {
    deadline.close();
  }
  // A copy: what still goes on after the deadline must not change it.
  return { ...search.result, files: [...search.result.files], skipped: { ...search.result.skipped } };
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
      const text = readable(host, bytes, result);
      return text === undefined || result.truncated ? undefined : searchText(search, path, text, signal);
    },
  });
  if (root.kind === "directory") {
    const walk: TreeOptions = { signal, breather, omits: (entry) => isLeftOut(search, entry) };
    const options = query.includeIgnored === true ? walk : respectingGitIgnore(host, query.path, walk);
    for await (const run of walkRuns(host, query.path, options)) {
      for (const entry of run) {
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
  result: GrepResult;
  /** Matches still to pass over. */
  skip: number;
  /** Matches still to give. */
  left: number;
  /** Units of text still to give. */
  room: number;
}

function startSearch(query: GrepQuery, breather: Breather): Search {
  const { path, limit = DEFAULT_GREP_LIMIT, offset = 0, mode = "content" } = query;
  for (const name of ["limit", "offset", "before", "after", "maxLineLength", "deadlineMs"] as const)
    checkCount(query[name], name, path);
  const globs = typeof query.glob === "string" ? [query.glob] : (query.glob ?? []);
  const wanted = globs.filter((glob) => !glob.startsWith("!"));
  const isWanted = wanted.length === 0 ? () => true : anyOf(wanted, path);
  const isOfType = query.type === undefined ? () => true : anyOf(patternsOf(query.type), path);
  return {
    query,
    pattern: compileGrepPattern(query.pattern, query),
    mode,
    breather,
    isSearched: (file) => isOfType(file) && isWanted(file),
    isExcluded: anyOf(
      globs.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1)),
      path,
    ),
    result: {
      files: [],
      truncated: false,
      timedOut: false,
      searched: 0,
      skipped: { binary: 0, large: 0, unreadable: 0 },
    },
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

/** Gives the text of a file that is to be searched, and counts it either way. */
function readable(host: SearchHost, bytes: Uint8Array | undefined, result: GrepResult): string | undefined {
  if (bytes === undefined) {
    result.skipped.unreadable += 1;
    return undefined;
  }
  if (bytes.length > MAX_GREP_FILE_BYTES) {
    result.skipped.large += 1;
    return undefined;
  }
  const text = host.decode === undefined ? decodeText(bytes) : host.decode(bytes, decodeText);
  if (text === undefined) result.skipped.binary += 1;
  else result.searched += 1;
  return text;
}

/** Searches one text; gives a promise only when it takes so long that a pause is due. */
function searchText(search: Search, path: string, text: string, signal: AbortSignal): Promise<void> | undefined {
  const { mode, pattern } = search;
  if (text.length <= pattern.window) {
    // Most files have no match, and finding that out is cheaper than a scan.
    pattern.regexp.lastIndex = 0;
    if (!pattern.regexp.test(text)) return search.breather.spend(unitsOf(search, text));
  }
  // One more than can be given shows whether there are more.
  const most = mode === "content" ? search.skip + search.left + 1 : mode === "count" ? Number.POSITIVE_INFINITY : 1;
  const found: Found = { path, text, hits: [], count: 0, most };
  return advance(search, found, scanText(text, search.pattern), signal);
}

interface Found {
  path: string;
  text: string;
  hits: LineHit[];
  count: number;
  /** Lines after which no more are needed. */
  most: number;
}

function advance(
  search: Search,
  found: Found,
  steps: Iterator<LineHit[], void>,
  signal: AbortSignal,
): Promise<void> | undefined {
  const units = unitsOf(search, found.text);
  for (let step = steps.next(); step.done !== true; step = steps.next()) {
    found.count += step.value.length;
    if (search.mode === "content") for (const hit of step.value) found.hits.push(hit);
    if (found.count >= found.most || found.hits.length * LINE_UNITS > search.room + search.skip * LINE_UNITS) break;
    const pause = search.breather.spend(units);
    if (pause === undefined) continue;
    return pause.then(() => {
      signal.throwIfAborted();
      return advance(search, found, steps, signal);
    });
  }
  if (found.count > 0) addFound(search, found);
  return undefined;
}

/** Gives what one step costs; a text may be made to take long, so then the clock is looked at after each step. */
function unitsOf({ pattern }: Search, text: string): number {
  return pattern.isLinear ? Math.min(text.length, pattern.window) : CHECK_UNITS;
}

function addFound(search: Search, { path, text, hits, count }: Found): void {
  if (search.mode === "content") addLines(search, path, text, hits);
  else addFile(search, path, search.mode === "count" ? count : 1);
}

function addFile(search: Search, path: string, count: number): void {
  if (search.skip > 0) search.skip -= 1;
  else if (search.left === 0) search.result.truncated = true;
  else {
    search.left -= 1;
    search.result.files.push({ path, matches: [], count });
  }
}

function addLines(search: Search, path: string, text: string, hits: readonly LineHit[]): void {
  const { query, result } = search;
  const shown = hits.slice(search.skip, search.skip + search.left);
  if (hits.length > search.skip + search.left) result.truncated = true;
  search.skip = Math.max(0, search.skip - hits.length);
  search.left -= shown.length;
  if (shown.length === 0) return;
  const around = (lines: number | undefined): number => Math.min(lines ?? 0, MAX_GREP_CONTEXT);
  const options = {
    before: around(query.before),
    after: around(query.after),
    maxLineLength: query.maxLineLength ?? DEFAULT_LINE_LENGTH,
  };
  const matches = [];
  for (const line of linesAround(text, shown, options)) {
    search.room -= line.text.length + LINE_UNITS;
    if (search.room < 0) {
      result.truncated = true;
      break;
    }
    matches.push(line);
  }
  const count = matches.filter((line) => line.kind === "match").length;
  if (count > 0) result.files.push({ path, matches, count });
}
