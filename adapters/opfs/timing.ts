/** Waits for files that somebody else has open, and lets only so much go on at once. */

import type { Timers } from "holdall";
import { nameOf } from "./opfs-error.ts";

/** Milliseconds between attempts on a file that is open elsewhere: together a little more than a second. */
const PAUSES = [10, 20, 40, 80, 160, 320, 640];

/** Repeats something while a file that it changes is open elsewhere. */
export async function whenUnlocked<T>(timers: Timers, work: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await work();
    } catch (error) {
      if (nameOf(error) !== "NoModificationAllowedError") throw error;
      await new Promise<void>((resolve) => {
        timers.set(resolve, pause);
      });
    }
  }
  return work();
}

/** Lets so many works go on at once; the others wait in order. */
export function createLimit(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => void waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
