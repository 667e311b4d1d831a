/** Where a search starts, and the permission seam of the tools that search. */

import type { Backend } from "../backend/backend.ts";
import { globBase } from "../base/glob.ts";
import { resolvePath } from "../base/path.ts";
import type { PermissionRule } from "../message/permission-data.ts";
import { lazy } from "./lazy.ts";
import { toPath } from "./paths.ts";

/** A search as a model writes it. */
interface SearchInput {
  path?: string | undefined;
}

/** The permission seam of a tool that searches. */
export interface SearchRules<I extends SearchInput> {
  matchRule(content: string, input: I, rule: PermissionRule): Promise<boolean>;
  generateSuggestions(input: I): Promise<PermissionRule[]>;
}

/** Gives the absolute path that a search starts at. */
export function searchPath(backend: Backend, input: SearchInput): string {
  return input.path === undefined || input.path === "" ? backend.cwd : toPath(backend, input.path);
}

/**
 * Takes the folders that a pattern names off it, so that the search starts there: also one that leads elsewhere because
 * it is absolute or starts with `~/` or `../`, and one into a folder that `.gitignore` leaves out.
 *
 * @param backend Where `~` and relative paths lead.
 * @param from The absolute path that a relative pattern starts at.
 * @param pattern The pattern.
 * @returns The folder to search and the pattern in it.
 */
export function patternRoot(backend: Backend, from: string, pattern: string): { root: string; pattern: string } {
  if (pattern === "") return { root: from, pattern };
  const base = globBase(pattern);
  const rest = pattern.slice(base.length).replace(/^\/+/, "") || "**";
  if (pattern.startsWith("~/")) return { root: toPath(backend, base), pattern: rest };
  return { root: resolvePath(base || (pattern.startsWith("/") ? "/" : "."), from), pattern: rest };
}

/** Makes the seam: globs over the folder that is searched, and that folder as a suggestion. */
export function searchRules<I extends SearchInput>(
  tool: string,
  backend: Backend,
  rootOf: (input: I) => string,
): SearchRules<I> {
  const load = lazy(() => import("./path-rules.ts"));
  return {
    async matchRule(content, input, rule) {
      const { matchPath, realPathOf } = await load();
      return matchPath(backend, rule, content, await realPathOf(backend, rootOf(input)));
    },
    generateSuggestions: async (input) => [(await load()).allowFolder(tool, rootOf(input))],
  };
}
