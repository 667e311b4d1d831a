/** Pages of other origins: which may use a server, and what their browsers must be told. */

import { HoldallError } from "holdall";
import { HEADERS } from "./http-protocol.ts";

/** Which pages may use a server. */
export interface CorsOptions {
  /** Their origins, such as `https://app.example`; `*` is any, and never goes with credentials. */
  origins: readonly string[];
  /** Whether browsers send cookies along. Defaults to false. */
  credentials?: boolean;
  /** Seconds for which a browser remembers what it was told. Defaults to 600. */
  maxAgeSeconds?: number;
}

/** What is decided about the origin of a request. */
export interface CorsDecision {
  allowed: boolean;
  /** What every response must have. */
  headers: Readonly<Record<string, string>>;
}

const EXPOSED = ["content-range", "etag", "retry-after", HEADERS.protocol, HEADERS.instance, HEADERS.size].join(", ");
const SENT = ["authorization", "content-type", "if-match", "if-none-match", "range", ...Object.values(HEADERS)].join(
  ", ",
);

/**
 * Checks the options.
 *
 * @param options The options.
 * @param isOpen Whether the server asks nobody who he is.
 * @throws HoldallError `SERVE_OPTION`
 */
export function checkCors(options: CorsOptions | undefined, isOpen: boolean): void {
  for (const origin of options?.origins ?? []) {
    if (origin === "*") {
      if (options?.credentials === true) throw wrong("`*` cannot go with credentials");
      if (isOpen) throw wrong("`*` together with no authorisation would let every page in");
    } else if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw wrong(`${JSON.stringify(origin)} is not an origin`);
    }
  }
}

/** Decides about a request. One without an origin comes from no page; one of the server's own origin is fine. */
export function decideCors(request: Request, options: CorsOptions | undefined): CorsDecision {
  const origin = request.headers.get("origin");
  const { origins = [], credentials = false } = options ?? {};
  const vary = { vary: "origin" };
  if (origin === null) return { allowed: true, headers: vary };
  // Pages whose origin is nobody's call it `null`, all alike.
  if (!origins.includes("*") && !origins.includes(origin))
    return { allowed: origin !== "null" && origin === new URL(request.url).origin, headers: vary };
  return {
    allowed: true,
    headers: {
      ...vary,
      "access-control-allow-origin": origin,
      "access-control-expose-headers": EXPOSED,
      ...(credentials && { "access-control-allow-credentials": "true" }),
    },
  };
}

/** Answers the question that a browser asks first. */
export function answerPreflight({ headers }: CorsDecision, options: CorsOptions | undefined): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...headers,
      "access-control-allow-methods": "GET, PUT, POST",
      "access-control-allow-headers": SENT,
      "access-control-max-age": String(options?.maxAgeSeconds ?? 600),
    },
  });
}

function wrong(what: string): HoldallError {
  return new HoldallError("SERVE_OPTION", `${what}. Name the origins of your own pages, such as https://app.example.`);
}
