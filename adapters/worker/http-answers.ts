/** Answers calls that came over HTTP: makes changes once, counts what is under way, streams what is long. */

import { hostTimers, joinSignals, type Timers } from "holdall";
import { answerStream, type StreamCodec } from "./answer-stream.ts";
import { isBytes } from "./bytes.ts";
import { isAskCall } from "./call-shapes.ts";
import { type ChangeMemory, createChangeMemory } from "./change-memory.ts";
import { type Clock, defaultClock } from "./clock.ts";
import { eventCodec } from "./events.ts";
import { frameCodec } from "./frames.ts";
import { HEADERS, PROTOCOL_HEADER } from "./http-protocol.ts";
import {
  type AskedCall,
  DEFAULT_HTTP_LIMITS,
  type HttpLimits,
  readRequest,
  signalOf,
  type UploadStep,
} from "./http-request.ts";
import { jsonResponse, readResponse, statResponse } from "./http-response.ts";
import { createKeyMemory, type KeyMemory } from "./key-memory.ts";
import type { KeyStore } from "./key-store.ts";
import { KEEP_ALIVE, MAX_KEPT_OUTPUT, PART_BYTES, RESUME_GRACE } from "./limits.ts";
import { type AskCall, type Batch, isChange, type ReadArguments, type StreamCall } from "./protocol.ts";
import { randomId } from "./random-id.ts";
import { createRunRecord, type RunRecord } from "./run-record.ts";
import type { Service } from "./service.ts";
import { createUploads, type Uploads } from "./uploads.ts";
import { busyError, goneError, limitError, packError, protocolError } from "./wire-error.ts";

/** Seams and bounds. */
export interface HttpAnswersOptions {
  limits?: Partial<HttpLimits> | undefined;
  timers?: Timers | undefined;
  clock?: Clock | undefined;
  /** Ends commands and streams. */
  stop?: AbortSignal | undefined;
  /** Keeps what came of changes for longer than the server lives. */
  keys?: KeyStore | undefined;
}

/** The answering part of a server. */
export interface HttpAnswers {
  /** What every response has. */
  headers(): Readonly<Record<string, string>>;
  answer(request: Request): Promise<Response>;
}

/** What is remembered from one request to the next. */
interface Memories {
  /** Names the memories of changes and of commands. */
  instance: string;
  changes: ChangeMemory;
  runs: KeyMemory<RunRecord>;
  uploads: Uploads;
}

/** Makes the answering part over a service. */
export function createAnswers(service: Service, options: HttpAnswersOptions = {}): HttpAnswers {
  const { clock = defaultClock } = options;
  const limits = { ...DEFAULT_HTTP_LIMITS, ...options.limits };
  const memories = once(() => createMemories(service, { ...options, clock, limits }));
  const takeCall = counter(limits.maxCalls);
  const takeBody = counter(limits.maxCalls);
  const ask = createAsks(service, limits, memories, options.stop);
  const open = createStreams(service, limits, memories, options);
  return {
    headers: () => ({
      // Compressed on their way, pieces would wait for each other.
      "cache-control": "no-store, no-transform",
      "x-content-type-options": "nosniff",
      [HEADERS.protocol]: PROTOCOL_HEADER,
      [HEADERS.instance]: memories().instance,
    }),
    answer: async (request) => {
      const bodyRead = takeBody();
      const asked = await readRequest(request, limits).finally(bodyRead);
      // Also when there is too much to do: it makes for less.
      if ("cancel" in asked) {
        memories().changes.cancel(asked.cancel);
        memories().runs.cancel(asked.cancel);
        return jsonResponse(undefined);
      }
      const closed = takeCall();
      try {
        if ("step" in asked) return await answerStep(memories(), limits, asked).finally(closed);
        if (isAskCall(asked.call)) return await ask(asked.call, asked, request).finally(closed);
        if (asked.call.method === "writeStream") throw protocolError("a file is written with PUT");
        return open(asked.call, asked, request, closed);
      } catch (error) {
        closed();
        throw error;
      }
    },
  };
}

function createMemories(
  service: Service,
  { clock, timers, stop, keys, limits }: HttpAnswersOptions & { clock: Clock; limits: HttpLimits },
): Memories {
  const instance = randomId();
  const lasting = keys?.instance ?? instance;
  return {
    instance: lasting === instance ? instance : `${lasting}.${instance}`,
    changes: createChangeMemory(lasting, clock, keys),
    runs: createKeyMemory({ instance, clock, maxBytes: MAX_KEPT_OUTPUT }),
    uploads: createUploads(service, { ...limits, maxBytes: limits.maxUploadBytes, timers, stop }),
  };
}

