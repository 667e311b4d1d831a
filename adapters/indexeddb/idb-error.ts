/** Makes what IndexedDB fails with into the errors of the port. */

import { fsError, HoldallError } from "holdall";

/** Gives the error for whatever a database call threw. */
export function fromIdb(error: unknown, path: string, database: string): HoldallError {
  if (HoldallError.is(error)) return error;
  switch (nameOf(error)) {
    case "QuotaExceededError":
      return fsError("FS_NO_SPACE", path, undefined, error);
    case "NotFoundError":
      return fsError(
        "FS_IO",
        path,
        `the database ${JSON.stringify(database)} belongs to something else. Choose another name for the backend.`,
        error,
      );
    default:
      return fsError("FS_IO", path, undefined, error);
  }
}

/** Gives the error for what opening a database threw: a private window, a page without an origin, storage switched off. */
export function fromOpening(error: unknown): unknown {
  return ["SecurityError", "InvalidStateError"].includes(nameOf(error)) ? unavailable("/", error) : error;
}

/** The error where there is no IndexedDB, or none that may be used. */
export function unavailable(path: string, cause?: unknown): HoldallError {
  return fsError(
    "FS_UNSUPPORTED",
    path,
    "this page cannot use IndexedDB, as in some private windows or with storage switched off. " +
      "Allow the site to store data, or use memoryBackend.",
    cause,
  );
}

/** Tells whether an error says that the connection is gone; what was going on then has changed nothing. */
export function isLost(error: unknown): boolean {
  return ["InvalidStateError", "AbortError", "UnknownError"].includes(nameOf(error));
}

function nameOf(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : "";
}
