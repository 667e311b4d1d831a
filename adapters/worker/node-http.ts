/** Node's HTTP server in front of a handler of `Request` and `Response`. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { HEADERS } from "./http-protocol.ts";
import type { BackendHandler } from "./serve-backend.ts";

/** What Node calls for each request. */
export type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Makes a listener for `node:http`'s `createServer`.
 *
 * Bodies are streamed both ways. When the client goes away, the request's signal aborts and the body of the response is
 * cancelled; when that body fails, the connection is cut, so that the client cannot take a part for the whole.
 *
 * @param handler The handler.
 * @param onError Hears of what the handler should not have thrown.
 */
export function nodeListener(handler: BackendHandler, onError: (error: unknown) => void): NodeListener {
  return (incoming, outgoing) => {
    answer(handler, incoming, outgoing).catch((error: unknown) => {
      outgoing.destroy();
      onError(error);
    });
  };
}

async function answer(handler: BackendHandler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.on("close", () => {
    if (!outgoing.writableFinished) gone.abort(new Error("The client has gone away."));
  });
  const request = toRequest(incoming, gone.signal);
  if (request === undefined) {
    outgoing.writeHead(400, { connection: "close" }).end();
    return;
  }
  const response = await handler(request);
  // What has not been read of a request that was refused is not waited for.
  if (!incoming.complete) outgoing.setHeader("connection", "close");
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) outgoing.end();
  else await send(response.body, outgoing, gone.signal);
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = "GET", headers, rawHeaders } = incoming;
  const url = addressOf(incoming);
  // Which of two would count is not left to chance.
  if (url === undefined || isAmbiguous(rawHeaders)) return undefined;
  try {
    const given = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value] as [string, string]],
    );
    return new Request(url, {
      method,
      headers: given,
      signal,
      ...(method !== "GET" && method !== "HEAD" && { body: bodyOf(incoming), duplex: "half" }),
    });
  } catch {
    // A method that no `Request` can have.
    return undefined;
  }
}

/** A name or an address, and perhaps a port: nothing that an address could be led elsewhere by. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Gives the address of a request, whose host is the one of its header: the line before, as `//localhost/` or as a whole
 * address, could name another.
 */
function addressOf({ headers: { host = "" }, url = "" }: IncomingMessage): URL | undefined {
  const text = `http://${host}${url}`;
  return HOST.test(host) && url.startsWith("/") && URL.canParse(text) ? new URL(text) : undefined;
}

/** Headers that mean one thing; Node keeps the first of some, and joins the others. */
const SINGLE: ReadonlySet<string> = new Set([
  "authorization",
  "content-type",
  "host",
  "if-match",
  "if-none-match",
  "origin",
  "range",
  ...Object.values(HEADERS),
]);

/** Tells whether a header that means one thing is there twice. */
function isAmbiguous(rawHeaders: readonly string[]): boolean {
  const met = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? "";
    if (SINGLE.has(name) && met.has(name)) return true;
    met.add(name);
  }
  return false;
}

/** Reads the body as it is asked for; a body that was cut fails. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = incoming[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        // A plain array: Node's own kind shares its memory with others.
        else controller.enqueue(new Uint8Array(value));
      },
      // Left alone: to destroy it would take the connection down before the answer is sent.
      cancel: () => {},
    },
    { highWaterMark: 0 },
  );
}

async function send(body: ReadableStream<Uint8Array>, outgoing: ServerResponse, gone: AbortSignal): Promise<void> {
  const reader = body.getReader();
  const leave = (): void => void reader.cancel(gone.reason).catch(() => {});
  gone.addEventListener("abort", leave);
  if (gone.aborted) leave();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (!outgoing.write(next.value)) await drained(outgoing, gone);
    }
    if (!gone.aborted) outgoing.end();
  } catch {
    // The handler tells of its failures in the body; this one leaves only the cut.
    outgoing.destroy();
  } finally {
    gone.removeEventListener("abort", leave);
  }
}

function drained(outgoing: ServerResponse, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      outgoing.off("drain", settle);
      gone.removeEventListener("abort", settle);
      resolve();
    };
    outgoing.on("drain", settle);
    gone.addEventListener("abort", settle);
    if (gone.aborted) settle();
  });
}
