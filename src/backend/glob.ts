/** Lists the files that match a pattern, over any file system. */

import { HoldallError } from "../base/errors.ts";
import { compileGlobMatcher, type GlobMatcher } from "../base/glob.ts";
import { type Breather, CHECK_UNITS, createBreather, ENTRY_UNITS } from "./breather.ts";
import type { FileSystemParts, WalkEntry } from "./file-system.ts";
import { checkCount } from "./fs-arguments.ts";
import { fsError } from "./fs-error.ts";
import { type IgnoreHost, respectingGitIgnore } from "./gitignore.ts";
import { anyOf } from "./path-filter.ts";
import {
  DEFAULT_GLOB_LIMIT,
  type GlobMatch,
  type GlobQuery,
  type GlobResult,
  MAX_GLOB_CANDIDATES,
  VERSION_CONTROL,
} from "./search.ts";
import { walkRuns } from "./walk.ts";

type Host = Pick<FileSystemParts, "list"> & IgnoreHost;

/** Stats that are waited for at the same time. */
const STATS_AT_ONCE = 16;

/** Files that are sorted in one go. */
const RUN_LENGTH = 4096;

/**
 * Lists files as the port's `glob` promises, entering only directories that the pattern can reach.
 *
 * @param host The file system; its paths are resolved already.
 * @param query What to list; its path is resolved already.
 * @param breather Pauses long walks.
 */
export async function globFiles(
  host: Host,
  query: GlobQuery,
  breather: Breather = createBreather(),
): Promise<GlobResult> {
  const { path: root, limit = DEFAULT_GLOB_LIMIT, signal } = query;
  checkCount(limit, "limit", root);
  const pattern = normalizePattern(query.pattern);
  const found = await host.stat(root, signal && { signal });
  if (found === undefined) throw fsError("FS_NOT_FOUND", root);
  if (found.kind !== "directory") throw fsError("FS_NOT_DIRECTORY", root);
  if (pattern === undefined) return { matches: [], truncated: false };

  const isIgnored = anyOf(query.ignore ?? [], root);
  const matcher = inTree(compileGlobMatcher(pattern), pattern.startsWith("/"), root);
  // What the pattern cannot mean is passed over first: that is most, and asking all the rules about it would take longer.
  const omits = ({ kind, name, path }: WalkEntry): boolean =>
    kind === "other" ||
    !(kind === "directory" ? matcher.enters(path) : matcher.matches(path)) ||
    (name.startsWith(".") && VERSION_CONTROL.includes(name)) ||
    isIgnored(path);
  const entries: WalkEntry[] = [];
  if (matcher.enters(root)) {
    const walk = { omits, breather, ...(signal && { signal }) };
    const options = query.includeIgnored === true ? walk : respectingGitIgnore(host, root, walk);
    for await (const run of walkRuns(host, root, options)) {
      for (const entry of run) if (entry.kind !== "directory") entries.push(entry);
      if (entries.length > MAX_GLOB_CANDIDATES) break;
    }
  }
  const files = await statFiles(host, entries.slice(0, MAX_GLOB_CANDIDATES), breather, signal);
  const matches = await newestFirst(files, limit, breather);
  signal?.throwIfAborted();
  return { matches, truncated: matches.length < files.length || entries.length > MAX_GLOB_CANDIDATES };
}

