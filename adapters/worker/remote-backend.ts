/** A backend made of an HTTP server: the client's side, for any host that has `fetch`. */

import { type Backend, HoldallError, hostTimers, type Timers } from "holdall";
import { type ClientOptions, connectBackend } from "./client.ts";
import { createExchange, type FetchLike, type HeadersSource, type RemoteRetryOptions } from "./http-exchange.ts";
import { createHttpLink } from "./http-link.ts";
import { MAX_FILE_BYTES } from "./limits.ts";

/** Where a server is, and how it is used. */
export interface RemoteBackendOptions extends ClientOptions {
  /** Its address. */
  url: string;
  /** Headers of every request, such as `{ authorization: "Bearer …" }`, or what gives them each time. */
  headers?: HeadersSource;
  /** Sends requests. Defaults to the host's `fetch`. */
  fetch?: FetchLike;
  /** How a request that nobody has answered is sent again. A change is made once all the same. */
  retry?: RemoteRetryOptions;
  /** Milliseconds until an answer that has not begun counts as never coming. Defaults to five minutes. */
  answerMs?: number;
  /** Milliseconds of silence in the middle of an answer until the server counts as gone. Defaults to 60,000. */
  silenceMs?: number;
  /** Bytes of a file that may go through in one request; larger ones go as streams. Defaults to 256 MiB. */
  maxFileBytes?: number;
  /** Sets and clears timers; a test passes its own. */
  timers?: Timers;
  /** Gives a number from 0 to below 1; a test passes its own. */
  random?: () => number;
}

/**
 * Makes a backend of a server that `serveBackend` answers, or `npx holdall serve`.
 *
 * A request that fails before its answer has begun is sent again. A change carries a key by which the server makes it once,
 * and a retry that the server cannot judge, because it was started anew, fails with `BACKEND_GONE` instead of being made
 * twice: its error has `data.outcome` "unknown". A connection that is cut in the middle of an answer is `BACKEND_GONE`,
 * never a part of the answer; the output of a command goes on where it was cut. A stream is written in parts of 2 MiB.
 *
 * @throws HoldallError `BACKEND_GONE`, `BACKEND_PROTOCOL`, `BACKEND_UNAUTHORIZED`, `BACKEND_FORBIDDEN`
 * @example
 * const backend = await remoteBackend({ url: "https://files.example", headers: { authorization: `Bearer ${token}` } });
 */
export async function remoteBackend(options: RemoteBackendOptions): Promise<Backend> {
  const { url, headers = {}, retry = {}, timers = hostTimers, random = Math.random } = options;
  const { answerMs = 300_000, silenceMs = 60_000, maxFileBytes = MAX_FILE_BYTES } = options;
  const { attempts = 4, initialDelayMs = 200, maxDelayMs = 10_000 } = retry;
  if (!(attempts >= 1)) throw new HoldallError("REMOTE_OPTION", `attempts cannot be ${attempts}. Give 1 or more.`);
  // Taken out of its object, `fetch` of some hosts refuses to work.
  const send: FetchLike = options.fetch ?? ((address, init) => fetch(address, init));
  const exchange = createExchange({
    url,
    headers,
    fetch: send,
    retry: { attempts, initialDelayMs, maxDelayMs },
    answerMs,
    timers,
    random,
  });
  return connectBackend(createHttpLink({ exchange, maxFileBytes, silenceMs, timers, attempts }), options);
}
