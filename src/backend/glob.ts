/** Lists the files that match a pattern, over any file system. */

import { compileGlobMatcher, type GlobMatcher } from "../base/glob.ts";
import { childPath } from "../base/path.ts";
import { type Breather, type BreatherOptions, CHECK_UNITS, createBreather } from "./breather.ts";
import { type FilesAhead, findFacts, type MetFiles, meetFiles } from "./file-facts.ts";
import type { FileSystemParts, WalkEntry } from "./file-system.ts";
import { checkCount } from "./fs-arguments.ts";
import { fsError } from "./fs-error.ts";
import { type IgnoreHost, respectingGitIgnore } from "./gitignore.ts";
import { newestFirst } from "./newest-first.ts";
import { anyOf, unitsOfPatterns } from "./path-filter.ts";
import {
  DEFAULT_GLOB_LIMIT,
  type GlobMatch,
  type GlobQuery,
  type GlobResult,
  MAX_GLOB_CANDIDATES,
  VERSION_CONTROL,
} from "./search.ts";
import { walkRuns } from "./walk.ts";

/** What a glob needs of a file system. */
export interface GlobHost extends Pick<FileSystemParts, "list">, Pick<BreatherOptions, "rest">, IgnoreHost {
  /** Looks at the files of one walk in a quicker way than `stat`, one by one, where the host has one. */
  lookAhead?(): FilesAhead;
}

/** Matches that are made in one go. */
const RUN_LENGTH = 4096;

/**
 * Lists files as the port's `glob` promises, entering only directories that the pattern can reach.
 *
 * @param host The file system; its paths are resolved already.
 * @param query What to list; its path is resolved already.
 * @param breather Pauses long walks.
 */
export async function globFiles(
  host: GlobHost,
  query: GlobQuery,
  breather: Breather = createBreather(host.rest && { rest: host.rest }),
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
  const isMeant = siblingBySibling(matcher);
  const omits = ({ kind, name, path }: WalkEntry, folder: string): boolean =>
    kind === "other" ||
    !(kind === "directory" ? matcher.enters(path) : isMeant(folder, name)) ||
    (name.startsWith(".") && VERSION_CONTROL.includes(name)) ||
    isIgnored(path);
  if (!matcher.enters(root)) return { matches: [], truncated: false };
  const units = unitsOfPatterns([pattern, ...(query.ignore ?? [])]);
  const walk = { omits, units: () => units, breather, ...(signal && { signal }) };
  const options = query.includeIgnored === true ? walk : respectingGitIgnore(host, root, walk);
  const ahead = host.lookAhead?.();
  try {
    const files = await meetFiles(walkRuns(host, root, options), ahead, MAX_GLOB_CANDIDATES);
    await findFacts(host, files, { ahead, breather, signal });
    const { places, isCut } = await newestFirst(files.times, limit, breather);
    const matches = await matchesOf(files, places, breather);
    signal?.throwIfAborted();
    return { matches, truncated: isCut || files.isCut };
  } finally {
    ahead?.stop();
  }
}

async function matchesOf(
  { pathOf, sizes, times }: MetFiles,
  places: readonly number[],
  breather: Breather,
): Promise<GlobMatch[]> {
  const matches: GlobMatch[] = [];
  for (const place of places) {
    matches.push({ path: pathOf(place), size: sizes[place] ?? 0, modifiedAt: times[place] ?? 0 });
    if (matches.length % RUN_LENGTH === 0) await breather.spend(CHECK_UNITS);
  }
  return matches;
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

/** What a walk asks of a pattern. */
type WalkMatcher = Pick<GlobMatcher, "inFolder" | "enters">;

/** Lets a matcher answer for absolute paths. */
function inTree(matcher: WalkMatcher, isAbsolute: boolean, root: string): WalkMatcher {
  if (isAbsolute) return matcher;
  // All that a walk meets lies below the root.
  const start = childPath(root, "").length;
  return {
    inFolder: (folder) => matcher.inFolder(folder.slice(start)),
    enters: (folder) => matcher.enters(folder.slice(start)),
  };
}

/** Keeps what holds for a folder while its entries are met. */
function siblingBySibling({ inFolder }: WalkMatcher): (folder: string, name: string) => boolean {
  let recent = "";
  let matches = (_name: string): boolean => false;
  return (folder, name) => {
    if (folder !== recent) {
      recent = folder;
      matches = inFolder(folder === "/" ? folder : folder.slice(0, -1));
    }
    return matches(name);
  };
}
