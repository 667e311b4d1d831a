/** Loading code when it is first needed, so that a page starts without it. */

/**
 * Makes a loader that loads once. A failure is not kept: the next call tries again.
 *
 * @param load Loads the module.
 */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
