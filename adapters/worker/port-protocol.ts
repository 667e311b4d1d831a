/** What client and server say through a port. Numbers of messages count within one call, from 0. */

import type { WireError } from "./protocol.ts";

/** From the client. */
export type ToServer =
  /** One that is not abortable is never given up; only calls with one answer may be so. */
  | { type: "call"; id: number; method: string; args: unknown; abortable: boolean }
  /** The answer is not wanted any more. */
  | { type: "abort"; id: number }
  /** So many more messages of a stream may come. */
  | { type: "credit"; id: number; count: number }
  /** A piece of what is uploaded; without bytes, its end, or its failure. */
  | { type: "chunk"; id: number; seq: number; bytes?: Uint8Array; failed?: boolean }
  | { type: "ping" };

/** From the server: a call ends with `answer` or `failed`, one in pieces with `items` that have an `end`. */
export type ToClient =
  | { type: "answer"; id: number; value: unknown }
  | { type: "items"; id: number; seq: number; items: readonly unknown[]; end?: { value: unknown } }
  /** With a number, it comes behind the items before it. */
  | { type: "failed"; id: number; error: WireError; seq?: number }
  | { type: "credit"; id: number; count: number }
  | { type: "pong" }
  /** The server stops. */
  | { type: "bye" };

/** A message whose fields nobody has looked at yet. */
export type Unread = Readonly<Record<string, unknown>>;

/** Gives a message whose fields can be looked at; undefined for anything else. */
export function readMessage(data: unknown): Unread | undefined {
  return typeof data === "object" && data !== null && !Array.isArray(data) ? { ...data } : undefined;
}

/** Gives a whole number from 0; undefined for anything else. */
export function readNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
