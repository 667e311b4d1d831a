/** The options of an OpenAI-compatible model, checked and completed. */

import { hostTimers, type Timers } from "../base/abort.ts";
import { HoldallError } from "../base/errors.ts";
import { type Clock, type MakeId, makeId } from "../base/ids.ts";
import type { JsonObject } from "../base/json.ts";
import type { HttpTarget, ModelFetch } from "./http.ts";
import { createRedact } from "./model-error.ts";
import type { RequestDefaults } from "./openai-request.ts";
import type { RetryOptions, RetryPolicy } from "./retry.ts";

/** How long a server may be silent; `Infinity` means forever. */
export interface ModelTimeouts {
  /** From the request to the headers of the answer, in milliseconds. Defaults to 300,000: some servers load first. */
  headersMs?: number;
  /** Between two pieces of the answer, in milliseconds. Defaults to 300,000: some models think in silence. */
  idleMs?: number;
}

/** A server and a model on it. */
export interface OpenAiCompatibleOptions {
  /**
   * The http or https address that `/chat/completions` is put behind, such as `https://api.openai.com/v1` or
   * `http://localhost:11434/v1`; a query is kept. It must be absolute.
   */
  baseUrl: string;
  /** The name of the model as the server knows it. */
  model: string;
  /** The name to show. Defaults to `model`. */
  name?: string;
  /** Sent as a bearer token. Without it, none is sent. */
  apiKey?: string;
  /** More headers; they win over those made here. */
  headers?: Readonly<Record<string, string>>;
  /** Makes the requests. Defaults to the host's `fetch`. */
  fetch?: ModelFetch;
  /** When and how often a request is tried again that failed before its answer began. */
  retry?: RetryOptions;
  /** How long the server may be silent. */
  timeouts?: ModelTimeouts;
  /** Left to the server when left out. */
  temperature?: number;
  /**
   * The most tokens of an answer, left to the server when left out. Goes as `max_tokens`, to OpenAI itself as
   * `max_completion_tokens`.
   */
  maxTokens?: number;
  /** More fields of the request's body; they win over those made here, and undefined takes one out. */
  body?: JsonObject;
  /** Media types the model takes, such as `image/png`; `image/*` stands for all of a kind. Defaults to none. */
  inputTypes?: readonly string[];
  /** Whether to send earlier thinking back as `reasoning_content`, as some models want. Defaults to false. */
  sendThinking?: boolean;
  /** Defaults to the host's timers. */
  timers?: Timers;
  /** Defaults to `Date.now`. */
  clock?: Clock;
  /** A number from 0 to below 1, for the jitter of waits. Defaults to `Math.random`. */
  random?: () => number;
  /** Makes the ids of blocks, and of calls the server gave none. */
  makeId?: MakeId;
}

/** What a model works with. */
export interface OpenAiSettings {
  name: string;
  target: HttpTarget;
  retry: RetryPolicy;
  defaults: RequestDefaults;
  makeId: MakeId;
}

/** Checks options and fills in what was left out. */
export function resolveOptions(options: OpenAiCompatibleOptions): OpenAiSettings {
  if (typeof options.model !== "string" || options.model === "") {
    throw invalid("model is empty", "Pass the name of the model as the server knows it");
  }
  const url = chatUrl(options.baseUrl);
  const timers = options.timers ?? hostTimers;
  return {
    name: options.name ?? options.model,
    target: {
      url: url.href,
      address: url.origin + url.pathname,
      headers: requestHeaders(options),
      fetch: options.fetch ?? ((address, init) => fetch(address, init)),
      headersMs: duration(options.timeouts?.headersMs, 300_000, "timeouts.headersMs"),
      idleMs: duration(options.timeouts?.idleMs, 300_000, "timeouts.idleMs"),
      timers,
      clock: options.clock ?? Date.now,
      redact: createRedact(secretsOf(options, url)),
    },
    retry: retryPolicy(options, timers),
    defaults: {
      model: options.model,
      inputTypes: options.inputTypes ?? [],
      sendThinking: options.sendThinking ?? false,
      body: { ...sampling(options, url), ...options.body },
    },
    makeId: options.makeId ?? makeId,
  };
}

/** The longest a timer of a host can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Shorter values of headers are no secrets, and taking them out of errors would only garble them. */
const SHORTEST_SECRET = 8;

function chatUrl(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  // The value stays out of the message: it may be a key in the wrong place.
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw invalid("baseUrl is not an absolute http or https address", "Pass one such as https://api.openai.com/v1");
  }
  if (url.username !== "" || url.password !== "") {
    throw invalid("baseUrl holds a user name or a password", "Pass it with apiKey or headers");
  }
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = path.endsWith("/chat/completions") ? path : `${path}/chat/completions`;
  url.hash = "";
  return url;
}

function requestHeaders(options: OpenAiCompatibleOptions): Headers {
  const headers = new Headers({ accept: "text/event-stream", "content-type": "application/json" });
  const given = Object.entries(options.headers ?? {});
  if (options.apiKey !== undefined && options.apiKey !== "") {
    setHeader(headers, "authorization", `Bearer ${options.apiKey}`, "apiKey");
  }
  for (const [name, value] of given) setHeader(headers, name, value, `the header ${JSON.stringify(name)}`);
  return headers;
}

/** The host's own error would repeat the value. */
function setHeader(headers: Headers, name: string, value: string, what: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw invalid(`${what} holds a character that no header may hold`, "Remove it");
  }
}

function secretsOf(options: OpenAiCompatibleOptions, url: URL): string[] {
  const pieces = [...Object.values(options.headers ?? {}), ...url.searchParams.values()].flatMap((value) => [
    value,
    ...value.split(/\s+/),
  ]);
  return [(options.apiKey ?? "").trim(), ...pieces.filter((piece) => piece.length >= SHORTEST_SECRET)];
}

function sampling(options: OpenAiCompatibleOptions, url: URL): JsonObject {
  const limit =
    url.hostname === "api.openai.com" || url.hostname.endsWith(".openai.azure.com")
      ? "max_completion_tokens"
      : "max_tokens";
  return {
    ...(options.temperature === undefined ? {} : { temperature: options.temperature }),
    ...(options.maxTokens === undefined ? {} : { [limit]: options.maxTokens }),
  };
}

function retryPolicy(options: OpenAiCompatibleOptions, timers: Timers): RetryPolicy {
  const { attempts = 3, initialDelayMs = 500, maxDelayMs = 60_000 } = options.retry ?? {};
  if (!Number.isInteger(attempts) || attempts < 1) {
    throw invalid("retry.attempts is not a whole number from 1", "Pass 1 for no second try");
  }
  for (const [name, value] of Object.entries({ initialDelayMs, maxDelayMs })) {
    if (!(value >= 0 && value <= MAX_TIMER_MS)) {
      throw invalid(`retry.${name} is not a number of milliseconds`, `Pass one from 0 to ${MAX_TIMER_MS}`);
    }
  }
  return { attempts, initialDelayMs, maxDelayMs, timers, random: options.random ?? Math.random };
}

function duration(value: number | undefined, otherwise: number, what: string): number {
  const milliseconds = value ?? otherwise;
  if (milliseconds === Number.POSITIVE_INFINITY || (milliseconds > 0 && milliseconds <= MAX_TIMER_MS)) {
    return milliseconds;
  }
  throw invalid(`${what} is not a number of milliseconds`, `Pass one up to ${MAX_TIMER_MS}, or Infinity for no limit`);
}

function invalid(what: string, fix: string): HoldallError {
  return new HoldallError("MODEL_INVALID", `${what}. ${fix}.`);
}
