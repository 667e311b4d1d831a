/** Compares the paths of a call with the globs of permission rules. */

import type { Backend } from "../backend/backend.ts";
import { compileGlob } from "../base/glob.ts";
import { relativePath, resolvePath } from "../base/path.ts";
import type { PermissionRule } from "../message/permission-data.ts";
import { toPath } from "./paths.ts";

/** A path as the model wrote it and as it is. */
export interface RealPath {
  /** Absolute and resolved. */
  path: string;
  /** The same without symlinks. */
  real: string;
  /** The real path in words of the backend's `cwd`, which may itself lie behind a symlink. */
  shown: string;
}

/** Finds out what a path really is. */
export async function realPathOf(backend: Backend, path: string): Promise<RealPath> {
  const { fs, cwd } = backend;
  const resolved = toPath(backend, path);
  const [real, realCwd] = await Promise.all([fs.realpath(resolved), fs.realpath(cwd)]);
  return { path: resolved, real, shown: resolvePath(relativePath(real, realCwd), cwd) };
}

/**
 * Tells whether the glob of a rule matches a path.
 *
 * A glob that does not start with `/` or `~/` counts from the backend's `cwd`; one that ends with `/` means everything
 * in the folder. A rule that allows must match the path
 * and what it really is behind symlinks; one that denies or asks matches as soon as either does, in any case and form
 * of accents, and also as a pattern over the whole absolute path.
 *
 * @param backend Where the path is.
 * @param rule The rule that has the glob.
 * @param glob The glob.
 * @param target The path of the call.
 */
export function matchPath(backend: Backend, rule: PermissionRule, glob: string, target: RealPath): boolean {
  const { path, real, shown } = target;
  if (rule.behavior === "allow") {
    const matches = compileGlob(absoluteGlob(backend, glob));
    return matches(path) && (shown === path || matches(shown));
  }
  const globs = [absoluteGlob(backend, glob), glob].map((one) =>
    compileGlob(one.normalize("NFC"), { ignoreCase: true }),
  );
  return [path, shown, real].some((one) => globs.some((matches) => matches(one.normalize("NFC"))));
}

/** Gives the rule that would allow everything in a folder. */
export function allowFolder(tool: string, folder: string): PermissionRule {
  const escaped = folder === "/" ? "" : folder.replace(/[\\*?[\]{}!]/g, "\\$&");
  return { tool, content: `${escaped}/**`, behavior: "allow", source: "suggested" };
}

function absoluteGlob(backend: Backend, glob: string): string {
  const inHome = glob.startsWith("~/") && backend.home !== undefined;
  const base = inHome ? backend.home : backend.cwd;
  const whole = glob.startsWith("/")
    ? glob
    : `${(base ?? "/").replace(/[\\*?[\]{}!]/g, "\\$&")}/${inHome ? glob.slice(2) : glob}`;
  const names: string[] = [];
  for (const name of whole.split("/")) {
    if (name === ".." && names[names.length - 1] !== "**") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}${glob.endsWith("/") ? "/**" : ""}`;
}