/** Takes `.` and `..` out of a pattern; gives undefined when it leads out of where it starts. */
function normalizePattern(pattern: string): string | undefined {
  const segments: string[] = [];
  for (const segment of pattern.split("/")) {
    if (segment === "..") {
      const popped = segments.pop();
      // What lies above a wildcard is unknown.
      if (popped === undefined || /[*?[\]{}\\]/.test(popped)) return undefined;
    } else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return (pattern.startsWith("/") ? "/" : "") + segments.join("/");
}

/** Lets a matcher answer for absolute paths. */
function inTree(matcher: GlobMatcher, isAbsolute: boolean, root: string): GlobMatcher {
  if (isAbsolute) return matcher;
  // All that a walk meets lies below the root.
  const start = root === "/" ? 1 : root.length + 1;
  return {
    matches: (path) => matcher.matches(path.slice(start)),
    enters: (path) => matcher.enters(path.slice(start)),
  };
}

/** Completes what the listing did not tell; leaves out links to anything but files, and what is gone. */
async function statFiles(
  host: Host,
  entries: readonly WalkEntry[],
  breather: Breather,
  signal: AbortSignal | undefined,
): Promise<readonly GlobMatch[]> {
  if (entries.every(isKnownFile)) return entries;
  const files: (GlobMatch | undefined)[] = [];
  for (let from = 0; from < entries.length; from += STATS_AT_ONCE) {
    const batch = entries.slice(from, from + STATS_AT_ONCE);
    files.push(
      ...(await Promise.all(batch.map((entry) => (isKnownFile(entry) ? entry : statFile(host, entry, signal))))),
    );
    // Only a look at a disk lets others run by itself.
    const pause = breather.spend(STATS_AT_ONCE * ENTRY_UNITS);
    if (pause === undefined) continue;
    await pause;
    signal?.throwIfAborted();
  }
  return files.filter((file) => file !== undefined);
}

function isKnownFile(entry: WalkEntry): entry is WalkEntry & GlobMatch {
  return entry.kind === "file" && entry.size !== undefined && entry.modifiedAt !== undefined;
}

async function statFile(
  host: Host,
  { path }: WalkEntry,
  signal: AbortSignal | undefined,
): Promise<GlobMatch | undefined> {
  try {
    const stat = await host.stat(path, signal && { signal });
    return stat?.kind === "file" ? { path, size: stat.size, modifiedAt: stat.modifiedAt } : undefined;
  } catch (error) {
    signal?.throwIfAborted();
    // A link that leads nowhere, in a circle or out of the workspace is no file to list.
    if (HoldallError.is(error)) return undefined;
    throw error;
  }
}

/** Gives the newest files; only these are sorted, in runs that are merged, so that nothing else has to wait for it. */
async function newestFirst(files: readonly GlobMatch[], limit: number, breather: Breather): Promise<GlobMatch[]> {
  let chosen = files;
  if (files.length > limit) {
    const times = Float64Array.from(files, (file) => file.modifiedAt).sort();
    await breather.spend(CHECK_UNITS);
    const oldest = times[files.length - limit] ?? Number.POSITIVE_INFINITY;
    let ties = limit - files.filter((file) => file.modifiedAt > oldest).length;
    chosen = files.filter(({ modifiedAt }) => {
      if (modifiedAt === oldest) ties -= 1;
      return modifiedAt > oldest || (modifiedAt === oldest && ties >= 0);
    });
    await breather.spend(CHECK_UNITS);
  }
  return sortNewest(chosen, breather);
}

/** Sorts stably: files of one time stay in the order of the walk. */
async function sortNewest(files: readonly GlobMatch[], breather: Breather): Promise<GlobMatch[]> {
  let runs: GlobMatch[][] = [];
  for (let from = 0; from < files.length; from += RUN_LENGTH) {
    const run = files.slice(from, from + RUN_LENGTH).map(({ path, size, modifiedAt }) => ({ path, size, modifiedAt }));
    runs.push(run.sort((one, other) => other.modifiedAt - one.modifiedAt));
    await breather.spend(CHECK_UNITS);
  }
  while (runs.length > 1) {
    const merged: GlobMatch[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await mergeNewest(runs[at] ?? [], runs[at + 1] ?? [], breather));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergeNewest(
  one: readonly GlobMatch[],
  other: readonly GlobMatch[],
  breather: Breather,
): Promise<GlobMatch[]> {
  const merged: GlobMatch[] = [];
  let at = 0;
  for (const file of one) {
    for (let next = other[at]; next !== undefined && next.modifiedAt > file.modifiedAt; next = other[at]) {
      merged.push(next);
      at += 1;
    }
    merged.push(file);
    if (merged.length % RUN_LENGTH === 0) await breather.spend(CHECK_UNITS);
  }
  for (; at < other.length; at += 1) {
    const next = other[at];
    if (next !== undefined) merged.push(next);
  }
  return merged;
}
