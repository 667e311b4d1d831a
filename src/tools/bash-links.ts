/** Follows the paths of a command line through symlinks and patterns, as the programs that it runs would. */

import type { Backend } from "../backend/backend.ts";
import type { DangerousPaths } from "../base/dangerous-paths.ts";
import { dangerousPaths } from "../base/dangerous-paths.ts";
import { compileGlob } from "../base/glob.ts";
import { isPublic, isSecret } from "../bash/path/protected.ts";
import { isIn } from "../bash/path/use.ts";
import type { BashAnalysis, PathUse, Unit } from "../bash/types.ts";
import type { PermissionCheck } from "../permission/subject.ts";
import { holdsProtected, MAX_TREE_NAMES, type TreeSearch } from "./bash-trees.ts";
import { isInWorkspace } from "./file-check.ts";

/** The most paths of one line whose symlinks are followed; a line with more is asked about. */
export const MAX_FOLLOWED_PATHS = 256;

/** The most names that are looked at for the patterns of one line; a line that needs more is asked about. */
export const MAX_LISTED_NAMES = 4096;

/** The place in which paths lead somewhere. */
export interface LinkPlace {
  backend: Backend;
  check: PermissionCheck;
}

/**
 * Tells whether all known paths of a line stay in the workspace, also behind symlinks and `..`, and for patterns what
 * they stand for now.
 */
export async function pathsLeadInside({ backend, check }: LinkPlace, paths: readonly PathUse[]): Promise<boolean> {
  const used = paths.filter(({ path }) => path === undefined || !isPublic(path));
  const straight = new Set(used.flatMap(({ left }) => left ?? []));
  const touched = new Set(used.flatMap(({ path }) => path ?? []));
  try {
    const patterns = [...touched].filter(isPattern);
    const found = await expandPatterns(backend, patterns);
    for (const { path, isLink } of found) if (isLink) touched.add(path);
    if (touched.size + straight.size > MAX_FOLLOWED_PATHS) return false;
    const inside = await Promise.all([
      ...[...touched].map((path) => leadsInside({ backend, check }, path)),
      ...[...straight].map((path) => isStraight({ backend, check }, path)),
    ]);
    return inside.every(Boolean);
  } catch {
    // A path that cannot be followed is a path that is not known.
    return false;
  }
}

/**
 * Tells whether the edits of a line stay in the workspace and off its protected files, given that its paths lead inside
 * now: what it moves or copies may bring symlinks to where it then writes, and a folder may hold what is protected.
 */
export async function editsStayInside(
  place: LinkPlace,
  analysis: BashAnalysis,
  dangers: DangerousPaths,
): Promise<boolean> {
  const { backend } = place;
  const { paths } = analysis;
  if (paths.some(({ path }) => path?.includes("**"))) return false;
  try {
    const isDangerous = dangerousPaths(dangers);
    const search: TreeSearch = { fs: backend.fs, isDangerous, left: MAX_TREE_NAMES };
    const changed = paths.filter(({ access }) => access === "write" || access === "remove");
    for (const use of changed) {
      for (const path of await meanings(backend, use)) {
        const real = await backend.fs.realpath(path);
        if (isDangerous(path) || isDangerous(real)) return false;
        if (use.access !== "remove") continue;
        if ((await holdsWorkspace(place, real)) || (await holdsProtected(search, real))) return false;
      }
    }
    for (const [index, unit] of analysis.units.entries()) {
      if (unit.name !== "cp" && unit.name !== "mv") continue;
      if (!(await arrivesSafely(place, analysis, unit, index, search))) return false;
    }
    return true;
  } catch {
    return false;
  }
}

/**
 * Tells whether a copy or move meets no symlink where it arrives and makes no protected file, and whether nothing else
 * uses what may contain symlinks.
 */
