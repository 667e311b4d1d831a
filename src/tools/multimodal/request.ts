/** One request to a provider: under a deadline, up to a size, made again only where that is safe. */

import { abortable, type Deadline, startDeadline } from "../../base/abort.ts";
import { concatBytes, decodeUtf8, decodeUtf8Strict } from "../../base/bytes.ts";
import { HoldallError } from "../../base/errors.ts";
import { isRecord, type JsonObject } from "../../base/json.ts";
import { openBody } from "../../model/body.ts";
import { errorMessage, quote } from "../../model/model-error.ts";
import { retryAfter, withRetry } from "../../model/retry.ts";
import { MAX_ERROR_WAIT } from "./limits.ts";
import type { Provider } from "./provider.ts";
import { answerError, brokenError, refusedError, slowError } from "./provider-error.ts";

/** What to ask. */
export interface ProviderRequest {
  /** What is put behind the provider's base address, with a slash at its start. */
  path: string;
  /** Posted as JSON. */
  json?: JsonObject;
  /** Posted as a form. With neither, the request is a GET. */
  form?: FormData;
  /** A POST without a body. */
  post?: boolean;
  headers?: Readonly<Record<string, string>>;
  /** The most bytes of the answer. */
  maxBytes: number;
}

/** A whole answer with a good status. */
export interface ProviderAnswer {
  bytes: Uint8Array<ArrayBuffer>;
  /** In lower case, without parameters; empty when the provider did not say. */
  mediaType: string;
}

/** Of an error's body, this much is read: enough for its words. */
const MAX_ERROR_BYTES = 64 * 1024;

/**
 * Asks once more only when the provider turned the request away before it began.
 *
 * @param provider Whom to ask.
 * @param request What to ask.
 * @param signal Ends the request at once.
 * @throws The signal's reason, or HoldallError `MODEL_HTTP`, `MODEL_NETWORK`, `MODEL_ANSWER`.
 */
export function ask(provider: Provider, request: ProviderRequest, signal: AbortSignal): Promise<ProviderAnswer> {
  return withRetry(() => askOnce(provider, request, signal), provider.retry, signal);
}

/** Asks as {@link ask} does, and reads the answer as a JSON object. */
export async function askJson(
  provider: Provider,
  request: ProviderRequest,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  return readJson(provider, await ask(provider, request, signal));
}

/** Makes one request. */
export async function askOnce(
  provider: Provider,
  request: ProviderRequest,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  const url = new URL(provider.base);
  url.pathname = url.pathname.replace(/\/$/, "") + request.path;
  const headers = new Headers(request.headers);
  if (request.json !== undefined) headers.set("content-type", "application/json");
  for (const [name, value] of provider.headers) headers.set(name, value);
  const body = request.form ?? (request.json === undefined ? undefined : JSON.stringify(request.json));
  const method = body === undefined && request.post !== true ? "GET" : "POST";
  return load(provider, url, { method, headers, ...(body === undefined ? {} : { body }) }, request.maxBytes, signal);
}

/**
 * Fetches a whole body. Cookies are not sent and redirects are not followed, so that nothing reaches a host nobody
 * named.
 *
 * @throws The signal's reason, or a HoldallError that is retryable only when it was turned away.
 */
export async function load(
  provider: Provider,
  url: URL,
  init: RequestInit,
  maxBytes: number,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  if (signal.aborted) throw signal.reason;
  const deadline = startDeadline(signal, provider.requestMs, `the answer of ${url.host}`, provider.timers);
  try {
    const response = await open(provider, url, init, deadline);
    if (!response.ok) throw await refused(provider, response, deadline.signal);
    return await readAnswer(provider, response, url.host, maxBytes, deadline.signal);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (HoldallError.is(error, "MODEL_HTTP") || HoldallError.is(error, "MODEL_ANSWER")) throw error;
    if (deadline.expired) throw slowError(url.host, provider.requestMs);
    throw brokenError({ host: url.host, redact: provider.redact }, error);
  } finally {
    deadline.close();
  }
}

/** Reads an answer as a JSON object. */
export function readJson(provider: Provider, { bytes }: ProviderAnswer): Record<string, unknown> {
  const text = decodeUtf8Strict(bytes);
  let value: unknown;
  try {
    value = text === undefined ? undefined : JSON.parse(text);
  } catch {
    // Told below, like every other answer that is no object.
  }
  const complaint = errorIn(value);
  if (complaint !== undefined) throw answerError(provider.host, `it says ${quote(provider.redact(complaint))}`);
  if (isRecord(value)) return value;
  throw answerError(provider.host, bytes.length === 0 ? "it is empty" : "it is no JSON object");
}

/** Some servers report a failure with a good status. */
function errorIn(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  if (value.error !== undefined && value.error !== null) return errorMessage(value);
  const { code, message } = value;
  return typeof code === "string" && code !== "" && typeof message === "string" ? `${code}: ${message}` : undefined;
}

async function open(provider: Provider, url: URL, init: RequestInit, { signal }: Deadline): Promise<Response> {
  const pending = startFetch(provider, url, init, signal);
  try {
    return await abortable(pending, signal);
  } catch (error) {
    pending.then(discard, () => {});
    throw error;
  }
}

/** Async, so that a `fetch` that throws at once fails like any other. */
async function startFetch(provider: Provider, url: URL, init: RequestInit, signal: AbortSignal): Promise<Response> {
  return provider.fetch(url.href, {
    ...init,
    redirect: "manual",
    // Workers have no cookies and refuse the field.
    ...("credentials" in Request.prototype ? { credentials: "omit" } : {}),
    signal,
  });
}

function discard(response: Response): void {
  response.body?.cancel().catch(() => {});
}

async function refused(provider: Provider, response: Response, signal: AbortSignal): Promise<HoldallError> {
  const bytes = await readBytes(provider, response, MAX_ERROR_BYTES, signal, MAX_ERROR_WAIT).catch(() => undefined);
  const body = bytes === undefined ? "" : decodeUtf8(bytes.subarray(0, MAX_ERROR_BYTES));
  const retryAfterMs = retryAfter(response.headers, provider.clock);
  return refusedError({ status: response.status, body, retryAfterMs }, provider.redact);
}

async function readAnswer(
  provider: Provider,
  response: Response,
  host: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  const tooLarge = (): HoldallError => answerError(host, `it is larger than ${maxBytes} bytes`);
  if (Number(response.headers.get("content-length") ?? 0) > maxBytes) {
    discard(response);
    throw tooLarge();
  }
  const bytes = await readBytes(provider, response, maxBytes, signal);
  if (bytes.length > maxBytes) throw tooLarge();
  const type = (response.headers.get("content-type") ?? "").split(";")[0]?.trim() ?? "";
  // It is shown, so it is kept only where it looks like a media type.
  const mediaType = /^[\w.+-]{1,40}\/[\w.+-]{1,80}$/.test(type) ? provider.redact(type).toLowerCase() : "";
  return { bytes, mediaType };
}

/** Reads until the end or until there is more than `enough`. */
async function readBytes(
  { timers }: Provider,
  response: Response,
  enough: number,
  signal: AbortSignal,
  idleMs = Number.POSITIVE_INFINITY,
): Promise<Uint8Array<ArrayBuffer>> {
  const limits = { idleMs, maxBytes: Number.POSITIVE_INFINITY, timers };
  const body = openBody(response, limits, signal);
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    while (length <= enough) {
      const piece = await body.next();
      if (piece === undefined) break;
      pieces.push(piece);
      length += piece.length;
    }
  } finally {
    body.close();
  }
  return concatBytes(pieces);
}
