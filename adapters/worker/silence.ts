/** Notices when the other side says nothing any more: not every host tells that a worker has died. */

import type { Timers } from "holdall";
import { startTimer } from "./timers.ts";

/** What to watch, and what to do. */
export interface SilenceOptions {
  /** Milliseconds until silence counts. */
  silenceMs: number;
  timers: Timers;
  /** Whether anything is waited for; silence means nothing else. */
  isWaiting(): boolean;
  /** Asks the other side for a sign of life. */
  ask(): void;
  /** It gave none. */
  gone(): void;
}

/** Watches for silence. */
export interface Silence {
  /** Something is waited for. */
  begin(): void;
  /** The other side said something. */
  heard(): void;
  /** Nothing is watched any more. */
  end(): void;
}

/** Makes the watch. It asks after half of the time, and its timer runs only while something is waited for. */
export function watchSilence({ silenceMs, timers, isWaiting, ask, gone }: SilenceOptions): Silence {
  let stop: (() => void) | undefined;
  let heard = false;
  let asked = false;
  const look = (): void => {
    stop = undefined;
    if (!isWaiting()) return;
    if (heard) asked = false;
    else if (asked) return void gone();
    else {
      asked = true;
      ask();
    }
    heard = false;
    start();
  };
  const start = (): void => {
    stop = startTimer(timers, look, silenceMs / 2);
  };
  return {
    begin: () => {
      if (stop !== undefined) return;
      heard = true;
      start();
    },
    heard: () => {
      heard = true;
    },
    end: () => {
      stop?.();
      stop = undefined;
    },
  };
}
