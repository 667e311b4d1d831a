/** Lets timers and messages of the host in while a command keeps the thread busy. */

/** Gives a promise to wait for now and then; undefined when there is no need. Throws once the signal has aborted. */
export type Pace = () => Promise<void> | undefined;

/** Milliseconds a command may keep the thread before the host gets a turn. */
const SLICE = 20;

/** Calls after which the host gets a turn in any case: some hosts stop the clock while a program computes. */
const CALLS = 5000;

/**
 * Makes the pace of one command line.
 *
 * just-bash waits for promises only, so without this neither an abort nor the page's own timers would get a turn before
 * a loop ends. Every command of a script asks for files (at least for its own name), and so passes here.
 *
 * @param signal Stops the command.
 * @param now Gives milliseconds.
 */
export function createPace(signal: AbortSignal, now: () => number = Date.now): Pace {
  let turn = now();
  let calls = 0;
  const pause = async (): Promise<void> => {
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
    turn = now();
    calls = 0;
    signal.throwIfAborted();
  };
  return () => {
    signal.throwIfAborted();
    calls += 1;
    return calls >= CALLS || now() - turn >= SLICE ? pause() : undefined;
  };
}
