/** The client's calls over HTTP. */

import { type FileStat, fsError, HoldallError, type ReadResult } from "holdall";
import { readAnswer, readStat } from "./answer-shapes.ts";
import { readBody } from "./http-body.ts";
import { callOf, type HttpLinkOptions } from "./http-call.ts";
import { discard, readJson } from "./http-exchange.ts";
import { openHttpFeed } from "./http-feed.ts";
import { encodePath, fromTag, HEADERS, toRange, toTag } from "./http-protocol.ts";
import { ABORT_GRACE } from "./limits.ts";
import type { Link } from "./link.ts";
import { type AskMethod, type Asks, isChange, type ReadArguments } from "./protocol.ts";
import { randomId } from "./random-id.ts";
import { createStatBatch } from "./stat-batch.ts";
import { startTimer } from "./timers.ts";
import { ABORTED, goneError, limitError, protocolError } from "./wire-error.ts";

type Handler<M extends AskMethod> = (args: Asks[M]["takes"], signal: AbortSignal) => Promise<Asks[M]["gives"]>;

/** Makes the link. */
export function createHttpLink(options: HttpLinkOptions): Link {
  const closing = new AbortController();
  const withClose = (signal: AbortSignal | undefined): AbortSignal =>
    signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
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
  const ask = async <M extends AskMethod>(method: M, args: Asks[M]["takes"], given?: AbortSignal) => {
    const signal = withClose(given);
    signal.throwIfAborted();
    const handler: Handler<M> | undefined = special[method];
    if (handler !== undefined) return handler(args, signal);
    if (!isChange(method)) return look(options, method, args, signal);
    return change(options, signal, async (key, ended) => {
      const response = await options.exchange.send({ ...callOf(method, args), key }, ended);
      return readAnswer(method, (await readJson(response, ended)).value);
    });
  };
  return {
    ask,
    open: (method, args, signal) => openHttpFeed(options, method, args, withClose(signal)),
    close: () => closing.abort(fsError("FS_CLOSED", "/")),
  };
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
  const controller = new AbortController();
  let stopTimer = (): void => {};
  const abort = (): void => {
    exchange.send(callOf("cancel", { key }), undefined).then(discard, () => {});
    const late = goneError("the call was given up, and what came of it was not told", signal.reason);
    stopTimer = startTimer(timers, () => controller.abort(late), ABORT_GRACE);
  };
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await make(key, controller.signal);
  } catch (error) {
    throw signal.aborted && HoldallError.is(error, ABORTED) ? signal.reason : error;
  } finally {
    signal.removeEventListener("abort", abort);
    stopTimer();
  }
}
