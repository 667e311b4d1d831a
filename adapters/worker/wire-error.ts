/** Errors on their way: codes go through, foreign errors and stacks stay where they were thrown. */

import { errorText, HoldallError } from "holdall";
import type { WireError } from "./protocol.ts";

/** Stands for the reason of the caller's own signal, which needs no way back. */
export const ABORTED = "ABORTED";

/** The longest message of an error, in UTF-16 units. */
const MAX_MESSAGE = 10_000;

/** The most JSON text of an error's data, in UTF-16 units. */
const MAX_DATA = 20_000;

/**
 * Takes an error apart.
 *
 * @param error What was thrown.
 * @param signal The signal of the call: its reason goes as {@link ABORTED}.
 */
export function packError(error: unknown, signal?: AbortSignal): WireError {
  if (signal?.aborted === true && error === signal.reason && !HoldallError.is(error))
    return { code: ABORTED, message: "The call was given up." };
  if (!HoldallError.is(error)) {
    const message = `the backend failed${error instanceof Error ? ` with ${error.name}` : ""}. Look at its own log.`;
    return { code: "BACKEND_FAILED", message };
  }
  const { code, retryable } = error;
  const data = plain(error.data);
  return {
    code,
    message: errorText(error).slice(0, MAX_MESSAGE),
    ...(data && { data }),
    ...(retryable && { retryable }),
  };
}

/** Puts an error together again: code, message, data and whether to try again are the same, the stack is the receiver's. */
export function unpackError({ code, message, data = {}, retryable = false }: WireError): HoldallError {
  return new HoldallError(code, message, { data, retryable });
}

/** The other side is gone, or cannot be reached; of a change it is not known whether it was made. */
export function goneError(what: string, cause?: unknown): HoldallError {
  return new HoldallError("BACKEND_GONE", `${what}. Call again; look first at what a change has done.`, {
    cause,
    retryable: true,
  });
}

/** A change was sent again, and the server cannot know whether it was made when it was sent before. */
export function unknownError(): HoldallError {
  return new HoldallError(
    "BACKEND_GONE",
    "the server does not know whether this change was made when it was sent before. Look at what it has done, then decide.",
    { data: { outcome: "unknown" }, retryable: true },
  );
}

/** The other side says what this one does not understand. */
export function protocolError(what: string, cause?: unknown): HoldallError {
  return new HoldallError("BACKEND_PROTOCOL", `${what}. Use the same version of holdall on both sides.`, { cause });
}

/** Something is larger than what goes through. */
export function limitError(what: string): HoldallError {
  return new HoldallError("BACKEND_LIMIT", `${what}. Send less at once, or raise the limit.`);
}

/** A request is made in a way that means nothing. */
export function methodError(): HoldallError {
  return new HoldallError("BACKEND_METHOD", "a request must be a GET, PUT or POST. Use `remoteBackend`.");
}

/** The server has too much to do. */
export function busyError(limit: number): HoldallError {
  return new HoldallError("BACKEND_BUSY", `more than ${limit} calls are under way. Wait for some of them.`, {
    retryable: true,
  });
}

/** Gives what JSON keeps of an error's data. */
function plain(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  try {
    const text = JSON.stringify(data);
    return text === "{}" || text.length > MAX_DATA ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
