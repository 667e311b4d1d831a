/** A provider of media models: where it is and how it is spoken to, checked once. */

import type { Backend } from "../../backend/backend.ts";
import { hostTimers, type Timers } from "../../base/abort.ts";
import { HoldallError } from "../../base/errors.ts";
import type { Clock } from "../../base/ids.ts";
import type { ModelFetch } from "../../model/http.ts";
import { createRedact, type Redact } from "../../model/model-error.ts";
import type { RetryOptions, RetryPolicy } from "../../model/retry.ts";
import { DEFAULT_REQUEST_TIMEOUT, DEFAULT_TASK_TIMEOUT } from "./limits.ts";

/** How a provider is reached, and what its tools may do. */
export interface ProviderOptions {
  /**
   * Sent as a bearer token, and kept out of every result, error and event. Without it none is sent, which is for a
   * `baseUrl` of your own that adds it: in a page, a key is everybody's.
   */
  apiKey?: string;
  /** The http or https address that the endpoints are put behind; a query is kept. Defaults to the provider's own. */
  baseUrl?: string;
  /** More headers; they win over those made here. Their values are kept out of results, errors and events too. */
  headers?: Readonly<Record<string, string>>;
  /** Makes the requests. Defaults to the host's `fetch`. */
  fetch?: ModelFetch;
  /** Where the paths are that a model may give instead of a URL. Left out: paths are refused. */
  backend?: Backend;
  /**
   * Whether results that the provider gives as URLs are fetched and given as bytes: over https only, never from an
   * address in numbers, without redirects and keys, up to 24 MiB, and only what is really of the wanted kind. What
   * cannot be fetched stays a URL, and the result says so. Defaults to what a call asks for, where a tool has a
   * parameter for it, else to false.
   */
  download?: boolean;
  /** How often a request is made that the provider turned away before it began: 408, 429 and 503. */
  retry?: RetryOptions;
  /** Milliseconds one request may take, its answer included. Defaults to three minutes. */
  requestTimeoutMs?: number;
  /** Defaults to the host's timers. */
  timers?: Timers;
  /** Defaults to `Date.now`. */
  clock?: Clock;
  /** A number from 0 to below 1, for the jitter of waits. Defaults to `Math.random`. */
  random?: () => number;
}

/** How tasks are waited for. */
export interface TaskWaiting {
  /** Milliseconds until a task is first looked at. Defaults to 1,000. */
  firstMs?: number;
  /** The longest wait between two looks, in milliseconds; waits grow up to it. Defaults to 10,000. */
  maxMs?: number;
  /** Milliseconds a task may take in all. Defaults to fifteen minutes. */
  timeoutMs?: number;
}

/** A provider, ready to be asked. */
export interface Provider {
  /** Without a slash at its end. */
  base: URL;
  /** What errors and questions call it. */
  host: string;
  headers: Headers;
  fetch: ModelFetch;
  backend: Backend | undefined;
  download: boolean | undefined;
  retry: RetryPolicy;
  requestMs: number;
  waiting: Required<TaskWaiting>;
  timers: Timers;
  clock: Clock;
  redact: Redact;
}

/** The longest a timer of a host can wait. */
const LONGEST_WAIT = 2 ** 31 - 1;

/** Shorter values of headers are no secrets, and taking them out of texts would only garble them. */
const SHORTEST_SECRET = 8;

/**
 * Checks options and fills in what was left out.
 *
 * @param options The options.
 * @param ownUrl The address of the provider itself.
 * @param waiting How tasks are waited for.
 * @throws HoldallError `TOOL_INVALID` for an option that cannot be used; the values of keys are not in it.
 */
export function openProvider(options: ProviderOptions, ownUrl: string, waiting: TaskWaiting = {}): Provider {
  const base = readBaseUrl(options.baseUrl ?? ownUrl);
  const key = options.apiKey?.trim();
  if (key === "" || (key === undefined && options.baseUrl === undefined && options.headers === undefined)) {
    throw invalid(
      key === "" ? "apiKey is empty" : "apiKey is missing",
      "Pass the provider's key, or the baseUrl of a server of yours that adds it",
    );
  }
  const timers = options.timers ?? hostTimers;
  return {
    base,
    host: base.host,
    headers: readHeaders(options, key),
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    backend: options.backend,
    download: options.download,
    retry: readRetry(options, timers),
    requestMs: duration(options.requestTimeoutMs, DEFAULT_REQUEST_TIMEOUT, "requestTimeoutMs"),
    waiting: {
      firstMs: duration(waiting.firstMs, 1000, "waiting.firstMs"),
      maxMs: duration(waiting.maxMs, 10_000, "waiting.maxMs"),
      timeoutMs: duration(waiting.timeoutMs, DEFAULT_TASK_TIMEOUT, "waiting.timeoutMs"),
    },
    timers,
    clock: options.clock ?? Date.now,
    redact: createRedact(secretsOf(options, base)),
  };
}

function readBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The value stays out of the message: it may be a key in the wrong place.
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw invalid("baseUrl is not an absolute http or https address", "Pass one such as https://api.openai.com/v1");
  }
  if (url.username !== "" || url.password !== "") {
    throw invalid("baseUrl holds a user name or a password", "Pass it with apiKey or headers");
  }
  url.pathname = url.pathname.replace(/\/+$/, "");
  url.hash = "";
  return url;
}

function readHeaders(options: ProviderOptions, key: string | undefined): Headers {
  const headers = new Headers();
  if (key !== undefined) setHeader(headers, "authorization", `Bearer ${key}`, "apiKey");
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    setHeader(headers, name, value, `the header ${JSON.stringify(name)}`);
  }
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

function secretsOf(options: ProviderOptions, base: URL): string[] {
  const values = [...Object.values(options.headers ?? {}), ...base.searchParams.values()];
  const pieces = values.flatMap((value) => [value, ...value.split(/\s+/)]);
  return [(options.apiKey ?? "").trim(), ...pieces.filter((piece) => piece.length >= SHORTEST_SECRET)];
}

function readRetry(options: ProviderOptions, timers: Timers): RetryPolicy {
  const { attempts = 3, initialDelayMs = 500, maxDelayMs = 30_000 } = options.retry ?? {};
  if (!Number.isInteger(attempts) || attempts < 1) {
    throw invalid("retry.attempts is not a whole number from 1", "Pass 1 for no second try");
  }
  for (const [name, value] of Object.entries({ initialDelayMs, maxDelayMs })) {
    if (value !== 0) duration(value, 0, `retry.${name}`);
  }
  return { attempts, initialDelayMs, maxDelayMs, timers, random: options.random ?? Math.random };
}

function duration(value: number | undefined, otherwise: number, what: string): number {
  const milliseconds = value ?? otherwise;
  if (milliseconds > 0 && milliseconds <= LONGEST_WAIT) return milliseconds;
  throw invalid(`${what} is not a number of milliseconds`, `Pass one from 1 to ${LONGEST_WAIT}`);
}

function invalid(what: string, fix: string): HoldallError {
  return new HoldallError("TOOL_INVALID", `${what}. ${fix}.`);
}
