/** Answers calls that came over HTTP: makes changes once, counts what is under way, streams what is long. */

import { type FileStat, hostTimers, type Timers } from "holdall";
import { answerStream, type StreamCodec } from "./answer-stream.ts";
import { isBytes } from "./bytes.ts";
import { isAskCall } from "./call-shapes.ts";
import { type Clock, defaultClock } from "./clock.ts";
import { eventCodec } from "./events.ts";
import { frameCodec } from "./frames.ts";
import { HEADERS, PROTOCOL_HEADER, toTag } from "./http-protocol.ts";
import { type Asked, DEFAULT_HTTP_LIMITS, type HttpLimits } from "./http-request.ts";
import { createKeyMemory, type Kept, type KeyMemory, type Mark } from "./key-memory.ts";
import { KEEP_ALIVE, MAX_KEPT_OUTPUT } from "./limits.ts";
import { type AskCall, type Batch, isChange, type ReadArguments, type StreamCall } from "./protocol.ts";
import { randomId } from "./random-id.ts";
import { createRunRecord, type RunRecord } from "./run-record.ts";
import type { Service } from "./service.ts";
import { busyError, goneError, limitError, packError, protocolError, unpackError } from "./wire-error.ts";

/** Seams and bounds. */
export interface HttpAnswersOptions {
  limits?: Partial<HttpLimits> | undefined;
  timers?: Timers | undefined;
  clock?: Clock | undefined;
  /** Ends commands and streams. */
  stop?: AbortSignal | undefined;
}

/** The answering part of a server. */
export interface HttpAnswers {
  readonly limits: HttpLimits;
  /** What every response has. */
  headers(): Readonly<Record<string, string>>;
  answer(request: Request, asked: Asked): Promise<Response>;
}

/** What came of a change. */
interface KeptAnswer extends Kept {
  outcome: Promise<unknown>;
}

interface Memories {
  instance: string;
  changes: KeyMemory<KeptAnswer>;
  runs: KeyMemory<RunRecord>;
}

/** Makes the answering part over a service. */
export function createAnswers(service: Service, options: HttpAnswersOptions = {}): HttpAnswers {
  const { timers = hostTimers, clock = defaultClock, stop } = options;
  const limits = { ...DEFAULT_HTTP_LIMITS, ...options.limits };
  const memories = once(() => createMemories(clock));
  let underWay = 0;

  const answerAsk = async (call: AskCall, mark: Mark | undefined, request: Request): Promise<Response> => {
    if (call.method === "read")
      return readResponse(await readWithin(service, call.args, limits, signalOf(request, stop)), call.args);
    if (!isChange(call.method)) return json(await service.ask(call, signalOf(request, stop)));
    // A change goes on when its client is cut off, so that who asks again is told what came of it.
    const start = (signal: AbortSignal): KeptAnswer => keep(withAbort(service.ask(call, signal), signal));
    const { outcome } = mark === undefined ? start(new AbortController().signal) : memories().changes.once(mark, start);
    const value = await outcome;
    return json(value, call.method === "write" ? { etag: toTag((value as FileStat).version) } : {});
  };
  const answerStreamCall = (
    call: StreamCall,
    mark: Mark | undefined,
    request: Request,
    closed: () => void,
  ): Response => {
    const controller = new AbortController();
    const signal = AbortSignal.any([controller.signal, signalOf(request, stop)]);
    const left = (): void => controller.abort(goneError("the connection was cut"));
    const shared = {
      keepAliveMs: KEEP_ALIVE,
      timers,
      pack: (error: unknown) => packError(error, signal),
      left,
      closed,
    };
    if (call.method === "readStream")
      return stream(answerStream(bytesOf(service.open(call, signal)), frameCodec, shared), frameCodec);
    if (call.method !== "run") return stream(answerStream(service.open(call, signal), eventCodec, shared), eventCodec);
    const start = (cancelled: AbortSignal): RunRecord =>
      createRunRecord(
        (ended) => service.open(call, ended),
        stop === undefined ? cancelled : AbortSignal.any([cancelled, stop]),
      );
    const record = mark === undefined ? start(new AbortController().signal) : memories().runs.once(mark, start);
    return stream(answerStream(record.read(), eventCodec, shared), eventCodec);
  };
  return {
    limits,
    headers: () => ({
      // Compressed on their way, pieces would wait for each other.
      "cache-control": "no-store, no-transform",
      "x-content-type-options": "nosniff",
      [HEADERS.protocol]: PROTOCOL_HEADER,
      [HEADERS.instance]: memories().instance,
    }),
    answer: async (request, asked) => {
      if ("cancel" in asked) {
        memories().changes.cancel(asked.cancel);
        return json(undefined);
      }
      if (underWay >= limits.maxCalls) throw busyError(limits.maxCalls);
      underWay += 1;
      const closed = once(() => {
        underWay -= 1;
      });
      const { call, mark } = asked;
      try {
        if (isAskCall(call)) return await answerAsk(call, mark, request).finally(closed);
        if (call.method === "writeStream") throw protocolError("a file is written with PUT");
        return answerStreamCall(call, mark, request, closed);
      } catch (error) {
        closed();
        throw error;
      }
    },
  };
}

