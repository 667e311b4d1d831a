/** Responses that are whole: JSON, and files or parts of them. */

import type { ReadResult } from "holdall";
import { toTag } from "./http-protocol.ts";
import type { ReadArguments } from "./protocol.ts";

/** Makes a response of a value; JSON has no undefined. */
export function jsonResponse(value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ value: value ?? null }, { headers });
}

/** Makes a response of what a file is now, with its version as a tag. */
export function statResponse(stat: unknown): Response {
  const version: unknown = typeof stat === "object" && stat !== null ? Reflect.get(stat, "version") : undefined;
  return jsonResponse(stat, typeof version === "string" ? { etag: toTag(version) } : {});
}

/** Makes a response of what was read. */
export function readResponse({ bytes, version }: ReadResult, { offset = 0 }: ReadArguments): Response {
  const headers = { "content-type": "application/octet-stream", etag: toTag(version), "accept-ranges": "bytes" };
  // Nothing is there to give: the file is empty, or ends before.
  if (bytes.length === 0) return new Response(null, { status: 416, headers });
  const range = `bytes ${offset}-${offset + bytes.length - 1}/*`;
  const owned = bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
  return new Response(owned, { status: 206, headers: { ...headers, "content-range": range } });
}
