/** A backend behind HTTP: the server's side, for any host that has `Request` and `Response`. */

import { type Backend, HoldallError, type Timers } from "holdall";
import type { Authorize } from "./authorize.ts";
import { answerPreflight, type CorsOptions, checkCors, decideCors } from "./cors.ts";
import { createAnswers } from "./http-answers.ts";
import { HEADERS, PROTOCOL_HEADER, statusOf } from "./http-protocol.ts";
import type { HttpLimits } from "./http-request.ts";
import type { KeyStore } from "./key-store.ts";
import { createService, type ServiceOptions } from "./service.ts";
import { busyError, packError, protocolError } from "./wire-error.ts";

/** How a backend is served over HTTP. */
export interface ServeBackendOptions extends ServiceOptions {
  /**
   * Decides who may use the server; `bearerToken` makes a usual one. `"none"` lets everybody in: only for a server that
   * nobody else can reach.
   */
  authorize: Authorize | "none";
  /** Which pages of other origins may use it. None by default. */
  cors?: CorsOptions;
  /** How much one request may ask for. */
  limits?: Partial<HttpLimits>;
  /** Ends what is under way, and refuses what comes later. The backend stays open. */
  signal?: AbortSignal;
  /** Keeps what came of changes, so that one that is sent again after a restart is not made twice. None by default. */
  keys?: KeyStore;
  /** Hears of failures that no client is told about, such as one of `authorize`. */
  onError?: (error: unknown) => void;
  /** Sets and clears timers; a test passes its own. */
  timers?: Timers;
  /** Tells milliseconds; a test passes its own. */
  clock?: () => number;
}

/** Answers requests, whatever their address. */
export type BackendHandler = (request: Request) => Promise<Response>;

/**
 * Serves a backend; `remoteBackend` makes a backend of the server again.
 *
 * @param backend The backend.
 * @param options Who may use it, and how.
 * @throws HoldallError `SERVE_OPTION`
 * @example
 * export default { fetch: serveBackend(backend, { authorize: bearerToken(token) }) };
 */
export function serveBackend(backend: Backend, options: ServeBackendOptions): BackendHandler {
  const { cors, limits, signal, timers, clock, keys } = options;
  const authorize = checkAuthorize(options);
  checkCors(cors, options.authorize === "none");
  const answers = createAnswers(createService(backend, options), { limits, stop: signal, timers, clock, keys });

  const answer = async (request: Request): Promise<Response> => {
    if (!(await isAuthorized(request, authorize, options.onError))) throw unauthorized();
    if (signal?.aborted === true) throw busyError(0);
    if (request.headers.get(HEADERS.protocol) !== PROTOCOL_HEADER)
      throw protocolError(`the header ${HEADERS.protocol}: ${PROTOCOL_HEADER} is missing`);
    return answers.answer(request);
  };
  return async (request) => {
    const decision = decideCors(request, cors);
    if (request.method === "OPTIONS") return answerPreflight(decision, cors);
    const response = await (decision.allowed ? answer(request) : Promise.reject(forbidden())).catch(errorResponse);
    for (const [name, value] of Object.entries({ ...decision.headers, ...answers.headers() }))
      response.headers.set(name, value);
    return response;
  };
}

function checkAuthorize({ authorize }: ServeBackendOptions): Authorize {
  if (typeof authorize === "function") return authorize;
  if (authorize === "none") return () => true;
  throw new HoldallError(
    "SERVE_OPTION",
    'a server needs `authorize`. Give `bearerToken(token)`, a function of your own, or "none" if nobody else can reach it.',
  );
}

/** Whatever goes wrong, nobody is let in. */
async function isAuthorized(
  request: Request,
  authorize: Authorize,
  onError?: (error: unknown) => void,
): Promise<boolean> {
  try {
    return (await authorize(request)) === true;
  } catch (error) {
    onError?.(error);
    return false;
  }
}

/** Tells a client of a failure. */
function errorResponse(error: unknown): Response {
  const packed = packError(error);
  return Response.json(
    { error: packed },
    {
      status: statusOf(packed),
      headers: {
        ...(packed.code === "BACKEND_UNAUTHORIZED" && { "www-authenticate": "Bearer" }),
        ...(packed.code === "BACKEND_BUSY" && { "retry-after": "1" }),
        ...(packed.code === "BACKEND_METHOD" && { allow: "GET, PUT, POST, OPTIONS" }),
      },
    },
  );
}

function unauthorized(): HoldallError {
  return new HoldallError("BACKEND_UNAUTHORIZED", "the server does not know who asks. Send the right token.");
}

function forbidden(): HoldallError {
  return new HoldallError(
    "BACKEND_FORBIDDEN",
    "pages of this origin may not use the server. Name the origin in its option `cors`.",
  );
}