function createMemories(clock: Clock): Memories {
  const instance = randomId();
  const shared = { instance, clock, maxBytes: MAX_KEPT_OUTPUT };
  return { instance, changes: createKeyMemory(shared), runs: createKeyMemory(shared) };
}

/** Does something once, when it is first needed: workers refuse randomness at module level, where a server may be made. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function keep(outcome: Promise<unknown>): KeptAnswer {
  let isBusy = true;
  const settle = (): void => {
    isBusy = false;
  };
  outcome.then(settle, settle);
  return { outcome, isBusy: () => isBusy, size: () => 200 };
}

/** Makes an abort an error that a client understands; its reason is of no use there. */
async function withAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw unpackError(packError(error, signal));
  }
}

function signalOf(request: Request, stop: AbortSignal | undefined): AbortSignal {
  // Some workers leave it out.
  const signals = [request.signal, stop].filter((signal) => signal instanceof AbortSignal);
  return AbortSignal.any(signals);
}

async function readWithin(service: Service, args: ReadArguments, { maxFileBytes }: HttpLimits, signal: AbortSignal) {
  const { path, offset, length = Number.POSITIVE_INFINITY } = args;
  const asked = Math.min(length, maxFileBytes + 1);
  const result = await service.ask({ method: "read", args: { path, offset, length: asked } }, signal);
  if (result.bytes.length > maxFileBytes)
    throw limitError(`${path} is larger than the ${maxFileBytes} bytes that go through at once; read it in parts`);
  return result;
}

function readResponse(
  { bytes, version }: { bytes: Uint8Array; version: string },
  { offset = 0 }: ReadArguments,
): Response {
  const headers = { "content-type": "application/octet-stream", etag: toTag(version), "accept-ranges": "bytes" };
  // Nothing is there to give: the file is empty, or ends before.
  if (bytes.length === 0) return new Response(null, { status: 416, headers });
  const range = `bytes ${offset}-${offset + bytes.length - 1}/*`;
  const owned = bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
  return new Response(owned, { status: 206, headers: { ...headers, "content-range": range } });
}

async function* bytesOf(
  source: AsyncIterator<Batch<unknown, unknown>, void>,
): AsyncGenerator<Batch<Uint8Array, unknown>, void> {
  for (let next = await source.next(); next.done !== true; next = await source.next()) {
    const { items, end } = next.value;
    yield { items: items.filter(isBytes), ...(end && { end }) };
  }
}

function stream(body: ReadableStream<Uint8Array>, codec: StreamCodec<never>): Response {
  return new Response(body, { headers: { "content-type": codec.contentType } });
}

function json(value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ value: value ?? null }, { headers });
}
