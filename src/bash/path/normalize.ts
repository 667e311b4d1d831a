/** Paths as a shell resolves them, without looking at a disk and without ever throwing. */

const DOT = 46;
const SLASH = 47;

/** Resolves `.`, `..` and repeated slashes; `..` stops at the root. */
export function normalizePath(path: string, folder: string): string {
  if (path === ".") return folder;
  const first = path.charCodeAt(0);
  // Most paths are relative and have nothing to resolve.
  if (first !== SLASH && first !== DOT && path !== "" && folder !== "/" && isResolved(path)) return `${folder}/${path}`;
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
    if (path.charCodeAt(next) === DOT) next += 1;
    if (next > at + 1 && path.charCodeAt(next) === DOT) next += 1;
    if (next === path.length || path.charCodeAt(next) === SLASH) return false;
  }
  return true;
}