async function arrivesSafely(
  { backend, check }: LinkPlace,
  { paths }: BashAnalysis,
  unit: Unit,
  index: number,
  search: TreeSearch,
): Promise<boolean> {
  const own = paths.filter((use) => use.unit === index);
  const options = unit.words.map(({ shown }) => shown).filter((word) => /^-./.test(word));
  // The first takes the whole path along, the second changes places.
  if (options.some((option) => /^--(pa|e)/.test(option))) return false;
  const followsLinks = options.some((option) => /^-\w*[LH]|^--de/.test(option));
  const targets: string[] = [];
  for (const use of own) if (use.access === "write") targets.push(...(await meanings(backend, use)));
  let brings = false;
  for (const use of own) {
    if (use.access === "write") continue;
    for (const source of await meanings(backend, use)) {
      const kind = (await backend.fs.stat(source, { followSymlinks: false }))?.kind;
      const isTree = kind !== undefined && kind !== "file";
      brings ||= isTree;
      const name = source.slice(source.lastIndexOf("/") + 1);
      // It arrives as the target where that does not exist, else inside of it.
      const arrivals = targets.flatMap((target) => [target, `${target}/${name}`]);
      if (await holdsProtected(search, await backend.fs.realpath(source), { arrivals, followsLinks })) return false;
      if (unit.name === "mv") continue;
      for (const target of targets) {
        const arrived = `${target}/${name}`;
        if (!(await leadsInside({ backend, check }, arrived))) return false;
        // A folder that is copied into one that exists writes through the symlinks in there.
        const isCopiedInto = /(^|\/)\.*\/*$/.test(use.text) || options.some((option) => /^-\w*T|^--no-t/.test(option));
        const meets = isCopiedInto ? target : arrived;
        if (isTree && (await backend.fs.stat(meets)) !== undefined) return false;
      }
    }
  }
  if (!brings) return true;
  for (const use of paths) {
    if (use.unit !== index && (await concerns(backend, use, targets))) return false;
  }
  return true;
}

/** Tells whether a path, or where it leads, is one of the targets or lies in one; for a pattern, whether it may. */
async function concerns(backend: Backend, { path }: PathUse, targets: readonly string[]): Promise<boolean> {
  if (path === undefined) return true;
  const real = await backend.fs.realpath(path);
  for (const target of targets) {
    const depth = target.split("/").length;
    const top = (whole: string): string => whole.split("/").slice(0, depth).join("/");
    if (top(path) === target || top(real) === target || top(real) === (await backend.fs.realpath(target))) return true;
    if (isPattern(path) && compileGlob(top(path))(target)) return true;
  }
  return false;
}

/** Gives the paths that a path stands for: itself, and for a pattern all that it matches. */
async function meanings(backend: Backend, { path }: PathUse): Promise<string[]> {
  if (path === undefined) throw new Error("The path is not known.");
  return isPattern(path) ? [path, ...(await expandPatterns(backend, [path])).map((found) => found.path)] : [path];
}

async function leadsInside({ backend, check }: LinkPlace, path: string): Promise<boolean> {
  const real = await backend.fs.realpath(path);
  // A harmless name may lead to a secret.
  return real === path || (!isSecret(real) && (await isInWorkspace(backend, real, check)));
}

/** Tells whether a working directory goes with a path when that is removed or moved. */
async function holdsWorkspace({ backend, check }: LinkPlace, real: string): Promise<boolean> {
  for (const folder of [backend.cwd, ...check.workingDirectories]) {
    if (isIn(await backend.fs.realpath(folder), [real])) return true;
  }
  return false;
}

/** Tells whether there is no symlink on the way to a folder, beside those on the way to the workspace. */
async function isStraight({ backend, check }: LinkPlace, path: string): Promise<boolean> {
  const real = await backend.fs.realpath(path);
  if (real === path) return true;
  for (const folder of [backend.cwd, ...check.workingDirectories]) {
    if (!path.startsWith(`${folder}/`)) continue;
    if (real === (await backend.fs.realpath(folder)) + path.slice(folder.length)) return true;
  }
  return false;
}

function isPattern(path: string): boolean {
  return /[*?[]/.test(path);
}

interface Found {
  path: string;
  isLink: boolean;
}

/** Finds what patterns stand for: more rather than less, such as names that start with a dot. */
async function expandPatterns(backend: Backend, patterns: readonly string[]): Promise<Found[]> {
  let left = MAX_LISTED_NAMES;
  const all: Found[] = [];
  for (const pattern of patterns) {
    let open = [""];
    for (const name of pattern.split("/").slice(1)) {
      if (!isPattern(name)) {
        const plain = name.replace(/\\(.)/g, "$1");
        open = open.map((path) => `${path}/${plain}`);
        continue;
      }
      const matches = /\[[[=.:]/.test(name) ? () => true : compileGlob(name);
      const next: string[] = [];
      for (const folder of open) {
        if ((await backend.fs.stat(folder || "/"))?.kind !== "directory") continue;
        for await (const entry of backend.fs.list(folder || "/")) {
          left -= 1;
          if (left < 0) throw new Error("Too many names.");
          if (!matches(entry.name)) continue;
          next.push(`${folder}/${entry.name}`);
          all.push({ path: `${folder}/${entry.name}`, isLink: entry.kind === "symlink" });
        }
      }
      open = next;
    }
    // Behind the last wildcard there may be more.
    for (const path of open) all.push({ path, isLink: !isPattern(pattern.slice(pattern.lastIndexOf("/"))) });
  }
  return all;
}
