/** One connection of a client through a port: who waits for which answer, and what happens when it breaks. */

import { hostTimers, type Timers } from "holdall";
import type { Link } from "./link.ts";
import { askThrough, type Calls, openThrough, uploadThrough, type Waiter } from "./port-calls.ts";
import { closePort, listenTo, type PortLike, post } from "./port-like.ts";
import { packCall, readMessage, readNumber, readValue, type ToServer } from "./port-protocol.ts";
import { watchSilence } from "./silence.ts";
import { goneError } from "./wire-error.ts";

/** A connection. */
export interface PortLine extends Required<Link> {
  /** Whether calls can still be made. */
  readonly isOpen: boolean;
  /** Fails what is under way with an error, and every later call. */
  close(error?: unknown): void;
}

/** How a connection is watched. */
export interface PortLineOptions {
  silenceMs?: number;
  timers?: Timers;
}

/** Starts to use a port. */
export function openPortLine(port: PortLike, options: PortLineOptions = {}): PortLine {
  const { silenceMs = 60_000, timers = hostTimers } = options;
  const waiting = new Map<number, Waiter>();
  let count = 0;
  let closed: { error: unknown } | undefined;

  const close = (error: unknown = goneError("the connection was closed")): void => {
    if (closed !== undefined) return;
    closed = { error };
    silence.end();
    stop();
    closePort(port);
    for (const waiter of waiting.values()) waiter.fail(error);
    waiting.clear();
  };
  const receive = (data: unknown): void => {
    silence.heard();
    if (Array.isArray(data)) {
      const number = readNumber(data[0]);
      if (number !== undefined) waiting.get(number)?.answer(readValue(data));
      return;
    }
    const message = readMessage(data);
    if (message?.type === "bye") return void close(goneError("the server has stopped"));
    const id = readNumber(message?.id);
    // An answer to nothing is late or repeated, and means nothing.
    if (message !== undefined && id !== undefined) waiting.get(id)?.receive(message);
  };
  const silence = watchSilence({
    silenceMs,
    timers,
    isWaiting: () => waiting.size > 0,
    ask: () => post(port, { type: "ping" } satisfies ToServer),
    gone: () => close(goneError(`the other side has said nothing for ${silenceMs} ms`)),
  });
  const stop = listenTo(port, { message: receive, gone: (why, cause) => close(goneError(why, cause)) });
  const calls: Calls = {
    timers,
    begin: (method, args, waiter, abortable, transfer) => {
      if (closed !== undefined) {
        waiter.fail(closed.error);
        return undefined;
      }
      count += 1;
      const id = count;
      waiting.set(id, waiter);
      silence.begin();
      post(port, abortable ? callMessage(id, method, args) : packCall(id, method, args), transfer);
      return id;
    },
    send: (message, transfer) => {
      if (closed === undefined) post(port, message, transfer);
    },
    forget: (id) => {
      if (id !== undefined) waiting.delete(id);
    },
  };
  return {
    get isOpen() {
      return closed === undefined;
    },
    ask: (method, args, signal) => askThrough(calls, method, args, signal),
    open: (method, args, signal) => openThrough(calls, method, args, signal),
    upload: (args, stream, signal) => uploadThrough(calls, args, stream, signal),
    close,
  };
}

function callMessage(id: number, method: string, args: unknown): ToServer {
  return { type: "call", id, method, args };
}
