/** How calls look as HTTP: methods, headers, status codes. */

import { MAX_PATH_BYTES } from "./limits.ts";
import { type Call, PROTOCOL, type WireError } from "./protocol.ts";
import { limitError, protocolError } from "./wire-error.ts";

/**
 * A file is read with GET, in whole or a range of it, and written with PUT, its path in a header; every other call is a
 * POST of `{ method, args }` in JSON. Nothing is told by the address.
 */
export const HEADERS = {
  /** On every request and response: the version of the protocol. A page of another origin cannot send it unasked. */
  protocol: "holdall-protocol",
  /** The path of a GET or PUT. */
  path: "holdall-path",
  /** Bytes of the body that follows: a body that is cut is noticed, whatever lies between. */
  size: "holdall-size",
  /** Names a change: however often it arrives, it is made once. */
  key: "idempotency-key",
  /** How often this change has been sent, from 1. */
  attempt: "holdall-attempt",
  /** On responses, the server's memory of keys; on requests, the one the first attempt was sent to. */
  instance: "holdall-instance",
  /** The number of the last event that came of a command; the answer goes on behind it. */
  position: "last-event-id",
  /** Names the upload that the body of a PUT is a part of. */
  upload: "holdall-upload",
  /** The number of that part, from 0. */
  part: "holdall-part",
} as const;

/** The version of the protocol as a header. */
export const PROTOCOL_HEADER: string = String(PROTOCOL);

/** Gives a path as a header. */
export function encodePath(path: string): string {
  const encoded = encodeURI(path);
  if (encoded.length <= 3 * MAX_PATH_BYTES) return encoded;
  throw limitError(`a path is longer than ${MAX_PATH_BYTES} bytes`);
}

/** Gives the path that a header names. */
export function decodePath(header: string | null): string {
  if (header === null) throw protocolError(`the header ${HEADERS.path} is missing`);
  try {
    return decodeURIComponent(header);
  } catch (error) {
    throw protocolError(`the header ${HEADERS.path} is not a percent-encoded path`, error);
  }
}

/** Gives a version as an entity tag. */
export function toTag(version: string): string {
  return `"${encodeURIComponent(version)}"`;
}

/** Gives the version that an entity tag names. */
export function fromTag(tag: string | null): string {
  const [, version] = /^(?:W\/)?"([^"]*)"$/.exec(tag ?? "") ?? [];
  try {
    if (version !== undefined) return decodeURIComponent(version);
  } catch {
    // Not one of this protocol's.
  }
  throw protocolError("an entity tag is not a version");
}

/** Gives the range of a read as a header. */
export function toRange(offset: number, length: number | undefined): string {
  // There is no empty range; one byte more is left out by the reader.
  return `bytes=${offset}-${length === undefined ? "" : offset + Math.max(length, 1) - 1}`;
}

/** Gives the range that a header names; nothing for none. */
export function fromRange(header: string | null): { offset?: number; length?: number } {
  if (header === null) return {};
  const [, first = "", last = ""] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header) ?? [];
  const offset = Number(first);
  if (first === "" || (last !== "" && Number(last) < offset)) throw protocolError("the range is not one of bytes");
  return last === "" ? { offset } : { offset, length: Number(last) - offset + 1 };
}

/** Gives the count that a header names; undefined for none. */
export function readCount(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw protocolError("a header is not a number");
}

/** The calls that may be made again although it is not known whether they were made: the condition protects them. */
export function isSafeAgain(call: Call): boolean {
  return call.method === "makeDirectory" || (call.method === "write" && call.args.ifVersion !== undefined);
}

const statuses: Readonly<Record<string, number>> = {
  FS_NOT_FOUND: 404,
  FS_IS_DIRECTORY: 409,
  FS_NOT_DIRECTORY: 409,
  FS_EXISTS: 409,
  FS_NOT_EMPTY: 409,
  FS_LOOP: 409,
  FS_CONFLICT: 412,
  FS_OUTSIDE_ROOT: 403,
  FS_READ_ONLY: 403,
  FS_NO_SPACE: 507,
  FS_TOO_LARGE: 413,
  FS_UNSUPPORTED: 501,
  FS_CLOSED: 503,
  FS_IO: 500,
  BACKEND_UNAUTHORIZED: 401,
  BACKEND_FORBIDDEN: 403,
  BACKEND_LIMIT: 413,
  BACKEND_BUSY: 503,
  BACKEND_GONE: 409,
  BACKEND_FAILED: 500,
  BACKEND_METHOD: 405,
  ABORTED: 409,
};

/** Gives the status of an error; the body tells all of it. */
export function statusOf({ code }: WireError): number {
  return statuses[code] ?? 400;
}
