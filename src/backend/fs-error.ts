/** The errors of file systems: one code, one sentence and one remedy for each kind of failure. */

import { HoldallError } from "../base/errors.ts";

/** Every code a file system may fail with. */
export type FsErrorCode =
  | "FS_NOT_FOUND"
  | "FS_IS_DIRECTORY"
  | "FS_NOT_DIRECTORY"
  | "FS_EXISTS"
  | "FS_NOT_EMPTY"
  | "FS_CONFLICT"
  | "FS_OUTSIDE_ROOT"
  | "FS_INVALID_PATH"
  | "FS_INVALID_ARGUMENT"
  | "FS_READ_ONLY"
  | "FS_NO_SPACE"
  | "FS_TOO_LARGE"
  | "FS_LOOP"
  | "FS_UNSUPPORTED"
  | "FS_CLOSED"
  | "FS_IO";

const sentences: Readonly<Record<FsErrorCode, (path: string) => string>> = {
  FS_NOT_FOUND: (path) => `${path} does not exist. List the folder to see what is there.`,
  FS_IS_DIRECTORY: (path) => `${path} is a directory, not a file. List it, or name a file in it.`,
  FS_NOT_DIRECTORY: (path) => `${path} is not a directory. Use the folder it lies in.`,
  FS_EXISTS: (path) => `${path} exists already. Choose another name, or remove it first.`,
  FS_NOT_EMPTY: (path) => `${path} is not empty. Remove it with all that is in it, or empty it first.`,
  FS_CONFLICT: (path) => `${path} has changed since it was read. Read it again, then repeat the change.`,
  FS_OUTSIDE_ROOT: (path) => `${path} is outside the workspace. Use a path inside it.`,
  FS_INVALID_PATH: (path) => `${JSON.stringify(path)} cannot be used here. Give another path.`,
  FS_INVALID_ARGUMENT: (path) => `an argument for ${path} is not usable. Give whole numbers from 0 and a Uint8Array.`,
  FS_READ_ONLY: (path) => `${path} is on a read-only file system. Write somewhere else.`,
  FS_NO_SPACE: (path) => `there is no room left for ${path}; nothing was changed. Free some space, then try again.`,
  FS_TOO_LARGE: (path) => `${path} is larger than the limit. Read it in parts.`,
  FS_LOOP: (path) => `${path} leads through too many symlinks. Use the real path.`,
  FS_UNSUPPORTED: (path) => `this file system cannot do that with ${path}. Use another way.`,
  FS_CLOSED: (path) => `the file system of ${path} has been closed. Open it again.`,
  FS_IO: (path) => `the host failed on ${path}. Try again.`,
};

/**
 * Makes the error for a failure of a file system.
 *
 * @param code The kind of failure.
 * @param path The path it is about; kept in `data.path`.
 * @param detail A sentence that replaces the usual one.
 * @param cause The host's own error.
 */
export function fsError(code: FsErrorCode, path: string, detail?: string, cause?: unknown): HoldallError {
  return new HoldallError(code, detail ?? sentences[code](path), { data: { path }, cause });
}
