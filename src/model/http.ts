/** Sends one request to a model server and hands back the response once it has begun well. */

import { abortable, type Deadline, startDeadline, type Timers } from "../base/abort.ts";
import type { Clock } from "../base/ids.ts";
import { openBody } from "./body.ts";
import { httpError, networkError, type Redact } from "./model-error.ts";
import { retryAfter } from "./retry.ts";

/** The part of `fetch` that is used. */
export type ModelFetch = (url: string, init: RequestInit) => Promise<Response>;

/** Where requests go and how. */
export interface HttpTarget {
  /** The address, with its query. */
  url: string;
  /** The address as errors name it, without its query. */
  address: string;
  headers: Headers;
  fetch: ModelFetch;
  headersMs: number;
  idleMs: number;
  timers: Timers;
  clock: Clock;
  redact: Redact;
}

/** Of an error's body, this much is read and waited for: enough for its words, whatever the server does. */
const MAX_ERROR_LENGTH = 64 * 1024;
const MAX_ERROR_WAIT_MS = 10_000;

/**
 * Posts a JSON text.
 *
 * Cookies are not sent. Redirects are not followed, so that a key never reaches a host nobody named.
 *
 * @returns A response with a good status; its body is the caller's to end.
 * @throws The signal's reason, HoldallError `MODEL_NETWORK` or `MODEL_HTTP`.
 */
export async function postJson(target: HttpTarget, json: string, signal: AbortSignal | undefined): Promise<Response> {
  const response = await send(target, json, signal);
  if (response.ok) return response;
  const body = await readError(response, target, signal);
  throw httpError(
    { status: response.status, body, retryAfterMs: retryAfter(response.headers, target.clock) },
    target.redact,
  );
}

async function send(target: HttpTarget, json: string, signal: AbortSignal | undefined): Promise<Response> {
  if (signal?.aborted) throw signal.reason;
  const deadline = startHeadersLimit(target, signal);
  const guard = deadline?.signal ?? signal;
  const pending = startFetch(target, json, guard);
  try {
    return await abortable(pending, guard);
  } catch (error) {
    pending.then(discard, () => {});
    if (signal?.aborted) throw signal.reason;
    throw networkError(target.address, deadline?.expired ? deadline.signal.reason : error, target.redact);
  } finally {
    deadline?.close();
  }
}

function startHeadersLimit(target: HttpTarget, signal: AbortSignal | undefined): Deadline | undefined {
  if (target.headersMs === Number.POSITIVE_INFINITY) return undefined;
  return startDeadline(signal, target.headersMs, "the start of the answer", target.timers);
}

/** Async, so that a `fetch` that throws at once fails like any other. */
async function startFetch(target: HttpTarget, json: string, signal: AbortSignal | undefined): Promise<Response> {
  return target.fetch(target.url, {
    method: "POST",
    headers: target.headers,
    body: json,
    redirect: "manual",
    // Workers have no cookies and refuse the field.
    ...("credentials" in Request.prototype ? { credentials: "omit" } : {}),
    ...(signal === undefined ? {} : { signal }),
  });
}

function discard(response: Response): void {
  response.body?.cancel().catch(() => {});
}

/** Reads what there is; a body that breaks or stalls still leaves the status to report. */
async function readError(response: Response, target: HttpTarget, signal: AbortSignal | undefined): Promise<string> {
  const idleMs = Math.min(target.idleMs, MAX_ERROR_WAIT_MS);
  const body = openBody(response, { idleMs, maxBytes: Number.POSITIVE_INFINITY, timers: target.timers }, signal);
  const decoder = new TextDecoder();
  let text = "";
  try {
    while (text.length < MAX_ERROR_LENGTH) {
      const bytes = await body.next();
      if (bytes === undefined) break;
      text += decoder.decode(bytes, { stream: true });
    }
  } catch (error) {
    if (signal?.aborted) throw error;
  } finally {
    body.close();
  }
  return text;
}
