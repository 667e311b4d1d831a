/** The paths a model writes, made into those a file system takes. */

import type { Backend } from "../backend/backend.ts";
import { HoldallError } from "../base/errors.ts";
import { resolvePath } from "../base/path.ts";

/**
 * Makes a path absolute: relative ones start at the backend's `cwd`, `~` stands for its home.
 *
 * @throws HoldallError `FS_INVALID_PATH` for a path that cannot be used.
 */
export function toPath(backend: Backend, path: string): string {
  const written = backend.os === "windows" ? path.replaceAll("\\", "/") : path;
  // Asking for either would make a Windows host log in to a stranger, or open the same file under another name.
  if (path.startsWith("\\\\") || /:\$data$/i.test(path)) {
    throw invalidPath(path, "network shares and file streams cannot be named");
  }
  if (written !== "~" && !written.startsWith("~/")) return resolvePath(written, backend.cwd);
  if (backend.home === undefined) throw invalidPath(path, `there is no home folder in ${backend.name}`);
  return resolvePath(`.${written.slice(1)}`, backend.home);
}

/** Tells whether a path is written as that of a folder. */
export function namesFolder(path: string): boolean {
  return /\/$|(^|\/)\.{1,2}$/.test(path);
}

function invalidPath(path: string, reason: string): HoldallError {
  const message = `${JSON.stringify(path)} cannot be used: ${reason}. Give an absolute path, or one relative to the working directory.`;
  return new HoldallError("FS_INVALID_PATH", message, { data: { path } });
}
