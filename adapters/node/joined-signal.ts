/** One signal out of several, which lets go of them again: `AbortSignal.any` stays with those that live long. */

/** A signal that aborts as soon as one of several does. */
export interface JoinedSignal {
  readonly signal: AbortSignal;
  /** Stops listening. */
  close(): void;
}

/** Joins signals; undefined ones count for nothing. */
export function joinSignals(...signals: readonly (AbortSignal | undefined)[]): JoinedSignal {
  const controller = new AbortController();
  const listeners: [AbortSignal, () => void][] = [];
  const close = (): void => {
    for (const [signal, listener] of listeners.splice(0)) signal.removeEventListener("abort", listener);
  };
  for (const signal of signals) {
    if (signal === undefined) continue;
    const listener = (): void => {
      close();
      controller.abort(signal.reason);
    };
    if (signal.aborted) {
      listener();
      break;
    }
    listeners.push([signal, listener]);
    signal.addEventListener("abort", listener, { once: true });
  }
  return { signal: controller.signal, close };
}
