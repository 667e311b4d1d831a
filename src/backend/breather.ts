/** Gives timers, input and aborts their turn during long work. */

import type { Steps } from "../base/steps.ts";

/** Counts work and tells when to pause. */
export interface Breather {
  /**
   * Counts work done, in units of about one character looked at.
   *
   * @returns A promise to wait for, when it is time to pause; else undefined, which costs no turn of the queue.
   */
  spend(units: number): Promise<void> | undefined;
}

/** How long to work between pauses. */
export interface BreatherOptions {
  /** Gives milliseconds; a test passes its own. Defaults to the host's monotonic clock. */
  clock?: () => number;
  /** Lets everything else have a turn; a test passes its own. */
  rest?: () => Promise<void>;
}

/** What looking at one file or directory entry costs beside its text. */
export const ENTRY_UNITS = 1024;

/** Units between two looks at the clock. */
export const CHECK_UNITS: number = 1 << 16;

/** Milliseconds of work between two pauses: a fifth of what a timer should ever wait, for the collector takes as long. */
const SLICE = 3;

/** Units after which a pause is made whatever the clock says: on edge workers it stands still while code runs. */
const BUDGET = 1 << 22;

/** Makes a breather; its first slice starts now. */
export function createBreather(options: BreatherOptions = {}): Breather {
  const { clock = () => performance.now(), rest = nextTurn } = options;
  let since = clock();
  let spent = 0;
  let unchecked = 0;
  return {
    spend(units) {
      unchecked += units;
      if (unchecked < CHECK_UNITS) return undefined;
      spent += unchecked;
      unchecked = 0;
      if (spent < BUDGET && clock() - since < SLICE) return undefined;
      spent = 0;
      return rest().then(() => {
        since = clock();
      });
    },
  };
}

/**
 * Takes steps, with pauses between them.
 *
 * @param steps The work.
 * @param breather Counts each step as time for a look at the clock.
 * @param signal Ends the work after a pause.
 */
export async function takeInTurns<Result>(
  steps: Steps<Result>,
  breather: Breather,
  signal?: AbortSignal,
): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const pause = breather.spend(CHECK_UNITS);
    if (pause === undefined) continue;
    await pause;
    signal?.throwIfAborted();
  }
}

/** Waits for the next turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    // Pages in the background get timers once a second, messages at once. In workerd, which alone has WebSocketPair,
    // a message comes within the same turn, before any timer.
    if (typeof MessageChannel === "undefined" || "WebSocketPair" in globalThis) {
      setTimeout(resolve, 0);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      // An open port would keep a process alive.
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