/** Answers calls that have one answer. */
function createAsks(service: Service, limits: HttpLimits, memories: () => Memories, stop: AbortSignal | undefined) {
  return async (call: AskCall, { mark }: AskedCall, request: Request): Promise<Response> => {
    // A change goes on when its client is cut off, so that who asks again is told what came of it.
    if (isChange(call.method)) {
      const value = await memories().changes.once(mark, (signal) => service.ask(call, signal));
      return call.method === "write" ? statResponse(value) : jsonResponse(value);
    }
    const { signal, close } = joinSignals(signalOf(request), stop);
    try {
      if (call.method !== "read") return jsonResponse(await service.ask(call, signal));
      return readResponse(await readWithin(service, call.args, limits, signal), call.args);
    } finally {
      close();
    }
  };
}

/** Answers calls whose answer comes in pieces. */
function createStreams(
  service: Service,
  limits: HttpLimits,
  memories: () => Memories,
  { timers = hostTimers, stop }: HttpAnswersOptions,
) {
  const takeRun = counter(limits.maxRuns);
  const record = (call: StreamCall, graceMs: number, cancelled: AbortSignal): RunRecord => {
    const ended = takeRun();
    const joined = joinSignals(cancelled, stop);
    return createRunRecord({
      open: (signal) => service.open(call, signal),
      cancelled: joined.signal,
      graceMs,
      timers,
      ended: () => {
        joined.close();
        ended();
      },
    });
  };
  const run = (call: StreamCall, { mark, position }: AskedCall) => {
    const known =
      mark === undefined
        ? record(call, 0, new AbortController().signal)
        : memories().runs.once(mark, (cancelled) => record(call, RESUME_GRACE, cancelled));
    return known.read(position);
  };
  return (call: StreamCall, asked: AskedCall, request: Request, closed: () => void): Response => {
    const recorded = call.method === "run" ? run(call, asked) : undefined;
    const controller = new AbortController();
    const { signal, close } = joinSignals(controller.signal, signalOf(request), stop);
    const shared = {
      keepAliveMs: KEEP_ALIVE,
      timers,
      pack: (error: unknown) => packError(error, signal),
      left: () => controller.abort(goneError("the connection was cut")),
      closed: () => {
        close();
        closed();
      },
    };
    if (call.method === "readStream")
      return stream(answerStream(bytesOf(service.open(call, signal)), frameCodec, shared), frameCodec);
    return stream(answerStream(recorded ?? service.open(call, signal), eventCodec, shared), eventCodec);
  };
}

async function answerStep({ uploads, changes }: Memories, limits: HttpLimits, asked: UploadStep): Promise<Response> {
  switch (asked.step) {
    case "begin":
      if (limits.maxUploads === 0) return jsonResponse({ partBytes: 0 });
      await uploads.begin(asked.id, asked.args);
      return jsonResponse({ partBytes: PART_BYTES });
    case "part":
      return jsonResponse(await uploads.put(asked.id, asked.index, asked.read));
    case "commit":
      return statResponse(await changes.once(asked.mark, (signal) => uploads.commit(asked.id, asked.parts, signal)));
    case "abandon":
      return jsonResponse(uploads.abandon(asked.id));
  }
}

/** Counts what is under way, and refuses more than so much; what was taken is given back once. */
function counter(limit: number): () => () => void {
  let taken = 0;
  return () => {
    if (taken >= limit) throw busyError(limit);
    taken += 1;
    return once(() => {
      taken -= 1;
    });
  };
}

/** Does something once, when it is first needed: workers refuse randomness at module level, where a server may be made. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

async function readWithin(service: Service, args: ReadArguments, { maxFileBytes }: HttpLimits, signal: AbortSignal) {
  const { path, offset, length = Number.POSITIVE_INFINITY } = args;
  const asked = Math.min(length, maxFileBytes + 1);
  const result = await service.ask({ method: "read", args: { path, offset, length: asked } }, signal);
  if (result.bytes.length > maxFileBytes)
    throw limitError(`${path} is larger than the ${maxFileBytes} bytes that go through at once; read it in parts`);
  return result;
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
