/** Paths as a shell resolves them, without looking at a disk and without ever throwing. */

import { codeAt } from "../read/code-at.ts";

const DOT = 46;
const SLASH = 47;

/** Tells whether a path is relative, and has nothing to resolve, as most are. */
export function isSimple(path: string): boolean {
  if (path === "") return false;
  const first = codeAt(path, 0);
  return first !== SLASH && first !== DOT && isResolved(path);
}

/** Resolves `.`, `..` and repeated slashes; `..` stops at the root. */
export function normalizePath(path: string, folder: string): string {
  if (path === ".") return folder;
  if (folder !== "/" && isSimple(path)) return `${folder}/${path}`;
  const whole = path.startsWith("/") ? path : `${folder}/${path}`;
  if (isResolved(whole)) return whole;
  const parts: string[] = [];
  for (const part of whole.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

const MAX_LEFT = 32;

/**
 * Gives the folders that each `..` of a path leaves, resolved as {@link normalizePath} does; undefined where they are
 * too many to look at.
 */
export function leftFolders(path: string, folder: string): string[] | undefined {
  const left: string[] = [];
  for (let at = path.indexOf(".."); at >= 0; at = path.indexOf("..", at + 2)) {
    const isName = (at > 0 && path.charCodeAt(at - 1) !== SLASH) || !/^(\/|$)/.test(path.slice(at + 2, at + 3));
    if (isName) continue;
    if (left.length === MAX_LEFT) return undefined;
    left.push(normalizePath(path.slice(0, at) || ".", folder));
  }
  return left;
}

/** Tells whether no name of a path is empty, `.` or `..`. */
function isResolved(path: string): boolean {
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
    let next = at + 1;
    if (codeAt(path, next) === DOT) next += 1;
    if (next > at + 1 && codeAt(path, next) === DOT) next += 1;
    if (next === path.length || codeAt(path, next) === SLASH) return false;
  }
  return true;
}
