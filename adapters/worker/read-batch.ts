/** Reads the messages that both transports end a call with. */

import { readEnd, readError, readItems } from "./answer-shapes.ts";
import { readMessage, type Unread } from "./port-protocol.ts";
import type { Batch, StreamMethod, Streams } from "./protocol.ts";
import { ABORTED, unpackError } from "./wire-error.ts";

/** Reads some pieces of an answer. */
export function readBatch<M extends StreamMethod>(
  method: M,
  { items, end }: Unread,
): Batch<Streams[M]["items"], Streams[M]["ends"]> {
  const batch = { items: readItems(method, items) };
  if (end === undefined) return batch;
  return { ...batch, end: { value: readEnd(method, readMessage(end)?.value) } };
}

/**
 * Reads an error; an abort of the caller's own comes back as its reason, also when the backend made another error of it.
 *
 * @param error What came.
 * @param signal The caller's signal.
 */
export function readFailure(error: unknown, signal: AbortSignal | undefined): unknown {
  const read = readError(error);
  if (signal?.aborted === true && (read.code === ABORTED || read.code === "BACKEND_FAILED")) return signal.reason;
  return unpackError(read);
}
