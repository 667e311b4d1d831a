/** Answers with NDJSON that goes out as it is made. */

/** Sends one line; its promise is back-pressure. */
export type Send = (line: object) => Promise<void>;

/**
 * Makes an answer of lines.
 *
 * @param signal Aborts when the client is gone.
 * @param produce Makes the lines; the signal it gets aborts as well when nobody reads on.
 */
export function streamLines(
  signal: AbortSignal,
  produce: (send: Send, signal: AbortSignal) => Promise<void>,
): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const left = new AbortController();
  const leave = (): void => left.abort(new DOMException("The client is gone.", "AbortError"));
  signal.addEventListener("abort", leave);
  writer.closed.catch(leave);
  const encoder = new TextEncoder();
  const send: Send = (line) => writer.write(encoder.encode(`${JSON.stringify(line)}\n`));
  // Not awaited: the answer begins before it is complete.
  void produce(send, left.signal)
    .then(() => writer.close())
    .catch((error: unknown) => writer.abort(error).catch(() => {}))
    .finally(() => signal.removeEventListener("abort", leave));
  return new Response(readable, { headers: { "content-type": "application/x-ndjson", "cache-control": "no-store" } });
}
