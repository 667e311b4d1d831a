/** A command over HTTP: its output comes as numbered events, and goes on behind the last one when a connection is cut. */

import { delay, HoldallError } from "holdall";
import { type ReadEvent, readEvents } from "./events.ts";
import { type Chunks, openChunks } from "./http-body.ts";
import { callOf, type HttpLinkOptions } from "./http-call.ts";
import { cancelOnAbort, sendCancel } from "./http-cancel.ts";
import { HEADERS } from "./http-protocol.ts";
import { MAX_JSON_BYTES } from "./limits.ts";
import type { Feed } from "./link.ts";
import type { Batch, Streams } from "./protocol.ts";
import { randomId } from "./random-id.ts";
import { readBatch, readFailure } from "./read-batch.ts";
import { ABORTED, goneError, protocolError } from "./wire-error.ts";

type Run = Streams["run"];

/** One of the connections that the output comes through. */
interface Line {
  next(): Promise<ReadEvent | undefined>;
  chunks: Chunks;
}

/** Runs a command; it is sent when the first of its output is asked for. */
export function openHttpRun(
  options: HttpLinkOptions,
  args: Run["takes"],
  signal: AbortSignal,
): Feed<Run["items"], Run["ends"]> {
  const { exchange } = options;
  const key = randomId();
  const ended = new AbortController();
  let stopFollowing: (() => void) | undefined;
  const connect = createLines(options, args, key, ended.signal);
  let line: Line | undefined;
  /** The number of the last event that was given. */
  let position = 0;
  /** Whether the server need not hear that nobody waits any more. */
  let isTold = false;

  const nextEvent = async (): Promise<ReadEvent> => {
    for (let cuts = 0; ; ) {
      try {
        line ??= await connect(position, cuts);
        const event = await line.next();
        if (event !== undefined) return event;
        throw goneError("the connection was cut in the middle of an answer");
      } catch (error) {
        // Where there is no connection, the exchange itself has tried again: the server refuses, or cannot be told anything.
        isTold ||= line === undefined;
        if (line === undefined || !HoldallError.is(error, "BACKEND_GONE") || ended.signal.aborted) throw error;
        line.chunks.stop();
        line = undefined;
        cuts += 1;
        if (cuts >= options.attempts) throw error;
      }
    }
  };
  const take = async (): Promise<Batch<Run["items"], Run["ends"]>> => {
    for (;;) {
      const event = await nextEvent();
      isTold = event.name === "failed";
      if (isTold) throw readFailure(event.data, signal);
      const { position: at = position + 1 } = event;
      if (at > position + 1) throw protocolError("the server left out a part of the output");
      // What was given already is not given again.
      if (at <= position) continue;
      position = at;
      return readBatch("run", event.data);
    }
  };
  const finish = (): void => {
    stopFollowing?.();
    line?.chunks.stop();
  };
  return {
    next: async () => {
      try {
        ended.signal.throwIfAborted();
        // Of a command that has not been sent there is nothing to give up.
        if (stopFollowing === undefined) signal.throwIfAborted();
        stopFollowing ??= cancelOnAbort({ ...options, key, signal, ended });
        const batch = await take();
        if (batch.end !== undefined) finish();
        return batch;
      } catch (error) {
        finish();
        ended.abort(error);
        // A command that nobody will ask for any more need not wait for its client to come back.
        if (!isTold && stopFollowing !== undefined && !signal.aborted) sendCancel(exchange, key);
        throw signal.aborted && HoldallError.is(error, ABORTED) ? signal.reason : error;
      }
    },
    stop: () => {
      if (ended.signal.aborted) return;
      finish();
      ended.abort(goneError("the answer was given up"));
      if (stopFollowing !== undefined) sendCancel(exchange, key);
    },
  };
}

/** Makes connections: the first starts the command, a later one asks for what comes behind a position, never for a new start. */
function createLines(
  options: HttpLinkOptions,
  args: Run["takes"],
  key: string,
  signal: AbortSignal,
): (position: number, cuts: number) => Promise<Line> {
  const { exchange, timers, silenceMs } = options;
  const request = { ...callOf("run", args), key };
  let startedAt: { instance: string | undefined } | undefined;
  return async (position, cuts) => {
    if (cuts > 1) await delay(exchange.waitFor(cuts - 1), signal, timers);
    const again = startedAt && {
      headers: { ...request.headers, [HEADERS.position]: String(position) },
      sentBefore: { times: cuts, instance: startedAt.instance },
    };
    const response = await exchange.send({ ...request, ...again }, signal);
    startedAt ??= { instance: response.headers.get(HEADERS.instance) ?? undefined };
    const chunks = openChunks(response.body, { silenceMs, timers, signal });
    return { chunks, next: readEvents(chunks, MAX_JSON_BYTES) };
  };
}
