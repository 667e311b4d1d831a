/** The client's calls over HTTP. */

import { type FileStat, fsError, HoldallError, joinSignals, type ReadResult } from "holdall";
import { readAnswer, readStat } from "./answer-shapes.ts";
import { readBody } from "./http-body.ts";
import { callOf, type HttpLinkOptions } from "./http-call.ts";
import { cancelOnAbort } from "./http-cancel.ts";
import { discard, readJson } from "./http-exchange.ts";
import { openHttpFeed } from "./http-feed.ts";
import { encodePath, fromTag, HEADERS, toRange, toTag } from "./http-protocol.ts";
import { openHttpRun } from "./http-run.ts";
import { uploadThroughHttp } from "./http-upload.ts";
import type { Feed, Link } from "./link.ts";
import {
  type AskMethod,
  type Asks,
  isChange,
  type ReadArguments,
  type StreamMethod,
  type Streams,
} from "./protocol.ts";
import { randomId } from "./random-id.ts";
import { createStatBatch } from "./stat-batch.ts";
import { ABORTED, limitError, protocolError } from "./wire-error.ts";

type Handler<M extends AskMethod> = (args: Asks[M]["takes"], signal: AbortSignal) => Promise<Asks[M]["gives"]>;

type Open<M extends StreamMethod> = (
  args: Streams[M]["takes"],
  signal: AbortSignal,
) => Feed<Streams[M]["items"], Streams[M]["ends"]>;

/** Makes the link. */
export function createHttpLink(options: HttpLinkOptions): Link {
  const closing = new AbortController();
  const stat = createStatBatch({
    one: (args, signal) => look(options, "stat", args, signal),
    many: (stats) => look(options, "statMany", { stats }, closing.signal),
  });
  // Files go as bodies; everything else is JSON.
  const special: { [M in AskMethod]?: Handler<M> } = {
    stat: (args, signal) => stat(args, signal),
    read: (args, signal) => read(options, args, signal),
    write: (args, signal) => write(options, args, signal),
  };
  const feeds: { [M in StreamMethod]: Open<M> } = {
    list: (args, signal) => openHttpFeed(options, "list", args, signal),
    walk: (args, signal) => openHttpFeed(options, "walk", args, signal),
    watch: (args, signal) => openHttpFeed(options, "watch", args, signal),
    readStream: (args, signal) => openHttpFeed(options, "readStream", args, signal),
    run: (args, signal) => openHttpRun(options, args, signal),
  };
  const ask = async <M extends AskMethod>(method: M, args: Asks[M]["takes"], given?: AbortSignal) => {
    const { signal, close } = joinSignals(given, closing.signal);
    try {
      signal.throwIfAborted();
      const handler: Handler<M> = special[method] ?? ((it, ends) => plain(options, method, it, ends));
      return await handler(args, signal);
    } finally {
      close();
    }
  };
  return {
    ask,
    open: (method, args, given) => {
      const { signal, close } = joinSignals(given, closing.signal);
      return closingAtEnd(feeds[method](args, signal), close);
    },
    upload: async (args, stream, given) => {
      const { signal, close } = joinSignals(given, closing.signal);
      try {
        signal.throwIfAborted();
        return await uploadThroughHttp(args, stream, {
          link: options,
          signal,
          write: (bytes) => write(options, { ...args, bytes }, signal),
          change: (make) => change(options, signal, make),
        });
      } finally {
        close();
      }
    },
    close: () => closing.abort(fsError("FS_CLOSED", "/")),
  };
}

/** Lets go of something when an answer has ended, however it did. */
function closingAtEnd<TItem, TEnd>(feed: Feed<TItem, TEnd>, close: () => void): Feed<TItem, TEnd> {
  return {
    next: async () => {
      try {
        const batch = await feed.next();
        if (batch.end !== undefined) close();
        return batch;
      } catch (error) {
        close();
        throw error;
      }
    },
    stop: () => {
      feed.stop();
      close();
    },
  };
}

/** Makes a call that is JSON and has one answer. */
function plain<M extends AskMethod>(
  options: HttpLinkOptions,
  method: M,
  args: Asks[M]["takes"],
  signal: AbortSignal,
): Promise<Asks[M]["gives"]> {
  if (!isChange(method)) return look(options, method, args, signal);
  return change(options, signal, async (key, ended) => {
    const response = await options.exchange.send({ ...callOf(method, args), key }, ended);
    return readAnswer(method, (await readJson(response, ended)).value);
  });
}

async function look<M extends AskMethod>(
  { exchange }: HttpLinkOptions,
  method: M,
  args: Asks[M]["takes"],
  signal: AbortSignal | undefined,
): Promise<Asks[M]["gives"]> {
  const response = await exchange.send(callOf(method, args), signal);
  return readAnswer(method, (await readJson(response, signal)).value);
}

async function read(
  { exchange, maxFileBytes }: HttpLinkOptions,
  { path, offset = 0, length }: ReadArguments,
  signal: AbortSignal,
): Promise<ReadResult> {
  const headers = { [HEADERS.path]: encodePath(path), range: toRange(offset, length) };
  const response = await exchange.send({ method: "GET", headers }, signal);
  const version = fromTag(response.headers.get("etag"));
  if (response.status === 416) {
    discard(response);
    return { bytes: new Uint8Array(0), version };
  }
  const [, first, last] = /^bytes (\d{1,15})-(\d{1,15})\//.exec(response.headers.get("content-range") ?? "") ?? [];
  const expected = Number(last) - Number(first) + 1;
  const isAsked = Number(first) === offset && expected > 0 && expected <= Math.max(length ?? Infinity, 1);
  if (response.status !== 206 || !isAsked) throw protocolError("the server answered another range than was asked for");
  const bytes = await readBody(response.body, { maxBytes: maxFileBytes, expected, what: path, signal });
  return { bytes: length === 0 ? new Uint8Array(0) : bytes, version };
}

function write(
  options: HttpLinkOptions,
  { path, bytes, ifVersion }: Asks["write"]["takes"],
  signal: AbortSignal,
): Promise<FileStat> {
  if (bytes.length > options.maxFileBytes)
    throw limitError(`${path} would have more than the ${options.maxFileBytes} bytes that go through at once`);
  const headers = {
    [HEADERS.path]: encodePath(path),
    [HEADERS.size]: String(bytes.length),
    "content-type": "application/octet-stream",
    ...(ifVersion === null && { "if-none-match": "*" }),
    ...(typeof ifVersion === "string" && { "if-match": toTag(ifVersion) }),
  };
  return change(options, signal, async (key, ended) => {
    const response = await options.exchange.send({ method: "PUT", headers, body: bytes, key }, ended);
    return readStat((await readJson(response, ended)).value);
  });
}

/**
 * Makes a change, whose outcome must be learnt: an abort goes to the server as a call of its own, and the answer tells
 * whether it came in time.
 */
async function change<T>(
  { exchange, timers }: HttpLinkOptions,
  signal: AbortSignal,
  make: (key: string, ended: AbortSignal) => Promise<T>,
): Promise<T> {
  const key = randomId();
  const ended = new AbortController();
  const stopFollowing = cancelOnAbort({ exchange, timers, key, signal, ended });
  try {
    return await make(key, ended.signal);
  } catch (error) {
    throw signal.aborted && HoldallError.is(error, ABORTED) ? signal.reason : error;
  } finally {
    stopFollowing();
  }
}
