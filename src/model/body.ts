/** Reads the bytes of a response, under an idle limit, a size limit and a signal. */

import { onAbort, type Timers, timeoutError } from "../base/abort.ts";
import { streamError } from "./model-error.ts";

/** How a body is read. */
export interface BodyLimits {
  /** The longest wait for the next bytes, in milliseconds; `Infinity` for no limit. */
  idleMs: number;
  /** The most bytes that are read. */
  maxBytes: number;
  timers: Timers;
}

/** The bytes of a response, one piece after another. */
export interface Body {
  /**
   * Waits for the next bytes; undefined at the end.
   *
   * @throws The signal's reason, or HoldallError `MODEL_STREAM`.
   */
  next(): Promise<Uint8Array | undefined>;
  /** Ends the response; what is still on its way is dropped. */
  close(): void;
}

/** Opens the body of a response; whoever opens it must close it. */
export function openBody(response: Response, limits: BodyLimits, signal: AbortSignal | undefined): Body {
  const reader = response.body?.getReader();
  let fail: (reason: unknown) => void = () => {};
  let read = 0;
  const stop = onAbort(signal, (reason) => fail(reason));
  const next = (stream: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined> =>
    new Promise((resolve, reject) => {
      const settle = startIdle(limits, reject);
      fail = (reason) => {
        settle();
        reject(reason);
      };
      stream.read().then(
        ({ value }) => {
          settle();
          resolve(value);
        },
        (cause) => {
          settle();
          reject(
            streamError("the connection broke while the model answered", "Ask again.", { cause, retryable: true }),
          );
        },
      );
    });
  return {
    async next() {
      if (signal?.aborted) throw signal.reason;
      if (reader === undefined) return undefined;
      const bytes = await next(reader);
      read += bytes?.byteLength ?? 0;
      if (read > limits.maxBytes) {
        throw streamError(`the answer is longer than ${limits.maxBytes} bytes`, "Ask for a shorter one.");
      }
      return bytes;
    },
    close() {
      stop();
      // Not awaited: a source that never answers must not hold up whoever leaves.
      reader?.cancel().catch(() => {});
    },
  };
}

function startIdle(limits: BodyLimits, reject: (error: unknown) => void): () => void {
  const { idleMs, timers } = limits;
  if (idleMs === Number.POSITIVE_INFINITY) return () => {};
  const timer = timers.set(() => {
    const cause = timeoutError(idleMs, "the next piece of the answer");
    reject(
      streamError(`the server sent nothing for ${idleMs} ms`, "Ask again, or allow more with timeouts.idleMs.", {
        cause,
        retryable: true,
      }),
    );
  }, idleMs);
  return () => timers.clear(timer);
}
