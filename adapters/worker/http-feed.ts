/** Answers in pieces that come over HTTP: server-sent events, or frames of bytes. */

import { onAbort } from "holdall";
import { readEvents } from "./events.ts";
import { readFrames } from "./frames.ts";
import { type Chunks, openChunks } from "./http-body.ts";
import { callOf, type HttpLinkOptions } from "./http-call.ts";
import { MAX_JSON_BYTES } from "./limits.ts";
import type { Feed } from "./link.ts";
import type { Unread } from "./port-protocol.ts";
import type { Batch, StreamMethod, Streams } from "./protocol.ts";
import { readBatch, readFailure } from "./read-batch.ts";
import { goneError, protocolError } from "./wire-error.ts";

/** Gives what comes next: pieces, a failure, or undefined when the body has ended. */
type Next = () => Promise<{ batch: Unread } | { failed: unknown } | undefined>;

/** Makes a call whose answer comes in pieces; it is sent when the first is asked for. */
export function openHttpFeed<M extends StreamMethod>(
  options: HttpLinkOptions,
  method: M,
  args: Streams[M]["takes"],
  signal: AbortSignal,
): Feed<Streams[M]["items"], Streams[M]["ends"]> {
  const controller = new AbortController();
  const finish = onAbort(signal, () => controller.abort(signal.reason));

  let source: Promise<Next> | undefined;
  const start = async (): Promise<Next> => {
    const { body } = await options.exchange.send(callOf(method, args), controller.signal);
    const chunks = openChunks(body, { ...options, signal: controller.signal });
    // Also while nobody waits for the next.
    onAbort(controller.signal, chunks.stop);
    return method === "readStream" ? nextOfFrames(chunks) : nextOfEvents(chunks);
  };
  const take = async (): Promise<Batch<Streams[M]["items"], Streams[M]["ends"]>> => {
    controller.signal.throwIfAborted();
    source ??= start();
    const next = await (await source)();
    if (next === undefined) throw goneError("the connection was cut in the middle of an answer");
    if ("failed" in next) throw readFailure(next.failed, signal);
    return readBatch(method, next.batch);
  };
  return {
    next: async () => {
      try {
        const batch = await take();
        if (batch.end !== undefined) finish();
        return batch;
      } catch (error) {
        finish();
        // What is left of the answer is of no use.
        controller.abort(error);
        throw error;
      }
    },
    stop: () => {
      finish();
      controller.abort(goneError("the answer was given up"));
    },
  };
}

function nextOfEvents(chunks: Chunks): Next {
  const next = readEvents(chunks, MAX_JSON_BYTES);
  return async () => {
    const event = await next();
    if (event === undefined) return undefined;
    return event.name === "failed" ? { failed: event.data } : { batch: event.data };
  };
}

function nextOfFrames(chunks: Chunks): Next {
  const next = readFrames(chunks);
  return async () => {
    for (;;) {
      const frame = await next();
      if (frame === undefined) return undefined;
      if (frame.kind === "bytes") return { batch: { items: [frame.bytes] } };
      if (frame.kind === "end") return { batch: { items: [], end: {} } };
      if (frame.kind === "failed") return { failed: parse(frame.bytes) };
    }
  };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw protocolError("the server sent a failure that is not JSON", error);
  }
}
