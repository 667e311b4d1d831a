/** Answers in pieces as server-sent events: `batch` with items and perhaps the end, or `failed`. */

import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { StreamCodec } from "./answer-stream.ts";
import type { Chunks } from "./http-body.ts";
import { readCount } from "./http-protocol.ts";
import { readMessage, type Unread } from "./port-protocol.ts";
import { limitError, protocolError } from "./wire-error.ts";

const encoder = /* @__PURE__ */ new TextEncoder();

/** Writes events. */
export const eventCodec: StreamCodec<unknown> = {
  contentType: "text/event-stream",
  alive: /* @__PURE__ */ encoder.encode(":\n\n"),
  batch: ({ position, ...batch }) => encodeEvent("batch", batch, position),
  failed: (error) => encodeEvent("failed", error),
};

/** JSON has no line ends outside of its texts, and escapes them inside. */
function encodeEvent(name: string, data: unknown, position?: number): Uint8Array {
  const id = position === undefined ? "" : `id: ${position}\n`;
  return encoder.encode(`${id}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** An event whose fields nobody has looked at yet. */
export interface ReadEvent {
  name: "batch" | "failed";
  data: Unread;
  /** Its number, where the answer can be taken up again. */
  position: number | undefined;
}

/**
 * Reads events.
 *
 * @param chunks The body.
 * @param maxLength The longest event, in UTF-16 units.
 * @returns Gives the next event; undefined when the body has ended.
 */
export function readEvents(chunks: Chunks, maxLength: number): () => Promise<ReadEvent | undefined> {
  const ready: EventSourceMessage[] = [];
  const decoder = new TextDecoder();
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: maxLength,
    onEvent: (event) => void ready.push(event),
    onError: ({ type }) => {
      isTooLong ||= type === "max-buffer-size-exceeded";
    },
  });
  return async () => {
    for (;;) {
      const event = ready.shift();
      if (event !== undefined) return parse(event);
      if (isTooLong) throw limitError(`the server sent an event longer than ${maxLength} characters`);
      const chunk = await chunks.next();
      if (chunk === undefined) return undefined;
      parser.feed(decoder.decode(chunk, { stream: true }));
    }
  };
}

function parse({ id, event, data }: EventSourceMessage): ReadEvent {
  if (event !== "batch" && event !== "failed") throw protocolError("the server sent an event that has no meaning");
  let read: Unread | undefined;
  try {
    read = readMessage(JSON.parse(data));
  } catch (error) {
    throw protocolError("the server sent an event that is not JSON", error);
  }
  if (read === undefined) throw protocolError("the server sent an event that is not an object");
  const position = readCount(id ?? null);
  return { name: event, data: read, position };
}
