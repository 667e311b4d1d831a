/** Bodies of requests and responses: read whole within a limit, or chunk by chunk. */

import { HoldallError, onAbort, type Timers } from "holdall";
import { startTimer } from "./timers.ts";
import { goneError, limitError } from "./wire-error.ts";

/** How a body is read. */
export interface BodyOptions {
  /** The most bytes; more fail with `BACKEND_LIMIT`. */
  maxBytes: number;
  /** The bytes there must be; another number fails with `BACKEND_GONE`, because the body was cut. */
  expected?: number | undefined;
  /** What the body is, for errors. */
  what: string;
  /** Ends the reading with its reason. */
  signal?: AbortSignal | undefined;
}

/** Reads a body whole. */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  { maxBytes, expected, what, signal }: BodyOptions,
): Promise<Uint8Array> {
  if (expected !== undefined && expected > maxBytes) throw tooLarge(what, maxBytes);
  const parts: Uint8Array[] = [];
  let size = 0;
  if (body !== null) {
    const reader = body.getReader();
    const leave = onAbort(signal, () => void reader.cancel(signal?.reason).catch(() => {}));
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        size += next.value.length;
        if (size > maxBytes) throw tooLarge(what, maxBytes);
        parts.push(next.value);
      }
    } catch (error) {
      throw HoldallError.is(error, "BACKEND_LIMIT")
        ? error
        : goneError(`the connection was cut in the middle of ${what}`, error);
    } finally {
      leave();
      reader.cancel().catch(() => {});
    }
    signal?.throwIfAborted();
  }
  if (expected !== undefined && size !== expected)
    throw goneError(`the connection was cut: ${size} of ${expected} bytes of ${what} came`);
  return joined(parts, size);
}

function tooLarge(what: string, maxBytes: number): Error {
  return limitError(`${what} is larger than ${maxBytes} bytes`);
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A body that is read chunk by chunk. */
export interface Chunks {
  /** Gives the next chunk, undefined at the end. */
  next(): Promise<Uint8Array | undefined>;
  /** Cancels the rest; a waiting `next` ends. */
  stop(reason?: unknown): void;
}

/** How chunks are waited for. */
export interface ChunkOptions {
  /** Milliseconds until a chunk that does not come counts as never coming. */
  silenceMs: number;
  timers: Timers;
  /** Ends a wait with its reason, and cancels the body. */
  signal?: AbortSignal | undefined;
}

/** Opens a body. A chunk that fails to come is `BACKEND_GONE`, whatever the host throws. */
export function openChunks(
  body: ReadableStream<Uint8Array> | null,
  { silenceMs, timers, signal }: ChunkOptions,
): Chunks {
  const reader = body?.getReader();
  const stop = (reason?: unknown): void => void reader?.cancel(reason).catch(() => {});
  return {
    stop,
    next: async () => {
      if (reader === undefined) return undefined;
      if (signal?.aborted === true) {
        stop(signal.reason);
        throw signal.reason;
      }
      let settle = (): void => {};
      const guard = new Promise<never>((_, reject) => {
        const late = (): void => reject(goneError(`the server has said nothing for ${silenceMs} ms`));
        const stopTimer = startTimer(timers, late, silenceMs);
        const leave = onAbort(signal, () => reject(signal?.reason));
        settle = () => {
          stopTimer();
          leave();
        };
      });
      try {
        const { value } = await Promise.race([cutIsGone(reader.read()), guard]);
        return value;
      } catch (error) {
        stop(error);
        throw hasAborted(signal) ? signal?.reason : error;
      } finally {
        settle();
      }
    },
  };
}

/** Asked anew: it may have aborted since it was looked at. */
function hasAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

async function cutIsGone<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    throw goneError("the connection was cut in the middle of an answer", error);
  }
}
