/** One request and its response: sent again until it is answered, and refused when it is no server of this protocol. */

import { delay, onAbort, type Timers } from "holdall";
import { readBody } from "./http-body.ts";
import { HEADERS, PROTOCOL_HEADER } from "./http-protocol.ts";
import { MAX_JSON_BYTES } from "./limits.ts";
import { readMessage, type Unread } from "./port-protocol.ts";
import { readFailure } from "./read-batch.ts";
import { startTimer } from "./timers.ts";
import { goneError, protocolError } from "./wire-error.ts";

/** The part of `fetch` that is used. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

/** Headers, or what gives them for each request, such as a token that is renewed. */
export type HeadersSource =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/** How a request that nobody has answered is sent again. */
export interface RemoteRetryOptions {
  /** How often a request is sent at most. Defaults to 4; 1 means no second try. */
  attempts?: number;
  /** The wait before the second try, in milliseconds; it doubles each time. Defaults to 200. */
  initialDelayMs?: number;
  /** The longest wait, in milliseconds, also when the server asks for a longer one. Defaults to 10,000. */
  maxDelayMs?: number;
}

/** Where requests go and how. */
export interface ExchangeOptions {
  url: string;
  headers: HeadersSource;
  fetch: FetchLike;
  retry: Required<RemoteRetryOptions>;
  /** Milliseconds until an answer that has not begun counts as never coming. */
  answerMs: number;
  timers: Timers;
  /** A number from 0 to below 1. */
  random: () => number;
}

/** A request. */
export interface ExchangeRequest {
  method: "GET" | "PUT" | "POST";
  headers: Readonly<Record<string, string>>;
  body?: Uint8Array | string;
  /** Names a change, which the server makes once however often it is sent. */
  key?: string;
  /** How often this change has been sent before, and to which memory of keys. */
  sentBefore?: { times: number; instance: string | undefined };
}

/** Sends requests. */
export interface Exchange {
  /**
   * Sends a request; gives a response of the server that is no failure.
   *
   * @throws The signal's reason; HoldallError `BACKEND_GONE`, `BACKEND_PROTOCOL`, or what the server says.
   */
  send(request: ExchangeRequest, signal: AbortSignal | undefined): Promise<Response>;
  /** Gives the milliseconds to wait after so many failures. */
  waitFor(failures: number): number;
}

/** What came of one attempt. */
type Attempt = { response: Response } | { failure: unknown; afterMs?: number | undefined };

/** What gateways say when the server behind them gives no answer. */
const UNANSWERED: ReadonlySet<number> = new Set([408, 429, 502, 503, 504, 520, 521, 522, 523, 524]);

/** Makes the sender of requests. */
export function createExchange(options: ExchangeOptions): Exchange {
  const { retry, timers } = options;
  /** The server's memory of keys, as far as it has been met. */
  let instance: string | undefined;
  return {
    waitFor: (failures) => waitFor(failures, undefined, options),
    send: async (request, signal) => {
      const { times: before, instance: sentTo } = request.sentBefore ?? { times: 0, instance };
      for (let attempt = 1; ; attempt += 1) {
        const outcome = await attemptOnce(request, { attempt: before + attempt, instance: sentTo }, options, signal);
        if ("response" in outcome) {
          instance = outcome.response.headers.get(HEADERS.instance) ?? instance;
          return succeed(outcome.response, signal);
        }
        if (attempt >= retry.attempts) throw outcome.failure;
        const wait = delay(waitFor(attempt, outcome.afterMs, options), signal, timers);
        // Of a change that may have been made, an abort must not be told as if it had not.
        await wait.catch((reason: unknown) => {
          throw request.key === undefined ? reason : outcome.failure;
        });
      }
    },
  };
}

