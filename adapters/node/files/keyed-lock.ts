/** Lets work on the same thing run one after another. */

/** Runs work while it alone holds some keys. */
export interface KeyedLock {
  /**
   * Waits for all earlier work on any of the keys, then runs.
   *
   * @param keys The keys; a key that is there twice counts once.
   * @param work What to run.
   */
  run<T>(keys: readonly string[], work: () => Promise<T>): Promise<T>;
}

/** Makes a lock that nobody holds. */
export function createKeyedLock(): KeyedLock {
  const last = new Map<string, Promise<unknown>>();
  return {
    run(keys, work) {
      const before = keys.map((key) => last.get(key));
      // All keys are taken in one step, so two takers never wait for each other.
      const running = Promise.all(before).then(work);
      const done = running.then(
        () => {},
        () => {},
      );
      for (const key of keys) last.set(key, done);
      void done.then(() => {
        for (const key of keys) if (last.get(key) === done) last.delete(key);
      });
      return running;
    },
  };
}
