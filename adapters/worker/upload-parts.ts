/** The parts of an upload on their way into a stream: in order, each once, never many at a time. */

import { onAbort } from "holdall";
import { PART_WINDOW } from "./limits.ts";
import { limitError, protocolError } from "./wire-error.ts";

/** Parts on their way into a stream. */
export interface Parts {
  readonly stream: ReadableStream<Uint8Array>;
  /** Somebody reads the stream. */
  readonly wanted: Promise<void>;
  /** Whether a part has been taken; one that lies too far ahead is an error. */
  has(index: number): boolean;
  /** Brings a part; resolves when it has been taken. */
  put(index: number, bytes: Uint8Array): Promise<void>;
  /** No more parts come. */
  finish(count: number): void;
  /** Nobody reads the stream any more. */
  end(): void;
}

/**
 * Makes the way.
 *
 * @param maxBytes Bytes of all parts together.
 * @param signal Fails the stream with its reason.
 */
export function createParts(maxBytes: number, signal: AbortSignal): Parts {
  const early = new Map<number, Uint8Array>();
  const takers = new Set<() => void>();
  let wake = (): void => {};
  let wanted = (): void => {};
  let next = 0;
  let size = 0;
  let finished = false;
  const has = (index: number): boolean => {
    if (index >= next + PART_WINDOW) throw protocolError("a part has come long before those in front of it");
    return index < next;
  };
  const taken = async (index: number): Promise<void> => {
    while (index >= next) await new Promise<void>((resolve) => takers.add(resolve));
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        wanted();
        for (;;) {
          if (signal.aborted) return controller.error(signal.reason);
          const bytes = early.get(next);
          if (bytes === undefined) {
            if (finished) return controller.close();
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
            continue;
          }
          early.delete(next);
          next += 1;
          for (const resolve of takers) resolve();
          takers.clear();
          return controller.enqueue(bytes);
        }
      },
    },
    { highWaterMark: 0 },
  );
  onAbort(signal, () => wake());
  return {
    stream,
    wanted: new Promise((resolve) => {
      wanted = resolve;
    }),
    has,
    put: async (index, bytes) => {
      if (has(index)) return;
      if (finished) throw protocolError("a part has come behind the end");
      // The same part once more waits for the first one.
      if (!early.has(index)) {
        if (size + bytes.length > maxBytes) throw limitError(`the file is larger than ${maxBytes} bytes`);
        size += bytes.length;
        early.set(index, bytes);
        wake();
      }
      await taken(index);
    },
    finish: (count) => {
      if (next !== count || early.size > 0) throw protocolError(`${next} of ${count} parts have come`);
      finished = true;
      wake();
    },
    end: () => {
      early.clear();
    },
  };
}
