/** Decides by patterns which paths below a directory a search looks at. */

import { compileGlob } from "../base/glob.ts";
import { expandBraces } from "../base/glob-braces.ts";
import { baseName, relativePath } from "../base/path.ts";

/** Tells whether an absolute path below the root of a search is meant. */
export type PathFilter = (path: string) => boolean;

/** What matching a path with one alternative of a pattern costs, in the units of a breather. */
const ALTERNATIVE_UNITS = 256;

/** Tells what asking about a path costs with such patterns, in the units of a breather. */
export function unitsOfPatterns(patterns: readonly string[]): number {
  return patterns.reduce((sum, pattern) => sum + ALTERNATIVE_UNITS * expandBraces(pattern).length, 0);
}

/**
 * Makes a filter that any of the patterns lets through; a pattern with a slash is for paths relative to the root, one
 * without for names.
 */
export function anyOf(patterns: readonly string[], root: string): PathFilter {
  const names: ((name: string) => boolean)[] = [];
  const paths: ((path: string) => boolean)[] = [];
  for (const pattern of patterns) {
    const relative = pattern.replace(/^(?:\.?\/+)+/, "");
    if (pattern.includes("/")) paths.push(compileGlob(relative));
    else names.push(compileGlob(pattern));
  }
  if (names.length + paths.length === 0) return () => false;
  return (path) => {
    const name = baseName(path);
    if (names.some((matches) => matches(name))) return true;
    if (paths.length === 0) return false;
    const relative = relativePath(path, root);
    return paths.some((matches) => matches(relative));
  };
}
