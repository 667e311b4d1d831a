/** What every call over HTTP needs. */

import type { Timers } from "holdall";
import type { Exchange, ExchangeRequest } from "./http-exchange.ts";

/** How a link uses its exchange. */
export interface HttpLinkOptions {
  exchange: Exchange;
  /** The most bytes of a file that go through at once. */
  maxFileBytes: number;
  /** Milliseconds of silence in the middle of an answer until the server counts as gone. */
  silenceMs: number;
  /** How often a connection may be cut in a row, with nothing new coming through, until a command counts as lost. */
  attempts: number;
  timers: Timers;
}

/** Gives a call as a request. */
export function callOf(method: string, args: object): ExchangeRequest {
  return { method: "POST", headers: { "content-type": "application/json" }, body: toJson({ method, args }) };
}

/** JSON has no infinity; the largest whole number is as good. */
function toJson(value: object): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part === Number.POSITIVE_INFINITY ? Number.MAX_SAFE_INTEGER : part,
  );
}
