/** Gives up a change over HTTP: the server is told by a call of its own, and what came of the change is still waited for. */

import { onAbort, type Timers } from "holdall";
import { callOf } from "./http-call.ts";
import { discard, type Exchange } from "./http-exchange.ts";
import { ABORT_GRACE } from "./limits.ts";
import { startTimer } from "./timers.ts";
import { goneError } from "./wire-error.ts";

/** What is needed to give up a change. */
export interface CancelOptions {
  exchange: Exchange;
  timers: Timers;
  /** Names the change. */
  key: string;
  /** Gives it up. */
  signal: AbortSignal | undefined;
  /** Is aborted when the server does not tell in time what came of it. */
  ended: AbortController;
}

/** Tells the server of an abort; the returned function stops listening. */
export function cancelOnAbort({ exchange, timers, key, signal, ended }: CancelOptions): () => void {
  let stopTimer = (): void => {};
  const leave = onAbort(signal, () => {
    sendCancel(exchange, key);
    const late = goneError("the call was given up, and what came of it was not told", signal?.reason);
    stopTimer = startTimer(timers, () => ended.abort(late), ABORT_GRACE);
  });
  return () => {
    leave();
    stopTimer();
  };
}

/** Tells the server that a change is given up; nobody waits for its answer. */
export function sendCancel(exchange: Exchange, key: string): void {
  exchange.send(callOf("cancel", { key }), undefined).then(discard, () => {});
}
