/** POSIX paths as text; nothing here touches a file system. */

import { HoldallError } from "./errors.ts";

/** The longest path that is accepted, in UTF-16 units. */
export const MAX_PATH_LENGTH = 4096;

/** A NUL, or half a surrogate pair: two such names would become one in UTF-8. */
const unusable = /[\0\p{Cs}]/u;

/** What has to be resolved; most paths have nothing of it. */
const unresolved = /^[^/]|\/\.{0,2}(?:\/|$)/;

/**
 * Resolves `.`, `..` and repeated slashes, and makes the path absolute.
 *
 * @param path The path, absolute or relative to `cwd`.
 * @param cwd The absolute path that relative ones start from. Defaults to `/`.
 * @returns The absolute path without a slash at its end (except `/` itself).
 * @throws HoldallError `FS_INVALID_PATH` for an empty or overlong path or one with a NUL or half a surrogate pair.
 */
export function resolvePath(path: string, cwd = "/"): string {
  if (path === "" || path.length > MAX_PATH_LENGTH || unusable.test(path)) {
    throw new HoldallError(
      "FS_INVALID_PATH",
      `${JSON.stringify(path.slice(0, 80))} is not a usable path. Give a non-empty path of at most ${MAX_PATH_LENGTH} well-formed characters without NUL.`,
      { data: { path } },
    );
  }
  const whole = path.startsWith("/") ? path : `${cwd}/${path}`;
  if (!unresolved.test(whole)) return whole;
  const parts: string[] = [];
  for (const part of whole.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** Joins a folder and a relative path; `..` cannot climb above `/`. */
export function joinPath(folder: string, relative: string): string {
  return resolvePath(relative === "" ? "." : `./${relative}`, folder);
}

/** Gives the path of what is in a folder, under a name or deeper; both are taken as they are. */
export function childPath(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}

/** Gives the folder of an absolute path; `/` for `/` itself. */
export function parentPath(path: string): string {
  const cut = path.lastIndexOf("/");
  return cut <= 0 ? "/" : path.slice(0, cut);
}

/** Gives the last part of a path; empty for `/`. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Gives the extension in lower case with its dot; empty for none and for dotfiles. */
export function extension(path: string): string {
  const name = baseName(path);
  const cut = name.lastIndexOf(".");
  return cut <= 0 ? "" : name.slice(cut).toLowerCase();
}

/** Tells whether an absolute, resolved path is a folder or lies below it. */
export function isInside(path: string, folder: string): boolean {
  return folder === "/" || path === folder || path.startsWith(`${folder}/`);
}

/** Gives the path relative to a folder; `.` for the folder itself, the absolute path where it lies outside. */
export function relativePath(path: string, folder: string): string {
  if (path === folder) return ".";
  if (!isInside(path, folder)) return path;
  return path.slice(folder === "/" ? 1 : folder.length + 1);
}
