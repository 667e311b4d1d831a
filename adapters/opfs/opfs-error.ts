/** Makes what file handles fail with into the errors of the port. */

import { fsError, HoldallError } from "holdall";

/** What browsers say of a handle that leads nowhere, or to something else. */
const STALE: ReadonlySet<string> = new Set([
  "NotFoundError",
  "TypeMismatchError",
  "InvalidModificationError",
  "InvalidStateError",
  "UnknownError",
]);

/** Gives the error for whatever a handle threw. */
export function fromHandle(error: unknown, path: string): HoldallError {
  if (HoldallError.is(error)) return error;
  switch (nameOf(error)) {
    case "QuotaExceededError":
      return fsError("FS_NO_SPACE", path, undefined, error);
    case "NotFoundError":
      return fsError("FS_NOT_FOUND", path, undefined, error);
    case "NotAllowedError":
      return retryable(
        path,
        `the folder of ${path} may not be used, or not changed, in this visit. Call ensurePermission when the person clicks.`,
        error,
      );
    case "NoModificationAllowedError":
      return retryable(path, `${path} is in use, perhaps in another tab. Close it there, then try again.`, error);
    case "SecurityError":
      return unavailable(path, error);
    default:
      return fsError("FS_IO", path, undefined, error);
  }
}

/** Gives the error for what asking for a handle by name threw: a `TypeError` says that such a name is not taken. */
export function fromNaming(error: unknown, path: string): HoldallError {
  return nameOf(error) === "TypeError" ? fsError("FS_INVALID_PATH", path, undefined, error) : fromHandle(error, path);
}

/** The error where there is no private file system, or none that may be used. */
export function unavailable(path: string, cause?: unknown): HoldallError {
  return fsError(
    "FS_UNSUPPORTED",
    path,
    "this page cannot use the browser's private file system, as in some private windows or without https. " +
      "Serve the page over https, or use indexedDbBackend or memoryBackend.",
    cause,
  );
}

/** Tells whether an error says that something else, or nothing, is where a handle leads. Browsers differ in how they say it. */
export function isStale(error: unknown): boolean {
  return STALE.has(nameOf(error));
}

/** Tells whether an error says that the folder may not be used, or not changed, in this visit. */
export function isForbidden(error: unknown): boolean {
  return nameOf(HoldallError.is(error) ? error.cause : error) === "NotAllowedError";
}

/** Gives the name of an error, such as `NotFoundError`; empty for anything else. */
export function nameOf(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : "";
}

function retryable(path: string, message: string, cause: unknown): HoldallError {
  return new HoldallError("FS_IO", message, { data: { path }, cause, retryable: true });
}
