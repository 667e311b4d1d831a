/** Says a file system failure the way Node does, because just-bash's commands print and compare such messages. */

import { HoldallError } from "holdall";

/** An errno name with the words that Node puts behind it. */
const words = {
  EACCES: "permission denied",
  EBUSY: "resource busy or locked",
  EEXIST: "file already exists",
  EFBIG: "file too large",
  EINVAL: "invalid argument",
  EIO: "i/o error",
  EISDIR: "illegal operation on a directory",
  ELOOP: "too many symbolic links encountered",
  ENOENT: "no such file or directory",
  ENOSPC: "no space left on device",
  ENOTDIR: "not a directory",
  ENOTEMPTY: "directory not empty",
  ENOTSUP: "operation not supported",
  ENXIO: "no such device or address",
  EPERM: "operation not permitted",
  EROFS: "read-only file system",
} as const;

/** The errno names that are used. */
export type ErrnoCode = keyof typeof words;

const codes: Readonly<Record<string, ErrnoCode>> = {
  FS_NOT_FOUND: "ENOENT",
  FS_IS_DIRECTORY: "EISDIR",
  FS_NOT_DIRECTORY: "ENOTDIR",
  FS_EXISTS: "EEXIST",
  FS_NOT_EMPTY: "ENOTEMPTY",
  FS_CONFLICT: "EBUSY",
  FS_OUTSIDE_ROOT: "EACCES",
  FS_INVALID_PATH: "EINVAL",
  FS_READ_ONLY: "EROFS",
  FS_NO_SPACE: "ENOSPC",
  FS_TOO_LARGE: "EFBIG",
  FS_LOOP: "ELOOP",
  FS_UNSUPPORTED: "ENOTSUP",
};

/** An error with a `code`, as `node:fs` throws it. */
export interface NodeError extends Error {
  code: ErrnoCode;
}

/** Makes `ENOENT: no such file or directory, open '/x'` and its like. */
export function nodeError(code: ErrnoCode, syscall: string, path: string): NodeError {
  return Object.assign(new Error(`${code}: ${words[code]}, ${syscall} '${path}'`), { code });
}

/** Tells whether an error was made by {@link nodeError}. */
export function isNodeError(error: unknown): error is NodeError {
  return error instanceof Error && "code" in error && typeof error.code === "string" && error.code in words;
}

/**
 * Turns what a file system threw into its Node form; errors that are no file system failure stay as they are.
 *
 * @param error The thrown value.
 * @param syscall The name of the call, such as `open`.
 * @param path The path the command gave.
 */
export function toNodeError(error: unknown, syscall: string, path: string): unknown {
  if (!HoldallError.is(error)) return error;
  const code = codes[error.code] ?? (error.code.startsWith("FS_") ? "EIO" : undefined);
  return code === undefined ? error : Object.assign(nodeError(code, syscall, path), { cause: error });
}
