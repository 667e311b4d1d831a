/** What goes wrong between here and a provider, in words without secrets. */

import { errorText, HoldallError } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import { errorMessage, httpError, quote, type Redact } from "../../model/model-error.ts";
import type { Provider } from "./provider.ts";

/** Statuses that say that the request was turned away, so that it may be made again. */
const TURNED_AWAY: readonly number[] = [408, 429, 503];

/** The provider answered with an error. */
export interface Refused {
  status: number;
  /** As much of the body as was read. */
  body: string;
  retryAfterMs: number | undefined;
}

/**
 * Says that a provider answered with an error; `data` holds the status and, where given, retryAfterMs. It is retryable
 * only when the provider has surely not begun.
 */
export function refusedError({ status, body, retryAfterMs }: Refused, redact: Redact): HoldallError {
  const error = httpError({ status, body: withCode(body) }, redact);
  return new HoldallError(error.code, redact(errorText(error)), {
    // Without the body, in which a secret may be written in another way.
    data: { status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
    retryable: error.retryable && TURNED_AWAY.includes(status),
  });
}

/** Says that no answer came, or not a whole one. What was asked for may have been done all the same. */
export function brokenError(provider: Pick<Provider, "host" | "redact">, cause: unknown): HoldallError {
  // The causes themselves are left out: they may repeat headers.
  const reason = provider.redact(quote(causes(cause).map(errorText).join(": ")));
  return failure(
    "MODEL_NETWORK",
    `the connection to ${provider.host} failed before the whole answer was there (${reason})`,
    MAYBE_DONE,
  );
}

/** Says that the answer did not come in time. */
export function slowError(host: string, milliseconds: number): HoldallError {
  return failure("MODEL_NETWORK", `${host} did not answer within ${milliseconds} ms`, MAYBE_DONE);
}

/** Says that an answer makes no sense. */
export function answerError(host: string, what: string): HoldallError {
  return failure(
    "MODEL_ANSWER",
    `the answer of ${host} cannot be used: ${what}`,
    "Ask in another way, or go on without it.",
  );
}

/** Says that what a provider keeps behind a URL could not be fetched. */
export function downloadError(host: string, what: string): HoldallError {
  return failure(
    "MODEL_ANSWER",
    `the result at ${host} could not be fetched: ${what}`,
    "Ask again later, or go on without it.",
  );
}

/** Gives what happened, without the advice. */
export function whatHappened(error: unknown): string {
  if (!HoldallError.is(error)) return errorText(error);
  if (error.code === "MODEL_HTTP") return `the server answered ${String(error.data.status)}`;
  return typeof error.data.what === "string" ? error.data.what : errorText(error);
}

const MAYBE_DONE = "What was asked for may have been done, so ask again only if that does no harm.";

function failure(code: string, what: string, fix: string): HoldallError {
  return new HoldallError(code, `${what}. ${fix}`, { data: { what } });
}

/** Hosts hide the reason of a failed fetch one level down, and the reader of bodies wraps it once more. */
function causes(error: unknown): unknown[] {
  const inner = error instanceof Error ? error.cause : undefined;
  if (inner === undefined) return [error];
  return HoldallError.is(error) ? causes(inner) : [error, inner];
}

/** Some providers tell the kind of a fault in a `code` beside the message. */
function withCode(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    const message = errorMessage(value);
    if (!isRecord(value) || typeof value.code !== "string" || message === undefined) return body;
    return JSON.stringify({ message: `${value.code}: ${message}` });
  } catch {
    return body;
  }
}
