/** Makes the errors of the operating system into those of the file system port. */

import { type FsErrorCode, fsError, HoldallError } from "holdall";

/** What an error number means where it does not mean the usual. */
export type CodeTable = Readonly<Record<string, FsErrorCode>>;

const usual: CodeTable = {
  EEXIST: "FS_EXISTS",
  EFBIG: "FS_NO_SPACE",
  EDQUOT: "FS_NO_SPACE",
  EINVAL: "FS_INVALID_PATH",
  EISDIR: "FS_IS_DIRECTORY",
  ELOOP: "FS_LOOP",
  ENAMETOOLONG: "FS_INVALID_PATH",
  ENOENT: "FS_NOT_FOUND",
  ENOSPC: "FS_NO_SPACE",
  ENOTDIR: "FS_NOT_DIRECTORY",
  ENOTEMPTY: "FS_NOT_EMPTY",
  EROFS: "FS_READ_ONLY",
};

const details: Readonly<Record<string, (path: string) => [code: FsErrorCode, message: string]>> = {
  EACCES: (path) => [
    "FS_IO",
    `this process has no permission for ${path}. Change its permissions, or use another path.`,
  ],
  EPERM: (path) => [
    "FS_IO",
    `the host does not permit that with ${path}. Change its permissions, or use another path.`,
  ],
  EBUSY: (path) => ["FS_IO", `${path} is in use. Try again when it is not.`],
  ENAMETOOLONG: (path) => [
    "FS_INVALID_PATH",
    `${JSON.stringify(path.slice(0, 80))}… has a name longer than the host allows. Use a shorter one.`,
  ],
  ENXIO: (path) => ["FS_UNSUPPORTED", `${path} is a device, pipe or socket, not a file. Use a regular file.`],
  EXDEV: (path) => [
    "FS_UNSUPPORTED",
    `${path} is on another device, where nothing can be moved to in one step; nothing was changed. Copy it, then remove the original.`,
  ],
};

/** Errors that pass by themselves. */
const passing: readonly string[] = ["EMFILE", "ENFILE", "EAGAIN", "ENOMEM"];

/**
 * Makes the port's error of what a host's call threw; errors of the port stay as they are.
 *
 * @param error What was thrown.
 * @param path The path as the caller gave it.
 * @param codes What error numbers mean in this call.
 */
export function hostError(error: unknown, path: string, codes: CodeTable = {}): unknown {
  if (HoldallError.is(error)) return error;
  const number = errorNumber(error);
  const own = codes[number];
  if (own !== undefined) return fsError(own, path, undefined, error);
  const [code, message] = details[number]?.(path) ?? [];
  if (code !== undefined) return fsError(code, path, message, error);
  const general = usual[number];
  if (general !== undefined) return fsError(general, path, undefined, error);
  if (!passing.includes(number)) return error;
  const sentence = `the host is short of open files or memory, so ${path} was not touched. Try again when less is going on.`;
  return new HoldallError("FS_IO", sentence, { data: { path }, cause: error, retryable: true });
}

/** Runs calls of the host and makes their errors those of the port. */
export async function translated<T>(path: string, run: () => Promise<T>, codes?: CodeTable): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw hostError(error, path, codes);
  }
}

/** Gives the error number of what a host's call threw, such as `ENOENT`; empty for anything else. */
export function errorNumber(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** Tells whether an error says that there is nothing at a path. */
export function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(errorNumber(error));
}
