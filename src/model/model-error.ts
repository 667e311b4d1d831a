/** The errors of a model over HTTP, free of secrets and cut to size. */

import { errorText, HoldallError } from "../base/errors.ts";
import { isRecord } from "../base/json.ts";
import { cutText } from "../base/text.ts";

/** The longest part of a server's answer that stands in the data of an error, in UTF-16 units. */
export const MAX_ERROR_BODY = 4096;

const MAX_QUOTE = 300;

/** Takes the secrets out of a text. */
export type Redact = (text: string) => string;

/** Makes a function that puts `[redacted]` wherever one of the secrets stands. */
export function createRedact(secrets: readonly string[]): Redact {
  // The longest first: a secret that is part of another must not leave the rest of it behind.
  const known = [...new Set(secrets)].filter((secret) => secret !== "").sort((a, b) => b.length - a.length);
  return (text) => known.reduce((clean, secret) => clean.replaceAll(secret, "[redacted]"), text);
}

/** Says that the stream of an answer broke off or made no sense. */
export function streamError(
  what: string,
  fix: string,
  options: { cause?: unknown; retryable?: boolean; data?: Record<string, unknown> } = {},
): HoldallError {
  return new HoldallError("MODEL_STREAM", `${what}. ${fix}`, options);
}

/** Says that no answer came at all; a time-out is told from other causes. */
export function networkError(address: string, cause: unknown, redact: Redact): HoldallError {
  if (HoldallError.is(cause, "TIMEOUT")) {
    const what = `${address} did not begin to answer within ${String(cause.data.milliseconds)} ms`;
    return new HoldallError(
      "MODEL_NETWORK",
      `${what}. Check that the server runs, or allow more with timeouts.headersMs.`,
      { cause, retryable: true },
    );
  }
  const reason = redact(causes(cause).map(errorText).join(": "));
  const what = `the request to ${address} failed (${quote(reason)})`;
  const fix =
    "Check the address, that the server runs and, in a browser, that it allows requests from this page (CORS).";
  return new HoldallError("MODEL_NETWORK", `${what}. ${fix}`, { cause, retryable: true });
}

/** What is known of an HTTP error. */
export interface HttpFailure {
  status: number;
  /** As much of the body as was read. */
  body: string;
  /** How long the server asks to wait, in milliseconds. */
  retryAfterMs?: number | undefined;
}

/** Says that the server answered with an error; `data` holds status, body and, where given, retryAfterMs. */
export function httpError(failure: HttpFailure, redact: Redact): HoldallError {
  const { status, retryAfterMs } = failure;
  const body = redact(failure.body);
  const detail = failureText(body);
  const what = `the server answered ${status}${detail === "" ? "" : ` (${quote(detail)})`}`;
  return new HoldallError("MODEL_HTTP", `${what}. ${advice(status)}`, {
    data: { status, body: cutText(body, MAX_ERROR_BODY), ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
    // A quota that is used up answers 429 as well, but waiting a moment does not fill it.
    retryable: isRetryableStatus(status) && !body.includes("insufficient_quota"),
  });
}

/** Tells whether a status is worth another try: time-out, too many requests, trouble of the server's own. */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status <= 599);
}

/**
 * Finds the words in a server's error: `{ error: { message } }`, `{ error: "…" }`, `{ message }`, `{ detail }`, any of
 * them in an array.
 */
export function errorMessage(value: unknown): string | undefined {
  if (Array.isArray(value)) return errorMessage(value[0]);
  if (typeof value === "string") return value;
  if (!isRecord(value)) return undefined;
  for (const inner of [value.error, value.message, value.detail]) {
    const found = inner === undefined || inner === null ? undefined : errorMessage(inner);
    if (found !== undefined && found !== "") return found;
  }
  return undefined;
}

/** Shortens a text for the inside of a sentence. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const short = cutText(line, MAX_QUOTE);
  return short.length < line.length ? `${short}…` : line.replace(/\.$/, "");
}

function failureText(body: string): string {
  try {
    return errorMessage(JSON.parse(body)) ?? "";
  } catch {
    return body.trimStart().startsWith("<") ? "a page of HTML" : body;
  }
}

function advice(status: number): string {
  if (status === 401 || status === 403) return "Check the API key and what it is allowed to do.";
  if (status === 404) return "Check baseUrl and the name of the model.";
  if (status === 429) return "Wait, or ask for less at once.";
  if (isRetryableStatus(status)) return "Try again later.";
  if (status < 400) return "Redirects are not followed: set baseUrl to the address the server names.";
  return "Change the request as the server says.";
}

/** Hosts hide the reason of a failed fetch one level down. */
function causes(error: unknown): unknown[] {
  const inner = error instanceof Error ? error.cause : undefined;
  return inner === undefined ? [error] : [error, inner];
}
