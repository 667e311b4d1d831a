/** What client and server say through a port. Numbers of messages count within one call, from 0. */

import type { FileKind, FileStat } from "holdall";
import type { WireError } from "./protocol.ts";

/** The number of a call, its method and its arguments; of a `stat` of a path alone, just that. */
export type PlainCall =
  | readonly [id: number, method: string, args: unknown]
  | readonly [id: number, method: "stat", path: string];

/** The number of a call and its value; the facts of a file one by one. */
export type PlainAnswer =
  | readonly [id: number, value: unknown]
  | readonly [id: number, kind: FileKind, size: number, modifiedAt: number, version: string];

/** From the client. */
export type ToServer =
  /** One that is never given up, with one answer: most are small and many, and a list costs a host less than an object. */
  | PlainCall
  | { type: "call"; id: number; method: string; args: unknown }
  /** The answer is not wanted any more. */
  | { type: "abort"; id: number }
  /** So many more messages of a stream may come. */
  | { type: "credit"; id: number; count: number }
  /** A piece of what is uploaded; without bytes, its end, or its failure. */
  | { type: "chunk"; id: number; seq: number; bytes?: Uint8Array; failed?: boolean }
  | { type: "ping" };

/** From the server: a call ends with an answer or `failed`, one in pieces with `items` that have an `end`. */
export type ToClient =
  | PlainAnswer
  | { type: "items"; id: number; seq: number; items: readonly unknown[]; end?: { value: unknown } }
  /** With a number, it comes behind the items before it. */
  | { type: "failed"; id: number; error: WireError; seq?: number }
  | { type: "credit"; id: number; count: number }
  | { type: "pong" }
  /** The server stops. */
  | { type: "bye" };

/** Makes a call that is never given up. */
export function packCall(id: number, method: string, args: object): PlainCall {
  if (method === "stat" && "path" in args && !("followSymlinks" in args)) return [id, method, args.path];
  return [id, method, args];
}

/** Makes the answer to a call. */
export function packAnswer(id: number, value: unknown): PlainAnswer {
  return isStat(value) ? [id, value.kind, value.size, value.modifiedAt, value.version] : [id, value];
}

/** Gives what a client looks at as the value of an answer. */
export function readValue(answer: readonly unknown[]): unknown {
  if (answer.length !== 5) return answer[1];
  return { kind: answer[1], size: answer[2], modifiedAt: answer[3], version: answer[4] };
}

function isStat(value: unknown): value is FileStat {
  return typeof value === "object" && value !== null && "version" in value && "kind" in value;
}

/** A message whose fields nobody has looked at yet. */
export type Unread = Readonly<Record<string, unknown>>;

/** Gives a message whose fields can be looked at; undefined for anything else. */
export function readMessage(data: unknown): Unread | undefined {
  // Not copied: what JSON or a port brings is plain, and belongs to nobody else.
  return isUnread(data) ? data : undefined;
}

function isUnread(data: unknown): data is Unread {
  return typeof data === "object" && data !== null && !Array.isArray(data);
}

/** Gives a whole number from 0; undefined for anything else. */
export function readNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
