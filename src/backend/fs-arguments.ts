/** Checks what callers hand to a file system, at the one place where everything enters. */

import { HoldallError } from "../base/errors.ts";
import { resolvePath } from "../base/path.ts";
import type { ReadOptions } from "./file-system.ts";
import { fsError } from "./fs-error.ts";

/** Gives the absolute path without `.`, `..` and repeated slashes; fails with `FS_INVALID_PATH` on a relative one. */
export function absolutePath(path: string): string {
  if (typeof path !== "string")
    throw fsError(
      "FS_INVALID_PATH",
      String(path),
      `a path must be a string, not ${typeof path}. Give an absolute path.`,
    );
  const resolved = resolvePath(path);
  if (path.startsWith("/")) return resolved;
  throw fsError(
    "FS_INVALID_PATH",
    path,
    `${JSON.stringify(path)} is not an absolute path. Put the working directory before it.`,
  );
}

/** Fails with `FS_INVALID_PATH` on what a symlink cannot point to. */
export function checkLinkTarget(target: string, path: string): void {
  if (typeof target !== "string")
    throw fsError("FS_INVALID_PATH", path, `a symlink must point to a string, not ${typeof target}. Give a path.`);
  resolvePath(target);
}

/** Fails with `FS_INVALID_ARGUMENT` on anything but bytes; text would otherwise be written as nothing. */
export function checkBytes(bytes: Uint8Array, path: string): void {
  if (Object.prototype.toString.call(bytes) === "[object Uint8Array]") return;
  throw fsError(
    "FS_INVALID_ARGUMENT",
    path,
    `what is written to ${path} must be a Uint8Array. Encode text with a TextEncoder.`,
  );
}

/** Fails with `FS_INVALID_ARGUMENT` on a range that is not made of whole numbers from 0. */
export function checkRange(options: ReadOptions | undefined, path: string): void {
  checkCount(options?.offset, "offset", path);
  checkCount(options?.length, "length", path);
}

/** Fails with `FS_INVALID_ARGUMENT` on a number that is neither left out nor whole and from 0. */
export function checkCount(value: number | undefined, name: string, path: string): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return;
  throw fsError("FS_INVALID_ARGUMENT", path, `${name} is ${value}. Give a whole number from 0.`);
}

/** Makes whatever a host threw into the error that the port promises; the reason of an aborted signal stays itself. */
export function asFsError(error: unknown, path: string, signal: AbortSignal | undefined): unknown {
  if (HoldallError.is(error) || (signal?.aborted === true && error === signal.reason)) return error;
  return fsError("FS_IO", path, undefined, error);
}
