/** Lets only so many calls use files at the same time. */

/** Runs work when there is room. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Makes a gate; what does not fit waits in order.
 *
 * @param size How many may run at the same time.
 */
export function createGate(size: number): Gate {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= size) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The room goes on to the next one in line; nobody comes between.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