async function attemptOnce(
  request: ExchangeRequest,
  mark: { attempt: number; instance: string | undefined },
  options: ExchangeOptions,
  signal: AbortSignal | undefined,
): Promise<Attempt> {
  let response: Response;
  try {
    response = await fetchOnce(await initOf(request, mark, options), options, signal);
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    return { failure: goneError(`${addressOf(options.url)} could not be reached`, error) };
  }
  const afterMs = retryAfter(response.headers);
  const isServer = response.headers.get(HEADERS.protocol) === PROTOCOL_HEADER;
  if (isServer && response.status !== 503) return { response };
  if (isServer) return { failure: await failureOf(response, signal), afterMs };
  discard(response);
  const what = `${addressOf(options.url)} answered with status ${response.status}`;
  if (UNANSWERED.has(response.status)) return { failure: goneError(what), afterMs };
  throw protocolError(`${what} and not as a server of this protocol`);
}

async function initOf(
  { method, headers, body, key }: ExchangeRequest,
  { attempt, instance }: { attempt: number; instance: string | undefined },
  options: ExchangeOptions,
): Promise<RequestInit> {
  const own = typeof options.headers === "function" ? await options.headers() : options.headers;
  return {
    method,
    headers: {
      ...own,
      ...headers,
      [HEADERS.protocol]: PROTOCOL_HEADER,
      ...(key !== undefined && { [HEADERS.key]: key, [HEADERS.attempt]: String(attempt) }),
      ...(key !== undefined && instance !== undefined && { [HEADERS.instance]: instance }),
    },
    // A token must not reach a host that nobody named.
    redirect: "manual",
    ...(body !== undefined && { body: typeof body === "string" ? body : ownBuffer(body) }),
  };
}

/** Memory that is shared between threads cannot be sent. */
function ownBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}

/** Waits for the head of a response no longer than is allowed; a late one is thrown away. */
async function fetchOnce(
  init: RequestInit,
  { url, fetch, answerMs, timers }: ExchangeOptions,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const controller = new AbortController();
  const pending = (async () => fetch(url, { ...init, signal: controller.signal }))();
  let stop = (): void => {};
  const ended = new Promise<never>((_, reject) => {
    const end = (reason: unknown): void => {
      reject(reason);
      controller.abort(reason);
    };
    const stopTimer = startTimer(timers, () => end(goneError(`no answer has begun within ${answerMs} ms`)), answerMs);
    const leave = onAbort(signal, () => end(signal?.reason));
    stop = () => {
      stopTimer();
      leave();
    };
  });
  try {
    return await Promise.race([pending, ended]);
  } catch (error) {
    pending.then(discard, () => {});
    throw error;
  } finally {
    stop();
  }
}

async function succeed(response: Response, signal: AbortSignal | undefined): Promise<Response> {
  // Nothing of a file is there to read.
  if (response.ok || response.status === 416) return response;
  throw await failureOf(response, signal);
}

/** Reads what a server says went wrong. */
async function failureOf(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  const { error } = await readJson(response, signal);
  return readFailure(error, signal);
}

/** Reads a body that is a JSON object. */
export async function readJson(response: Response, signal?: AbortSignal): Promise<Unread> {
  const bytes = await readBody(response.body, { maxBytes: MAX_JSON_BYTES, what: "the answer", signal });
  let message: Unread | undefined;
  try {
    message = readMessage(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch (error) {
    throw protocolError("the answer is not JSON, or was cut", error);
  }
  if (message === undefined) throw protocolError("the answer is not an object");
  return message;
}

/** Throws a response away that nobody reads. */
export function discard(response: Response): void {
  response.body?.cancel().catch(() => {});
}

/** The address without what may be secret in it. */
function addressOf(url: string): string {
  return url.replace(/[?#].*$/, "").replace(/\/\/[^/@]*@/, "//");
}

function retryAfter(headers: Headers): number | undefined {
  const text = headers.get("retry-after");
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) * 1000 : undefined;
}

function waitFor(attempt: number, afterMs: number | undefined, { retry, random }: ExchangeOptions): number {
  const longest = Math.min(retry.initialDelayMs * 2 ** (attempt - 1), retry.maxDelayMs);
  if (afterMs !== undefined) return Math.min(afterMs, retry.maxDelayMs);
  // Half of it is left to chance, so that many clients do not come back all at once.
  return longest * (0.5 + random() / 2);
}
